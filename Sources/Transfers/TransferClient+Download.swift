extension TransferClient {
    /// Brings a representation here in full. Where a connection breaks off, the rest is asked for, with the entity
    /// tag of the beginning as a condition, so that two representations are never put together.
    package func download(
        _ download: Download, into sink: any DownloadSink
    ) async throws(TransferError) -> Download.Outcome {
        var state = DownloadState(download, sink)
        var attempts = Attempts(download.request, clock: clock)
        while true {
            let failure: TransferError
            let start = clock.now
            do throws(TransferError) {
                try state.prepare()
                let answer = try await follow(state.request, timeLeft: attempts.timeLeft)
                if answer.head.asksForPatience, let pause = attempts.next(wish: answer.head["Retry-After"]) {
                    answer.body.cancel()
                    try await wait(pause, download.request)
                    continue
                }
                switch try state.judge(answer.head) {
                case .other: return .other(answer)
                case .bytes:
                    let before = state.position
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
            guard failure.isTransient, let pause = attempts.next() else { throw failure }
            try await wait(pause, download.request)
        }
    }
}
