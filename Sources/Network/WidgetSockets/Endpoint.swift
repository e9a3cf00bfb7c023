internal import CWidgetLinux
internal import Glibc
package import WidgetAddresses

/// An address to listen at or connect to, with its host name resolved.
package enum Endpoint: Hashable, Sendable {
    case ip(IPAddress, port: UInt16)
    case unix(path: String)

    /// The reason why a text does not name an endpoint.
    package enum Mistake: Error, Equatable, Sendable {
        case form(String)
        case unknownHost(String)

        package var explanation: String {
            switch self {
            case .form(let text): "\(text) is not HOST:PORT, [IPv6]:PORT or unix:/path"
            case .unknownHost(let host): "the host \(host) is neither an address nor a name this machine knows"
            }
        }
    }

    /// Looks a host name up, once.
    package init(_ address: ListenAddress) throws(Mistake) {
        switch address {
        case .unix(let path): self = .unix(path: path)
        case .tcp(let host, let port): self = .ip(try Endpoint.resolve(host), port: port)
        }
    }

    package init(_ text: String) throws(Mistake) {
        guard let address = ListenAddress(text) else { throw .form(text) }
        try self.init(address)
    }

    private static func resolve(_ host: String) throws(Mistake) -> IPAddress {
        if let address = IPAddress(host) { return address }
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        var isV4: Int32 = 0
        // The resolver writes sixteen bytes, an IPv4 address in its mapped form.
        let code = unsafe withUnsafeMutableBytes(of: &bytes) { room in
            unsafe host.withCString { unsafe linux_resolve($0, room.baseAddress, &isV4) }
        }
        guard code == 0 else { throw .unknownHost(host) }
        return IPAddress(bytes)
    }
}

extension Endpoint: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ip(let address, let port): address.isV4 ? "\(address):\(port)" : "[\(address)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// One question and one answer over a blocking connection, for programs that ask a server a single thing.
package enum Probe {
    /// The most bytes of an answer that are read.
    private static let answerLimit = 8 << 20

    /// Sends `request` and reads until the other side closes.
    ///
    /// - Parameter seconds: the longest silence; 0 to wait for as long as it takes.
    package static func exchange(_ request: [UInt8], with endpoint: Endpoint, seconds: Int) throws(SystemError)
        -> [UInt8]
    {
        var answer: [UInt8] = []
        try exchange(request, with: endpoint, seconds: seconds) { piece in
            answer += piece
            return answer.count < answerLimit
        }
        return answer
    }

    /// Sends `request` and hands over the bytes received, until the other side closes or `receive` returns false.
    ///
    /// - Parameter seconds: the longest silence; 0 to wait for as long as it takes.
    package static func exchange(
        _ request: [UInt8], with endpoint: Endpoint, seconds: Int, receive: (ArraySlice<UInt8>) -> Bool
    ) throws(SystemError) {
        let subject = endpoint.description
        let socket = linux_blocking_socket(endpoint.family)
        guard socket >= 0 else { throw SystemError("socket", subject: subject) }
        defer { close(socket) }
        guard linux_set_timeouts(socket, Int32(seconds)) == 0 else { throw SystemError("setsockopt", subject: subject) }
        guard connect(socket, endpoint) == 0 else { throw SystemError("connect", subject: subject) }
        // The array is alive and as long as it says.
        let sent = unsafe request.withUnsafeBytes { unsafe linux_send(socket, $0.baseAddress, $0.count, 0) }
        guard sent == request.count else { throw SystemError("send", subject: subject) }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe recv(socket, &room, room.count, 0)
            guard count >= 0 else { throw SystemError("receive", subject: subject) }
            if count == 0 || !receive(room[..<count]) { return }
        }
    }

    private static func connect(_ socket: Int32, _ endpoint: Endpoint) -> Int32 {
        switch endpoint {
        case .unix(let path): return unsafe linux_connect_unix(socket, path)
        case .ip(let address, let port):
            let bytes = address.bytes
            // Sixteen bytes are read.
            return unsafe withUnsafeBytes(of: bytes) {
                unsafe linux_connect_ip(socket, $0.baseAddress, address.isV4 ? 1 : 0, port)
            }
        }
    }
}

extension Endpoint {
    /// An address to connect to: a server that listens everywhere is found on loopback.
    package var reachable: Endpoint {
        guard case .ip(let address, let port) = self, address.isUnspecified else { return self }
        return .ip(address.isV4 ? .loopbackV4 : .loopbackV6, port: port)
    }

    var family: Int32 {
        switch self {
        case .unix: AF_UNIX
        case .ip(let address, _): address.isV4 ? AF_INET : AF_INET6
        }
    }
}
