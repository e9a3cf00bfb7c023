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

    /// What one client is taken to be: an IPv4 address, or the /64 that an IPv6 host picks its addresses from.
    package var client: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }

    /// Sixteen bytes in network order.
    package var bytes: InlineArray<16, UInt8> {
        InlineArray { index in
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 &- 8 &* (index & 7)))
        }
    }
}
