internal import Bytes

/// One exchange between the task that asked and the transfer thread: what has arrived, and who waits for it.
final class Exchange: BodySource {
    /// What the asking side wants of the thread.
    enum Wish: Sendable {
        case start, goOn, cancel
    }

    private enum End {
        case open
        case complete
        case failed(TransferError)
    }

    private struct State {
        var head: TransferHead?
        var headWaiter: CheckedContinuation<Result<TransferHead, TransferError>, Never>?
        var buffer: [UInt8] = []
        var bodyWaiter: CheckedContinuation<Result<[UInt8]?, TransferError>, Never>?
        /// Bytes were turned away and have to be asked for again.
        var isFull = false
        var end = End.open
    }

    let request: TransferRequest
    private let tell: @Sendable (Exchange, Wish) -> Void
    private let state = Guarded(State())

    /// A reader that waits is woken for this many bytes, or when nothing more is there at the moment.
    private static let worthWaking = 128 << 10

    init(_ request: TransferRequest, tell: @escaping @Sendable (Exchange, Wish) -> Void) {
        self.request = request
        self.tell = tell
    }

    // MARK: The asking side

    func start() async throws(TransferError) -> TransferHead {
        tell(self, .start)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { awaitHead($0) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func awaitHead(_ waiter: CheckedContinuation<Result<TransferHead, TransferError>, Never>) {
        let known: Result<TransferHead, TransferError>? = state.withLock { state in
            if let head = state.head { return .success(head) }
            switch state.end {
            case .failed(let error): return .failure(error)
            case .complete: return .failure(TransferError(.connectionLost, request.url))
            case .open:
                state.headWaiter = waiter
                return nil
            }
        }
        if let known { waiter.resume(returning: known) }
    }

    func next() async throws(TransferError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { awaitBytes($0) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func awaitBytes(_ waiter: CheckedContinuation<Result<[UInt8]?, TransferError>, Never>) {
        let (known, mustGoOn): (Result<[UInt8]?, TransferError>?, Bool) = state.withLock { state in
            // A failure is told after the bytes that came before it, a cancellation at once.
            if !state.buffer.isEmpty {
                let bytes = state.buffer
                state.buffer = []
                let wasFull = state.isFull
                state.isFull = false
                return (.success(bytes), wasFull)
            }
            switch state.end {
            case .complete: return (.success(nil), false)
            case .failed(let error): return (.failure(error), false)
            case .open:
                state.bodyWaiter = waiter
                return (nil, false)
            }
        }
        if mustGoOn { tell(self, .goOn) }
        if let known { waiter.resume(returning: known) }
    }

    func cancel() {
        guard finish(.failed(TransferError(.cancelled, request.url)), dropping: true) else { return }
        tell(self, .cancel)
    }

    // MARK: The thread's side

    func arrived(_ head: TransferHead) {
        let waiter = state.withLock { state in
            state.head = head
            let waiter = state.headWaiter
            state.headWaiter = nil
            return waiter
        }
        waiter?.resume(returning: .success(head))
    }

    /// Takes bytes of the body.
    func arrived(_ bytes: borrowing Span<UInt8>) {
        let isPlenty = state.withLock { state in
            guard case .open = state.end else { return false }
            state.buffer.append(copying: bytes)
            return state.buffer.count >= Exchange.worthWaking
        }
        if isPlenty { flush() }
    }

    /// Whether there is room for more bytes. If not, they are to be brought again after ``Wish/goOn``.
    func hasRoom() -> Bool {
        state.withLock { state in
            guard case .open = state.end, state.buffer.count >= request.limits.bufferByteCount else { return true }
            state.isFull = true
            return false
        }
    }

    /// Hands on what is there to whoever waits for it.
    func flush() {
        let (waiter, bytes, mustGoOn) = state.withLock { state in
            guard !state.buffer.isEmpty, let waiter = state.bodyWaiter else {
                return (nil as CheckedContinuation<Result<[UInt8]?, TransferError>, Never>?, [UInt8](), false)
            }
            let bytes = state.buffer
            state.buffer = []
            state.bodyWaiter = nil
            let wasFull = state.isFull
            state.isFull = false
            return (waiter, bytes, wasFull)
        }
        if mustGoOn { tell(self, .goOn) }
        waiter?.resume(returning: .success(bytes))
    }

    /// The exchange is over, for better or worse.
    func ended(_ error: TransferError?) {
        flush()
        _ = finish(error.map { .failed($0) } ?? .complete, dropping: false)
    }

    /// - Returns: false when it had ended before.
    private func finish(_ end: End, dropping: Bool) -> Bool {
        typealias Waiters = (
            head: CheckedContinuation<Result<TransferHead, TransferError>, Never>?,
            body: CheckedContinuation<Result<[UInt8]?, TransferError>, Never>?
        )
        let waiters: Waiters? = state.withLock { state in
            guard case .open = state.end else { return nil }
            state.end = end
            if dropping { state.buffer = [] }
            let waiters = (state.headWaiter, state.bodyWaiter)
            state.headWaiter = nil
            state.bodyWaiter = nil
            return waiters
        }
        guard let waiters else { return false }
        switch end {
        case .failed(let error):
            waiters.head?.resume(returning: .failure(error))
            waiters.body?.resume(returning: .failure(error))
        case .complete, .open:
            waiters.head?.resume(returning: .failure(TransferError(.connectionLost, request.url)))
            waiters.body?.resume(returning: .success(nil))
        }
        return true
    }
}
