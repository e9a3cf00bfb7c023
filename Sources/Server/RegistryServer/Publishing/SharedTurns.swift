internal import Dispatch
internal import WidgetBytes

/// Turns at work of which little is done at once, shared by the names that tokens are for, as places for uploads are
/// (``UploadGate``).
///
/// No branch has every turn of its parent, so one that asks for many leaves some to its neighbours. Those who wait are
/// called by their branches: first the one with the fewest turns, at the label where it parts from the others, and
/// within a branch in the order in which they came.
package final class SharedTurns: Sendable {
    /// Those at work and those who wait, by their numbers.
    struct State {
        private(set) var holders: [Int: UploadShare] = [:]
        /// In the order in which they came.
        private(set) var waiting: [(number: Int, share: UploadShare)] = []
        private var next = 0

        mutating func ask(_ share: UploadShare) -> Int {
            next += 1
            waiting.append((next, share))
            return next
        }

        mutating func end(_ number: Int) { holders[number] = nil }

        /// Gives the free turns to those who wait.
        ///
        /// - Returns: the numbers of those who begin.
        mutating func call(limit: Int) -> [Int] {
            var called: [Int] = []
            while true {
                let first = waiting.indices.filter { mayBegin(waiting[$0].share, limit: limit) }.min {
                    standing(of: waiting[$0].share).lexicographicallyPrecedes(standing(of: waiting[$1].share))
                }
                guard let first else { return called }
                let (number, share) = waiting.remove(at: first)
                holders[number] = share
                called.append(number)
            }
        }

        /// True if a turn is free that a branch may have: each leaves one to its neighbours, on each level of the names.
        private func mayBegin(_ share: UploadShare, limit: Int) -> Bool {
            holders.count < limit
                && standing(of: share).enumerated().allSatisfy { depth, count in
                    count < max(limit - depth - 1, limit / 2, 1)
                }
        }

        /// The turns that the branches of a share have, label by label.
        private func standing(of share: UploadShare) -> [Int] {
            share.path.indices.map { depth in
                holders.values.count { $0.path.starts(with: share.path[...depth]) }
            }
        }
    }

    private struct Turns {
        var state = State()
        /// The threads of those who wait.
        var threads: [Int: DispatchSemaphore] = [:]

        mutating func call(limit: Int) -> [DispatchSemaphore] {
            state.call(limit: limit).compactMap { threads.removeValue(forKey: $0) }
        }
    }

    package let limit: Int
    private let turns = Guarded(Turns())

    /// - Parameter limit: the turns at once.
    package init(limit: Int) { self.limit = limit }

    /// The turns that are taken, and those that are waited for.
    package var counts: (taken: Int, waiting: Int) {
        turns.withLock { ($0.state.holders.count, $0.state.waiting.count) }
    }

    /// Waits for a turn on the caller's thread, and does the work.
    package func take<Result>(_ share: UploadShare, _ work: () -> Result) -> Result {
        let begin = DispatchSemaphore(value: 0)
        let (number, called) = turns.withLock { turns in
            let number = turns.state.ask(share)
            turns.threads[number] = begin
            return (number, turns.call(limit: limit))
        }
        for thread in called { thread.signal() }
        begin.wait()
        defer {
            let called = turns.withLock { turns in
                turns.state.end(number)
                return turns.call(limit: limit)
            }
            for thread in called { thread.signal() }
        }
        return work()
    }
}
