/// A range of addresses that share their first bits (CIDR, RFC 4632 section 3.1), or one address.
package struct AddressRange: Equatable, Sendable {
    /// 4 or 16 bytes; bits beyond the prefix are zero.
    package let address: [UInt8]
    package let prefixLength: Int
    private let text: String

    /// `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`. Bits beyond the prefix must be zero: a range that says more than it
    /// means is a slip.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let bitCount = address.bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, let length = FoundValue.digits(parts[1]), length <= Int64(bitCount) else {
                return nil
            }
            prefixLength = Int(length)
        } else {
            prefixLength = bitCount
        }
        self.address = address.bytes
        self.text = text
        for bit in prefixLength..<bitCount where address.bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { return nil }
    }

    /// Whether an address, as 4 or 16 bytes in network order, lies in the range.
    ///
    /// An IPv4 address written as IPv6 (`::ffff:0:0/96`, as a socket for both reports it) counts as IPv4.
    package func contains(_ candidate: [UInt8]) -> Bool {
        let candidate = AddressRange.isMapped(candidate) && address.count == 4 ? Array(candidate[12...]) : candidate
        guard candidate.count == address.count else { return false }
        let wholeByteCount = prefixLength / 8
        guard candidate[..<wholeByteCount] == address[..<wholeByteCount] else { return false }
        guard prefixLength % 8 > 0 else { return true }
        let mask = ~(0xFF >> UInt8(prefixLength % 8)) as UInt8
        return (candidate[wholeByteCount] ^ address[wholeByteCount]) & mask == 0
    }

    private static func isMapped(_ address: [UInt8]) -> Bool {
        address.count == 16 && address[..<10].allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
    }
}

extension AddressRange: CustomStringConvertible {
    package var description: String { text }
}
