import Addresses
import Bytes
import RegistryServer
import Testing

@Suite struct `A rate limit` {
    private let time = Guarded(ContinuousClock.now)
    private let limiter: RateLimiter

    init() {
        let time = time
        limiter = RateLimiter { time.withLock { $0 } }
    }

    private func address(_ number: UInt64) -> IPAddress { IPAddress(high: 0, low: 0xFFFF_0000_0000 | number) }
    private func pass(_ seconds: Int) { time.withLock { $0 += .seconds(seconds) } }

    @Test func `lets so many through, then says for how long to wait`() {
        for _ in 0..<60 { #expect(limiter.count(address(1), perMinute: 60) == nil) }
        #expect(limiter.count(address(1), perMinute: 60) == 1)
        #expect(limiter.wait(address(1), perMinute: 60) == 1)
        pass(1)
        #expect(limiter.wait(address(1), perMinute: 60) == nil)
        #expect(limiter.count(address(1), perMinute: 60) == nil)
        #expect(limiter.count(address(1), perMinute: 60) == 1)
        #expect(limiter.count(address(1), perMinute: 6) == 550)
    }

    @Test func `is each address's own`() {
        for _ in 0..<3 { _ = limiter.count(address(1), perMinute: 3) }
        #expect(limiter.count(address(1), perMinute: 3) != nil)
        #expect(limiter.count(address(2), perMinute: 3) == nil)
    }

    @Test func `takes the addresses one host can pick for one`() {
        for number in 0..<3 {
            #expect(limiter.count(IPAddress(high: 0x2001_0db8_0000_0001, low: UInt64(number)), perMinute: 3) == nil)
        }
        #expect(limiter.count(IPAddress(high: 0x2001_0db8_0000_0001, low: 99), perMinute: 3) != nil)
        #expect(limiter.count(IPAddress(high: 0x2001_0db8_0000_0002, low: 0), perMinute: 3) == nil)
    }

    @Test func `still holds for whoever used it up when many addresses come by`() {
        for _ in 0..<10 { _ = limiter.count(address(1), perMinute: 10) }
        for number in 2..<70_000 { #expect(limiter.count(address(UInt64(number)), perMinute: 10) == nil) }
        #expect(limiter.count(address(1), perMinute: 10) != nil)
    }
}
