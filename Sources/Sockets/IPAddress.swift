internal import CLinux

/// An IPv4 or IPv6 address. A mapped IPv4 address is the IPv4 address it maps.
package struct IPAddress: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ bytes: InlineArray<16, UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(bytes[index])
            low = low << 8 | UInt64(bytes[index &+ 8])
        }
        self.init(high: high, low: low)
    }

    /// An address in digits, without brackets, port or zone.
    package init?(_ text: String) {
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        var isV4: Int32 = 0
        // The parser writes sixteen bytes and reads up to the terminator Swift appends.
        let isParsed = unsafe withUnsafeMutableBytes(of: &bytes) { room in
            unsafe text.withCString { unsafe linux_parse_address($0, room.baseAddress, &isV4) }
        }
        guard isParsed == 1 else { return nil }
        self.init(bytes)
    }

    package var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    package var isLoopback: Bool {
        isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1
    }

    package var isUnspecified: Bool {
        high == 0 && (low == 0 || low == 0xFFFF_0000_0000)
    }

    /// What one client is taken to be: an IPv4 address, or the /64 that an IPv6 host picks its addresses from.
    package var client: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }

    var bytes: InlineArray<16, UInt8> {
        InlineArray { index in
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 &- 8 &* (index & 7)))
        }
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        let bytes = bytes
        var text = InlineArray<64, CChar>(repeating: 0)
        // The formatter reads sixteen bytes and writes at most 46, terminator included.
        return unsafe withUnsafeBytes(of: bytes) { source in
            unsafe withUnsafeMutableBytes(of: &text) { room in
                guard let address = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let letters = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
                else { return "" }
                unsafe linux_format_address(address, isV4 ? 1 : 0, letters)
                return unsafe String(cString: letters)
            }
        }
    }
}

/// Addresses that share a prefix, as `10.0.0.0/8`; a single address is a block of one.
package struct AddressBlock: Hashable, Sendable {
    private let base: IPAddress
    private let prefix: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let width = address.isV4 ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]),
                number <= width
            else { return nil }
            length = number
        }
        prefix = length + (address.isV4 ? 96 : 0)
        base = AddressBlock.masked(address, prefix)
    }

    package func contains(_ address: IPAddress) -> Bool {
        AddressBlock.masked(address, prefix) == base
    }

    private static func masked(_ address: IPAddress, _ prefix: Int) -> IPAddress {
        let highMask = prefix >= 64 ? UInt64.max : prefix == 0 ? 0 : UInt64.max << UInt64(64 - prefix)
        let lowMask = prefix <= 64 ? 0 : UInt64.max << UInt64(128 - prefix)
        return IPAddress(high: address.high & highMask, low: address.low & lowMask)
    }
}
