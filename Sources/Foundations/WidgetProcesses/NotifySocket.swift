internal import CWidgetLinux
internal import Glibc
package import WidgetFiles

/// The service manager that started this process, which is notified by datagrams: the protocol of sd_notify(3).
///
/// A manager that is gone, or that does not read, never keeps the caller waiting.
package struct NotifySocket: Equatable, Sendable {
    /// The name of its socket: a path, or `@` with an abstract name.
    private let socket: String
    /// The time within which it wants a sign of life, over and over; `nil` if it wants none.
    package let watchdog: Duration?

    /// - Parameter process: the number of this process. `WATCHDOG_PID` names another if the watchdog is not for it.
    /// - Returns: `nil` if the environment names no manager.
    package init?(environment: [String: String], process: Int = ProcessNumber.current) {
        guard let name = environment["NOTIFY_SOCKET"], !name.isEmpty else { return nil }
        socket = name
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        watchdog =
            isMeant
            ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// Sends assignments, `READY=1` for example, in one datagram.
    package func send(_ assignments: [String]) throws(FileError) {
        let isNamed = socket.hasPrefix("/") || (socket.hasPrefix("@") && socket.utf8.count > 1)
        guard isNamed, !socket.utf8.contains(0) else {
            throw FileError(.write, subject: "NOTIFY_SOCKET", code: EDESTADDRREQ)
        }
        let bytes = Array(assignments.joined(separator: "\n").utf8)
        // The pointer lives for this call, inside the array.
        let result = unsafe linux_send_to_unix(socket, bytes, bytes.count)
        guard result == 0 else { throw FileError(.write, subject: socket, code: -result) }
    }

    /// Microseconds of the clock that managers order reloads by.
    package static var monotonicMicroseconds: UInt64 { linux_monotonic_nanoseconds() / 1_000 }
}
