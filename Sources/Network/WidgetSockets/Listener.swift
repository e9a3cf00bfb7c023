internal import CWidgetLinux
internal import Glibc
internal import Synchronization
internal import WidgetAddresses

/// A listening socket. Closed with its last reference.
package final class Listener: Sendable {
    let descriptor: Int32
    /// The address it listens at, with the port if the system chose it.
    package let endpoint: Endpoint
    private let ownsPath: Bool
    private let isStopped = Atomic<Bool>(false)

    private init(descriptor: Int32, endpoint: Endpoint, ownsPath: Bool) {
        self.descriptor = descriptor
        self.endpoint = endpoint
        self.ownsPath = ownsPath
    }

    deinit {
        close(descriptor)
    }

    /// Turns further clients away at once, though the descriptor is open until the last reference is gone.
    ///
    /// The path of a unix socket goes first, while it is certainly still this listener's: as soon as no process answers
    /// there, another server may take it over.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        if ownsPath, case .unix(let path) = endpoint { _ = unsafe unlink(path) }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Opens as many listeners as there are loops to share the connections.
    ///
    /// The kernel spreads connections over sockets that share a port (SO_REUSEPORT), which a single
    /// listener watched by several loops would not. Sharing also lets a second server of the same user
    /// take the same port in silence, so the port is first taken without sharing, to see that it is free.
    ///
    /// - Parameter isPrivate: true if only the server's user may connect to a unix socket.
    package static func open(
        _ endpoint: Endpoint, count: Int, isPrivate: Bool = false
    ) throws(SystemError) -> [Listener] {
        switch endpoint {
        case .unix(let path):
            return [try unix(path, isPrivate: isPrivate)]
        case .ip(let address, let port):
            if count > 1, port != 0 {
                _ = try ip(address, port: port, isShared: false, listens: false)
            }
            var listeners: [Listener] = []
            var chosen = port
            for _ in 0..<max(1, count) {
                let listener = try ip(address, port: chosen, isShared: count > 1, listens: true)
                if case .ip(_, let actual) = listener.endpoint { chosen = actual }
                listeners.append(listener)
            }
            return listeners
        }
    }

    private static func ip(
        _ address: IPAddress, port: UInt16, isShared: Bool, listens: Bool
    ) throws(SystemError) -> Listener {
        let subject = Endpoint.ip(address, port: port).description
        let descriptor = linux_socket(address.isV4 ? AF_INET : AF_INET6)
        guard descriptor >= 0 else { throw SystemError("socket", subject: subject) }
        do throws(SystemError) {
            let actual = try prepare(
                descriptor, address, port: port, isShared: isShared, listens: listens, subject: subject)
            return Listener(descriptor: descriptor, endpoint: .ip(address, port: actual), ownsPath: false)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Binds and listens; returns the port, which is the system's choice where none was given.
    private static func prepare(
        _ descriptor: Int32, _ address: IPAddress, port: UInt16, isShared: Bool, listens: Bool, subject: String
    ) throws(SystemError) -> UInt16 {
        _ = linux_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if isShared, linux_set_option(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) != 0 {
            throw SystemError("setsockopt", subject: subject)
        }
        let bytes = address.bytes
        // Sixteen bytes are read.
        let bound = unsafe withUnsafeBytes(of: bytes) {
            unsafe linux_bind_ip(descriptor, $0.baseAddress, address.isV4 ? 1 : 0, port)
        }
        guard bound == 0 else { throw SystemError("bind", subject: subject) }
        guard listens else { return port }
        guard listen(descriptor, 4_096) == 0 else { throw SystemError("listen", subject: subject) }
        var actual: UInt16 = 0
        guard unsafe linux_local_port(descriptor, &actual) == 0 else {
            throw SystemError("getsockname", subject: subject)
        }
        return actual
    }

    /// The path of a server that has ended is taken over; a path that answers belongs to another server.
    private static func unix(_ path: String, isPrivate: Bool) throws(SystemError) -> Listener {
        let descriptor = linux_socket(AF_UNIX)
        guard descriptor >= 0 else { throw SystemError("socket", subject: path) }
        // Before it has a path, so that others can never reach it.
        if isPrivate, fchmod(descriptor, 0o600) != 0 {
            let failure = SystemError("chmod", subject: path)
            close(descriptor)
            throw failure
        }
        let listener = Listener(descriptor: descriptor, endpoint: .unix(path: path), ownsPath: true)
        if unsafe linux_bind_unix(descriptor, path) != 0 {
            let failure = SystemError("bind", subject: "unix:\(path)")
            guard failure.isAddressInUse, isAbandoned(path), unsafe unlink(path) == 0,
                unsafe linux_bind_unix(descriptor, path) == 0
            else { throw failure }
        }
        guard listen(descriptor, 4_096) == 0 else { throw SystemError("listen", subject: path) }
        return listener
    }

    private static func isAbandoned(_ path: String) -> Bool {
        // Connecting to an ordinary file is refused too, and such a file is not ours to remove.
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        let probe = linux_blocking_socket(AF_UNIX)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        return unsafe linux_connect_unix(probe, path) != 0 && linux_errno() == ECONNREFUSED
    }
}
