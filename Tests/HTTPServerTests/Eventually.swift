import Dispatch
import Glibc
import Sockets

@testable import HTTPServer

/// Whether something becomes true; only a test that fails waits for long.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<2_000 {
        if try condition() { return true }
        poll(nil, 0, 10)
    }
    return try condition()
}

extension TestServer {
    /// Looks at something on every loop's own thread.
    func onEachLoop<Result: Sendable>(_ look: @escaping @Sendable (ServerLoop) -> Result) -> [Result] {
        server.loops.map { loop in
            let answer = Waiting<Result>()
            loop.loop.perform { answer.put(look(loop)) }
            guard let result = answer.take() else { fatalError("a loop does not answer") }
            return result
        }
    }

    /// Whether every connection is gone, and every request that was begun has been counted as ended.
    func comesToRest() -> Bool {
        eventually {
            letGo()
            return server.connectionCount == 0
                && onEachLoop { $0.table.count == 0 && $0.counters.value(.begun) == $0.counters.value(.ended) }
                    .allSatisfy { $0 }
        }
    }

    /// Slots between requests that keep more than a slot.
    func heavyIdleConnections() -> Int {
        onEachLoop { loop in
            (0..<loop.table.highWater).count { loop.table[$0].phase == .idle && loop.table[$0].exchange != nil }
        }.reduce(0, +)
    }
}
