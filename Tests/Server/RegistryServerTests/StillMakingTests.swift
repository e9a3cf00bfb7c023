import LocalStore
import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Makes the stills that the test says, and notes of which releases.
private final class TestMaker: StillMaking {
    struct State: Sendable {
        var obstacle: String?
        var plan = StillPlan()
        var end: String?
        var lacksTime = false
        /// The number of stills.
        var drawn = 0
        var looked: [String] = []
    }

    let state = Guarded(State())

    var obstacle: String? { state.withLock { $0.obstacle } }
    var plan: StillPlan { state.withLock { $0.plan } }
    var looked: [String] { state.withLock { $0.looked } }

    func parts(
        of release: Release, in archive: borrowing FileDescriptor, lacksInterface: Bool
    ) -> [ReleasePart] {
        var facts = ReleaseFacts()
        let drawn: Int
        (facts.endOfReview, facts.lacksTime, drawn) = state.withLock { state in
            state.looked.append(release.key)
            return (state.end, state.lacksTime, state.drawn)
        }
        let stills = (0..<drawn).map { ReleasePart(name: "screen-\($0).html", mediaType: "text/html", content: [1]) }
        return [facts.part, ReleasePart(name: "icon", mediaType: "image/png", content: [1])] + stills
    }
}

/// Goal: releases from before get stills without anything that was published changing, gently, and not for ever. Method: the
/// housekeeper of a registry in a directory, with a maker that the test leads and a clock that it moves.
@Suite struct `Stills of releases from before` {
    private final class House {
        let registry: Registry
        let housekeeper: Housekeeper
        let maker = TestMaker()
        let clock = ManualClock(date: .seconds(1_000_000))
        let log = Observed<[UInt8]>([])
        private let threads = SteppedThreads()
        private let scratch: ScratchDirectory
        let world: World

        init() throws {
            scratch = try ScratchDirectory(in: TemporaryPlace.path)
            world = World(clock: clock, threads: threads)
            let log = log
            let logger = Logger(
                level: .info,
                sink: { bytes in
                    log.withLock { $0 += bytes }
                    return bytes.count
                })
            registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options(in: world))
            housekeeper = Housekeeper(registry, logger: logger, in: world, stills: maker)
        }

        func publish(_ version: String, channel: String = "stable", parts: [ReleasePart] = []) throws {
            let staged = try registry.stage()
            let taken = try TestBundle(version: version).take(into: staged.file)
            var options = PublishOptions()
            options.channel = channel
            _ = try registry.publish(taken, archive: staged, PublishRequest(options, by: "tester"), parts: parts)
        }

        func pass(_ duration: Duration) {
            let end = clock.now + duration
            while let next = clock.next, next <= end, clock.advanceToNext() { threads.run() }
            clock.advance(by: end - clock.now)
            threads.run()
        }

        func parts(_ key: String) throws -> Set<String> { try registry.partNames(of: "com.example.Sample", key) }

        func logged(_ text: String) -> Bool {
            log.reaches { String(decoding: $0, as: UTF8.self).contains(text) }
        }

        /// True once as many lines of the log have the text, and no more.
        func logs(_ text: String, times: Int) -> Bool {
            log.reaches {
                String(decoding: $0, as: UTF8.self).split(separator: "\n").count { $0.contains(text) } == times
            }
        }
    }

    @Test func `Releases without stills get them, those on channels first, and nothing published changes`() throws {
        let house = try House()
        let mark = house.maker.plan.mark
        for version in ["1.0", "1.1", "1.2"] { try house.publish(version) }
        try house.publish("0.9", channel: "old")
        try house.publish("2.0", channel: "new", parts: [house.maker.plan.markPart])
        let before = try house.registry.report("com.example.Sample", "1.0~1")
        let tag = try house.registry.storedTag

        let part = try house.housekeeper.makeStills(limit: 2, by: "tester")
        #expect(part.made == 2 && part.isPart && part.failed == 0)
        #expect(house.maker.looked == ["0.9~1", "1.2~1"])
        let rest = try house.housekeeper.makeStills(by: "tester")
        #expect(rest.made == 2 && !rest.isPart && house.maker.looked == ["0.9~1", "1.2~1", "1.1~1", "1.0~1"])
        #expect(try house.parts("1.0~1") == [ReleaseFacts.partName, "icon", mark])
        #expect(try house.housekeeper.makeStills(by: "tester").made == 0)

        let after = try house.registry.report("com.example.Sample", "1.0~1")
        #expect(after == before)
        #expect(try house.registry.storedTag == tag)
        // Other settings have other stills.
        house.maker.state.withLock { $0.plan.sizes = [.tablet] }
        #expect(try house.housekeeper.makeStills(ofBundles: "org.example", by: "tester").made == 0)
        #expect(try house.housekeeper.makeStills(ofBundles: "com.example", by: "tester").made == 5)
        #expect(try !house.parts("1.0~1").contains(mark))
        #expect(house.housekeeper.state[.stills].lastSuccess == house.registry.lastRun(of: .stills))
    }

    @Test func `A release for whose stills the time was over has the most of three looks`() throws {
        let house = try House()
        try house.publish("1.0")
        house.maker.state.withLock { ($0.lacksTime, $0.drawn) = (true, 2) }
        let first = try house.housekeeper.makeStills(by: "tester")
        #expect(first.made == 0 && first.failures.map(\.isLast) == [false])
        #expect(try house.parts("1.0~1").isSuperset(of: ["screen-0.html", "screen-1.html"]))
        house.maker.state.withLock { $0.drawn = 1 }
        _ = try house.housekeeper.makeStills(by: "tester")
        #expect(try house.parts("1.0~1").contains("screen-1.html"))
        house.maker.state.withLock { $0.drawn = 3 }
        #expect(try house.housekeeper.makeStills(by: "tester").failures.map(\.isLast) == [true])
        #expect(try house.parts("1.0~1").isSuperset(of: ["screen-2.html", house.maker.plan.mark]))
        #expect(try house.housekeeper.makeStills(by: "tester").failed == 0 && house.maker.looked.count == 3)
        // With time enough it is looked at to the end, once.
        try house.publish("1.1")
        house.maker.state.withLock { $0.lacksTime = false }
        #expect(try house.housekeeper.makeStills(by: "tester").made == 1)
        #expect(try house.housekeeper.makeStills(by: "tester").made == 0)
    }

    @Test func `A release whose review ends early keeps what it has, and is left alone after three`() throws {
        let house = try House()
        let icon = ReleasePart(name: "icon", mediaType: "image/png", content: [9])
        try house.publish("1.0", parts: [icon])
        house.maker.state.withLock { $0.end = "it took too long" }
        for attempt in 1...4 {
            let report = try house.housekeeper.makeStills(by: "tester")
            #expect(report.made == 0 && report.failed == (attempt < 4 ? 1 : 0), "\(attempt)")
            #expect(report.failures.allSatisfy { $0.isLast == (attempt == 3) && $0.reason == "it took too long" })
        }
        #expect(house.maker.looked.count == 3)
        #expect(try house.registry.part("icon", of: "com.example.Sample", "1.0~1") == icon)
        let facts = try house.registry.part(ReleaseFacts.partName, of: "com.example.Sample", "1.0~1")
        #expect(facts.flatMap { ReleaseFacts($0) }?.endOfReview == "it took too long")
        #expect(house.logs("\"stills.failed\"", times: 3))
        // It is looked at again for other settings.
        house.maker.state.withLock { ($0.end, $0.plan.sizes) = (nil, [.tablet]) }
        #expect(try house.housekeeper.makeStills(by: "tester").made == 1)
        #expect(try house.parts("1.0~1") == [ReleaseFacts.partName, "icon", house.maker.plan.mark])
    }

    @Test func `The schedule makes them each hour, and at once where another has not made all`() throws {
        let house = try House()
        try house.publish("1.0")
        house.housekeeper.runWhenDue()
        house.pass(.seconds(59))
        #expect(house.maker.looked.isEmpty)
        house.pass(.seconds(1))
        #expect(house.maker.looked == ["1.0~1"] && house.logged("\"stills.made\""))
        try house.publish("1.1")
        house.pass(.seconds(3_000))
        #expect(house.maker.looked.count == 1)
        house.pass(.seconds(700))
        #expect(house.maker.looked == ["1.0~1", "1.1~1"])
        // Another replica's run counts, and has pages read again.
        let noticed = Guarded(0)
        house.registry.observeParts { bundle in noticed.withLock { $0 += bundle == nil ? 1 : 0 } }
        try house.publish("1.2")
        house.registry.noteRun(of: .stills, at: house.clock.seconds + 2_000)
        house.pass(.seconds(120))
        #expect(noticed.withLock { $0 } == 1)
        house.housekeeper.stop()
    }

    @Test func `Where none can be made, the log says why once, and so does the report`() throws {
        let house = try House()
        try house.publish("1.0")
        house.maker.state.withLock { $0.obstacle = "the limits of a process: no" }
        house.housekeeper.runWhenDue()
        house.pass(.seconds(4 * 3_600))
        #expect(house.maker.looked.isEmpty && house.logs("\"stills.off\"", times: 1))
        #expect(house.logged("the limits of a process: no"))
        let report = try house.housekeeper.makeStills(by: "owner")
        #expect(report.obstacle == "the limits of a process: no" && report.made == 0)
        #expect(
            String(decoding: report.document, as: UTF8.self).contains("\"obstacle\":\"the limits of a process: no\""))
        let bare = try Housekeeper(house.registry, in: house.world).makeStills(by: "owner")
        #expect(bare.obstacle != nil)
        house.housekeeper.stop()
    }

    @Test func `Work under way here is not begun a second time`() throws {
        let house = try House()
        try house.publish("1.0")
        try house.registry.makingStills { () throws(RegistryError) in
            #expect(throws: RegistryError.underWay(.stills)) { try house.housekeeper.makeStills(by: "owner") }
            // Neither gc nor scrub waits for it.
            _ = try house.housekeeper.collect(isDryRun: true, by: "owner")
        }
        #expect(house.maker.looked.isEmpty)
    }
}
