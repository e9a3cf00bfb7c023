/// The address of a service as its author wrote it, read as generously as parsers of addresses do, and judged without any look-up
/// of names.
package struct LooseAddress: Equatable, Sendable {
    /// In lower case.
    package let scheme: String
    /// The bytes behind the colon, without white space before the address, tabs and line breaks.
    package let rest: [UInt8]
    /// The offset of the user's name and password in the text; `nil` without them.
    package let credentials: Int?
    /// Without the port, and without the brackets of an IPv6 address.
    package let host: String
    /// The offset of the host in the text.
    package let hostOffset: Int

    /// Returns `nil` for a text without a scheme, which is a path.
    package init?(_ text: String) {
        let bytes = LooseAddress.stripped(text)
        let skipped = text.utf8.prefix { $0 <= 0x20 }.count
        guard let scheme = LooseAddress.scheme(of: bytes) else { return nil }
        self.scheme = scheme
        rest = Array(bytes[(scheme.utf8.count + 1)...])
        // Parsers of addresses take backslashes for slashes, and any number of either.
        let start = bytes[(scheme.utf8.count + 1)...].firstIndex { $0 != 0x2F && $0 != 0x5C } ?? bytes.count
        let end = bytes[start...].firstIndex { [0x2F, 0x5C, 0x3F, 0x23].contains($0) } ?? bytes.count
        let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
        credentials = at.map { _ in skipped + start }
        let hostStart = at.map { $0 + 1 } ?? start
        host = LooseAddress.host(bytes[hostStart..<end])
        hostOffset = skipped + hostStart
    }

    /// True for an address of the machine that asks, or of its network.
    package var isPrivate: Bool { LooseAddress.isPrivate(host) }

    /// True for the machine that asks: what is sent there leaves it on no network.
    package var isLoopback: Bool {
        host == "localhost" || (IPAddress(host) ?? LooseAddress.looseV4(host))?.isLoopback == true
    }

    /// Returns the bytes that parsers of addresses read: they pass over white space before an address, and over tabs and
    /// line breaks in it.
    private static func stripped(_ text: String) -> [UInt8] {
        Array(text.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) })
    }

    /// Returns the text before the first colon, in lower case, if it can be a scheme (RFC 3986, section 3.1).
    private static func scheme(of bytes: [UInt8]) -> String? {
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < bytes.count, let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        // `host:8080/path` has no scheme.
        let rest = bytes[(scheme.count + 1)...]
        if let next = rest.first, (0x30...0x39).contains(next) { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// Returns the host without the port, and without the brackets of an IPv6 address.
    private static func host(_ authority: ArraySlice<UInt8>) -> String {
        if authority.first == UInt8(ascii: "[") {
            return String(decoding: authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
                .lowercased()
        }
        let host = String(decoding: authority.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static let privateSuffixes = [".localhost", ".local", ".internal", ".home.arpa"]

    private static let privateRanges = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.168.0.0/16", "::/128", "::1/128", "fc00::/7", "fe80::/10",
    ].compactMap { AddressRange($0) }

    private static func isPrivate(_ host: String) -> Bool {
        if host == "localhost" || privateSuffixes.contains(where: host.hasSuffix) { return true }
        guard let address = IPAddress(host) ?? looseV4(host) else { return false }
        return privateRanges.contains { $0.contains(address) }
    }

    /// Parses one to four numbers, decimal, octal or hexadecimal. The last fills the remaining bytes: `127.1`,
    /// `0x7f000001`.
    private static func looseV4(_ host: String) -> IPAddress? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var value: UInt64 = 0
        for (index, part) in parts.enumerated() {
            guard let number = number(part) else { return nil }
            let isLast = index == parts.count - 1
            let bits = isLast ? UInt64(32 - 8 * index) : 8
            guard number < 1 << bits else { return nil }
            value = value << bits | number
        }
        return IPAddress(high: 0, low: 0xFFFF_0000_0000 | value)
    }

    private static func number(_ text: Substring) -> UInt64? {
        guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count <= 16 else { return nil }
        if text.hasPrefix("0x") { return text.utf8.count == 2 ? 0 : UInt64(text.dropFirst(2), radix: 16) }
        if first == 0x30, text.utf8.count > 1 { return UInt64(text.dropFirst(), radix: 8) }
        return UInt64(text, radix: 10)
    }
}
