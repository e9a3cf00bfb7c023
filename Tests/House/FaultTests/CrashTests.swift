import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetBytes
import WidgetTestSupport

/// Goal: acknowledged releases stay when the process ends at any moment (invariants I1 to I7).
/// Method: the server is killed at random moments of mixed writing and of its start, and started again; the writers
/// remember the answers.
@Suite(.also(.faults), .serialized) struct `A registry that is killed at any moment` {
    private static let writers = 4

    @Test func `A registry that is killed at any moment keeps every promise`() throws {
        let seed = Crowd.seed("kill")
        var generator = SeededGenerator(seed: seed)
        let kills = Crowd.number("FAULT_KILLS", otherwise: 6)
        var tally = Tally()
        // Each check takes longer the more was written, so there is a new store now and then.
        while tally.kills < kills {
            try Self.kill(min(100, kills - tally.kills), &generator, &tally)
            Crowd.report("kill: \(tally)")
        }
        #expect(tally.acknowledged > kills)
        // I7: ready again by itself, with the work of five seconds at most.
        #expect(tally.longest < .seconds(5))
        // Fifty of each in the long form of two thousand, and as large a part of a shorter one.
        if FaultShim.library != nil {
            for phase in FaultShim.Phase.allCases { #expect(tally.phases[phase, default: 0] >= kills / 40, "\(phase)") }
        }
    }

    private struct Tally: CustomStringConvertible {
        var kills = 0
        var acknowledged = 0
        var longest = Duration.zero
        var phases: [FaultShim.Phase: Int] = [:]

        var description: String {
            let table = FaultShim.Phase.allCases.map { "\($0) \(phases[$0, default: 0])" }.joined(separator: ", ")
            return "\(kills) kills (\(table)), \(acknowledged) steps acknowledged, longest start \(longest)"
        }
    }

    /// Kills one store so often, and looks at all of it in the end.
    private static func kill(_ kills: Int, _ generator: inout SeededGenerator, _ tally: inout Tally) throws {
        let home = try Home()
        let shim = FaultShim.library == nil ? nil : try FaultShim(in: home.folder)
        let seed = generator.next()
        let writers = (0..<Self.writers).map { CrashWriter("kill\($0).example.Widget", seed: seed &+ UInt64($0)) }
        var lastTag = 0
        for kill in 1...kills {
            let (registry, time) = try Self.start(home, shim)
            tally.longest = max(tally.longest, time)
            let complaints = try Self.complaints(registry, writers, home, lastTag: &lastTag, isThorough: false)
            try #require(complaints.isEmpty, "after kill \(kill - 1): \(complaints.prefix(5))")
            // Half of them at a random moment, half at a random step of the phase that was met least.
            let phases = tally.phases
            let phase = FaultShim.Phase.allCases.min { phases[$0, default: 0] < phases[$1, default: 0] }
            let isAimed = Bool.random(using: &generator)
            shim?.kill(in: isAimed ? phase : nil, at: .random(in: 1...12, using: &generator))
            let group = Crowd.start(Self.writers) { writers[$0].write(to: registry) }
            let keeping = Crowd.start(2) { Self.keepHouse(registry, $0 == 0 ? "gc" : "scrub") }
            let patience = Duration.microseconds(Int.random(in: 0...250_000, using: &generator))
            _ = registry.process.ends(within: isAimed && shim != nil ? .milliseconds(400) : patience)
            registry.killAtOnce()
            group.wait()
            keeping.wait()
            tally.kills += 1
            if let ended = shim?.ended { tally.phases[ended, default: 0] += 1 }
            shim?.kill(in: nil)
            let wrong = writers.compactMap(\.complaint)
            try #require(wrong.isEmpty, "before kill \(kill): \(wrong)")
            // Some are killed once more while they recover.
            if Int.random(in: 0..<10, using: &generator) == 0 {
                try Registry.startAndKill(
                    home: home, after: .microseconds(Int.random(in: 0...60_000, using: &generator)))
            }
        }
        let (registry, time) = try Self.start(home, shim)
        tally.longest = max(tally.longest, time)
        let complaints = try Self.complaints(registry, writers, home, lastTag: &lastTag, isThorough: true)
        #expect(complaints.isEmpty, "at the end: \(complaints.prefix(5))")
        tally.acknowledged += writers.map(\.acknowledged).reduce(0, +)
    }

    /// Asks for housekeeping until the server is gone.
    private static func keepHouse(_ registry: Registry, _ task: String) {
        while registry.process.isRunning {
            if registry.control("POST", "/v1/\(task)").isEmpty { return }
        }
    }

    /// Withdrawn releases are collected at once, so that there is something to collect.
    private static let settings = [
        "WIDGETD_RETENTION_WITHDRAWN": "0s", "WIDGETD_HOUSEKEEPING_GRACE": "0s",
        "WIDGETD_HOUSEKEEPING_SCRUB_RATE": "1GiB", "WIDGETD_LOG_LEVEL": "error",
    ]

    private static func start(_ home: Home, _ shim: FaultShim?) throws -> (Registry, Duration) {
        let preloaded = shim?.environment(data: home.data) ?? [:]
        let registry = try Registry(home: home, settings.merging(preloaded) { $1 }, in: .process)
        return (registry, registry.process.processorTime)
    }

    private static func complaints(
        _ registry: Registry, _ writers: [CrashWriter], _ home: Home, lastTag: inout Int, isThorough: Bool
    ) throws -> [String] {
        var complaints = try writers.flatMap { try $0.complaints(registry, isThorough: isThorough) }
        // I6: the feed continues where it was.
        var tags: [Int] = []
        var since = lastTag
        while true {
            let page = try registry.get("/v1/changes?limit=200&since=\(since)")
            tags += page["items"]?.array?.compactMap { $0["tag"]?.integer.map { Int($0) } } ?? []
            guard page["next"] != nil, let last = tags.last else { break }
            since = last
        }
        if tags != tags.sorted() || Set(tags).count != tags.count || tags.first.map({ $0 <= lastTag }) == true {
            complaints.append("I6: the feed's tags are \(tags) after \(lastTag)")
        }
        lastTag = tags.last ?? lastTag
        if lastTag > 0, try registry.get("/v1/changes?since=\(lastTag - 1)&limit=1").number("items.0.tag") != lastTag {
            complaints.append("I6: change \(lastTag) is gone")
        }
        // I8: no file of an interrupted request is left.
        let left = home.staged
        if !left.isEmpty { complaints.append("I8: \(left) is left in staging") }
        return complaints
    }
}

/// Checks that find nothing prove nothing, so they are shown stores that have lost something.
@Suite(.also(.faults), .serialized) struct `What is looked at after a kill` {
    private let home: Home
    private let writer = CrashWriter("lost.example.Widget", seed: 7)

    init() throws { home = try Home() }

    /// Writes for a while, and kills the server.
    private func write() throws {
        let registry = try Registry(home: home, in: .process)
        let writer = writer
        let before = writer.acknowledged
        let group = Crowd.start(1) { _ in writer.write(to: registry) }
        #expect(
            writer.state.reaches { state in
                state.complaint != nil || (state.known.count >= 4 && state.acknowledged >= before + 4)
            })
        registry.killAtOnce()
        group.wait()
        try #require(writer.complaint == nil)
    }

    private func complaints() throws -> [String] {
        try writer.complaints(try Registry(home: home), isThorough: true)
    }

    @Test func `The checks after a kill pass as long as nothing is lost`() throws {
        try write()
        #expect(try complaints().isEmpty)
    }

    @Test func `The checks after a kill report a missing archive`() throws {
        try write()
        for archive in FileWork.files(below: home.data.path + "/blobs", endingWith: ".zip") {
            try FileWork.remove(archive)
        }
        #expect(try complaints().contains { $0.hasPrefix("I3") })
    }

    @Test func `The checks after a kill report a changed archive`() throws {
        try write()
        for archive in FileWork.files(below: home.data.path + "/blobs", endingWith: ".zip") {
            try FileWork.overwrite(archive, at: 60)
        }
        #expect(try complaints().contains { $0.hasPrefix("I3") || $0.hasPrefix("I5") })
    }

    @Test func `The checks after a kill report a catalog that went back in time`() throws {
        try write()
        _ = try complaints()
        // The server would not start with it, if it knew.
        let (data, old) = (home.data.path, home.folder.appending(path: "old").path)
        try FileWork.copy(in: data, startingWith: "catalog.sqlite", to: old)
        try write()
        try FileWork.remove(data + "/mark")
        try FileWork.remove(in: data, startingWith: "catalog.sqlite")
        try FileWork.copy(in: old, startingWith: "catalog.sqlite", to: data)
        #expect(try complaints().contains { $0.hasPrefix("I1") || $0.hasPrefix("I6") })
    }
}
