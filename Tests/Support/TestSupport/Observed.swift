internal import Synchronization

/// A value that threads change, and for which tests wait without looking again and again: each change looks for them.
package final class Observed<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var count = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, fulfilled) = state.withLock { state in
            let result = body(&state.value)
            let value = state.value
            let fulfilled = state.waiters.filter { $0.condition(value) }
            state.waiters.removeAll { waiter in fulfilled.contains { $0.number == waiter.number } }
            return (result, fulfilled)
        }
        for waiter in fulfilled { waiter.continuation.resume() }
        return result
    }

    /// Returns when the value fulfils the condition, or when the task is cancelled.
    package func becomes(_ condition: @escaping @Sendable (Value) -> Bool) async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFulfilled = state.withLock { state in
                    if condition(state.value) || Task.isCancelled { return true }
                    state.waiters.append(Waiter(number: number, condition: condition, continuation: continuation))
                    return false
                }
                if isFulfilled { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }
}
