package import WidgetAddresses
internal import WidgetBytes
package import WidgetSurroundings

/// Limits the acts of each address in a minute, with a bucket per address that refills evenly.
package final class RateLimiter: Sendable {
    private struct Bucket {
        var used: Double
        var at: ContinuousClock.Instant
    }

    /// The most addresses remembered. Past it, those that would have refilled soonest are forgotten first.
    private static let capacity = 65_536

    private let buckets = Guarded<[IPAddress: Bucket]>([:])
    private let clock: any Clock

    package init(clock: any Clock = SystemClock()) { self.clock = clock }

    /// The seconds for which an address has to wait; `nil` if its allowance is not used up.
    package func wait(_ address: IPAddress, perMinute limit: Int) -> Int? {
        let now = clock.now
        return buckets.withLock { buckets in
            guard let bucket = buckets[address.client] else { return nil }
            return RateLimiter.wait(RateLimiter.used(bucket, now, limit), limit)
        }
    }

    /// Counts one more act, unless the allowance is used up.
    ///
    /// - Parameter acts: the number of acts, of which the last may be past the allowance.
    /// - Returns: the seconds to wait if it is used up.
    package func count(_ address: IPAddress, perMinute limit: Int, acts: Int = 1) -> Int? {
        let now = clock.now
        return buckets.withLock { buckets in
            var used = buckets[address.client].map { RateLimiter.used($0, now, limit) } ?? 0
            if let wait = RateLimiter.wait(used, limit) { return wait }
            used += Double(acts)
            if buckets.count >= RateLimiter.capacity, buckets[address.client] == nil {
                RateLimiter.makeRoom(&buckets, now, limit)
            }
            buckets[address.client] = Bucket(used: used, at: now)
            return nil
        }
    }

    private static func used(_ bucket: Bucket, _ now: ContinuousClock.Instant, _ limit: Int) -> Double {
        let elapsed = bucket.at.duration(to: now) / .seconds(60)
        return max(0, bucket.used - elapsed * Double(limit))
    }

    private static func wait(_ used: Double, _ limit: Int) -> Int? {
        let over = used + 1 - Double(limit)
        guard over > 0 else { return nil }
        return max(1, Int((over / Double(limit) * 60).rounded(.up)))
    }

    /// Forgets the full buckets, and half of the others when that is not enough: a flood of addresses must not make the
    /// table grow.
    private static func makeRoom(_ buckets: inout [IPAddress: Bucket], _ now: ContinuousClock.Instant, _ limit: Int) {
        buckets = buckets.filter { used($0.value, now, limit) > 0 }
        guard buckets.count > capacity / 2 else { return }
        let usage = buckets.values.map { used($0, now, limit) }.sorted()
        let middle = usage[usage.count / 2]
        buckets = buckets.filter { used($0.value, now, limit) > middle }
    }
}
