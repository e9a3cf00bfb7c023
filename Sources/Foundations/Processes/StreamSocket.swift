internal import Files
internal import Glibc

/// One end of a connection to another process. One thread reads, and another one writes.
package final class StreamSocket: Sendable {
    private let descriptor: FileDescriptor

    init(owning number: Int32) {
        descriptor = FileDescriptor(owning: number, subject: "a channel")
    }

    /// The next bytes; empty at the end, and after an error.
    package func read(count: Int) -> [UInt8] { (try? descriptor.readNext(count: count)) ?? [] }

    /// The next bytes; empty at the end, and after an error.
    ///
    /// - Returns: `nil` if none comes before the moment.
    package func read(count: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while wait(for: POLLIN, until: deadline) == 0 {
            if ContinuousClock.now >= deadline { return nil }
        }
        return read(count: count)
    }

    /// Writes all of the bytes.
    ///
    /// - Returns: false if the other side has closed, or does not read them before the moment comes.
    package func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
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
            guard ContinuousClock.now < deadline else { return false }
            guard wait(for: POLLOUT, until: deadline) & (POLLERR | POLLHUP | POLLNVAL) == 0 else { return false }
        }
        return true
    }

    /// Waits until something happens, until the moment, or for a second.
    private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Int32 {
        var awaited = pollfd(fd: descriptor.number, events: Int16(event), revents: 0)
        let milliseconds = min(1_000, max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up)))
        return unsafe poll(&awaited, 1, Int32(milliseconds)) > 0 ? Int32(awaited.revents) : 0
    }

    /// Ends the connection: a thread that reads finds the end.
    package func close() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}
