/// Counts attempts and says how long to wait before the next.
struct Attempts {
    private let policy: RetryPolicy
    private let clock: any TransferClock
    private let deadline: Duration?
    private let leastRate: LeastRate?
    private var inARow = 1
    private var inAll = 1

    init(_ request: TransferRequest, clock: any TransferClock) {
        policy = request.retries
        self.clock = clock
        leastRate = request.limits.leastRate
        deadline = request.limits.total.map { clock.now + $0 }
    }

    /// The attempt brought bytes. The next failure is the first again, unless they came too slowly: otherwise a byte
    /// before each break would hold a download for ever.
    mutating func gained(_ byteCount: Int, in time: Duration) {
        guard byteCount > 0, byteCount >= leastRate?.byteCount(in: time) ?? 0 else { return }
        inARow = 1
    }

    /// The time that is left for everything; `nil`: as much as one likes.
    var timeLeft: Duration? { deadline.map { $0 - clock.now } }

    /// The pause before another attempt; `nil` when there is to be none.
    ///
    /// - Parameter wish: the `Retry-After` of an answer.
    mutating func next(wish: String? = nil) -> Duration? {
        guard inARow < policy.attempts, inAll < policy.attemptsInAll else { return nil }
        // Half of it is fixed and half is chance, lest all who lost a server come back at once.
        var pause = policy.firstPause
        for _ in 1..<inARow where pause < policy.longestPause { pause = pause * 2 }
        pause = min(pause, policy.longestPause) * (0.5 + clock.chance() / 2)
        if let wish = wish.flatMap({ Attempts.pause($0, now: clock.wallClock) }) {
            guard wish <= policy.longestRetryAfter else { return nil }
            pause = wish + pause
        }
        if let timeLeft, pause >= timeLeft { return nil }
        inARow += 1
        inAll += 1
        return pause
    }

    /// What `Retry-After` says (RFC 9110 §10.2.3): seconds, or a date.
    static func pause(_ text: String, now: Int64) -> Duration? {
        if let seconds = TransferHead.wholeNumber(text) { return .seconds(min(seconds, 1 << 31)) }
        return HTTPDateText.seconds(text).map { .seconds(max(0, min($0, 1 << 40) - now)) }
    }
}
