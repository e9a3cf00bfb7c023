import Testing
import WidgetBytes

@testable import WidgetLive

/// Goal: work of a page is done in its order, and what is too much is known.
@Suite struct `Turns of a page` {
    @Test func `Turns come in their order, and more than 32 that wait are too many`() async throws {
        struct Fault: Error {}
        let (queue, done) = (TurnQueue(), Guarded([Int]()))
        // A turn that fails leaves the next one free.
        await #expect(throws: Fault.self) { try await queue.turn { () throws(Fault) in throw Fault() } }
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (begun, began) = AsyncStream<Void>.makeStream()
        var tasks = [
            Task {
                await queue.turn {
                    began.yield()
                    for await _ in gate { break }
                    done.withLock { $0.append(0) }
                }
            }
        ]
        for await _ in begun { break }
        for number in 1...32 {
            #expect(!queue.isFull)
            tasks.append(Task { await queue.turn { done.withLock { $0.append(number) } } })
            while queue.waitingCount < number { await Task.yield() }
        }
        #expect(queue.isFull)
        open.yield()
        for task in tasks { await task.value }
        #expect(done.withLock { $0 } == Array(0...32) && !queue.isFull)
    }
}
