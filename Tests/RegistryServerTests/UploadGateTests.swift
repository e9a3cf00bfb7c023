import Bytes
import Dispatch
import HTTPServer
import HTTPWire
import Testing

@testable import RegistryServer

@Suite struct `The gate of uploads` {
    private let gate = UploadGate()
    private let some = UploadShare(prefix: "", token: "a")

    private func code(_ body: () throws(Problem) -> UploadPlace) -> String? {
        do throws(Problem) {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `lets in no more than the disk has room for, counting what others are going to write`() throws {
        var first: UploadPlace? = try gate.enter(some, limit: 10, byteCount: 60, room: 100)
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 60, room: 100) }
                == "insufficient-storage"
        )
        // What was written shows in what the disk has left, and is promised no longer.
        first?.wrote(30)
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 41, room: 70) }
                == "insufficient-storage")
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 40, room: 70) } == nil)
        first?.wrote(1_000)
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 70, room: 70) } == nil)
        first = nil
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 100, room: 100) } == nil)
    }

    @Test func `gives what one holds long and much of to another, when all places are taken`() throws {
        let start = ContinuousClock.now
        let later = start + UploadGate.grace
        func enter(_ name: String, _ now: ContinuousClock.Instant) throws(Problem) -> UploadPlace {
            let place = try gate.enter(
                UploadShare(prefix: "", token: name), limit: 4, byteCount: 0, room: 100, now: now)
            // As fast as is asked for, until the end.
            keepUp(place, from: now, to: later + .seconds(10))
            return place
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

    /// Brings what the least rate asks for, second by second.
    private func keepUp(
        _ place: UploadPlace, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant
    ) {
        var now = start
        while now < end {
            place.wrote(UploadGate.leastRate, now: now)
            now += .seconds(1)
        }
    }

    @Test func `A7: counts the tokens that one administrator makes as one`() throws {
        let now = ContinuousClock.now
        func enter(_ prefix: String, _ token: String) throws(Problem) -> UploadPlace {
            try gate.enter(
                UploadShare(prefix: prefix, token: token), limit: 16, byteCount: 0, room: 100, now: now)
        }
        // Whoever administers com.alpha can make tokens for it and for all below it.
        var held: [UploadPlace] = []
        for number in 0..<64 {
            let prefix = number % 2 == 0 ? "com.alpha" : "com.alpha.p\(number)"
            if let place = try? enter(prefix, "t\(number)") { held.append(place) }
        }
        #expect(held.count == 14)
        // Neighbours find a place at once, however far they are.
        let beside = try enter("com.beta", "ci")
        let far = try enter("org.other", "ci")
        for place in held + [beside, far] { try place.confirm() }
    }

    @Test func `A7: ends an upload below the least rate as soon as its place is wanted by others, and says so`() throws
    {
        let start = ContinuousClock.now
        func enter(_ prefix: String, after seconds: Int) throws(Problem) -> UploadPlace {
            try gate.enter(
                UploadShare(prefix: prefix, token: "ci"), limit: 4, byteCount: 0, room: 100,
                now: start + .seconds(seconds))
        }
        let held = try (0..<4).map { _ in try enter("com.alpha", after: 0) }
        for second in 0..<8 {
            // A burst at the beginning is no excuse for dripping.
            held[1].wrote(second == 0 ? 1 << 20 : 1_300, now: start + .seconds(second))
            for number in [0, 2, 3] { held[number].wrote(UploadGate.leastRate, now: start + .seconds(second)) }
        }
        #expect(code { () throws(Problem) in try enter("com.beta", after: 4) } == "too-many-uploads")
        // Its own token's uploads do not drive it away.
        #expect(code { () throws(Problem) in try enter("com.alpha", after: 7) } == "too-many-uploads")
        let newcomer = try enter("com.beta", after: 7)
        try newcomer.confirm()
        for number in [0, 2, 3] { try held[number].confirm() }
        do throws(Problem) {
            try held[1].confirm()
            Issue.record("it goes on")
        } catch {
            #expect(error.code == "too-many-uploads" && error.status == .serviceUnavailable)
            #expect(error.detail.contains("less than 16 KiB a second"), "\(error.detail)")
        }
    }

    @Test func `A7: leaves an upload alone that has arrived, however long the server takes for it`() throws {
        let start = ContinuousClock.now
        let later = start + UploadGate.grace
        let (gate, some, other) = (gate, some, UploadShare(prefix: "", token: "other"))
        let held = try (0..<2).map { _ in try gate.enter(some, limit: 2, byteCount: 0, room: 100, now: start) }
        for place in held { place.complete() }
        #expect(
            code { () throws(Problem) in try gate.enter(other, limit: 2, byteCount: 0, room: 100, now: later) }
                == "too-many-uploads")
    }

    @Test func `A7: takes no token for a label`() throws {
        let gate = gate
        let names = [UploadShare(prefix: "", token: "com"), UploadShare(prefix: "com", token: "x")]
        let held = try names.map { try gate.enter($0, limit: 2, byteCount: 0, room: 100) }
        // One each: nobody has more than a third would have.
        #expect(
            code { () throws(Problem) in
                try gate.enter(
                    UploadShare(prefix: "", token: "x"), limit: 2, byteCount: 0, room: 100,
                    now: .now + UploadGate.grace + .seconds(1))
            } == nil)
        #expect(held.count { (try? $0.confirm()) != nil } == 1)
    }

    @Test func `has no room where the reserve is reached`() {
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 0, room: -1) }
                == "insufficient-storage")
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 0, room: 100 - .max) }
                == "insufficient-storage")
    }

    @Test func `lets in exactly so many of those who come at the same moment`() {
        let places = Guarded<[UploadPlace]>([])
        let (gate, some) = (gate, some)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if let place = try? gate.enter(some, limit: 7, byteCount: 1, room: 1_000) {
                places.withLock { $0.append(place) }
            }
        }
        #expect(places.withLock { $0.count } == 7)
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 7, byteCount: 1, room: 1_000) }
                == "too-many-uploads")
        places.withLock { _ = $0.removeLast() }
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 7, byteCount: 1, room: 1_000) } == nil)
    }
}
