internal import CWidgetLinux
internal import Glibc

/// A free port of loopback that no other program gets, for one that listens with `SO_REUSEPORT`.
package final class HeldPort: Sendable {
    package struct NoPort: Error {}

    package let number: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = linux_socket(AF_INET)
        var number: UInt16 = 0
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        // Sixteen bytes are read, one number is written. Bound alone, it gets no connections.
        guard linux_set_option(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) == 0,
            unsafe linux_bind_ip(descriptor, loopback, 1, 0) == 0, unsafe linux_local_port(descriptor, &number) == 0
        else {
            Glibc.close(descriptor)
            throw NoPort()
        }
        self.number = number
    }

    deinit { Glibc.close(descriptor) }
}
