internal import WidgetBytes
package import WidgetSurroundings

/// Sends requests, and repeats them where that helps: follows redirects, waits and tries again, resumes downloads.
package struct TransferClient: Sendable {
    let transport: any Transport
    package let world: World

    /// - Parameter transport: `nil`: libcurl, by the clock of the world.
    package init(transport: (any Transport)? = nil, in world: World = .machine) {
        self.transport = transport ?? CurlTransport(clock: world.clock)
        self.world = world
    }

    /// Seconds since 1970, by the clock that dates are compared with.
    package var now: Int64 { clock.seconds }

    private var clock: any Clock { world.clock }

    /// Sends a request, and returns when the head of the final answer is there. Redirects are followed. A repeatable
    /// request is sent again after a lost connection, 429 or 503; another one only if no server can have seen it. Every
    /// other status is an answer.
    package func send(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        var attempts = Attempts(request, in: world)
        while true {
            let failure: TransferError
            do throws(TransferError) {
                let answer = try await follow(request, timeLeft: attempts.timeLeft)
                guard answer.head.asksForPatience, request.isRepeatable,
                    let pause = attempts.next(retryAfter: answer.head["Retry-After"])
                else { return answer }
                answer.body.cancel()
                try await wait(pause, request)
                continue
            } catch {
                failure = error
            }
            guard failure.isTransient, request.isRepeatable || failure.isBeforeRequest, let pause = attempts.next()
            else { throw failure }
            try await wait(pause, request)
        }
    }

    func wait(_ pause: Duration, _ request: TransferRequest) async throws(TransferError) {
        await clock.sleep(for: pause)
        if Task.isCancelled { throw TransferError(.cancelled, request.url) }
    }

    /// One attempt: the request, and wherever servers send it.
    func follow(_ request: TransferRequest, timeLeft: Duration?) async throws(TransferError) -> TransferAnswer {
        // Once started, a transfer may have its answer before its cancelling is noticed.
        if Task.isCancelled { throw TransferError(.cancelled, request.url) }
        let home = request.url
        let policy = request.policy
        var request = request
        let deadline = timeLeft.map { clock.moment(after: $0) }
        var redirects = 0
        while true {
            guard request.policy?.allows(request.url) ?? true else {
                throw TransferError(.addressRefused(request.url.withoutQuery), request.url)
            }
            request.limits.total = deadline.map { $0 - clock.now }
            if let left = request.limits.total, left <= .zero { throw TransferError(.timedOut(.total), request.url) }
            let answer: TransferAnswer
            do throws(TransferError) {
                answer = try await transport.exchange(request)
            } catch {
                throw redirects == 0 ? error : error.afterRedirect()
            }
            guard request.followsRedirects, answer.head.isRedirect, let location = answer.head["Location"] else {
                return answer
            }
            answer.body.cancel()
            redirects += 1
            guard redirects <= request.limits.redirects else {
                throw TransferError(.limitReached(.redirects, request.limits.redirects), request.url)
            }
            request = try TransferClient.redirected(request, by: answer.head, to: location)
            guard !request.followsElsewhere, !home.isAtHome(request.url) else { continue }
            let detour = Detour(from: home, with: policy)
            // A proxy would look names up itself, and going there without it shows who asks.
            guard request.hasProvenContent, !transport.usesProxy, redirects <= Detour.mostRedirects,
                detour.allows(request.url)
            else {
                throw TransferError(.redirectedElsewhere(to: request.url.withoutQuery), answer.head.url)
            }
            request.policy = detour
        }
    }

    private static func redirected(
        _ request: TransferRequest, by head: TransferHead, to location: String
    ) throws(TransferError) -> TransferRequest {
        var next = request
        next.url = try rethrowing(as: { TransferError(.redirectRefused(to: $0.address), request.url) }) {
            () throws(TransferError) in try request.url.resolving(location)
        }
        // An encrypted request stays encrypted. A request that changes something is repeated unchanged or not at all: as
        // a GET, which 301 to 303 may turn it into, it would only seem to have been carried out.
        let isDowngrade = request.url.scheme == .https && next.url.scheme == .http
        let isRepeated = request.method == .get || request.method == .head || [307, 308].contains(head.status)
        guard !isDowngrade, isRepeated else {
            throw TransferError(.redirectRefused(to: next.url.withoutQuery), request.url)
        }
        if !next.url.hasSameOrigin(as: request.url) {
            next.token = nil
            next.confidentialFields = []
            // Any other field may identify the client: services choose the names of such fields freely.
            next.fields.removeAll { field in !harmless.contains { $0.hasSameLetters(as: field.name) } }
        }
        return next
    }

    /// Fields that describe the content or the answer wanted, and do not identify the client.
    private static let harmless = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Content-Digest", "Content-Encoding",
        "Content-Language", "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
        "If-Unmodified-Since", "Last-Event-ID", "Range", "User-Agent",
    ]

    /// Downloads a representation in full. When a connection breaks off, the rest is requested with the entity tag of the
    /// beginning as a condition, so that two representations are never put together.
    package func download(
        _ download: Download, into sink: any DownloadSink
    ) async throws(TransferError) -> Download.Outcome {
        var state = DownloadState(download, sink)
        var attempts = Attempts(download.request, in: world)
        while true {
            let failure: TransferError
            let start = clock.now
            let before = state.position
            do throws(TransferError) {
                try state.prepare()
                let answer = try await follow(state.request, timeLeft: attempts.timeLeft)
                if answer.head.asksForPatience {
                    let body = await download.body(of: answer)
                    if let body, download.isFinal?(answer.head.status, body) ?? false {
                        return .other(TransferAnswer(answer.head, body: ResponseBody(HeldBody(body))))
                    }
                    guard let pause = attempts.next(retryAfter: answer.head["Retry-After"]) else {
                        return .other(
                            body.map { TransferAnswer(answer.head, body: ResponseBody(HeldBody($0))) } ?? answer)
                    }
                    answer.body.cancel()
                    try await wait(pause, download.request)
                    continue
                }
                switch try state.judge(answer.head) {
                case .other: return .other(answer)
                case .bytes:
                    defer { attempts.gained(state.position - before, in: clock.now - start) }
                    try await state.receive(answer)
                case .nothing, .again: answer.body.cancel()
                }
                if state.isComplete { return .complete(answer.head, byteCount: state.position) }
                // A part of a part is progress, if it was any.
                failure = TransferError(.connectionLost, download.request.url)
            } catch {
                failure = error
            }
            // A store that gives nothing may be out of reach for good, and the caller knows another way.
            let isOfStore = download.request.hasProvenContent && failure.address != download.request.url.withoutQuery
            guard failure.isTransient, !isOfStore || state.position > before, let pause = attempts.next() else {
                throw failure
            }
            try await wait(pause, download.request)
        }
    }
}

extension TransferHead {
    /// True if the server asks the client to try again later.
    package var asksForPatience: Bool { status == 429 || status == 503 }

    /// The seconds until the server wants to be asked again, when it says so.
    ///
    /// - Parameter now: seconds since 1970, which a date is compared with.
    package func secondsToRetry(now: Int64) -> Int? {
        guard asksForPatience, let pause = self["Retry-After"].flatMap({ Attempts.pause($0, now: now) }) else {
            return nil
        }
        return Int(max(0, pause.components.seconds))
    }

    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

/// Counts attempts and says how long to wait before the next.
struct Attempts {
    private let policy: RetryPolicy
    private let world: World
    private let deadline: ContinuousClock.Instant?
    private let leastRate: LeastRate?
    private var inARow = 1
    private var inAll = 1

    init(_ request: TransferRequest, in world: World) {
        policy = request.retries
        self.world = world
        leastRate = request.limits.leastRate
        deadline = request.limits.total.map { world.clock.moment(after: $0) }
    }

    /// The attempt brought bytes. The next failure is the first again, unless they came too slowly: otherwise a byte
    /// before each break would hold a download for ever.
    mutating func gained(_ byteCount: Int, in time: Duration) {
        guard byteCount > 0, byteCount >= leastRate?.byteCount(in: time) ?? 0 else { return }
        inARow = 1
    }

    /// The time left for all attempts together; `nil` without a limit.
    var timeLeft: Duration? { deadline.map { $0 - world.clock.now } }

    /// The pause before another attempt; `nil` if no other is made.
    ///
    /// - Parameter retryAfter: the `Retry-After` of an answer.
    mutating func next(retryAfter: String? = nil) -> Duration? {
        guard inARow < policy.attempts, inAll < policy.attemptsInAll else { return nil }
        // Half of it is fixed and half is random, so that clients that lost a server do not all return at once.
        var pause = policy.firstPause
        for _ in 1..<inARow where pause < policy.longestPause { pause = pause * 2 }
        pause = min(pause, policy.longestPause) * (0.5 + world.chance.fraction / 2)
        if let asked = retryAfter.flatMap({ Attempts.pause($0, now: world.clock.seconds) }) {
            guard asked <= policy.longestRetryAfter else { return nil }
            pause = asked + pause
        }
        if let timeLeft, pause >= timeLeft { return nil }
        inARow += 1
        inAll += 1
        return pause
    }

    /// The pause that `Retry-After` asks for (RFC 9110 §10.2.3): seconds, or until a date.
    static func pause(_ text: String, now: Int64) -> Duration? {
        if let seconds = TransferHead.wholeNumber(text) { return .seconds(min(seconds, 1 << 31)) }
        return HTTPDateText.seconds(text).map { .seconds(max(0, min($0, 1 << 40) - now)) }
    }
}
