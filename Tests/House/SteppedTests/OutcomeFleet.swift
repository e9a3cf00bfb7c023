import MemoryStore
import RegistryContract
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryClient
@testable import RegistryServer

/// A registry that counts outcomes, without its listeners, on a stepped clock.
final class CountingRegistry: Sendable {
    static let bundle = "com.example.Fleet"
    static let releases = ["1.0~1", "1.1~1", "1.2~1"]

    let world: SteppedWorld
    let registry: Registry
    let desk: OutcomeDesk
    let policy = Guarded(OutcomePolicy())

    init(seed: UInt64) throws {
        world = SteppedWorld(seed: seed)
        let catalog = MemoryCatalog()
        try catalog.write { catalog, _ throws(RegistryError) in
            let bundle = try catalog.insertBundle(CountingRegistry.bundle, name: "Fleet")
            for (number, key) in CountingRegistry.releases.enumerated() {
                guard let digest = Digest.sha256(Array(key.utf8)) else { throw .outOfMemory }
                let release = Release(
                    bundleIdentifier: CountingRegistry.bundle, key: key, shortVersion: String(key.prefix(3)),
                    build: "1",
                    name: "Fleet", digest: digest, contentDigest: digest, byteCount: 1, published: 0,
                    publishedBy: "test", minimumOSVersion: nil, isSnapshot: false)
                let id = try catalog.insert(
                    ReleaseRecord(release, ofBundle: bundle), ReleaseDocuments(files: [], report: []))
                let step = ChannelStep(
                    bundle: bundle, channel: "stable", sequence: Int64(number + 1), at: 0, kind: .publish,
                    state: ChannelState(release: id, base: nil, rollout: 10_000, isMandatory: false, salt: "s"))
                if number == 0 { try catalog.insertChannel(step) } else { _ = try catalog.insert(step) }
            }
        }
        registry = try Registry(
            catalog: catalog, blobs: try MemoryBlobs(clock: world.clock), options: Registry.Options(in: world.world))
        let policy = policy
        policy.withLock { $0.accepts = .open }
        desk = OutcomeDesk(registry, in: world.world) { policy.withLock { $0 } }
    }

    /// Moves the clock on, and adds what is due.
    func pass(to time: Double) {
        let left = Duration.seconds(time) - world.clock.passed
        if left > .zero { world.clock.advance(by: left) }
        world.threads.run()
    }

    /// The same from one alarm to the next.
    func step(to time: Double) {
        let end = world.clock.now + (.seconds(time) - world.clock.passed)
        world.threads.run()
        while let next = world.clock.next, next <= end, world.clock.advanceToNext() { world.threads.run() }
        pass(to: time)
    }

    func take(_ reports: [OutcomeReport], from address: IPAddress, widget: Int = 1) throws {
        let identifier = try #require(WidgetIdentifier(checking: "\(CountingRegistry.bundle)-\(widget)"))
        desk.take(OutcomeReportsDocument(reports).bytes, of: identifier, from: address, prefix: "")
    }

    /// The counts of a release, as `outcome day`.
    func counts(_ release: String) throws -> [String: Int64] {
        desk.finish()
        var counts: [String: Int64] = [:]
        for one in try registry.outcomes(CountingRegistry.bundle, release).counts {
            counts["\(one.outcome.rawValue) \(one.day)", default: 0] += one.count
        }
        return counts
    }

    func document(_ release: String) throws -> OutcomeCountsDocument {
        OutcomeCountsDocument(
            try registry.outcomes(CountingRegistry.bundle, release), accepts: .open)
    }
}

/// A request of one device, with its time in seconds since the beginning.
struct Delivery {
    var time: Double
    var reports: [OutcomeReport]
    var device: Int
}

/// The accidents of a fleet.
struct FleetOptions {
    /// The share of devices on which the second release fails.
    var failing = 0.03
    /// The share of requests that are lost on their way.
    var loss = 0.0
    var wrongClocks = 0.05
    /// The share of apps that live for 30 seconds.
    var brief = 0.3
    /// The releases that come, a day after one another.
    var releases = CountingRegistry.releases
}

/// One device with its app: starts, updates, trials and failures, by the memory of a real host.
struct FleetDevice {
    let number: Int
    /// The time of the registry at the beginning, in seconds since 1970.
    let epoch: Int64
    let options: FleetOptions
    let chance: any Chance
    private var memory = OutcomeMemory()
    private(set) var deliveries: [Delivery] = []
    private(set) var lost = 0
    /// The events of this device: `outcome release`, each once.
    private(set) var truth: [String] = []
    private var clockShift = 0.0
    private var current: String?
    private var trial: String?

    init(_ number: Int, epoch: Int64, _ options: FleetOptions, _ chance: any Chance) {
        self.number = number
        self.epoch = epoch
        self.options = options
        self.chance = chance
        if chance.fraction < options.wrongClocks { clockShift = (chance.fraction - 0.5) * 800 * 86_400 }
    }

    static func address(_ number: Int) -> IPAddress {
        IPAddress("10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)") ?? IPAddress(high: 0, low: 1)
    }

    private func content(_ release: String) -> Digest {
        Digest.sha256(Array(release.utf8)) ?? Digest(repeating: 0)
    }

    private mutating func note(
        _ outcome: DeviceOutcome, _ release: String, at time: Double, because reason: OutcomeReason? = nil
    ) {
        let day = Int(((Double(epoch) + time + clockShift) / 86_400).rounded(.down))
        memory.note(
            outcome, of: release, content: content(release), on: "stable", from: "r", because: reason, day: day)
        if outcome != .started { truth.append("\(outcome.isFailure ? "failed" : outcome.rawValue) \(release)") }
    }

    private mutating func send(at time: Double) {
        let reports = memory.take(for: "r")
        guard !reports.isEmpty else { return }
        guard chance.fraction >= options.loss else {
            lost += reports.count
            return
        }
        deliveries.append(Delivery(time: time, reports: reports, device: number))
    }

    /// One life of the app: it sends what the life before has left, starts what is here, and sends after a random wait if it
    /// lives so long.
    private mutating func live(from time: Double, _ body: (inout FleetDevice) -> Void) {
        send(at: time)
        if let failed = trial {
            note(.wentBack, failed, at: time, because: .unconfirmed)
            (trial, current) = (nil, nil)
        }
        if let current { note(.started, current, at: time) }
        body(&self)
        let life = chance.fraction < options.brief ? 30.0 : 10_000
        let wait = chance.fraction * 60
        if wait < life { send(at: time + wait) }
        // Some clocks are set in between.
        if chance.fraction < options.wrongClocks / 10 { clockShift = (chance.fraction - 0.5) * 10 * 86_400 }
    }

    /// All of the days in which the releases come.
    mutating func run() {
        for (number, release) in options.releases.enumerated() {
            var time = Double(number) * 86_400 + 2 + chance.fraction * 40_000
            live(from: time) { device in
                device.note(.installed, release, at: time)
                device.current = release
            }
            let fails = number == 1 && chance.fraction < options.failing
            time += 100 + chance.fraction * 20_000
            live(from: time) { device in
                guard fails else { return device.note(.confirmed, release, at: time) }
                if device.chance.fraction < 0.5 {
                    device.trial = release
                } else {
                    device.note(.rejected, release, at: time, because: .app)
                    device.current = nil
                }
            }
            time += 100 + chance.fraction * 20_000
            live(from: time) { _ in }
        }
        // The last start sends what was left.
        send(at: Double(options.releases.count) * 86_400 + chance.fraction * 3_600)
    }
}
