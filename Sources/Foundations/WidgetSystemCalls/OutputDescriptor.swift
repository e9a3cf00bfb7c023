internal import Glibc

/// A descriptor that text is written to: it may be closed, full or slow, and none of that stops the program.
package struct OutputDescriptor: Sendable {
    package static let standardOutput = OutputDescriptor(1)
    package static let standardError = OutputDescriptor(2)

    private let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// True if it is a terminal, so that a person is likely to read it.
    package var isTerminal: Bool { isatty(number) == 1 }

    /// Writes as much as it can and returns how many bytes that was.
    ///
    /// The program ignores SIGPIPE. A write that fails for any reason is tried once more after a short wait for room;
    /// if it fails again, the rest is discarded.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Int {
        var offset = 0
        var isRetry = false
        while offset < bytes.count {
            // Safe: the pointer is used inside the closure only, and offset < count keeps the length positive.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
                return unsafe Glibc.write(number, rest.baseAddress, rest.count)
            }
            if count > 0 {
                offset += count
                isRetry = false
            } else if isRetry {
                return offset
            } else {
                AwaitedDescriptor(number).wait(for: .writable, upTo: OutputDescriptor.roomWait)
                isRetry = true
            }
        }
        return offset
    }

    /// Writes the text that the C library has gathered for its streams, `print` among them.
    package static func flushStreams() { _ = fflush(nil) }

    /// The longest time that a full pipe blocks the thread that writes.
    private static let roomWait = Duration.milliseconds(100)
}
