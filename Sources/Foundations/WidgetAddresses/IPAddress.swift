/// An IPv4 or IPv6 address, compared and hashed without allocation.
///
/// An IPv4 address is kept as the IPv6 address it maps to (`::ffff:0:0/96`), so that one client is one value
/// whichever kind of socket it came through.
package struct IPAddress: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// From sixteen bytes in network order, as system calls exchange them.
    package init(_ bytes: InlineArray<16, UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(bytes[index])
            low = low << 8 | UInt64(bytes[index &+ 8])
        }
        self.init(high: high, low: low)
    }

    package static let loopbackV4 = IPAddress(high: 0, low: 0xFFFF_7F00_0001)
    package static let loopbackV6 = IPAddress(high: 0, low: 1)
    package static let anyV4 = IPAddress(high: 0, low: 0xFFFF_0000_0000)

    package var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    package var isLoopback: Bool {
        isV4 ? low >> 24 & 0xFF == 127 : self == .loopbackV6
    }

    package var isUnspecified: Bool {
        self == .anyV4 || high == 0 && low == 0
    }

    /// The address that counts as one client: an IPv4 address, or the /64 that an IPv6 host picks its addresses from.
    package var client: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }

    /// Sixteen bytes in network order.
    package var bytes: InlineArray<16, UInt8> {
        InlineArray { index in
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 &- 8 &* (index & 7)))
        }
    }
}

extension IPAddress {
    /// Four decimal numbers without leading zeros, or an IPv6 address of RFC 4291 §2.2 without brackets or zone.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 45 else { return nil }
        let parsed = bytes.contains(UInt8(ascii: ":")) ? IPAddress.sixteen(bytes[...]) : IPAddress.mapped(bytes[...])
        guard let parsed else { return nil }
        self.init(InlineArray { parsed[$0] })
    }

    private static func mapped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        four(text).map { [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + $0 }
    }

    private static func four(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part -> UInt8? in
            guard part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            return number(part, radix: 10, digits: 3).flatMap { UInt8(exactly: $0) }
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func sixteen(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let gap = text.indices.dropLast().first(where: { text[$0] == 0x3A && text[$0 + 1] == 0x3A }) else {
            let bytes = groups(text, mayEndInIPv4: true)
            return bytes?.count == 16 ? bytes : nil
        }
        let before = text[..<gap]
        let after = text[(gap + 2)...]
        guard let head = before.isEmpty ? [] : groups(before, mayEndInIPv4: false),
            let tail = after.isEmpty ? [] : groups(after, mayEndInIPv4: true), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let four = four(part) else { return nil }
                bytes += four
            } else {
                guard let group = number(part, radix: 16, digits: 4) else { return nil }
                bytes += [UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes
    }

    /// Parses a text of only digits, at most `digits` of them.
    static func number(_ text: ArraySlice<UInt8>, radix: Int, digits: Int) -> Int? {
        guard (1...digits).contains(text.count) else { return nil }
        var value = 0
        for byte in text {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80, digit < radix else {
                return nil
            }
            value = value * radix + digit
        }
        return value
    }
}

extension IPAddress: CustomStringConvertible {
    /// Appends the dotted numbers of an IPv4 address.
    package func appendV4(to text: inout [UInt8]) {
        for shift in stride(from: UInt64(24), through: 0, by: -8) {
            let number = UInt8(truncatingIfNeeded: low >> shift)
            if number >= 100 { text.append(UInt8(ascii: "0") + number / 100) }
            if number >= 10 { text.append(UInt8(ascii: "0") + number / 10 % 10) }
            text.append(UInt8(ascii: "0") + number % 10)
            if shift > 0 { text.append(UInt8(ascii: ".")) }
        }
    }

    /// Dotted numbers, or the form of RFC 5952: lower case, the longest run of zero groups left out.
    package var description: String {
        if isV4 {
            var text: [UInt8] = []
            appendV4(to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        let groups: [UInt64] = (0..<8).map { (index: Int) -> UInt64 in
            let half = index < 4 ? high : low
            return half >> UInt64(48 - 16 * (index & 3)) & 0xFFFF
        }
        let words = groups.map { String($0, radix: 16) }
        guard let run = IPAddress.longestZeroRun(groups) else { return words.joined(separator: ":") }
        return words[..<run.lowerBound].joined(separator: ":") + "::" + words[run.upperBound...].joined(separator: ":")
    }

    private static func longestZeroRun(_ groups: [UInt64]) -> Range<Int>? {
        var best: Range<Int>?
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start >= 2, index - start > (best?.count ?? 0) { best = start..<index }
            start = index + 1
        }
        return best
    }
}

/// Addresses that share their first bits (CIDR, RFC 4632 §3.1), or one address.
package struct AddressRange: Hashable, Sendable {
    private let base: IPAddress
    /// Of the mapped form, so 96 more than written for IPv4.
    private let prefixLength: Int
    private let text: String

    /// `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`. Bits beyond the prefix must be zero: other bits are a slip.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let width = address.isV4 ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let written = IPAddress.number(Array(parts[1].utf8)[...], radix: 10, digits: 3), written <= width
            else {
                return nil
            }
            length = written
        }
        prefixLength = length + (address.isV4 ? 96 : 0)
        base = address
        self.text = text
        guard AddressRange.masked(address, prefixLength) == address else { return nil }
    }

    package func contains(_ address: IPAddress) -> Bool {
        // A prefix matches its own family only, though all addresses share one form here.
        address.isV4 == base.isV4 && AddressRange.masked(address, prefixLength) == base
    }

    private static func masked(_ address: IPAddress, _ length: Int) -> IPAddress {
        // A shift by the whole width gives zero, the mask of no bits.
        let highMask = ~(UInt64.max >> UInt64(min(64, length)))
        let lowMask = ~(UInt64.max >> UInt64(min(64, max(0, length - 64))))
        return IPAddress(high: address.high & highMask, low: address.low & lowMask)
    }
}

extension AddressRange: CustomStringConvertible {
    package var description: String { text }
}

/// Addresses that no server on the public internet has: private, of this machine, link-local, wrapping such an address, or
/// naming no machine.
extension IPAddress {
    private static let reserved = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32", "::/8", "100::/64", "2001::/23",
        "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ].compactMap { AddressRange($0) }

    /// True for a link-local address, also for the addresses of clouds' metadata services.
    package var isLinkLocal: Bool {
        isV4 ? low >> 16 & 0xFFFF == 0xA9FE || low == 0xFFFF_A83F_8110 : high >> 54 == 0x3FA
    }

    /// True for an address that belongs to this machine or its network, or to none; false on the public internet.
    package var isReserved: Bool {
        // An IPv4 address in the form of an IPv6 one leads to that IPv4 address.
        if !isV4, high == 0, low >> 32 == 0 { return true }
        return IPAddress.reserved.contains { $0.contains(self) }
    }
}
