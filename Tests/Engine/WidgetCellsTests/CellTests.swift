import Testing
import WidgetProcesses
import WidgetTestSupport

@testable import WidgetCells

/// Goal: a cell is as confined as its system allows, and reviews nothing without the limits of the kernel. Method: confined
/// processes, and cells in this process that say what is missing.
@Suite(.ownThreads) struct `Confined cells` {
    @Test func `A cell says what confines it before it reads anything`() async throws {
        let bench = try CellBench(in: .process)
        let text = try await bench.house.probe()
        let confinement = try #require(Confinement(text: text))
        #expect(confinement.isEnough && confinement.isOn(.seccomp) && confinement.isOn(.limits))
        await bench.becomes { $0.cells == 0 }
        #expect(bench.house.figures.started == 1 && bench.house.figures.ends == ["done": 1])
    }

    @Test func `B1: A cell that the limits of the kernel alone confine reviews bundles, and none reviews without them`()
        async throws
    {
        let bench = try CellBench(without: ["landlock", "seccomp"])
        let review = try await bench.review("x")
        #expect(review.end == nil && review.pieces.map(\.name) == ["x"])
        let loose = try CellBench(without: ["limits"])
        let refused = try await loose.review("x")
        #expect(refused.pieces.isEmpty && refused.end != nil)
    }

    @Test(arguments: ["user-namespace", "network-namespace", "landlock", "seccomp"])
    func `One part of the confinement can be missing`(part: String) async throws {
        let bench = try CellBench(in: .process, without: [part])
        let text = try await bench.house.probe()
        let (confinement, missing) = (try #require(Confinement(text: text)), Confinement.Part(rawValue: part))
        #expect(try confinement.isEnough && !confinement.isOn(#require(missing)))
        let review = try await bench.review("x")
        #expect(review.end == nil && review.pieces.map(\.name) == ["x"])
    }

    @Test func `A host that stops ends the reviews that run, and starts no more`() async throws {
        let bench = try CellBench(in: .process, before: "review", deed: "loop")
        let review = Task { try await bench.review("x") }
        await bench.becomes { $0.cells == 1 }
        bench.house.stop()
        #expect(try await review.value.end == .unneeded)
        #expect(try await bench.review("y").end == .unneeded)
        #expect(bench.house.figures.cells == 0 && bench.house.figures.ends.keys.allSatisfy { $0 == "idle" })
    }
}
