import RegistryContract
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer
@testable import WidgetCommands

/// Goal: what a fleet reports is counted exactly where nothing is lost, bounded where it is forged, and a job that waits decides
/// rightly by it. Method: devices with the memory of a real host, of one seed each, and a registry on a stepped clock that takes
/// what they send, second by second.
@Suite(.also(.faults)) struct `Fleets that report outcomes` {
    private static let hosts = Part.faults.isRunning ? 10_000 : 500
    private static let waits = Part.faults.isRunning ? 200 : 8

    /// Requests of a flood with sixteen outcomes each, from one address, and as many from others.
    private static let flood = Part.faults.isRunning ? 3_125 : 320

    private struct Fleet {
        var deliveries: [Delivery] = []
        /// The events of all devices, by `outcome release`.
        var truth: [String: Int64] = [:]
        var lost = 0

        init(_ count: Int, seed: UInt64, epoch: Int64, _ options: FleetOptions) {
            let chance = SeededChance(seed: seed)
            for number in 0..<count {
                var device = FleetDevice(number, epoch: epoch, options, SeededChance(seed: chance.next()))
                device.run()
                deliveries += device.deliveries
                for one in Set(device.truth) { truth[one, default: 0] += 1 }
                lost += device.lost
            }
            deliveries.sort { $0.time < $1.time }
        }

        /// The outcomes that arrive, by release, outcome and the registry's day.
        func arrived(_ release: String, epoch: Int64) -> [String: Int64] {
            var counts: [String: Int64] = [:]
            for delivery in deliveries {
                let day = (epoch + Int64(delivery.time)) / 86_400
                for report in delivery.reports where report.release == release {
                    counts["\(report.outcome) \(day)", default: 0] += 1
                }
            }
            return counts
        }

        func sum(_ outcomes: [DeviceOutcome], of release: String) -> Int64 {
            let words = outcomes.map(\.rawValue)
            return deliveries.reduce(0) { sum, delivery in
                sum + Int64(delivery.reports.count { $0.release == release && words.contains($0.outcome) })
            }
        }
    }

    private static let failures: [DeviceOutcome] = [.notInstalled, .rejected, .wentBack]

    private func play(_ fleet: Fleet, in registry: CountingRegistry, _ between: (Double) throws -> Void = { _ in })
        throws
    {
        for delivery in fleet.deliveries {
            registry.pass(to: delivery.time)
            try between(delivery.time)
            try registry.take(
                delivery.reports, from: FleetDevice.address(delivery.device), widget: delivery.device % 3)
        }
        registry.pass(to: 4 * 86_400)
    }

    @Test func `Counts are exact where nothing is lost, also with wrong clocks and apps that live for half a minute`()
        throws
    {
        let seed = UInt64.random(in: 0 ... .max)
        let registry = try CountingRegistry(seed: seed)
        let epoch = registry.world.clock.date.seconds
        let fleet = Fleet(Self.hosts, seed: seed, epoch: epoch, FleetOptions())
        try play(fleet, in: registry)
        for release in CountingRegistry.releases {
            #expect(try registry.counts(release) == fleet.arrived(release, epoch: epoch), "seed \(seed)")
            // Each device says each thing once.
            for outcome in [DeviceOutcome.installed, .confirmed] {
                #expect(
                    fleet.sum([outcome], of: release) == fleet.truth["\(outcome.rawValue) \(release)"], "seed \(seed)")
            }
            #expect(
                fleet.sum(Self.failures, of: release) == fleet.truth["failed \(release)", default: 0], "seed \(seed)")
        }
        // The release in the middle fails on three percent.
        let failed = fleet.sum(Self.failures, of: CountingRegistry.releases[1])
        #expect(failed > 0 && failed < Int64(Self.hosts / 10), "seed \(seed)")
    }

    @Test func `What is lost on its way is missing, and nothing is counted twice`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        let registry = try CountingRegistry(seed: seed)
        let epoch = registry.world.clock.date.seconds
        var options = FleetOptions()
        options.loss = 0.1
        let fleet = Fleet(Self.hosts / 4, seed: seed, epoch: epoch, options)
        try play(fleet, in: registry)
        #expect(fleet.lost > 0)
        for release in CountingRegistry.releases {
            #expect(try registry.counts(release) == fleet.arrived(release, epoch: epoch), "seed \(seed)")
            for outcome in [DeviceOutcome.installed, .confirmed] {
                let truth = fleet.truth["\(outcome.rawValue) \(release)", default: 0]
                #expect(fleet.sum([outcome], of: release) <= truth, "seed \(seed)")
            }
        }
    }

    @Test func `A flood of forged outcomes moves a release by its bound, and the others not at all`()
        throws
    {
        let seed = UInt64.random(in: 0 ... .max)
        let registry = try CountingRegistry(seed: seed)
        let bound = Self.flood * 16 / 10
        registry.policy.withLock { $0.perRelease = bound }
        let epoch = registry.world.clock.date.seconds
        let fleet = Fleet(Self.hosts / 4, seed: seed, epoch: epoch, FleetOptions())
        let target = CountingRegistry.releases[1]
        let forged = [OutcomeReport](repeating: OutcomeReport(.confirmed, of: target, on: "stable"), count: 16)
        let nowhere = [OutcomeReport](repeating: OutcomeReport(.confirmed, of: "9.9~9", on: "stable"), count: 16)
        var isFlooded = false
        try play(fleet, in: registry) { time in
            guard time > 100_000, !isFlooded else { return }
            isFlooded = true
            // A hundred thousand in the long form: half from one address, half from thousands, and more about a release that is
            // not there.
            for number in 0..<Self.flood {
                try registry.take(forged, from: IPAddress("192.0.2.1") ?? FleetDevice.address(0))
                try registry.take(forged, from: FleetDevice.address(1 << 20 | number))
                try registry.take(nowhere, from: FleetDevice.address(1 << 21 | number))
            }
        }
        #expect(isFlooded)
        for release in CountingRegistry.releases where release != target {
            #expect(try registry.counts(release) == fleet.arrived(release, epoch: epoch), "seed \(seed)")
        }
        let shown = try registry.counts(target).values.reduce(0, +)
        let genuine = fleet.arrived(target, epoch: epoch).values.reduce(0, +)
        // What is true in the minute of the flood may be crowded out.
        #expect(shown <= genuine + Int64(bound) && shown > genuine - 100, "seed \(seed): \(shown) for \(genuine)")
    }

    /// The verdict by all that has arrived at a moment, without a registry.
    private static func oracle(_ arrived: [OutcomeReport], _ goal: ReleaseGoal) -> ReleaseCount.Verdict? {
        let failed = arrived.count { DeviceOutcome(rawValue: $0.outcome)?.isFailure == true }
        if failed > goal.mostFailed { return .failed }
        return arrived.count { $0.outcome == "confirmed" } >= goal.confirmed ? .confirmed : nil
    }

    /// The questions of a job, each with what it should decide by.
    private struct Course: Sendable {
        var arrived: [OutcomeReport] = []
        /// The verdicts by all that had arrived at each question but the first.
        var oracle: [ReleaseCount.Verdict?] = []
        var isBegun = false
        var end: (verdict: ReleaseCount.Verdict, count: ReleaseCount, passed: Duration)?
    }

    @Test func `widget wait decides as what has arrived says, at the first question after it does`() throws {
        var ends: [ReleaseCount.Verdict: Int] = [:]
        for run in 0..<Self.waits {
            let seed = UInt64.random(in: 0 ... .max)
            let registry = try CountingRegistry(seed: seed)
            let epoch = registry.world.clock.date.seconds
            var options = FleetOptions()
            options.releases = Array(CountingRegistry.releases.prefix(2))
            options.failing = [0, 0.003, 0.02, 0.3][run % 4]
            let fleet = Fleet(run % 3 == 0 ? 90 : 240, seed: seed, epoch: epoch, options)
            let release = CountingRegistry.releases[1]
            // What came before the job does not count.
            let earlier = DeviceOutcome.allCases.map { OutcomeReport($0, of: release, on: "stable") }
            for number in 0..<30 { try registry.take(earlier, from: FleetDevice.address(1 << 22 | number)) }
            registry.step(to: 86_400)
            let goal = ReleaseGoal(channel: "stable", confirmed: 100, failedAtMost: 100)
            let course = Guarded(Course())
            let wait = ReleaseWait(goal: goal, longest: .seconds(50_000), clock: registry.world.clock)
            Task(executorPreference: registry.world.threads.tasks) {
                let end = try await wait.run { () async throws(CommandFailure) in
                    registry.desk.finish()
                    course.withLock { course in
                        if course.isBegun { course.oracle.append(Self.oracle(course.arrived, goal)) }
                        course.isBegun = true
                    }
                    do {
                        return try registry.document(release)
                    } catch {
                        throw .failed("\(error)", hints: [])
                    }
                } shows: { _ in
                }
                course.withLock { $0.end = end }
            }
            registry.step(to: 86_400)
            for delivery in fleet.deliveries where course.withLock({ $0.end == nil }) {
                registry.step(to: delivery.time)
                guard course.withLock({ $0.end == nil }) else { break }
                try registry.take(delivery.reports, from: FleetDevice.address(delivery.device))
                if delivery.time > 86_400 {
                    course.withLock { $0.arrived += delivery.reports.filter { $0.release == release } }
                }
            }
            registry.step(to: 4 * 86_400)
            let found = course.withLock { $0 }
            let end = try #require(found.end, "seed \(seed)")
            // It ends with the first question that decides, and with the last one otherwise.
            #expect(found.oracle.dropLast().allSatisfy { $0 == nil }, "seed \(seed)")
            #expect((found.oracle.last ?? nil) ?? .undecided == end.verdict, "seed \(seed)")
            let questions = (end.passed.components.seconds + 9) / 10
            #expect(questions == found.oracle.count && end.passed <= .seconds(50_000), "seed \(seed)")
            #expect(end.verdict != .undecided || end.passed == .seconds(50_000), "seed \(seed)")
            ends[end.verdict, default: 0] += 1
        }
        #expect(ends[.confirmed, default: 0] > 0 && ends[.failed, default: 0] > 0 && ends[.undecided, default: 0] > 0)
    }
}
