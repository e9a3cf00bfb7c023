internal import CLinux

/// Where to listen or connect: `HOST:PORT`, `[V6]:PORT`, or `unix:/path`.
package enum Endpoint: Hashable, Sendable {
    case ip(IPAddress, port: UInt16)
    case unix(path: String)

    /// What is wrong with a text that names no endpoint.
    package enum Mistake: Error, Equatable, Sendable {
        case noPort
        case port
        case emptyPath
        case unknownHost(String)

        package var explanation: String {
            switch self {
            case .noPort: "expected HOST:PORT, [IPv6]:PORT or unix:/path"
            case .port: "the port is not a number from 0 to 65535"
            case .emptyPath: "unix: is followed by no path"
            case .unknownHost(let host): "the host \(host) is neither an address nor a name this machine knows"
            }
        }
    }

    /// Reads an endpoint; a host name is looked up once, here. An empty host, or `*`, is every IPv4 address.
    package init(_ text: String) throws(Mistake) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw .emptyPath }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { throw .noPort }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { throw .port }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw .noPort
        }
        self = .ip(try Endpoint.address(of: host), port: port)
    }

    private static func address(of host: String) throws(Mistake) -> IPAddress {
        if host.isEmpty || host == "*" { return IPAddress(high: 0, low: 0xFFFF_0000_0000) }
        if let address = IPAddress(host) { return address }
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        var isV4: Int32 = 0
        // The resolver writes sixteen bytes.
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
