internal import Addresses
internal import CLinux
internal import Glibc

/// One question and one answer over a blocking connection, for programs that ask a server a single thing.
package enum Probe {
    /// The most bytes of an answer that are read.
    private static let answerLimit = 8 << 20

    /// Sends `request` and reads until the other side closes, all within `seconds`.
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

    /// Sends `request` and hands over what comes, until the other side closes or `receive` wants no more.
    ///
    /// - Parameter seconds: how long nothing may come.
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
