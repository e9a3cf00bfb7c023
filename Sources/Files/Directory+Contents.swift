internal import CLinux
internal import Glibc

extension Directory {
    package struct Item: Equatable, Sendable {
        package var name: String
        package var status: FileStatus
    }

    /// What is in the directory, sorted by name, up to `limit` items.
    ///
    /// - Returns: `nil` when there are more.
    package borrowing func items(limit: Int) throws(FileError) -> [Item]? {
        // A listing consumes its descriptor and has a position, so it gets one of its own.
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

    /// What is at a name; a link is not followed.
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

    /// Whether there is anything of that name.
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
