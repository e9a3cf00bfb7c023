internal import CWidgetLinux
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
        /// The directories with a new name in them, and their parent.
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
            // The process that made the directory may have ended before its sync. A parent that others own may refuse
            // it.
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

    /// The bytes that the file system has left for users without privileges.
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

extension Directory {
    package struct Item: Equatable, Sendable {
        package var name: String
        package var status: FileStatus
    }

    /// The items in the directory, sorted by name, up to `limit` of them.
    ///
    /// - Returns: `nil` when there are more.
    package borrowing func items(limit: Int) throws(FileError) -> [Item]? {
        // A listing consumes its descriptor and has a position, so it gets a separate one.
        let number = try retrying(.list, path) {
            unsafe linux_openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY, 0)
        }
        guard let stream = unsafe fdopendir(number) else {
            let error = FileError.last(.list, path)
            _ = close(number)
            throw error
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            // The end of a listing and its failure look the same but for this number.
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard linux_errno() == 0 else { throw .last(.list, path) }
                break
            }
            // The name is inside the entry, ends in NUL, and is copied before the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            if names.count == limit { return nil }
            names.append(name)
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var items: [Item] = []
        for name in names {
            do throws(FileError) {
                items.append(Item(name: name, status: try status(of: name)))
            } catch {
                // Removed since it was listed.
                if !error.isMissing { throw error }
            }
        }
        return items
    }

    /// The status of the file at a name; a link is not followed.
    package borrowing func status(of name: String) throws(FileError) -> FileStatus {
        let name = try component(name, .status)
        var status = stat()
        guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .last(.status, subject(name))
        }
        return FileStatus(status)
    }

    /// Opens a file for reading; a link is refused, a fifo does not block.
    package borrowing func openFile(_ name: String) throws(FileError) -> FileDescriptor {
        try .open(
            component(name, .open), in: descriptor.number, subject: subject(name),
            flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Makes a file that was not there before.
    package borrowing func createFile(_ name: String, mode: UInt32 = 0o644) throws(FileError) -> FileDescriptor {
        try .open(
            component(name, .open), in: descriptor.number, subject: subject(name),
            flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }

    /// Opens a file for reading and writing, making it when it is not there.
    package borrowing func openOrCreateFile(_ name: String, mode: UInt32 = 0o644) throws(FileError) -> FileDescriptor {
        try .open(
            component(name, .open), in: descriptor.number, subject: subject(name), flags: O_RDWR | O_CREAT | O_NOFOLLOW,
            mode: mode)
    }

    package borrowing func openDirectory(_ name: String) throws(FileError) -> Directory {
        Directory(
            descriptor: try .open(
                component(name, .open), in: descriptor.number, subject: subject(name),
                flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    }

    /// Makes a directory unless it is there, and opens it; a link of that name is refused.
    package borrowing func createDirectory(_ name: String, mode: UInt32 = 0o755) throws(FileError) -> Directory {
        let name = try component(name, .createDirectory)
        if unsafe mkdirat(descriptor.number, name, mode_t(mode)) != 0 {
            let error = FileError.last(.createDirectory, subject(name))
            if !error.exists { throw error }
        }
        return try openDirectory(name)
    }

    package borrowing func removeFile(_ name: String) throws(FileError) {
        let name = try component(name, .remove)
        guard unsafe unlinkat(descriptor.number, name, 0) == 0 else { throw .last(.remove, subject(name)) }
    }

    /// Makes a link with a path in it, which need not lead anywhere, unless the name is taken.
    package borrowing func createLink(_ name: String, to path: String) throws(FileError) {
        let name = try component(name, .link)
        guard unsafe symlinkat(path, descriptor.number, name) == 0 else { throw .last(.link, subject(name)) }
    }

    /// The path in a link; `nil` for anything but a link, and for a longer path.
    package borrowing func linkedPath(_ name: String) throws(FileError) -> String? {
        let name = try component(name, .link)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        // The pointer lives for this call, and its length travels with it.
        let count = unsafe bytes.withUnsafeMutableBytes { room in
            let room = unsafe room.bindMemory(to: CChar.self)
            guard let start = room.baseAddress else { return 0 }
            return unsafe readlinkat(descriptor.number, name, start, room.count)
        }
        guard count >= 0 else {
            let error = FileError.last(.link, subject(name))
            if error.code == EINVAL { return nil }
            throw error
        }
        return count < bytes.count ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Moves a name within this directory, or into another on the same file system.
    ///
    /// Without `replacing`, an existing target is left alone and reported as ``FileError/exists``.
    package borrowing func rename(
        _ name: String, to target: String, in directory: borrowing Directory, replacing: Bool
    ) throws(FileError) {
        let source = try component(name, .rename)
        let target = try directory.component(target, .rename)
        guard
            unsafe linux_rename(descriptor.number, source, directory.descriptor.number, target, replacing ? 1 : 0) == 0
        else { throw .last(.rename, subject(source)) }
    }

    /// Returns true if the directory has an entry of that name.
    package borrowing func holds(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try status(of: name)
            return true
        } catch {
            if error.isMissing { return false }
            throw error
        }
    }

    /// Lets two names in two directories of one file system change places, at one instant.
    package borrowing func exchange(
        _ name: String, with other: String, in directory: borrowing Directory
    ) throws(FileError) {
        let name = try component(name, .rename)
        let other = try directory.component(other, .rename)
        guard unsafe linux_exchange(descriptor.number, name, directory.descriptor.number, other) == 0 else {
            throw .last(.rename, subject(name))
        }
    }
}

extension Directory {
    /// Removes a directory in this one with all that is in it; links are removed, not followed.
    ///
    /// Trees of any depth take the same stack: one level is emptied at a time, from a list of paths.
    package borrowing func removeTree(_ name: String) throws(FileError) {
        let root = try component(name, .remove)
        var pending = [[root]]
        while let components = pending.last {
            var subdirectories: [[String]] = []
            do {
                let directory = try descend(components)
                for item in try directory.items(limit: .max) ?? [] {
                    if item.status.kind == .directory {
                        subdirectories.append(components + [item.name])
                    } else {
                        try directory.removeFile(item.name)
                    }
                }
            }
            if subdirectories.isEmpty {
                try removeEmpty(components)
                pending.removeLast()
            } else {
                pending += subdirectories
            }
        }
    }

    private borrowing func removeEmpty(_ components: [String]) throws(FileError) {
        let parent = try descend(Array(components.dropLast()))
        let name = components.last ?? ""
        guard unsafe unlinkat(parent.descriptor.number, name, AT_REMOVEDIR) == 0 else {
            throw .last(.remove, parent.subject(name))
        }
    }

    private borrowing func descend(_ components: [String]) throws(FileError) -> Directory {
        var directory = try reopened()
        for component in components {
            directory = try directory.openDirectory(component)
        }
        return directory
    }
}

extension Directory {
    /// The directory for temporary files: `TMPDIR` if that is set, else `/tmp`.
    package static var temporary: String {
        // The text belongs to the C library and is copied at once.
        guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: value)
        return path.isEmpty ? "/tmp" : path
    }
}

/// Returns the path with all links in it followed; a path that does not exist is returned as it is.
package func resolvedPath(_ path: String) -> String {
    // The text belongs to the C library until it is freed here.
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
}

/// Reports that directories have changed; their reader finds out how.
package struct DirectoryWatch: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    package init() throws(FileError) {
        descriptor = FileDescriptor(
            owning: try retrying(.watch, "directories") { linux_watch_create() }, subject: "directories")
    }

    /// The descriptor that becomes readable after a change.
    package var number: Int32 { descriptor.number }

    /// Begins to watch the names in a directory, and the directory itself. Once more is as good as once.
    package borrowing func add(_ path: String) throws(FileError) {
        _ = try retrying(.watch, path) { unsafe linux_watch_add(descriptor.number, path) }
    }

    /// Discards the changes reported so far.
    ///
    /// - Returns: true if there were any.
    package borrowing func drain() throws(FileError) -> Bool {
        try retrying(.watch, descriptor.subject) { linux_watch_drain(descriptor.number) } > 0
    }
}
