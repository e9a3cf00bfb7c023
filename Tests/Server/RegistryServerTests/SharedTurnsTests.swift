import Dispatch
import Foundation
import Testing
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a publisher who sends many bundles makes no other one wait behind them (B7). Method: the turns as values, and
/// threads that hold theirs until the test says so.
@Suite(.ownThreads) struct `Turns at reviews` {
    private static let (mine, other) = (
        UploadShare(prefix: "com.mine", token: "ci"), UploadShare(prefix: "com.other", token: "ci")
    )

    /// Fourteen requests of one share, of which those that may have begun.
    private static func crowd(_ share: UploadShare, limit: Int = 4) -> (state: SharedTurns.State, begun: [Int]) {
        var state = SharedTurns.State()
        for _ in 0..<14 { _ = state.ask(share) }
        let begun = state.call(limit: limit)
        return (state, begun)
    }

    @Test func `B7: fourteen reviews of one prefix leave a turn to another prefix, at once`() {
        for share in [Self.other, UploadShare(prefix: "", token: "owner"), UploadShare(prefix: "org", token: "x")] {
            var (state, begun) = Self.crowd(share)
            #expect((2...3).contains(begun.count))
            let number = state.ask(Self.mine)
            #expect(state.call(limit: 4) == [number])
        }
    }

    @Test func `B7: many tokens of one prefix count as one`() {
        var state = SharedTurns.State()
        for index in 0..<14 { _ = state.ask(UploadShare(prefix: "com.other.p\(index)", token: "t\(index)")) }
        #expect(state.call(limit: 4).count == 2)
        let number = state.ask(Self.mine)
        #expect(state.call(limit: 4) == [number])
    }

    @Test func `A turn that becomes free goes to the branch with the fewest, and within it to the first who came`() {
        var (state, begun) = Self.crowd(UploadShare(prefix: "org", token: "a"))
        let waiting = (0..<4).map { _ in state.ask(Self.mine) }
        #expect(begun.count == 2 && state.call(limit: 4) == Array(waiting[..<2]))
        let late = state.ask(Self.other)
        // The branch `com` has fewer than `org` now, and `com.other` has none within it.
        state.end(waiting[0])
        #expect(state.call(limit: 4) == [late])
        state.end(late)
        #expect(state.call(limit: 4) == [waiting[2]])
        state.end(begun[0])
        #expect(state.call(limit: 4) == [3])
    }

    @Test(arguments: 1...6) func `Every turn is given in the end`(limit: Int) {
        var (state, running) = Self.crowd(Self.mine, limit: limit)
        var count = 0
        while !running.isEmpty {
            #expect(state.holders.count <= limit)
            state.end(running.removeFirst())
            count += 1
            running += state.call(limit: limit)
        }
        #expect(count == 14 && state.waiting.isEmpty && state.holders.isEmpty)
    }

    @Test func `Threads wait for their turns, and no more of them work than may`() {
        let turns = SharedTurns(limit: 4)
        let (began, mayEnd, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup()
        )
        for _ in 0..<14 {
            ended.enter()
            Thread.detachNewThread {
                turns.take(Self.other) {
                    began.signal()
                    mayEnd.wait()
                }
                ended.leave()
            }
        }
        for _ in 0..<2 { began.wait() }
        #expect(turns.take(Self.mine) { turns.counts.taken } == 3)
        for _ in 0..<14 { mayEnd.signal() }
        ended.wait()
        #expect(turns.counts == (0, 0))
    }
}
