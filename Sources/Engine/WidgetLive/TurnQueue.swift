internal import WidgetBytes

/// Work that is done one after the other, in the order in which it has come.
final class TurnQueue: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    /// Turns that wait for one another; more of them are too many.
    private static let limit = 32

    /// True if too much waits for another turn to be taken.
    var isFull: Bool { waitingCount >= TurnQueue.limit }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Does work once all that came before it is done.
    func turn<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await enter()
        defer { leave() }
        return try await work()
    }

    private func enter(isolation: isolated (any Actor)? = #isolation) async {
        let isFirst = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard !isFirst else { return }
        await withCheckedContinuation { continuation in
            let isNext = state.withLock { state in
                guard state.isBusy else {
                    state.isBusy = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isNext { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
