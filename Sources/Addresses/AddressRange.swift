/// Addresses that share their first bits (CIDR, RFC 4632 §3.1), or one address.
package struct AddressRange: Hashable, Sendable {
    private let base: IPAddress
    /// Of the mapped form, so 96 more than written for IPv4.
    private let prefixLength: Int
    private let text: String

    /// `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`. Bits beyond the prefix must be zero: a range that says more than it
    /// means is a slip.
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
        // Prefixes of one family say nothing about the other, though all addresses share one form here.
        address.isV4 == base.isV4 && AddressRange.masked(address, prefixLength) == base
    }

    private static func masked(_ address: IPAddress, _ length: Int) -> IPAddress {
        // A shift by the whole width gives zero, which is what no bits are.
        let highMask = ~(UInt64.max >> UInt64(min(64, length)))
        let lowMask = ~(UInt64.max >> UInt64(min(64, max(0, length - 64))))
        return IPAddress(high: address.high & highMask, low: address.low & lowMask)
    }
}

extension AddressRange: CustomStringConvertible {
    package var description: String { text }
}
