internal import CLinux
internal import Glibc

/// An open directory: names in it are single components, and no link is followed on the way.
package struct Directory: ~Copyable, Sendable {
    let descriptor: FileDescriptor

    package var path: String { descriptor.subject }

    init(descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Opens the directory at a path of our own choosing.
    package init(opening path: String) throws(FileError) {
        descriptor = try .open(path, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Makes the directory at a path, its parents too, and opens it.
    ///
    /// - Parameter isDurable: whether a power cut must take none of them afterwards.
    package init(creating path: String, mode: UInt32 = 0o755, isDurable: Bool = false) throws(FileError) {
        var position = path.startIndex
        /// The directories that have a new name in them, and the one right above.
        var changed: [String] = []
        var above = "."
        while position < path.endIndex {
            let end = path[position...].firstIndex(of: "/") ?? path.endIndex
            if end > position {
                above = position > path.startIndex ? String(path[..<position]) : "."
                let part = String(path[..<end])
                if unsafe mkdir(part, mode_t(mode)) == 0 {
                    changed.append(above)
                } else {
                    let error = FileError.last(.createDirectory, part)
                    if !error.exists { throw error }
                    changed.removeAll()
                }
            }
            position = end < path.endIndex ? path.index(after: end) : end
        }
        if isDurable {
            for directory in changed { try Directory(opening: directory).synchronize() }
            // Whoever made it before may have ended before this; that others own what is above is their business then.
            if changed.isEmpty { try? Directory(opening: above).synchronize() }
        }
        try self.init(opening: path)
    }

    /// A name that stays in this directory, or a refusal.
    ///
    /// Names come from our own code and from judged entries; this is the last line of defence.
    borrowing func component(_ name: String, _ operation: FileError.Operation) throws(FileError) -> String {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
            throw FileError(operation, subject: "\(path)/\(name)", code: EINVAL)
        }
        return name
    }

    /// The same directory, held by another owner.
    borrowing func reopened() throws(FileError) -> Directory {
        Directory(descriptor: try .open(".", in: descriptor.number, subject: path, flags: O_RDONLY | O_DIRECTORY))
    }

    borrowing func subject(_ name: String) -> String { "\(path)/\(name)" }

    /// Waits until the names in this directory are on the disk.
    package borrowing func synchronize() throws(FileError) {
        try descriptor.synchronize()
    }

    /// What the file system has left for users without privileges.
    package borrowing func availableByteCount() throws(FileError) -> Int {
        Int(clamping: try retrying(.status, path) { linux_available_bytes(descriptor.number) })
    }

    /// About the directory itself.
    package borrowing func status() throws(FileError) -> FileStatus {
        try descriptor.status()
    }

    /// Takes the directory's advisory lock, unless another holds it.
    ///
    /// - Returns: whether it was taken.
    package borrowing func tryLock(exclusively: Bool = true) throws(FileError) -> Bool {
        try descriptor.tryLock(exclusively: exclusively)
    }

    /// Takes the directory's advisory lock; see ``FileDescriptor/lock(exclusively:)``.
    package borrowing func lock(exclusively: Bool = true) throws(FileError) {
        try descriptor.lock(exclusively: exclusively)
    }
}
