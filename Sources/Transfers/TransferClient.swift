/// Asks servers, and keeps asking where that helps: follows redirects, waits and tries again, goes on where a
/// download broke off.
package struct TransferClient: Sendable {
    let transport: any Transport
    let clock: any TransferClock

    package init(transport: any Transport = CurlTransport(), clock: any TransferClock = SystemClock()) {
        self.transport = transport
        self.clock = clock
    }

    /// Seconds since 1970, by the clock that dates are compared with.
    package var now: Int64 { clock.wallClock }

    /// Asks, and returns when the head of the answer is there that is to be taken for the answer: redirects are
    /// followed; lost connections, 429 and 503 are met with another attempt where the request is repeatable. A request
    /// that is not is sent again only where no server can have seen it. Every other status is an answer like any.
    package func send(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        var attempts = Attempts(request, clock: clock)
        while true {
            let failure: TransferError
            do throws(TransferError) {
                let answer = try await follow(request, timeLeft: attempts.timeLeft)
                guard answer.head.asksForPatience, request.isRepeatable,
                    let pause = attempts.next(wish: answer.head["Retry-After"])
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
        await clock.pause(pause)
        if Task.isCancelled { throw TransferError(.cancelled, request.url) }
    }
}

extension TransferHead {
    /// Whether a server says: not now, but later.
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
}
