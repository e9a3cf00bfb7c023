internal import Glibc
internal import WidgetBytes
package import WidgetFiles

/// A descriptor that this process was started with, to write lines for the process that started it.
///
/// A reader that is gone or does not read loses lines, and keeps nothing waiting for long.
package final class LineDescriptor: Sendable {
    private let number: Int32
    private let roomWait: Int32
    private let isOpen = Guarded(true)

    /// Takes the descriptor over. Programs that this one starts do not get it.
    ///
    /// Called before the program opens anything, so that the number belongs to an inherited descriptor.
    ///
    /// - Parameter roomWait: the longest time in milliseconds that a full pipe holds up a line.
    /// - Throws: if nothing is open there, or nothing that takes lines.
    package init(inherited number: Int32, roomWait: Int32 = 1_000) throws(FileError) {
        self.roomWait = roomWait
        let subject = "descriptor \(number)"
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0 else { throw FileError(.write, subject: subject, code: EBADF) }
        var status = stat()
        // The record lives for this call.
        guard unsafe fstat(number, &status) == 0 else {
            throw FileError(.write, subject: subject, code: EBADF)
        }
        let takesLines = [S_IFIFO, S_IFSOCK, S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT)
        guard takesLines, flags & O_ACCMODE != O_RDONLY else {
            throw FileError(.write, subject: subject, code: EBADF)
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        self.number = number
    }

    deinit { close() }

    /// Writes a line, unless the reader is gone or leaves no room for it.
    package func write(_ line: String) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            var awaited = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            // The record lives for this call. A pipe is ready if it has room for a page, so that writing does not wait.
            guard unsafe poll(&awaited, 1, roomWait) > 0 else { return }
            guard Int32(awaited.revents) & (POLLOUT | POLLERR | POLLHUP) == POLLOUT else { return }
            let bytes = Array((line + "\n").utf8.prefix(4_096))
            // The pointer lives for this call, inside the array.
            _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        }
    }

    /// Closes it, which tells the reader that no line follows.
    package func close() {
        isOpen.withLock { isOpen in
            if isOpen { _ = Glibc.close(number) }
            isOpen = false
        }
    }
}
