internal import CLinux
internal import Glibc

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
    package borrowing func lock(exclusively: Bool = true) throws(FileError) {
        _ = try retrying(.lock, subject) { flock(number, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) }
    }

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
