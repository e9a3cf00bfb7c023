internal import CLinux

/// Tells that something has happened in directories; what it was, whoever asks sees for himself.
package struct DirectoryWatch: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    package init() throws(FileError) {
        descriptor = FileDescriptor(
            owning: try retrying(.watch, "directories") { linux_watch_create() }, subject: "directories")
    }

    /// Becomes readable when something has happened.
    package var number: Int32 { descriptor.number }

    /// Begins to watch the names in a directory, and the directory itself. Once more is as good as once.
    package borrowing func add(_ path: String) throws(FileError) {
        _ = try retrying(.watch, path) { unsafe linux_watch_add(descriptor.number, path) }
    }

    /// Forgets what has happened so far.
    ///
    /// - Returns: whether that was anything.
    package borrowing func drain() throws(FileError) -> Bool {
        try retrying(.watch, descriptor.subject) { linux_watch_drain(descriptor.number) } > 0
    }
}
