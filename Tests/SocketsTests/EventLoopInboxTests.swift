import Addresses
import Dispatch
import Synchronization
import Testing

@testable import Sockets

@Suite struct `A loop's inbox` {
    /// Owns no connection and wants nothing.
    final class IdleClient: EventLoopClient {
        let wantsTicks = false
        let isEager = false
        func accepted(_ channel: ByteChannel, from peer: IPAddress, listener: Int) {}
        func ready(_ token: UInt64, _ readiness: Readiness) {}
        func acceptPaused() {}
        func settled() {}
        func tick() {}
    }

    /// Runs a loop on a thread of its own for as long as `body` takes.
    func withLoop(_ body: (EventLoop) throws -> Void) throws {
        let loop = try EventLoop()
        let finished = DispatchGroup()
        DispatchQueue(label: "loop").async(group: finished) { loop.run(IdleClient(), name: "loop") }
        defer {
            loop.stop()
            finished.wait()
        }
        try body(loop)
    }

    @Test func `does what other threads give it, all of it`() throws {
        try withLoop { loop in
            let done = DispatchGroup()
            let count = Atomic<Int>(0)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for _ in 0..<10_000 {
                    done.enter()
                    loop.perform {
                        count.add(1, ordering: .relaxed)
                        done.leave()
                    }
                }
            }
            #expect(done.wait(timeout: .now() + 60) == .success)
            let counted = count.load(ordering: .relaxed)
            #expect(counted == 40_000)
        }
    }

    @Test func `does what its own work gives it`() throws {
        try withLoop { loop in
            let done = DispatchSemaphore(value: 0)
            loop.perform { loop.perform { loop.perform { done.signal() } } }
            #expect(done.wait(timeout: .now() + 60) == .success)
        }
    }

    @Test func `does what was given before it was stopped`() throws {
        let loop = try EventLoop()
        let isDone = Atomic<Bool>(false)
        loop.perform { isDone.store(true, ordering: .relaxed) }
        loop.stop()
        loop.run(IdleClient(), name: "loop")
        let wasDone = isDone.load(ordering: .relaxed)
        #expect(wasDone)
    }
}
