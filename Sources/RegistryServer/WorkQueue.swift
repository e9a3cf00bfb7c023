internal import Bytes
internal import Dispatch
internal import HTTPServer

/// Does what may block, away from the event loops and on a bounded number of threads.
///
/// What waits is not bounded here: each piece of work belongs to a request, and connections are.
package final class WorkQueue: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
        /// Work at the front of `waiting` that has been taken.
        var taken = 0
    }

    private let queue: DispatchQueue
    private let width: Int
    private let state = Guarded(State())

    /// - Parameter width: how many pieces of work are done at the same time.
    package init(_ label: String, width: Int) {
        queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
        self.width = max(1, width)
    }

    /// Does `work` as soon as a thread is free; what came first is begun first.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            guard state.running < width else {
                state.waiting.append(work)
                return false
            }
            state.running += 1
            return true
        }
        guard begins else { return }
        queue.async { [self] in
            work()
            while let next = next() { next() }
        }
    }

    /// The work that has waited longest; without any, this thread is done.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.taken < state.waiting.count else {
                state.waiting = []
                state.taken = 0
                state.running -= 1
                return nil
            }
            let work = state.waiting[state.taken]
            state.taken += 1
            // Cleared away in one go now and then: taking from the front of an array moves all of it.
            if state.taken > 1_024, state.taken * 2 > state.waiting.count {
                state.waiting.removeFirst(state.taken)
                state.taken = 0
            }
            return work
        }
    }
}

extension WorkQueue {
    /// An answer that takes work.
    func answer(_ work: @escaping @Sendable () throws(Problem) -> Answer) -> Answer {
        .later { [self] responder in
            run {
                do throws(Problem) {
                    responder.answer(try work())
                } catch {
                    responder.answer(.problem(error))
                }
            }
        }
    }
}
