internal import CWidgetLinux
internal import Glibc

/// An open file that has exactly one owner and is closed when that owner is gone.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number the system knows it by, for calls that other modules wrap (`sendfile`).
    package private(set) var number: Int32
    /// The file's path or role, for errors.
    package let subject: String

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32, subject: String) {
        self.number = number
        self.subject = subject
    }

    deinit {
        // An error cannot be reported from here; owners that need to know call `close()`.
        if number >= 0 { _ = Glibc.close(number) }
    }

    /// Opens a file for reading, not following a link in the last component.
    package static func reading(_ path: String) throws(FileError) -> FileDescriptor {
        try open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens a file that the operator has named, for reading, and follows links: secrets are mounted as links.
    package static func readingNamed(_ path: String) throws(FileError) -> FileDescriptor {
        try open(path, flags: O_RDONLY | O_NONBLOCK)
    }

    /// Opens a file that the operator has named, to be read once from its beginning by ``readNext(count:)``. For a pipe it
    /// waits for a writer.
    package static func readingStream(_ path: String) throws(FileError) -> FileDescriptor {
        try open(path, flags: O_RDONLY)
    }

    /// Opens a file for reading and writing that may or may not exist yet.
    package static func creating(_ path: String, mode: UInt32 = 0o644) throws(FileError) -> FileDescriptor {
        try open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
    }

    /// A file in `directory` that has no name and vanishes with its descriptor.
    package static func unnamed(inDirectory directory: String) throws(FileError) -> FileDescriptor {
        let folder = try open(directory, flags: O_RDONLY | O_DIRECTORY)
        let number = linux_unnamed_file(folder.number)
        guard number >= 0 else { throw .last(.open, "a scratch file in \(directory)") }
        return FileDescriptor(owning: number, subject: "a scratch file in \(directory)")
    }

    static func open(_ path: String, flags: Int32, mode: UInt32 = 0) throws(FileError) -> FileDescriptor {
        try open(path, in: AT_FDCWD, subject: path, flags: flags, mode: mode)
    }

    static func open(
        _ name: String, in directory: Int32, subject: String, flags: Int32, mode: UInt32 = 0
    ) throws(FileError) -> FileDescriptor {
        let number = try retrying(.open, subject) { unsafe linux_openat(directory, name, flags, mode) }
        return FileDescriptor(owning: number, subject: subject)
    }

    /// The same open file under a separate number, for a second owner.
    package borrowing func duplicate() throws(FileError) -> FileDescriptor {
        FileDescriptor(owning: try retrying(.open, subject) { linux_duplicate(number) }, subject: subject)
    }

    /// Gives up ownership: closing it is the caller's business from now on.
    package consuming func release() -> Int32 {
        let number = self.number
        self.number = -1
        return number
    }

    /// Closes the file, and throws if that fails; some file systems report a failed write only here.
    package consuming func close() throws(FileError) {
        let number = self.number
        self.number = -1
        // Not tried again after an interruption: on Linux the descriptor is gone either way.
        guard Glibc.close(number) == 0 || linux_errno() == EINTR else { throw .last(.close, subject) }
    }
}

/// Makes a call again while a signal interrupts it.
func retrying<Value: SignedInteger>(
    _ operation: FileError.Operation, _ subject: String, _ call: () -> Value
) throws(FileError) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        let error = FileError.last(operation, subject)
        if error.code != EINTR { throw error }
    }
}

extension FileDescriptor {
    package borrowing func status() throws(FileError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last(.status, subject) }
        return FileStatus(status)
    }

    package borrowing func truncate(to byteCount: Int) throws(FileError) {
        _ = try retrying(.truncate, subject) { ftruncate(number, off_t(byteCount)) }
    }

    /// Asks for room on the disk, so that a full one is met now rather than in the middle.
    ///
    /// A file system that cannot reserve is not an error: the write will tell.
    package borrowing func reserve(byteCount: Int) throws(FileError) {
        guard byteCount > 0 else { return }
        do throws(FileError) {
            _ = try retrying(.reserve, subject) { linux_reserve(number, Int64(byteCount)) }
        } catch {
            guard error.code == EOPNOTSUPP || error.code == ENOSYS else { throw error }
        }
    }

    package borrowing func setMode(_ mode: UInt32) throws(FileError) {
        _ = try retrying(.setMode, subject) { fchmod(number, mode_t(mode)) }
    }

    /// Sets the time of the last modification, in seconds since 1970.
    package borrowing func setModification(_ seconds: Int64) throws(FileError) {
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: 0)
        _ = try retrying(.setTime, subject) { unsafe futimens(number, [time, time]) }
    }

    /// Waits until contents and size are on the disk.
    ///
    /// A failure is final for this file: the system may have dropped the pages it could not write, and a
    /// second call would then report success.
    package borrowing func synchronize() throws(FileError) {
        _ = try retrying(.synchronize, subject) { fsync(number) }
    }

    /// Takes the advisory lock, or throws at once with ``FileError/isLocked`` when another process has it.
    ///
    /// The lock belongs to the open file and ends with it.
    ///
    /// - Parameter isPatient: whether to try for two seconds, as after a process that was killed: until it runs its program,
    ///   a child of such a process holds its locks.
    package borrowing func lock(exclusively: Bool = true, isPatient: Bool = false) throws(FileError) {
        for attempt in 0... {
            let mayBeOurs = linux_starts_programs() != 0
            do throws(FileError) {
                _ = try retrying(.lock, subject) { flock(number, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) }
                return
            } catch {
                // A child that has not run its program yet holds locks that this process has released.
                let mayEndSoon = isPatient || mayBeOurs || linux_starts_programs() != 0
                guard error.isLocked, mayEndSoon, attempt < FileDescriptor.lockAttempts else { throw error }
                usleep(1_000)
            }
        }
    }

    /// Milliseconds for which a lock that a child may hold is retried.
    private static let lockAttempts = 2_000

    /// Takes the advisory lock, unless another process has it.
    ///
    /// - Returns: whether it was taken.
    package borrowing func tryLock(exclusively: Bool = true) throws(FileError) -> Bool {
        do throws(FileError) {
            try lock(exclusively: exclusively)
            return true
        } catch {
            if error.isLocked { return false }
            throw error
        }
    }
}

extension FileDescriptor {
    /// The process's standard input, under a separate number.
    package static func standardInput() throws(FileError) -> FileDescriptor {
        let number = try retrying(.open, "standard input") { dup(STDIN_FILENO) }
        return FileDescriptor(owning: number, subject: "standard input")
    }

    /// The next bytes of a stream, up to `count`; empty at its end.
    package borrowing func readNext(count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try retrying(.read, subject) {
            // The pointer lives for this call, inside the array.
            unsafe bytes.withUnsafeMutableBytes { room in unsafe Glibc.read(number, room.baseAddress, room.count) }
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}

extension FileDescriptor {
    /// Reads from `offset` into the array, from `index` on, until `count` bytes are there or the file ends.
    ///
    /// - Returns: the number of bytes read; fewer than asked for only at the end of the file.
    package borrowing func read(
        at offset: Int, into bytes: inout [UInt8], from index: Int = 0, count: Int
    ) throws(FileError) -> Int {
        precondition(index >= 0 && count <= bytes.count - index, "the caller asks for no more than it made room for")
        var filled = 0
        while filled < count {
            let position = filled
            let step = try retrying(.read, subject) {
                // The pointer lives for this call, inside the array.
                unsafe bytes.withUnsafeMutableBytes { room in
                    unsafe pread(
                        number, room.baseAddress.map { unsafe $0 + index + position }, count - position,
                        off_t(offset + position))
                }
            }
            if step == 0 { break }
            filled += step
        }
        return filled
    }

    /// Reads up to `count` bytes from `offset` into an array.
    package borrowing func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try read(at: offset, into: &bytes, count: count)
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Writes all the bytes at `offset`.
    package borrowing func write(_ bytes: borrowing Span<UInt8>, at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let left = bytes.count - written
            written += try retrying(.write, subject) {
                // The pointer lives for this call, inside the bytes.
                unsafe bytes.withUnsafeBytes { source in
                    unsafe pwrite(number, source.baseAddress.map { unsafe $0 + written }, left, off_t(offset + written))
                }
            }
        }
    }

    package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try write(bytes.span, at: offset)
    }
}

/// The system's facts about a file that this package uses.
package struct FileStatus: Equatable, Sendable {
    package enum Kind: Equatable, Sendable { case file, directory, link, other }

    package var kind: Kind
    package var byteCount: Int
    package var inode: UInt64
    /// The file system; inodes of two file systems may have equal numbers.
    package var device: UInt64
    package var modification: Duration
    /// The time of the last change of contents, names or mode; programs cannot set it back.
    package var change: Duration
    /// The permission bits.
    package var mode: UInt32

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        byteCount = Int(status.st_size)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        modification = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        change = .seconds(status.st_ctim.tv_sec) + .nanoseconds(status.st_ctim.tv_nsec)
        mode = UInt32(status.st_mode & 0o7777)
    }

    /// Returns true if both describe one file, under the same name or different ones.
    package func isSameFile(as other: FileStatus) -> Bool {
        inode == other.inode && device == other.device
    }
}

/// A file open for reading that several owners share; the last of them closes it.
package final class StoredFile: Sendable {
    package let descriptor: FileDescriptor
    /// The system's account of the file when it was opened; while that stays, so do the bytes.
    package let status: FileStatus

    package init(_ descriptor: consuming FileDescriptor) throws(FileError) {
        status = try descriptor.status()
        self.descriptor = descriptor
    }

    package var byteCount: Int { status.byteCount }

    /// At most `count` bytes from a place on; fewer at the end.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try descriptor.read(at: offset, count: count)
    }
}

/// A file's advisory lock and the file itself, released together.
///
/// Closing alone would not do: a child process has a copy of every descriptor until it runs its own program,
/// and a lock lasts as long as a copy. So it is released explicitly.
package struct FileLock: ~Copyable, Sendable {
    package let file: FileDescriptor

    /// Takes the lock, or throws with ``FileError/isLocked`` when another has it: at once, or when it had it for two seconds.
    package init(of file: consuming FileDescriptor, isPatient: Bool = false) throws(FileError) {
        try file.lock(isPatient: isPatient)
        self.file = file
    }

    deinit {
        // The descriptor is ours and open, so this cannot fail.
        _ = flock(file.number, LOCK_UN)
    }
}
