package import Addresses
internal import CLinux

/// Where to listen or connect, with no name left to look up.
package enum Endpoint: Hashable, Sendable {
    case ip(IPAddress, port: UInt16)
    case unix(path: String)

    /// Why there is no endpoint.
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
