import Addresses
import CLinux
import Glibc
import Sockets

/// A connection that a test opens, writes to and forgets; closed with the last reference.
final class Client {
    let socket: Int32

    init?(_ endpoint: Endpoint) {
        guard case .ip(let address, let port) = endpoint else { return nil }
        socket = linux_blocking_socket(AF_INET)
        guard socket >= 0 else { return nil }
        _ = linux_set_timeouts(socket, 10)
        let bytes = address.bytes
        let result = unsafe withUnsafeBytes(of: bytes) { unsafe linux_connect_ip(socket, $0.baseAddress, 1, port) }
        guard result == 0 else {
            close(socket)
            return nil
        }
    }

    deinit {
        close(socket)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe linux_send(socket, bytes, bytes.count, 0)
    }

    /// Whatever arrives next, at most 64 KiB; empty at the end.
    func receive() -> String {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(socket, &room, room.count, 0)
        return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : ""
    }
}
