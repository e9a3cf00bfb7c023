import CellSupport
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetCells

/// Goal: a bundle that is looked at for the pages about it harms nothing but its own review. Method: cells whose reviewer
/// misbehaves on purpose: processes, where their ends are the subject.
@Suite(.ownThreads) struct `Reviews in cells` {
    @Test func `A review gets the archive and the question, and its process ends with it`() async throws {
        let bench = try CellBench(in: .process)
        let size = "\(CellBench.content.count)"
        for question in ["first", "second"] {
            let review = try await bench.review(question)
            #expect(review.end == nil)
            #expect(review.pieces == [ReviewPiece(name: question, kind: "size", bytes: Array(size.utf8))])
        }
        await bench.becomes { $0.cells == 0 }
        #expect(bench.house.figures.started == 2 && bench.house.figures.ends == ["done": 2])
    }

    /// Reviews once in a cell that does a deed before that.
    private func end(
        of deed: String, in place: CellBench.Place = .process, _ limits: CellLimits = CellLimits(),
        by clock: ManualClock? = nil
    ) async throws -> (name: String?, reason: String) {
        var limits = limits
        // The clock moves while a process begins.
        if clock != nil { limits.startSeconds = 86_400 }
        let bench = try CellBench(in: place, before: "review", deed: deed, limits, by: clock ?? SystemClock())
        let review =
            if let clock { try await clock.moving { try await bench.review("x") } } else { try await bench.review("x") }
        let end = try #require(review.end)
        #expect(bench.house.figures.ends == [end.name: 1])
        // The next one has a cell for itself, that of the same archive too.
        bench.startHere()
        if place == .process { #expect(try await bench.review("y").end == nil) }
        return (end.name, end.reason)
    }

    @Test(arguments: ["open", "files", "socket", "connect", "execve", "ptrace", "spawn"])
    func `A call that is not allowed ends the cell, is counted, and is said`(deed: String) async throws {
        let end = try await end(of: deed)
        #expect(end.name == "forbidden" && end.reason == "its widget did something that widgets may not do")
    }

    @Test(arguments: ["crash", "exit"]) func `A crash ends one review`(deed: String) async throws {
        let end = try await end(of: deed)
        #expect(end.name == "crash" && end.reason.hasPrefix("the process of its widget has ended: "), "\(end.reason)")
    }

    @Test(arguments: ["descriptors", "threads"])
    func `A cell that takes as much as it gets of what the kernel counts still reviews`(deed: String) async throws {
        let bench = try CellBench(in: .process, before: "review", deed: deed)
        let review = try await bench.review("x")
        #expect(review.end == nil && review.pieces.map(\.name) == ["x"])
    }

    @Test func `A cell that takes 200 MB is ended at its limit`() async throws {
        var limits = CellLimits()
        limits.reviewSeconds = 20
        let end = try await end(of: "memory", limits)
        #expect(end.name == "memory" && end.reason.contains("of memory"))
    }

    @Test(arguments: ["loop", "allocate"])
    func `A review that does not come to its end is ended within its time`(deed: String) async throws {
        var limits = CellLimits()
        (limits.reviewSeconds, limits.waitingSeconds) = (0.5, 0.5)
        let clock = ManualClock()
        let end = try await end(of: deed, limits, by: clock)
        #expect(end.name == "time" && end.reason.contains("did not answer within"))
        // The clock moves on until the end is known here, so that it says nothing of the longest time.
        #expect(clock.passed >= .milliseconds(500))
    }

    @Test(arguments: ["garbage", "number", "unasked", "strays"])
    func `A cell that sends what no cell sends is ended`(deed: String) async throws {
        let end = try await end(of: deed, in: .here)
        #expect(end.name == "protocol" && end.reason.hasSuffix("sent what the server could not read"))
    }

    @Test func `A cell that has had little of the processor has longer`() async throws {
        var limits = CellLimits()
        limits.reviewSeconds = 0.5
        let bench = try CellBench(in: .process, before: "review", deed: "pause", limits)
        #expect(try await bench.review("x").end == nil)
        let start = ContinuousClock.now
        let question = await withCheckedContinuation { whole in
            Task {
                _ = await withCheckedContinuation {
                    whole.resume(
                        returning: Question(answer: $0, deadline: start + .seconds(2), seconds: 2, used: 5))
                }
            }
        }
        func isLate(after seconds: Double, used: Double) -> Bool {
            question.isLate(at: start + .seconds(seconds), used: used)
        }
        #expect(!isLate(after: 1.9, used: 6.9) && isLate(after: 2, used: 6))
        #expect(!isLate(after: 9.9, used: 5.9) && isLate(after: 10, used: 5.9))
        question.answer.resume(returning: nil)
    }

    @Test func `A process that does not become a cell is ended within its time`() async throws {
        var limits = CellLimits()
        limits.startSeconds = 0.5
        let clock = ManualClock()
        let bench = try CellBench(in: .process, before: "start", deed: "loop", limits, by: clock)
        let review = Task { try await bench.review("x") }
        await bench.becomes { $0.cells > 0 }
        // The house looks five times a second, the third time after the limit.
        for number in 1...3 {
            let look = clock.now + .milliseconds(200)
            await clock.waits { $0.contains(look) }
            #expect(bench.house.figures.ends["start"] == nil, "before look \(number)")
            clock.advance(by: .milliseconds(200))
        }
        let end = try await review.value.end
        #expect(end?.reason.hasPrefix("its process could not be started: it was not ready within") == true)
        #expect(bench.house.figures.ends == ["start": 1] && bench.house.figures.cells == 0)
    }

    @Test func `Pieces from before the end of a process are kept`() async throws {
        var limits = CellLimits()
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
        let limits = CellLimits()
        let bench = try CellBench(before: "review", deed: "leave")
        for _ in 0..<limits.faults { #expect(try await bench.review("x").end?.name == "crash") }
        #expect(try await bench.review("x").end?.name == "crash")
        #expect(bench.house.figures.ends == ["crash": limits.faults])
        #expect(bench.house.figures.started == limits.faults, "no process is started for it")
        // Another archive has its own count.
        _ = try await bench.review("x", digest: "b")
        #expect(bench.house.figures.started == limits.faults + 1)
    }

    @Test func `Faults that are long ago do not count, nor do ends that no bundle is to blame for`() {
        let limits = CellLimits()
        var failures = CellFailures()
        let start = ContinuousClock.now
        func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }
        for moment in 1..<limits.faults {
            failures.add(.tooSlow(seconds: 2), of: "a", at: after(Double(moment)), limits)
        }
        for end in [CellEnd.unneeded, .notStarted(""), .done] { failures.add(end, of: "a", at: after(5), limits) }
        #expect(failures.refusal(of: "a", at: after(5), limits) == nil)
        failures.add(.fault("x"), of: "a", at: after(6), limits)
        #expect(failures.refusal(of: "a", at: after(35.9), limits) == .fault("x"))
        #expect(failures.refusal(of: "a", at: after(36.1), limits) == nil)
        failures.add(.fault("y"), of: "a", at: after(37), limits)
        #expect(failures.refusal(of: "a", at: after(37), limits) == nil)
    }
}
