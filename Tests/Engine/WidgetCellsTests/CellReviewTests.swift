import Bytes
import Foundation
import Surroundings
import TestSupport
import Testing

@testable import WidgetCells

/// Goal: a bundle that is looked at for the pages about it harms nothing but its own review. Method: cells whose reviewer
/// misbehaves on purpose.
@Suite(.ownThreads) struct `Reviews in cells` {
    @Test func `A review gets the archive and the question, and its process ends with it`() async throws {
        let bench = try CellBench(in: .process)
        let size = try "\(bench.archiveByteCount)"
        for question in ["first", "second"] {
            let review = try await bench.review(question)
            #expect(review.end == nil)
            #expect(review.pieces == [ReviewPiece(name: question, kind: "size", bytes: Array(size.utf8))])
        }
        #expect(bench.house.figures.ends["done"] == 2)
        await bench.becomes { $0.cells == $0.spares }
        #expect(bench.house.figures.ends["crash"] == nil)
    }

    @Test(arguments: [
        ("crash", "crash"), ("exit", "crash"), ("open", "forbidden"), ("memory", "memory"), ("loop", "time"),
        ("garbage", "protocol"), ("unasked", "protocol"),
    ])
    func `A cell that misbehaves ends its review alone`(deed: String, reason: String) async throws {
        var limits = CellBench.limits
        (limits.reviewSeconds, limits.waitingSeconds) = (deed == "memory" ? 20 : 0.5, 0.5)
        let clock = deed == "loop" ? ManualClock() : nil
        // The clock moves while the spare is asked whether it is there.
        if clock != nil { (limits.startSeconds, limits.spares) = (86_400, 1) }
        let bench = try CellBench(
            in: reason == "protocol" ? .here : .process, before: "review", deed: deed, limits,
            by: clock ?? SystemClock())
        // A spare is ready, so that only its review takes time.
        if clock != nil { _ = try await bench.house.probe() }
        let review =
            if let clock { try await clock.moving { try await bench.review("x") } } else { try await bench.review("x") }
        #expect(review.end?.name == reason)
        #expect(bench.house.figures.ends[reason] == 1)
        #expect((clock?.passed ?? .seconds(1)) >= .milliseconds(500))
        // Pages of the same release work.
        bench.startHere()
        #expect(try await bench.still() != nil)
    }

    @Test func `A spare that has ended costs no bundle its review`() async throws {
        let bench = try CellBench(before: "here", deed: "leave", CellLimits())
        for number in 1...3 {
            _ = try await bench.house.probe()
            #expect(try await bench.review("x").end == nil)
            #expect(bench.house.figures.ends["crash", default: 0] >= number)
        }
    }

    @Test func `Pieces from before the end of a process are kept`() async throws {
        var limits = CellBench.limits
        (limits.reviewSeconds, limits.waitingSeconds) = (0.5, 0.5)
        let bench = try CellBench(in: .process, limits)
        for (question, reason) in [("crash later", "crash"), ("loop later", "time")] {
            let review = try await bench.review(question)
            #expect(review.end?.name == reason && review.pieces.map(\.name) == [question])
        }
    }

    @Test(arguments: ["many", "large"])
    func `A review that sends more than it may is ended`(question: String) async throws {
        let bench = try CellBench()
        let review = try await bench.review(question)
        #expect(review.end == .fault("it sends more than it may"))
        #expect(review.pieces.count <= bench.house.limits.reviewPieces)
        #expect(review.pieces.reduce(0) { $0 + $1.bytes.count } <= bench.house.limits.reviewByteCount)
    }

    @Test func `An archive whose reviews end by faults again and again is not looked at for a while`() async throws {
        let bench = try CellBench(before: "review", deed: "leave")
        for _ in 0..<bench.house.limits.faults { #expect(try await bench.review("x").end?.name == "crash") }
        let started = bench.house.figures.started
        #expect(try await bench.review("x").end?.name == "crash")
        #expect(bench.house.figures.ends["crash"] == bench.house.limits.faults)
        #expect(bench.house.figures.started <= started + bench.house.limits.spares)
    }
}
