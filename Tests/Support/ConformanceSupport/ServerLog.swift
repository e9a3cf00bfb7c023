internal import WidgetTestSupport

/// The log of a server under test. A line wakes the tests that wait for it.
package final class ServerLog: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// The number of pieces that have come.
        var count = 0
        var isOver = false
    }

    private let state = Observed(State())

    package init() {}

    /// Everything so far.
    package var text: String { String(decoding: state.value.bytes, as: UTF8.self) }

    /// Takes lines, and says how many bytes it has taken, as the sink of a log does.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Int {
        state.change { state in
            state.bytes += bytes
            state.count += 1
        }
        return bytes.count
    }

    /// Nothing follows any more.
    package func end() { state.change { $0.isOver = true } }

    /// Waits for lines until the condition holds, which is asked at once and after each of them.
    ///
    /// - Returns: false if the log ends before, or says nothing for a minute.
    package func waits(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            let (count, isOver) = state.withLock { ($0.count, $0.isOver) }
            if try condition() { return true }
            guard !isOver, state.reaches({ $0.count > count || $0.isOver }) else { return try condition() }
        }
    }

    /// Waits until nothing follows any more.
    package func waitUntilEnd() { _ = state.takes(within: nil) { $0.isOver ? true : nil } }
}
