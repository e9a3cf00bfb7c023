package import Addresses
package import HTTPWire

/// Every bound the engine keeps, with the defaults the HTTP contract names.
package struct ServerLimits: Equatable, Sendable {
    package var head = HeadLimits()
    /// A head must be whole this long after its first byte.
    package var headTimeout: Duration = .seconds(10)
    /// A body, and the reading of an answer, must average this many bytes a second over `rateWindow`.
    package var bodyRate = 1_024
    package var rateWindow: Duration = .seconds(20)
    package var idleTimeout: Duration = .seconds(60)
    /// An unwanted body up to this size is discarded, and the connection continues.
    package var unwantedBody = 64 * 1_024
    /// The most a refused client may still send, and for how long, before it is cut off.
    package var lingerBytes = 65 * 1_024 * 1_024
    package var lingerTimeout: Duration = .seconds(30)
    package var connections = 16_384
    package var connectionsPerAddress = 1_024
    /// Proxies whose word about the client's address is taken.
    package var trustedProxies: [AddressRange] = []

    package init() {}

    func isExempt(_ peer: IPAddress) -> Bool {
        peer.isLoopback || peer.isUnspecified || trustedProxies.contains { $0.contains(peer) }
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return UInt64(min(seconds, 1 << 32)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
