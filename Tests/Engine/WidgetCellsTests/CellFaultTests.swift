import Bytes
import Foundation
import Processes
import Surroundings
import TestSupport
import Testing
import WidgetCore
import WidgetLive

@testable import WidgetCells

/// Goal: a cell that misbehaves harms nothing but its own pages. Method: cells that do so on purpose, before an
/// order: processes, where their ends are the subject.
@Suite(.ownThreads) struct `Cells that misbehave` {
    /// Acts once in a cell that does a deed before that.
    private func end(
        of deed: String, in place: CellBench.Place = .process, _ limits: CellLimits = CellBench.limits,
        by clock: ManualClock? = nil
    ) async throws -> (ends: [String: Int], sentence: String) {
        let bench = try CellBench(in: place, before: "act", deed: deed, limits, by: clock ?? SystemClock())
        let viewing = try await bench.open()
        // A cell that takes its place is in this process.
        bench.startHere()
        let sink = CellSink()
        await viewing.follow(after: nil, sink)
        if let clock {
            #expect(await clock.moving { await viewing.act(Array("[1,[]]".utf8)) } == .refused(.over))
        } else {
            #expect(await viewing.act(Array("[1,[]]".utf8)) == .refused(.over))
        }
        await bench.end(of: viewing)
        // The desk knows at once; the stream ends behind it.
        #expect(bench.desk.ending(viewing.name) != nil && bench.desk.count == 0)
        await sink.hasEnded()
        #expect(sink.ends == [true])
        // Others are served by a new cell.
        let next = try await bench.open()
        #expect(await next.page() != nil)
        await bench.desk.stop()
        return (bench.house.figures.ends, bench.desk.ending(viewing.name)?.sentence(.english) ?? "")
    }

    @Test(arguments: ["open", "socket", "execve", "spawn"])
    func `A call that is not allowed ends the cell, is counted, and the page says why`(deed: String) async throws {
        let (ends, sentence) = try await end(of: deed)
        #expect(ends["forbidden"] == 1)
        #expect(sentence == "This page has ended, because its widget did something that widgets may not do.")
    }

    @Test(arguments: ["crash", "exit"]) func `A crash ends the viewings of one cell`(deed: String) async throws {
        let (ends, sentence) = try await end(of: deed)
        #expect(ends["crash"] == 1 && sentence.hasPrefix("This page has ended, because the process of its widget"))
    }

    @Test func `A cell that does not answer is ended within its time`() async throws {
        var limits = CellBench.limits
        (limits.eventSeconds, limits.waitingSeconds) = (0.5, 0.5)
        let clock = ManualClock()
        let (ends, sentence) = try await end(of: "loop", in: .process, limits, by: clock)
        #expect(ends["time"] == 1 && sentence.contains("did not answer"))
        // The clock moves on until the end is known here, so that it says nothing of the longest time.
        #expect(clock.passed >= .milliseconds(500))
    }

    @Test func `A cell that has had little of the processor has longer`() async throws {
        var limits = CellBench.limits
        limits.eventSeconds = 0.5
        let bench = try CellBench(in: .process, before: "act", deed: "pause", limits)
        let viewing = try await bench.open()
        #expect(await viewing.act(Array("[1,[]]".utf8)) == .taken)
        await bench.desk.stop()
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

    @Test func `A cell that takes 200 MB is ended at its limit`() async throws {
        var limits = CellBench.limits
        limits.eventSeconds = 20
        let (ends, sentence) = try await end(of: "memory", in: .process, limits)
        #expect(ends["memory"] == 1 && sentence.contains("memory"))
    }

    @Test(arguments: ["garbage", "number", "unasked", "strays"])
    func `A cell that sends what no cell sends is ended`(deed: String) async throws {
        let (ends, _) = try await end(of: deed, in: .here)
        #expect(ends["protocol"] == 1, "\(ends)")
    }

    @Test func `A cell may say ten thousand things about pages that have ended, and still serves the others`()
        async throws
    {
        let bench = try CellBench(before: "act", deed: "late")
        let viewing = try await bench.open()
        // What it says comes before the answer.
        #expect(await viewing.act(Array("[1,[]]".utf8)) == .taken)
        #expect(await viewing.page() != nil)
        #expect(bench.house.figures.ends.allSatisfy { $0.key == "done" }, "\(bench.house.figures.ends)")
        await bench.desk.stop()
    }

    @Test func `A process that does not become a cell is ended within its time`() async throws {
        var limits = CellBench.limits
        limits.startSeconds = 0.5
        let clock = ManualClock()
        let bench = try CellBench(in: .process, before: "start", deed: "loop", limits, by: clock)
        let opening = Task { try await bench.open() }
        await bench.becomes { $0.cells > 0 }
        // The house looks five times a second, the third time after the limit.
        for number in 1...3 {
            let look = clock.now + .milliseconds(200)
            await clock.waits { $0.contains(look) }
            #expect(bench.house.figures.ends["start"] == nil, "before look \(number)")
            clock.advance(by: .milliseconds(200))
        }
        await bench.becomes { $0.ends["start"] != nil }
        await #expect(throws: LiveRefusal.self) { try await clock.moving { _ = try await opening.value } }
        #expect(bench.desk.count == 0)
        await clock.moving { await bench.becomes { $0.cells == 0 } }
        #expect(bench.house.figures.cells == 0)
    }

    @Test func `Orders of one page that wait are few, and others are not late because of them`() async throws {
        let bench = try CellBench()
        let (greedy, other) = (try await bench.open(), try await bench.open())
        let refusals = await withTaskGroup(of: LiveRefusal?.self) { group in
            for _ in 0..<200 { group.addTask { await greedy.refusalOfPage() } }
            group.addTask { await other.refusalOfPage() }
            return await group.reduce(into: [LiveRefusal?]()) { $0.append($1) }
        }
        #expect(refusals.contains(nil) && refusals.contains(.tooFast(retryAfter: 1)))
        #expect(refusals.allSatisfy { $0 == nil || $0 == .tooFast(retryAfter: 1) })
        #expect(await greedy.page() != nil)
        #expect(await other.page() != nil)
        await bench.desk.stop()
    }

    @Test func `A bundle that could not be read is not read again at once`() async throws {
        let bench = try CellBench()
        for _ in 0..<3 { await #expect(throws: CellRefusal.self) { try await bench.still(of: "org.other") } }
        #expect(bench.house.figures.ends["refused"] == 1)
    }

    @Test func `A release whose cells end by faults again and again rests for a while`() async throws {
        let limits = CellBench.limits
        let bench = try CellBench(before: "act", deed: "number")
        for _ in 0..<limits.faults {
            let viewing = try await bench.open()
            #expect(await viewing.act(Array("[1,[]]".utf8)) == .refused(.over))
        }
        await bench.becomes { $0.ends["protocol"] == limits.faults }
        #expect(bench.house.figures.ends["protocol"] == limits.faults)
        let started = bench.house.figures.started
        await #expect(throws: LiveRefusal.self) { try await bench.open() }
        await #expect(throws: CellRefusal.self) { try await bench.still() }
        #expect(bench.house.figures.started <= started + limits.spares, "no process is started for it")
        await bench.desk.stop()
        var failures = CellFailures()
        let release = CellRelease(archive: "a", identifier: "org.example")
        let start = ContinuousClock.now
        func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }
        for moment in 1..<limits.faults {
            failures.add(.tooSlow(seconds: 2), of: "a", at: after(Double(moment)), limits)
        }
        for end in [CellEnd.unneeded, .withdrawn, .done] { failures.add(end, of: "a", at: after(5), limits) }
        #expect(failures.refusal(of: release, at: after(5), limits) == nil)
        failures.add(.fault("x"), of: "a", at: after(6), limits)
        #expect(failures.refusal(of: release, at: after(35.9), limits) == .ended(.fault("x")))
        #expect(failures.refusal(of: release, at: after(36.1), limits) == nil)
        failures.add(.fault("y"), of: "a", at: after(37), limits)
        #expect(failures.refusal(of: release, at: after(37), limits) == nil, "those that are long ago do not count")
    }

    @Test func `A page that is too large is refused with its size, and the cell stays`() async throws {
        let text = String(repeating: "a", count: 100_000)
        let bench = try CellBench(
            #"{"schema": 1, "state": {"text": "\#(text)", "rows": [\#((0..<60).map(String.init).joined(separator: ","))]},"#
                + #""root": {"kind": "table", "items": {"in": "$rows"}, "#
                + #""children": [{"kind": "cell", "payload": {"title": "$text"}}]}}"#)
        let viewing = try await bench.open()
        #expect(await viewing.page() == nil)
        await bench.end(of: viewing)
        #expect(bench.desk.ending(viewing.name)?.sentence(.english).contains("more than 4 MB") == true)
        do throws(CellRefusal) {
            _ = try await bench.still()
            Issue.record("its first screen is shown")
        } catch {
            guard case .unreadable(let finding) = error else { throw error }
            #expect(finding.message.hasSuffix("and may have 4096 KiB"), "\(finding.message)")
        }
        #expect(bench.house.figures.ends["protocol", default: 0] == 0)
        await bench.desk.stop()
    }

    @Test func `Readers of many languages share a few cells`() async throws {
        let bench = try CellBench()
        var viewings: [CellPage] = []
        for locale in ["", "de", "fr", "it", "es", "pt", "nl"] { viewings.append(try await bench.open(locale: locale)) }
        let bound = bench.house.limits.cellsPerRelease + bench.house.limits.spares
        await bench.becomes { $0.cells <= bound }
        #expect(bench.house.figures.cells <= bound)
        for viewing in viewings { #expect(await viewing.page() != nil) }
        await bench.desk.stop()
    }

    @Test func `A withdrawn release has no cell, also if it was being read`() async throws {
        let bench = try CellBench()
        let viewing = try await bench.open()
        bench.retire()
        #expect(
            await viewing.page() == nil
                && bench.desk.ending(viewing.name)?.sentence(.english).contains("withdrawn") == true)
        await #expect(throws: LiveRefusal.self) { try await bench.open("other") }
        bench.admit()
        #expect(try await bench.open("again").page() != nil)
    }

    @Test func `A bundle that cannot run says why, with its place, and leaves no cell behind`() async throws {
        let bench = try CellBench()
        do throws(CellRefusal) {
            _ = try await bench.still(of: "org.other")
            Issue.record("a widget of another bundle was shown")
        } catch {
            guard case .unreadable(let finding) = error else { throw error }
            #expect(finding.message.contains("org.other"))
        }
        await bench.becomes { $0.cells <= bench.house.limits.spares }
        #expect(bench.house.figures.cells <= bench.house.limits.spares)
    }

    @Test func `No more cells run than the limit says, and an idle one makes room`() async throws {
        var limits = CellBench.limits
        (limits.cells, limits.viewingsPerCell) = (2, 1)
        let bench = try CellBench(CellBench.document, limits)
        let (first, second) = (try await bench.open(), try await bench.open())
        #expect(first.name != second.name && bench.house.figures.cells <= 2 + bench.house.limits.spares)
        await #expect(throws: LiveRefusal.self) { try await bench.open() }
        await first.end(.left)
        let third = try await bench.open("other")
        #expect(await third.page() != nil)
        await bench.desk.stop()
    }
}
