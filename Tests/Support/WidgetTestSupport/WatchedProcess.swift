internal import CWidgetLinux
internal import Glibc

/// A process whose end the kernel reports, as it does to its parent, to any other process.
///
/// A process that has ended and was not collected yet has ended.
package final class WatchedProcess: Sendable {
    package struct NotThere: Error {
        package let number: Int
    }

    private let descriptor: Int32

    /// - Parameter number: that of a process that runs.
    package init(_ number: Int) throws {
        descriptor = linux_pidfd(Int32(truncatingIfNeeded: number))
        guard descriptor >= 0 else { throw NotThere(number: number) }
    }

    deinit { close(descriptor) }

    package var hasEnded: Bool { ends(within: .zero) }

    /// Blocks until the process has ended.
    ///
    /// - Returns: false if it runs after the time.
    package func ends(within time: Duration = .seconds(60)) -> Bool {
        WatchedProcess.isReadable([descriptor], by: .now + time) == descriptor
    }

    /// Blocks until a descriptor can be read, or the process has ended.
    ///
    /// - Returns: true if the descriptor can be read.
    package func isReadable(_ other: Int32, by end: ContinuousClock.Instant) -> Bool {
        WatchedProcess.isReadable([other, descriptor], by: end) == other
    }

    /// The first descriptor that can be read; `nil` after the end.
    private static func isReadable(_ descriptors: [Int32], by end: ContinuousClock.Instant) -> Int32? {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let (seconds, attoseconds) = max(end - .now, .zero).components
            // Rounded up, so that the last wait does not end before the end.
            let milliseconds =
                min(seconds, 1_000_000) * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
            let count = unsafe poll(&entries, nfds_t(entries.count), Int32(milliseconds))
            if count < 0, errno == EINTR { continue }
            return entries.first { $0.revents != 0 }?.fd
        }
    }
}
