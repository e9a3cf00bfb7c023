internal import CLinux
internal import Glibc

/// A port on loopback that takes connections, and neither reads nor says anything.
package final class SilentPort: Sendable {
    package let port: UInt16
    private let listener: Int32

    package init() throws {
        listener = linux_blocking_socket(AF_INET)
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        var port: UInt16 = 0
        // Sixteen bytes are read, one number is written. The system takes connections by itself.
        guard unsafe linux_bind_ip(listener, loopback, 1, 0) == 0, listen(listener, 16) == 0,
            unsafe linux_local_port(listener, &port) == 0
        else { throw HostileServer.DidNotStart() }
        self.port = port
    }

    deinit { close(listener) }
}
