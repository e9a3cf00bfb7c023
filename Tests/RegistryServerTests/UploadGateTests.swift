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
        var first: UploadPlace? = try gate.enter(limit: 10, byteCount: 60, room: 100)
        #expect(
            code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 60, room: 100) } == "insufficient-storage"
        )
        // What was written shows in what the disk has left, and is promised no longer.
        first?.wrote(30)
        #expect(
            code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 41, room: 70) } == "insufficient-storage")
        #expect(code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 40, room: 70) } == nil)
        first?.wrote(1_000)
        #expect(code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 70, room: 70) } == nil)
        first = nil
        #expect(code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 100, room: 100) } == nil)
    }

    @Test func `has no room where the reserve is reached`() {
        #expect(
            code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 0, room: -1) } == "insufficient-storage")
        #expect(
            code { () throws(Problem) in try gate.enter(limit: 10, byteCount: 0, room: 100 - .max) }
                == "insufficient-storage")
    }

    @Test func `lets in exactly so many of those who come at the same moment`() {
        let places = Guarded<[UploadPlace]>([])
        let gate = gate
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if let place = try? gate.enter(limit: 7, byteCount: 1, room: 1_000) { places.withLock { $0.append(place) } }
        }
        #expect(places.withLock { $0.count } == 7)
        #expect(
            code { () throws(Problem) in try gate.enter(limit: 7, byteCount: 1, room: 1_000) } == "too-many-uploads")
        places.withLock { _ = $0.removeLast() }
        #expect(code { () throws(Problem) in try gate.enter(limit: 7, byteCount: 1, room: 1_000) } == nil)
    }
}
