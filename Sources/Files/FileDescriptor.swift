internal import CLinux
internal import Glibc

/// An open file that has exactly one owner and is closed when that owner is gone.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number the system knows it by, for calls that other modules wrap (`sendfile`).
    package private(set) var number: Int32
    /// What it is, for errors: a path or a role.
    package let subject: String

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32, subject: String) {
        self.number = number
        self.subject = subject
    }

    deinit {
        // An error here has nobody left to tell; `close()` is for those who want to know.
        if number >= 0 { _ = Glibc.close(number) }
    }

    /// Opens a file for reading, not following a link in the last component.
    package static func reading(_ path: String) throws(FileError) -> FileDescriptor {
        try open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens what its owner has named, for reading, wherever links lead: secrets are mounted as links.
    package static func readingNamed(_ path: String) throws(FileError) -> FileDescriptor {
        try open(path, flags: O_RDONLY | O_NONBLOCK)
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

    /// The same open file under a number of its own, for an owner of its own.
    package borrowing func duplicate() throws(FileError) -> FileDescriptor {
        FileDescriptor(owning: try retrying(.open, subject) { linux_duplicate(number) }, subject: subject)
    }

    /// Gives up ownership: closing it is the caller's business from now on.
    package consuming func release() -> Int32 {
        let number = self.number
        self.number = -1
        return number
    }

    /// Closes and says whether that went well; some file systems report a failed write only here.
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
