internal import WidgetBytes

/// One exchange between the task that asked and the transfer thread: the bytes that have arrived, and the readers that
/// wait for them.
final class TransferExchange: BodySource {
    /// A command of the asking side to the thread.
    enum Command: Sendable {
        case start, resume, cancel
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
    private let send: @Sendable (TransferExchange, Command) -> Void
    private let state = Guarded(State())

    /// A reader that waits is woken for this many bytes, or when nothing more is there at the moment.
    private static let wakeByteCount = 128 << 10

    init(_ request: TransferRequest, send: @escaping @Sendable (TransferExchange, Command) -> Void) {
        self.request = request
        self.send = send
    }

    // MARK: The asking side

    func start() async throws(TransferError) -> TransferHead {
        send(self, .start)
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
        let (known, mustResume): (Result<[UInt8]?, TransferError>?, Bool) = state.withLock { state in
            // A failure is reported after the bytes that came before it, a cancellation at once.
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
        if mustResume { send(self, .resume) }
        if let known { waiter.resume(returning: known) }
    }

    func cancel() {
        guard finish(.failed(TransferError(.cancelled, request.url)), dropping: true) else { return }
        send(self, .cancel)
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
            return state.buffer.count >= TransferExchange.wakeByteCount
        }
        if isPlenty { flush() }
    }

    /// True if there is room for more bytes. If not, libcurl brings them again after ``Command/resume``.
    func hasRoom() -> Bool {
        state.withLock { state in
            guard case .open = state.end, state.buffer.count >= request.limits.bufferByteCount else { return true }
            state.isFull = true
            return false
        }
    }

    /// Delivers the buffered bytes to the reader that waits for them.
    func flush() {
        let (waiter, bytes, mustResume) = state.withLock { state in
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
        if mustResume { send(self, .resume) }
        waiter?.resume(returning: .success(bytes))
    }

    /// The exchange has ended, with an error or without.
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
