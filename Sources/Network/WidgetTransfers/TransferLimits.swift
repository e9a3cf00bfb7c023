/// The limits of an exchange. Each has an error.
package struct TransferLimits: Equatable, Sendable {
    /// The time until a connection is established, the TLS handshake included.
    package var connecting: Duration
    /// Time without a single byte in either direction.
    package var stall: Duration
    /// The least rate at which a body has to come; `nil`: none, as for a stream of events.
    package var leastRate: LeastRate?
    /// Time for everything, retries and redirects included; `nil`: no limit, as for a stream of events.
    package var total: Duration?
    /// Bytes of the body after expansion; `nil`: no limit, as for a stream that its reader bounds.
    package var bodyByteCount: Int?
    /// Bytes of all header blocks of one answer, interim answers and trailers included.
    package var headByteCount: Int
    /// Fields of all header blocks of one answer.
    package var fieldCount: Int
    /// The ratio of an expanded body to the bytes from the wire that is allowed once the body is over a mebibyte.
    package var expansion: Int
    /// The number of redirects that are followed.
    package var redirects: Int
    /// The number of bytes of a body that wait for the reader before the connection is paused.
    package var bufferByteCount: Int

    package init(
        connecting: Duration = .seconds(10), stall: Duration = .seconds(30), leastRate: LeastRate? = nil,
        total: Duration? = nil, bodyByteCount: Int? = 8 << 20, headByteCount: Int = 64 << 10, fieldCount: Int = 200,
        expansion: Int = 100, redirects: Int = 5, bufferByteCount: Int = 1 << 20
    ) {
        self.connecting = connecting
        self.stall = stall
        self.leastRate = leastRate
        self.total = total
        self.bodyByteCount = bodyByteCount
        self.headByteCount = headByteCount
        self.fieldCount = fieldCount
        self.expansion = expansion
        self.redirects = redirects
        self.bufferByteCount = bufferByteCount
    }
}

/// A rate that a body must not stay below for the length of a window.
package struct LeastRate: Equatable, Sendable {
    package var bytesPerSecond: Int
    package var window: Duration

    package init(bytesPerSecond: Int, window: Duration) {
        self.bytesPerSecond = bytesPerSecond
        self.window = window
    }

    /// The bytes that have to come within a time; none in no time.
    func byteCount(in time: Duration) -> Int {
        let (seconds, attoseconds) = time.components
        let milliseconds = min(max(0, seconds), 1 << 31) * 1_000 + attoseconds / 1_000_000_000_000_000
        let (product, isOverflown) = max(0, bytesPerSecond).multipliedReportingOverflow(by: Int(max(0, milliseconds)))
        return isOverflown ? .max : product / 1_000
    }
}

/// The number and delays of the attempts of a repeatable request after a lost connection, 429 or 503.
package struct RetryPolicy: Equatable, Sendable {
    /// Attempts in a row that bring nothing; one that brings bytes starts the count again.
    package var attempts: Int
    /// The limit of all attempts together, those that bring bytes included.
    package var attemptsInAll: Int
    /// The pause before the second attempt is about this long, and about doubles from then on.
    package var firstPause: Duration
    package var longestPause: Duration
    /// A server that asks for a longer pause than this is not waited for.
    package var longestRetryAfter: Duration

    package init(
        attempts: Int = 5, attemptsInAll: Int = 100, firstPause: Duration = .milliseconds(250),
        longestPause: Duration = .seconds(20), longestRetryAfter: Duration = .seconds(60)
    ) {
        self.attempts = attempts
        self.attemptsInAll = attemptsInAll
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.longestRetryAfter = longestRetryAfter
    }

    /// One attempt and no more.
    package static let never = RetryPolicy(attempts: 1, attemptsInAll: 1)
}

/// Measures whether a body comes at the least rate, one window after the other.
struct RateWindow {
    private let least: LeastRate
    private var start: ContinuousClock.Instant
    private var byteCount = 0

    init(_ least: LeastRate, at start: ContinuousClock.Instant) {
        self.least = least
        self.start = start
    }

    mutating func add(_ count: Int) { byteCount += count }

    /// Begins anew; the time in which the server waited for the reader does not count.
    mutating func restart(at now: ContinuousClock.Instant) { self = RateWindow(least, at: now) }

    /// The time until the window ends; zero or less when it ended with too few bytes.
    mutating func timeLeft(at now: ContinuousClock.Instant) -> Duration {
        if now - start >= least.window, byteCount >= least.byteCount(in: least.window) { restart(at: now) }
        return start + least.window - now
    }
}
