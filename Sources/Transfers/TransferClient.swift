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
    /// followed, lost connections, 429 and 503 met with another attempt. Every other status is an answer like any.
    package func send(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        var attempts = Attempts(request, clock: clock)
        while true {
            let failure: TransferError
            do throws(TransferError) {
                let answer = try await follow(request, timeLeft: attempts.timeLeft)
                guard answer.head.asksForPatience, let pause = attempts.next(wish: answer.head["Retry-After"]) else {
                    return answer
                }
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
    var asksForPatience: Bool { status == 429 || status == 503 }
}

extension TransferError {
    /// Whether the server certainly has not seen the request.
    var isBeforeRequest: Bool {
        switch reason {
        case .noConnection, .unknownHost, .timedOut(.connecting): true
        default: false
        }
    }
}
