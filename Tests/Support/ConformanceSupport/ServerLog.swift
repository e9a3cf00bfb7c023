internal import Dispatch
internal import Synchronization

/// The log of a server under test. A line wakes the tests that wait for it.
package final class ServerLog: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// The number of pieces that have come.
        var count = 0
        var isOver = false
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// Only a test that fails waits this long.
    private static let patience = DispatchTimeInterval.seconds(60)

    package init() {}

    /// Everything so far.
    package var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

    /// Takes lines, and says how many bytes it has taken, as the sink of a log does.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Int {
        wake { state in
            state.bytes += bytes
            state.count += 1
        }
        return bytes.count
    }

    /// Nothing follows any more.
    package func end() { wake { $0.isOver = true } }

    private func wake(_ change: (inout sending State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Waits for lines until the condition holds, which is asked at once and after each of them.
    ///
    /// - Returns: false if the log ends before, or says nothing for a minute.
    package func waits(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            let count = state.withLock { $0.count }
            if try condition() { return true }
            let semaphore = DispatchSemaphore(value: 0)
            let (isNew, isOver) = state.withLock { state in
                let isNew = state.count > count
                if !isNew, !state.isOver { state.waiting.append(semaphore) }
                return (isNew, state.isOver)
            }
            if isNew { continue }
            guard !isOver, semaphore.wait(timeout: .now() + ServerLog.patience) == .success else {
                return try condition()
            }
        }
    }

    /// Waits until nothing follows any more.
    package func waitUntilEnd() {
        let semaphore = DispatchSemaphore(value: 0)
        while !state.withLock({ state in
            if !state.isOver { state.waiting.append(semaphore) }
            return state.isOver
        }) { semaphore.wait() }
    }
}
