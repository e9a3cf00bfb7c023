import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

private let day: Int64 = 86_400
private let hour: Int64 = 3_600

/// Goal: nothing that anyone can reach is ever removed, and everything else is in the end. Method: random acts of publishers,
/// operators and time, beside a model that knows the rule in its own words; hosts that ask for what they were shown within a
/// day, pinned ones and those that lack parts among them, readers in the middle of an archive, and a mirror that follows.
@Suite(.also(.cluster)) struct `What is kept under random histories` {
    @Test(arguments: StorageKind.allCases)
    func `A collection removes what the rule lets go, and nothing that can be reached`(_ kind: StorageKind) throws {
        let seeds: UInt64 = Part.cluster.isRunning || Part.faults.isRunning ? 12 : 2
        var expired = 0
        var visits = RetentionVisitors.Visits()
        for seed in 1...seeds {
            let storage = try Storage(kind)
            defer { storage.end() }
            let world = try RetentionWorld(storage, seed: seed)
            for step in 1...60 {
                try world.act()
                let faults = try world.collected(isLast: false)
                try #require(
                    faults.isEmpty, "\(kind), seed \(seed), step \(step): \(faults.prefix(3)) after \(world.trail)")
            }
            // In the end all is removed that nothing reaches.
            world.pass(seconds: 60 * day)
            let faults = try world.collected(isLast: true)
            try #require(faults.isEmpty, "\(kind), seed \(seed), the end: \(faults.prefix(3)) after \(world.trail)")
            expired += world.expiredCount
            visits.add(world.visits)
        }
        // Some histories end without a rule.
        #expect(expired > 0, "\(kind): nothing ever expired")
        #expect(visits.isComplete, "\(kind): \(visits)")
    }
}

/// A registry, its publishers, hosts and mirror, and the model of what they can reach.
private final class RetentionWorld {
    private let storage: Storage
    private let registry: Registry
    private let mirror: Registry
    private let mirrorStorage: Storage
    private var generator: SeededGenerator
    private let policy: Guarded<RetentionPolicy>
    private var model = RetentionModel()
    private var visitors = RetentionVisitors()
    private var serial = 0
    /// True if the last act took a withdrawal back.
    private var hasRestored = false
    private(set) var trail: [String] = []
    private(set) var expiredCount = 0
    var visits: RetentionVisitors.Visits { visitors.visits }

    private static let bundles = ["com.acme.Clock", "com.acme.Clock.Timer", "com.acmes.Map", "org.example.Note"]
    private static let channels = ["stable", "beta", "dev"]
    private static let grace = hour

    init(_ storage: Storage, seed: UInt64) throws {
        self.storage = storage
        generator = SeededGenerator(seed: seed)
        // Files are as old as the system says.
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let policy = Guarded(RetentionPolicy())
        self.policy = policy
        registry = try storage.registry { options in
            options.retention = { policy.withLock { $0 } }
            options.snapshotsKept = 1_000
        }
        mirrorStorage = try Storage(.memory)
        mirrorStorage.fixture.clock.setDate(to: SystemClock().seconds)
        mirror = try mirrorStorage.registry { $0.snapshotsKept = .max }
        changeRules()
    }

    private var now: Int64 { storage.fixture.clock.seconds }

    private func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &generator) }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    func pass(seconds: Int64) {
        storage.fixture.pass(seconds: seconds)
        mirrorStorage.fixture.pass(seconds: seconds)
        trail.append("+\(seconds)s")
    }

    private func changeRules() {
        var rules: [RetentionRule] = []
        for text in ["com.acme", "com.acme.Clock", "org", "*"] where chance(60) {
            guard let prefix = BundlePrefix(text) else { continue }
            var rule = RetentionRule(prefix)
            if chance(60) { rule.last = Int.random(in: 1...4, using: &generator) }
            if chance(50) { rule.age = Int64.random(in: 1...40, using: &generator) * day }
            rules.append(rule)
        }
        let changed = RetentionPolicy(rules, rollbacks: Int.random(in: 0...3, using: &generator))
        policy.withLock { $0 = changed }
        trail.append("rules \(changed.text)")
    }

    // MARK: Acts

    func act() throws {
        let bundle = pick(Self.bundles) ?? ""
        let channel = pick(Self.channels) ?? ""
        hasRestored = false
        do {
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<40: try publish(bundle, channel)
            case 40..<55: try promote(bundle, channel)
            case 55..<65: try rollBack(bundle, channel)
            case 65..<72: try withdraw(bundle)
            case 72..<76: try restore(bundle)
            case 76..<79:
                try registry.deleteChannel(bundle, channel, by: "x")
                trail.append("delete \(bundle) \(channel)")
            case 79..<83: changeRules()
            case 83..<90: pass(seconds: Int64.random(in: 1...(20 * day), using: &generator))
            default: pass(seconds: Int64.random(in: 1...(2 * day), using: &generator))
            }
        } catch let error as RegistryError {
            switch error {
            // What cannot be done at this moment.
            case .noSuchBundle, .noSuchRelease, .noSuchChannel, .withdrawn, .expired, .keyWithdrawn, .keyExpired,
                .noEarlierRelease, .neverShown, .restoreTooLate, .notWithdrawn:
                break
            default: throw error
            }
        }
        try model.observe(Self.bundles, of: registry, isRestore: hasRestored, at: now)
        for bundle in Self.bundles { try model.resolve(bundle, Self.channels, of: registry, at: now) }
        try visitors.act(Self.bundles, Self.channels, registry, &generator, at: now)
    }

    private func publish(_ bundle: String, _ channel: String) throws {
        serial += 1
        let rollout = chance(25) ? Int.random(in: 1..<10_000, using: &generator) : 10_000
        // Now and then the same again: a key that was used, or an archive that another key has.
        let version = chance(12) ? Int.random(in: 1...max(1, serial), using: &generator) : serial
        let upload = Upload(identifier: bundle, version: "1.\(version)", content: "[\(version)]")
        try registry.publish(
            upload, PublishRequest(.to(channel, rollout: rollout, forcesPromotion: chance(30)), by: "x"))
        trail.append("publish \(bundle) 1.\(version) to \(channel) \(rollout)")
    }

    private func promote(_ bundle: String, _ channel: String) throws {
        guard let key = pick(model.keys(of: bundle)) else { return }
        let rollout = chance(40) ? Int.random(in: 0...10_000, using: &generator) : 10_000
        _ = try registry.setChannel(bundle, channel, ChannelSetting(release: key, rollout: rollout), by: "x")
        trail.append("promote \(bundle) \(key) on \(channel) \(rollout)")
    }

    private func rollBack(_ bundle: String, _ channel: String) throws {
        let key = chance(30) ? pick(model.keys(of: bundle)) : nil
        _ = try registry.rollback(bundle, channel, to: key, by: "x")
        trail.append("rollback \(bundle) \(channel) \(key ?? "")")
    }

    private func withdraw(_ bundle: String) throws {
        guard let key = pick(model.keys(of: bundle)) else { return }
        _ = try registry.withdraw(bundle, key, reason: "r", directive: chance(50) ? .stop : .keep, by: "x")
        trail.append("withdraw \(bundle) \(key)")
    }

    private func restore(_ bundle: String) throws {
        guard let key = pick(model.keys(of: bundle)) else { return }
        hasRestored = true
        let isGone = try registry.release(bundle, key).isGone
        _ = try registry.restore(bundle, key, by: "x")
        if isGone { model.noteRestored(.init(bundle: bundle, key: key), at: now) }
        trail.append("restore \(bundle) \(key)")
    }

    // MARK: Collecting

    /// Collects, and compares what is there with the model.
    func collected(isLast: Bool) throws -> [String] {
        guard isLast || chance(35) else { return [] }
        let rules = policy.withLock { $0 }
        let wanted = try model.standings(Self.bundles, rules, of: registry, in: storage, at: now)
        let ways = try rollbackTargets()
        let foretold = try registry.collect(grace: Self.grace, isDryRun: true, isConfirmed: true) { _, _ in }
        let report = try registry.collect(grace: Self.grace, isDryRun: false, isConfirmed: true) { _, _ in }
        trail.append("collect \(report.expired.amount.count)")
        expiredCount += report.expired.amount.count
        var faults: [String] = []
        if foretold.expired.amount != report.expired.amount || foretold.expired.items != report.expired.items {
            faults.append("foretold \(foretold.expired.items), done \(report.expired.items)")
        }
        if try rollbackTargets() != ways { faults.append("rollbacks lead elsewhere: \(ways)") }
        for (name, isKept) in wanted {
            let release = try registry.release(name.bundle, name.key)
            if isKept, release.isGone { faults.append("\(name) is gone, and can be reached") }
            if !isKept, !release.isGone { faults.append("\(name) is there, and nothing reaches it") }
            if isKept { faults += try read(release) }
        }
        faults += try hosts()
        faults += try visitors.faults(registry, at: now)
        faults += try count()
        try followMirror()
        faults += try mirrored()
        if isLast { faults += try lastOfMirror() }
        return faults
    }

    /// Releases that the mirror's hosts could still ask for expire there, too, once it has followed again.
    private func lastOfMirror() throws -> [String] {
        pass(seconds: 2 * day)
        try followMirror()
        var faults: [String] = []
        for bundle in Self.bundles {
            for release in (try? registry.releases(bundle, limit: 10_000, after: nil).items) ?? []
            where try release.expiry != mirror.release(bundle, release.key).expiry {
                faults.append("\(bundle) \(release.key) has not expired on the mirror")
            }
        }
        return faults
    }

    /// The release to which a rollback of each channel leads.
    private func rollbackTargets() throws -> [String] {
        var targets: [String] = []
        for bundle in Self.bundles {
            for channel in (try? registry.channels(bundle)) ?? [] {
                // With no number of rollbacks kept, they may end.
                guard policy.withLock({ $0.rollbacks }) > 0 else { continue }
                let target = (try? registry.judgeRollback(bundle, channel.name))?.channel.release
                targets.append("\(bundle) \(channel.name): \(target ?? "none")")
            }
        }
        return targets
    }

    /// Reads all of a release that is kept.
    private func read(_ release: Release) throws -> [String] {
        do {
            _ = try registry.files(release.bundleIdentifier, release.key)
            _ = try registry.report(release.bundleIdentifier, release.key)
            let blob = try registry.openBlob(release.digest)
            return blob.byteCount == release.byteCount ? [] : ["\(release.key) has another size"]
        } catch {
            return ["\(release.bundleIdentifier) \(release.key) cannot be read: \(error)"]
        }
    }

    /// Hosts ask for what they were shown within a day: all of the archive, or the parts that an older one lacks. None has
    /// to stop because something has expired.
    private func hosts() throws -> [String] {
        var faults: [String] = []
        for shown in model.shown(since: now - day + 1) {
            let release = try registry.release(shown.bundle, shown.key)
            if release.withdrawal != nil { continue }
            faults += try read(release).map { "a host was shown it: \($0)" }
        }
        for bundle in Self.bundles {
            guard let resolution = try? registry.resolve(ResolveQuery(widgetIdentifier: bundle)) else { continue }
            for withdrawn in resolution.withdrawn
            where try registry.release(resolution.bundleIdentifier, withdrawn.key).withdrawal == nil {
                faults.append("hosts have to stop \(withdrawn.key), which was not withdrawn")
            }
        }
        return faults
    }

    /// Compares what is counted with what is stored, for each prefix.
    private func count() throws -> [String] {
        var faults: [String] = []
        for prefix in ["*", "com.acme", "com.acme.Clock", "com.acmes", "org.example"].compactMap({ BundlePrefix($0) }) {
            var stored = StoredUsage()
            for bundle in Self.bundles where prefix.covers(bundle) {
                var archives: [Digest: Int] = [:]
                for release in (try? registry.releases(bundle, limit: 10_000, after: nil).items) ?? []
                where (try? registry.files(bundle, release.key)) != nil {
                    stored.releases += 1
                    archives[release.digest] = release.byteCount
                }
                stored.bytes += archives.values.reduce(0, +)
            }
            let counted = try registry.usage(of: prefix).stored
            if counted != stored { faults.append("\(prefix): counted \(counted), stored \(stored)") }
        }
        return faults
    }

    // MARK: The mirror

    private func followMirror() throws {
        for bundle in Self.bundles {
            guard let channels = try? registry.channels(bundle) else { continue }
            let releases = try registry.releases(bundle, limit: 10_000, after: nil).items.sorted {
                ($0.published, $0.key) < ($1.published, $1.key)
            }
            var adopted: [Release] = []
            for release in releases where !release.isGone {
                guard try !mirror.holds(release.plain) else { continue }
                let staged = try mirror.stage()
                let blob = try registry.openBlob(release.digest)
                let taken = try BundleIntake().take(blob.file.descriptor, into: staged.file)
                try mirror.adopt(release.plain, taken, report: Array("{}".utf8), archive: staged)
                adopted.append(release.plain)
            }
            try mirror.follow(
                MirroredBundle(
                    bundle, releases: releases.map(\.plain), isComplete: true, channels: channels, adopted: adopted))
        }
    }

    /// The mirror shows the same, and has what its own hosts may ask for.
    private func mirrored() throws -> [String] {
        _ = try mirror.collect(grace: Self.grace, isDryRun: false) { _, _ in }
        var faults: [String] = []
        for bundle in Self.bundles {
            guard let releases = try? registry.releases(bundle, limit: 10_000, after: nil).items else { continue }
            for release in releases {
                let copy = try mirror.release(bundle, release.key)
                if !release.isGone {
                    if copy.isGone { faults.append("\(bundle) \(release.key) has ended on the mirror alone") }
                    guard (try? mirror.files(bundle, release.key)) != nil,
                        (try? mirror.openBlob(release.digest)) != nil
                    else {
                        faults.append("\(bundle) \(release.key) cannot be read on the mirror")
                        continue
                    }
                }
                if release.withdrawal == nil, release.expiry == nil, copy.withdrawal != nil {
                    faults.append("\(bundle) \(release.key) is withdrawn on the mirror alone")
                }
            }
            if try registry.channels(bundle).map(\.release) != mirror.channels(bundle).map(\.release) {
                faults.append("\(bundle): the mirror shows something else")
            }
        }
        return faults
    }
}

extension Release {
    /// As another registry describes it.
    fileprivate var plain: Release {
        var copy = self
        copy.channels = []
        return copy
    }
}
