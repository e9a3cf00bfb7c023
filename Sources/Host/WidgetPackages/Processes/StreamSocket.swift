internal import Files
internal import Glibc

/// One end of a connection to another process. One thread reads, and another one writes.
final class StreamSocket: Sendable {
    private let descriptor: FileDescriptor

    init(owning number: Int32) {
        descriptor = FileDescriptor(owning: number, subject: "a channel")
    }

    /// The next bytes; empty at the end, and after an error.
    func read(count: Int) -> [UInt8] { (try? descriptor.readNext(count: count)) ?? [] }

    /// Writes all of the bytes.
    ///
    /// - Returns: false if the other side has closed, or does not read them before the moment comes.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let left = bytes.count - sent
            // The pointer lives for this call, inside the array.
            let count = unsafe bytes.withUnsafeBytes { source in
                unsafe send(
                    descriptor.number, source.baseAddress.map { unsafe $0 + sent }, left,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
                continue
            }
            // The buffer is full, or the other side has closed, which the next wait shows.
            let rest = deadline - .now
            guard rest > .zero else { return false }
            var awaited = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
            let milliseconds = min(1_000, max(1, rest / .milliseconds(1)))
            _ = unsafe poll(&awaited, 1, Int32(milliseconds))
            guard Int32(awaited.revents) & (POLLERR | POLLHUP | POLLNVAL) == 0 else { return false }
        }
        return true
    }

    /// Ends the connection: a thread that reads finds the end.
    func close() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}
