import Glibc

/// Standard output or standard error: it may be closed, full or slow, and none of that stops the program.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// True if the stream is a terminal, so that a person is likely to read it.
    package var isTerminal: Bool {
        isatty(rawValue) == 1
    }

    /// Writes as much as it can and returns how many bytes that was.
    ///
    /// The program ignores SIGPIPE. A write that fails for any reason is tried once more after a short wait for room;
    /// if it fails again, the rest is discarded.
    package func write(_ bytes: [UInt8]) -> Int {
        StandardStream.write(bytes, to: rawValue)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int {
        var offset = 0
        var isRetry = false
        while offset < bytes.count {
            // Safe: the pointer is used inside the closure only, and offset < count keeps the length positive.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                offset += count
                isRetry = false
            } else if isRetry {
                return offset
            } else {
                waitForRoom(in: descriptor)
                isRetry = true
            }
        }
        return offset
    }

    /// The longest time that a full pipe blocks the queue that writes (never a caller).
    private static let roomWaitMilliseconds: Int32 = 100

    private static func waitForRoom(in descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safe: the call reads and writes one pollfd, which lives here until it has returned.
        unsafe _ = poll(&request, 1, roomWaitMilliseconds)
    }
}
