/// What an exchange may not exceed. Reaching a limit is a refusal of its own.
package struct TransferLimits: Equatable, Sendable {
    /// Time until a connection stands, the TLS handshake included.
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
    /// How many times larger an expanded body may be than what came over the wire, once it is over a mebibyte.
    package var expansion: Int
    /// How often a server may send the request elsewhere.
    package var redirects: Int
    /// How much of a body waits for its reader before the connection is told to pause.
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

/// How often and how soon a repeatable request is sent again that met a lost connection, 429 or 503.
package struct RetryPolicy: Equatable, Sendable {
    /// Attempts in a row that bring nothing; one that brings bytes starts the count again.
    package var attempts: Int
    /// All attempts together, however much they bring.
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
