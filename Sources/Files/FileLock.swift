internal import CLinux
internal import Glibc

/// A file's advisory lock and the file itself, given up together.
///
/// Closing alone would not do: a child that is being born has a copy of every descriptor until it runs its own program,
/// and a lock lasts as long as a copy. So it is given up in words.
package struct FileLock: ~Copyable, Sendable {
    package let file: FileDescriptor

    /// Takes the lock, or throws at once with ``FileError/isLocked`` when another has it.
    package init(of file: consuming FileDescriptor) throws(FileError) {
        try file.lock()
        self.file = file
    }

    deinit {
        // The descriptor is ours and open; nothing else can fail here.
        _ = flock(file.number, LOCK_UN)
    }
}
