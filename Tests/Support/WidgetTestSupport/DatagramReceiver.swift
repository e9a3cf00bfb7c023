internal import CWidgetLinux
internal import Foundation
internal import Glibc

/// The socket of a service manager: a path in a folder, or an abstract name.
package final class DatagramReceiver: Sendable {
    package struct NoSocket: Error {}

    /// As `NOTIFY_SOCKET` has it.
    package let name: String
    private let number: Int32

    package init(abstract: Bool = false, room: Int32? = nil) throws {
        name = abstract ? "@widgetd-\(UUID().uuidString)" : "\(TemporaryPlace.path)/notify-\(UUID().uuidString)"
        number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        if let room { _ = linux_set_option(number, SOL_SOCKET, SO_RCVBUF, room) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (abstract ? [0] : []) + Array(name.utf8.dropFirst(abstract ? 1 : 0))
        // The name is shorter than its field, and the address lives for the call.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (abstract ? 0 : 1))
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, length) }
        }
        guard number >= 0, result == 0 else { throw NoSocket() }
        _ = linux_set_timeouts(number, 20)
    }

    deinit {
        close(number)
        if name.hasPrefix("/") { _ = unsafe unlink(name) }
    }

    /// The assignments of the next datagram; none if it does not come.
    package func next() -> [String] { received(flags: 0) ?? [] }

    /// The same if it is there already, or `nil`.
    package func waiting() -> [String]? { received(flags: Int32(MSG_DONTWAIT)) }

    private func received(flags: Int32) -> [String]? {
        var room = [UInt8](repeating: 0, count: 4_096)
        // The array is as long as it says.
        let count = unsafe recv(number, &room, room.count, flags)
        guard count >= 0 else { return nil }
        return String(decoding: room[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
