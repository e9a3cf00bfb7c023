import WidgetBytes
import WidgetRegistry

private let day: Int64 = 86_400

/// The rule in other words than the registry's: from what could be seen from outside after each act.
struct RetentionModel {
    struct Name: Hashable, CustomStringConvertible {
        var bundle: String
        var key: String
        var description: String { "\(bundle) \(key)" }
    }

    private struct Seen {
        var keys: [String]
        var sequence: Int64
    }

    /// By bundle and channel: the releases that were put on it since it was made.
    private var past: [String: [String]] = [:]
    private var present: [String: Seen] = [:]
    private var releases: [String: [String: Release]] = [:]
    /// The releases that hosts were shown, and when last.
    private var resolved: [Name: Int64] = [:]
    /// When a channel last had a release.
    private var left: [Name: Int64] = [:]
    private var storedOrder: [Name: Int] = [:]

    func keys(of bundle: String) -> [String] { (releases[bundle] ?? [:]).keys.sorted() }

    /// - Parameter isRestore: true after a withdrawal was taken back, which puts nothing on a channel that was not on it.
    mutating func observe(_ bundles: [String], of registry: Registry, isRestore: Bool, at now: Int64) throws {
        for bundle in bundles {
            guard let channels = try? registry.channels(bundle) else { continue }
            for release in try registry.releases(bundle, limit: 10_000, after: nil).items {
                releases[bundle, default: [:]][release.key] = release
                let name = Name(bundle: bundle, key: release.key)
                if storedOrder[name] == nil { storedOrder[name] = storedOrder.count }
            }
            var found: Set<String> = []
            for channel in channels {
                let place = "\(bundle) \(channel.name)"
                found.insert(place)
                let keys = [channel.release] + (channel.base.map { [$0] } ?? [])
                let last = present[place]
                if last?.sequence == channel.sequence { continue }
                for key in last?.keys ?? [] { left[Name(bundle: bundle, key: key)] = now }
                if last?.keys.first != channel.release, !isRestore { past[place, default: []].append(channel.release) }
                present[place] = Seen(keys: keys, sequence: channel.sequence)
            }
            for place in present.keys where place.hasPrefix("\(bundle) ") && !found.contains(place) {
                for key in present[place]?.keys ?? [] { left[Name(bundle: bundle, key: key)] = now }
                (present[place], past[place]) = (nil, nil)
            }
        }
    }

    /// A release whose withdrawal was taken back may go to a channel again, so it stays for a day as if it had left one.
    mutating func noteRestored(_ name: Name, at now: Int64) { left[name] = now }

    mutating func resolve(_ bundle: String, _ channels: [String], of registry: Registry, at now: Int64) throws {
        for channel in channels {
            let query = ResolveQuery(widgetIdentifier: bundle, channel: channel)
            guard let resolution = try? registry.resolve(query) else { continue }
            for candidate in resolution.candidates {
                resolved[Name(bundle: resolution.bundleIdentifier, key: candidate.release.key)] = now
            }
        }
    }

    func shown(since time: Int64) -> [Name] { resolved.filter { $0.value >= time }.map(\.key) }

    /// True for each release that is there and can be reached, or is kept for another reason.
    func standings(
        _ bundles: [String], _ policy: RetentionPolicy, of registry: Registry, in storage: Storage, at now: Int64
    ) throws -> [Name: Bool] {
        var standings: [Name: Bool] = [:]
        for bundle in bundles {
            let all = (try? registry.releases(bundle, limit: 10_000, after: nil).items) ?? []
            let alive = all.filter { !$0.isGone }
            for release in alive { standings[Name(bundle: bundle, key: release.key)] = true }
            guard let rule = Self.rule(policy, bundle) else { continue }
            let reached = try reached(bundle, alive, policy.rollbacks, of: registry, in: storage)
            for release in alive {
                let name = Name(bundle: bundle, key: release.key)
                let others = alive.filter { $0.isSnapshot == release.isSnapshot }
                let newer = others.count { isNewer($0, than: release, bundle) }
                let isRecent = max(release.published, left[name] ?? 0) + day > now
                let isYoung = rule.age.map { release.published + $0 > now } ?? false
                let isLast = rule.last.map { newer < $0 } ?? false
                standings[name] = reached.contains(release.key) || isRecent || isYoung || isLast
            }
        }
        return standings
    }

    private func isNewer(_ one: Release, than other: Release, _ bundle: String) -> Bool {
        let place = storedOrder[Name(bundle: bundle, key: one.key)] ?? 0
        let reference = storedOrder[Name(bundle: bundle, key: other.key)] ?? 0
        return one.published == other.published ? place > reference : one.published > other.published
    }

    /// The rule of the longest prefix, unless that keeps all.
    private static func rule(_ policy: RetentionPolicy, _ bundle: String) -> RetentionRule? {
        let covering = policy.rules.filter { rule in
            rule.prefix.text.isEmpty || rule.prefix.text == bundle || bundle.hasPrefix(rule.prefix.text + ".")
        }
        let longest = covering.sorted { $0.prefix.text.count < $1.prefix.text.count }.last
        return longest.flatMap { $0.last == nil && $0.age == nil ? nil : $0 }
    }

    /// The keys that channels show, that they showed last, and to which one rollback after the other would lead.
    private func reached(
        _ bundle: String, _ alive: [Release], _ rollbacks: Int, of registry: Registry, in storage: Storage
    ) throws -> Set<String> {
        let isThere = Set(alive.map(\.key))
        var reached: Set<String> = []
        for channel in (try? registry.channels(bundle)) ?? [] {
            let shown = [channel.release] + (channel.base.map { [$0] } ?? [])
            reached.formUnion(shown)
            var earlier: [String] = []
            for key in (past["\(bundle) \(channel.name)"] ?? []).reversed()
            where isThere.contains(key) && !shown.contains(key) && !earlier.contains(key) {
                earlier.append(key)
            }
            reached.formUnion(earlier.prefix(rollbacks))
            reached.formUnion(
                try storage.rollbackKeys(bundle, channel.name, isThere, besides: shown, limit: rollbacks))
        }
        return reached
    }
}

extension Storage {
    /// The releases to which so many rollbacks of a channel lead, one after the other.
    fileprivate func rollbackKeys(
        _ bundle: String, _ channel: String, _ isThere: Set<String>, besides shown: [String], limit: Int
    ) throws -> [String] {
        try catalog.ask { reader throws in
            guard let number = try reader.bundle(bundle)?.id,
                let present = try reader.channel(channel, ofBundle: number)
            else { return [] }
            var keys: [String] = []
            var shownNow = try reader.releaseKey(present.state.release)
            var next = try reader.step(present.head).previous
            while let id = next, keys.count < limit {
                let step = try reader.step(id)
                let key = try reader.releaseKey(step.state.release)
                if key != shownNow, isThere.contains(key) {
                    // A rollback leads here.
                    shownNow = key
                    if !keys.contains(key), !shown.contains(key) { keys.append(key) }
                }
                next = step.previous
            }
            return keys
        }
    }
}
