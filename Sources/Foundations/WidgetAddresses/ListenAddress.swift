/// An address to listen at, as written; the listener resolves names.
package enum ListenAddress: Hashable, Sendable {
    /// `host` is a name or an IPv4 or IPv6 address without brackets.
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// The most bytes of a path that a socket address holds beside its terminator.
    static let unixPathByteLimit = 107

    /// `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard !path.isEmpty, path.utf8.count <= ListenAddress.unixPathByteLimit, !path.utf8.contains(0) else {
                return nil
            }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let portText = text[text.index(after: colon)...]
        guard
            let port = IPAddress.number(Array(portText.utf8)[...], radix: 10, digits: 5).flatMap({ UInt16(exactly: $0) }
            ),
            let host = ListenAddress.host(text[..<colon])
        else { return nil }
        self = .tcp(host: host, port: port)
    }

    private static func host(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let address = text.dropFirst().dropLast()
            return address.contains(":") && IPAddress(address) != nil ? String(address) : nil
        }
        let isName =
            !text.isEmpty && text.utf8.count <= 253
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        guard isName else { return nil }
        // A name of digits and points is an address or a slip of one.
        let isNumeric = text.utf8.allSatisfy { $0 < UInt8(ascii: "A") && $0 != UInt8(ascii: "-") }
        return isNumeric && IPAddress(text) == nil ? nil : String(text)
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
