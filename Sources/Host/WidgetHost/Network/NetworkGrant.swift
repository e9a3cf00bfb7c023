package import Addresses
package import Transfers

/// The addresses that a host lets a widget's requests go to. Without a grant they go nowhere.
package struct NetworkGrant: TransferPolicy {
    /// `https://api.example.com:443/v1/`: a scheme, a host, a port, and the beginning of paths.
    package struct Rule: Equatable, Sendable {
        package let scheme: String
        package let host: String
        package let port: UInt16
        package let path: String

        init(_ url: TransferURL) {
            scheme = url.scheme.rawValue
            host = url.host
            port = url.port
            path = url.path
        }

        /// A path begins with another at a slash only: a grant for `/v1` is not one for `/v10`.
        func allows(_ url: TransferURL) -> Bool {
            guard url.scheme.rawValue == scheme, url.host == host, url.port == port else { return false }
            guard NetworkGrant.isPlain(url.path) else { return false }
            return path == "/" || url.path == path || url.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
        }
    }

    private let rules: [Rule]
    /// Ranges of private addresses that are granted.
    private let privateRanges: [AddressRange]

    /// - Throws: for an address that is not the URL of a server.
    package init(_ addresses: [String], privateRanges: [AddressRange] = []) throws(TransferError) {
        var rules: [Rule] = []
        for address in addresses { rules.append(Rule(try TransferURL(address))) }
        self.rules = rules
        self.privateRanges = privateRanges
    }

    package func allows(_ url: TransferURL) -> Bool { rules.contains { $0.allows(url) } }

    package func allows(_ address: IPAddress, port: UInt16) -> Bool {
        guard rules.contains(where: { $0.port == port }) else { return false }
        return privateRanges.contains { $0.contains(address) } || !address.isReserved
    }

    /// True if a path means the same to every server: no dots to climb with, no slash or backslash in disguise, no
    /// control characters, which some servers leave out, and no bytes that UTF-8 never has, which some read as dots.
    private static func isPlain(_ path: String) -> Bool {
        let plain = unwrapped(path.lowercased())
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        let disguises = ["%2f", "%5c", "\\", "%7f"]
        return !parts.contains { climbs($0) } && !disguises.contains { plain.contains($0) } && isReadable(plain)
    }

    /// True if the escapes of a path stand for no control character and for no overlong form of another character.
    private static func isReadable(_ plain: String) -> Bool {
        let bytes = Array(plain.utf8)
        let escapes = bytes.indices.map { bytes[$0] == UInt8(ascii: "%") ? escape(bytes, $0) : nil }
        for (place, escape) in escapes.enumerated() {
            guard let escape else { continue }
            let next = place + 3 < escapes.count ? escapes[place + 3] : nil
            switch escape {
            case 0..<0x20, 0xC0, 0xC1, 0xF5...0xFF: return false
            case 0xE0: if let next, 0x80..<0xA0 ~= next { return false }
            case 0xF0: if let next, 0x80..<0x90 ~= next { return false }
            default: break
            }
        }
        return true
    }

    private static func escape(_ bytes: [UInt8], _ place: Int) -> UInt8? {
        guard place + 2 < bytes.count else { return nil }
        return UInt8(String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
    }

    /// True for `.` and `..` in any spelling. Some servers look only at the text before a semicolon.
    private static func climbs(_ part: Substring) -> Bool {
        let name = part.replacing("%3b", with: ";").prefix { $0 != ";" }.replacing("%2e", with: ".")
        // Some servers ignore a blank at the end.
        let bare = name.replacing("%20", with: "")
        return bare == "." || bare == ".."
    }

    /// A percent sign that is itself written as one, for servers that decode a path twice.
    private static func unwrapped(_ path: String) -> String {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            bytes.append(byte)
            if bytes.suffix(3).elementsEqual("%25".utf8) { bytes.removeLast(2) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Header fields that a widget may not set: those that say where a request goes or ends, who sent it, and how a proxy
/// has changed it. With another `Host`, the request would reach a site that was never granted; with `X-Forwarded-For`,
/// it would seem to come from the server's network; with a method override, it would be another request.
enum ReservedFields {
    /// Fields that follow from the request and its connection.
    private static let transport: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect",
        "proxy-authorization", "proxy-connection", "range",
    ]
    private static let names: Set<String> = [
        "via",
        // Another method, path or site.
        "x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url", "x-host",
        // Another client.
        "forwarded", "forwarded-for", "client-ip", "true-client-ip", "x-client-ip", "x-cluster-client-ip", "x-real-ip",
        "x-remote-ip", "x-remote-addr", "x-remote-user", "x-originating-ip", "x-proxyuser-ip",
        "x-custom-ip-authorization",
        "cf-connecting-ip", "fastly-client-ip", "wl-proxy-client-ip", "proxy-client-ip", "x-azure-clientip",
    ]
    private static let prefixes = ["x-forwarded", "x-original-", "x-envoy-"]

    static func has(_ name: String) -> Bool {
        let plain = TransferField.plain(name)
        return transport.contains(plain) || names.contains(plain) || prefixes.contains { plain.hasPrefix($0) }
    }

    /// True for fields that an app may not add either. Compression is the transport's own business.
    static func isOfTransport(_ name: String) -> Bool {
        let plain = TransferField.plain(name)
        return transport.contains(plain) || plain == "accept-encoding"
    }
}
