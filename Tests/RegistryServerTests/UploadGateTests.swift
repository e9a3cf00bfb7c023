import Dispatch
import HTTPServer
import Locks
import Testing

@testable import RegistryServer

@Suite struct `The gate of uploads` {
    private let gate = UploadGate()

    private func code(_ body: () throws(Problem) -> UploadPlace) -> String? {
        do throws(Problem) {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `lets in no more than the disk has room for, counting what others are going to write`() throws {
        var first: UploadPlace? = try gate.enter("a", limit: 10, byteCount: 60, room: 100)
        #expect(
            code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 60, room: 100) }
                == "insufficient-storage"
        )
        // What was written shows in what the disk has left, and is promised no longer.
        first?.wrote(30)
        #expect(
            code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 41, room: 70) }
                == "insufficient-storage")
        #expect(code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 40, room: 70) } == nil)
        first?.wrote(1_000)
        #expect(code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 70, room: 70) } == nil)
        first = nil
        #expect(code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 100, room: 100) } == nil)
    }

    @Test func `gives what one holds long and much of to another, when all places are taken`() throws {
        let start = ContinuousClock.now
        let later = start + UploadGate.grace
        func enter(_ name: String, _ now: ContinuousClock.Instant) throws(Problem) -> UploadPlace {
            try gate.enter(name, limit: 4, byteCount: 0, room: 100, now: now)
        }
        let held = try (0..<4).map { _ in try enter("slow", start) }
        // An upload that makes haste would be done by then.
        #expect(code { () throws(Problem) in try enter("other", later - .seconds(1)) } == "too-many-uploads")
        // The same token has its share.
        #expect(code { () throws(Problem) in try enter("slow", later) } == "too-many-uploads")
        let first = try enter("other", later)
        #expect(throws: Problem.self) { try held[0].confirm() }
        let second = try enter("other", later)
        #expect(throws: Problem.self) { try held[1].confirm() }
        // Two each is fair.
        #expect(code { () throws(Problem) in try enter("other", later) } == "too-many-uploads")
        for place in [held[2], held[3], first, second] { try place.confirm() }
        let third = try enter("third", later)
        try third.confirm()
        #expect([held[2], held[3], first, second].count { (try? $0.confirm()) != nil } == 3)
    }

    @Test func `has no room where the reserve is reached`() {
        #expect(
            code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 0, room: -1) }
                == "insufficient-storage")
        #expect(
            code { () throws(Problem) in try gate.enter("a", limit: 10, byteCount: 0, room: 100 - .max) }
                == "insufficient-storage")
    }

    @Test func `lets in exactly so many of those who come at the same moment`() {
        let places = Guarded<[UploadPlace]>([])
        let gate = gate
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if let place = try? gate.enter("a", limit: 7, byteCount: 1, room: 1_000) {
                places.withLock { $0.append(place) }
            }
        }
        #expect(places.withLock { $0.count } == 7)
        #expect(
            code { () throws(Problem) in try gate.enter("a", limit: 7, byteCount: 1, room: 1_000) }
                == "too-many-uploads")
        places.withLock { _ = $0.removeLast() }
        #expect(code { () throws(Problem) in try gate.enter("a", limit: 7, byteCount: 1, room: 1_000) } == nil)
    }
}
