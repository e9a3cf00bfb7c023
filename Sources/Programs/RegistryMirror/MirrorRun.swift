internal import RegistryClient
internal import RegistryContract
internal import WidgetBytes
internal import WidgetLogging
internal import WidgetRegistry
internal import WidgetSurroundings

/// A mirror's work, step by step.
///
/// A bundle that cannot be brought up to date stays as it is and waits, while the others follow the feed. Work that was cut short
/// is found again: the place in the feed is written after everything before it was stored.
struct MirrorRun: Sendable {
    private let copying: BundleCopying
    private let feed: OriginFeed
    private let scope: MirrorScope
    private let world: World
    private var state: MirrorState
    /// As it is in the file.
    private var saved: MirrorState?
    private var behind: [String: Delay] = [:]

    /// A bundle that waits.
    private struct Delay: Sendable {
        var attempts = 0
        /// By the clock.
        var next: ContinuousClock.Instant
        /// The origin's lines since it was up to date; none when they became too many, and when the server was restarted.
        var lines: [RegistryChange] = []
        var isWorthless = false
    }

    private var clock: any Clock { world.clock }

    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(300)
    private static let mostLines = 10_000
    /// Failures one after the other that mean that the origin is away, and not that a bundle has a problem.
    private static let mostFailures = 3
    private static let pageLimit = 500

    /// Continues what the directory holds.
    init(
        _ copying: BundleCopying, prefixes: [String], in world: World
    ) throws(MirrorError) {
        self.copying = copying
        self.world = world
        scope = MirrorScope(prefixes)
        feed = OriginFeed(origin: copying.origin, scope: scope)
        let isEmpty = try MirrorRun.asking { () throws(RegistryError) in
            try copying.registry.bundles(BundleQuery(limit: 1)).items.isEmpty
        }
        state = try MirrorState.continued(
            in: copying.data, origin: copying.origin.address.description, prefixes: prefixes, isEmpty: isEmpty)
        for bundle in state.behind where scope.includes(bundle) {
            behind[bundle] = Delay(next: world.clock.now)
        }
    }

    private static func asking<Value>(_ body: () throws(RegistryError) -> Value) throws(MirrorError) -> Value {
        try rethrowing(as: MirrorError.registry, body)
    }

    /// Takes the next part of the feed, and tries bundles again that wait.
    ///
    /// - Returns: true if there is more to be done at once.
    mutating func step() async throws(MirrorError) -> Bool {
        guard let place = state.place else {
            try await compareAll()
            return true
        }
        guard let part = try await feed.part(after: place) else {
            copying.logger.log(
                .warning, "mirror.feed", "the origin's feed is another one than before: everything is compared anew",
                [LogField("tag", place.tag)])
            state.place = nil
            return true
        }
        try await take(part.lines)
        await retry()
        state.place = part.end
        try save()
        if !part.hasMore { copying.figures.follow(to: part.end.tag, behind: behind.count) }
        return part.hasMore
    }

    /// Writes the state, if it has changed.
    private mutating func save() throws(MirrorError) {
        var next = state
        next.behind = behind.keys.sorted()
        guard next != saved else { return }
        try next.save(in: copying.data)
        saved = next
    }

    // MARK: Everything

    /// Compares all bundles of the origin, when its feed does not tell what has happened since.
    private mutating func compareAll() async throws(MirrorError) {
        let start = clock.now
        // What happens meanwhile comes after this place.
        let end = try await feed.end()
        var listed: Set<String> = []
        for prefix in scope.prefixes.isEmpty ? [nil] : scope.prefixes.map(Optional.some) {
            do throws(FetchError) {
                for bundle in try await copying.origin.bundles(prefix: prefix)
                where scope.includes(bundle.value.identifier) {
                    listed.insert(bundle.value.identifier)
                }
            } catch {
                throw .fetch(error)
            }
        }
        guard listed.allSatisfy(BundleIdentifier.isIdentifier) else {
            throw .contradiction("it lists a bundle whose identifier is not any")
        }
        var failures = 0
        for bundle in listed.sorted() {
            let failure = await bring(bundle, news: nil, telling: behind[bundle]?.lines ?? [])
            failures = failure?.isTransient ?? false ? failures + 1 : 0
            if let failure, failures >= MirrorRun.mostFailures { throw failure }
        }
        // A registry forgets no bundle: this one cannot be seen any more, or was lost. It is shown as it was.
        for bundle in try present() where !listed.contains(bundle) {
            _ = await bring(bundle, news: nil, telling: [])
        }
        state.place = end
        try save()
        copying.logger.log(
            .notice, "mirror.compared", "",
            [
                LogField("origin", state.origin), LogField("bundles", listed.count), LogField("behind", behind.count),
                LogField("tag", end.tag), LogField("seconds", Int((clock.now - start).components.seconds)),
            ])
    }

    /// The bundles that are here.
    private func present() throws(MirrorError) -> [String] {
        var all: [String] = []
        var query = BundleQuery(limit: MirrorRun.pageLimit)
        while true {
            let asked = query
            let page = try MirrorRun.asking { () throws(RegistryError) in
                try copying.registry.bundles(asked)
            }
            all += page.items.map(\.identifier).filter(scope.includes)
            guard let next = page.next else { return all }
            query.after = next
        }
    }

    // MARK: Parts of the feed

    /// Brings the bundles up to date that the lines are about, each once: what is read of it is later than all of these lines.
    /// The feed here gets the lines in their order.
    private mutating func take(_ lines: [OriginFeed.Line]) async throws(MirrorError) {
        let news = Dictionary(grouping: lines, by: \.bundle)
        var done: Set<String> = []
        var later: [RegistryChange] = []
        var failures = 0
        for line in lines {
            let own = [line.change].compactMap(\.self)
            if behind[line.bundle] != nil {
                wait(line.bundle, own)
                continue
            }
            guard done.insert(line.bundle).inserted else {
                later += own
                continue
            }
            try tell(&later)
            let all = news[line.bundle, default: []]
            let isClear = all.allSatisfy { $0.change != nil }
            let failure = await bring(
                line.bundle, news: isClear ? all.compactMap(\.change) : nil, telling: own)
            failures = failure == nil ? 0 : failure?.isTransient ?? false ? failures + 1 : failures
            // The place stays; bundles that were brought up to date are seen to be so.
            if let failure, failures >= MirrorRun.mostFailures { throw failure }
        }
        try tell(&later)
    }

    private func tell(_ lines: inout [RegistryChange]) throws(MirrorError) {
        let all = lines
        lines = []
        try MirrorRun.asking { () throws(RegistryError) in try copying.registry.tell(all) }
    }

    /// Adds lines to those of a bundle that waits. A part of the feed may come a second time.
    private mutating func wait(_ bundle: String, _ lines: [RegistryChange]) {
        guard var delay = behind[bundle], !delay.isWorthless else { return }
        let last = delay.lines.last?.tag ?? 0
        delay.lines += lines.filter { $0.tag > last }
        if delay.lines.count > MirrorRun.mostLines {
            delay.lines = []
            delay.isWorthless = true
        }
        behind[bundle] = delay
    }

    /// Tries bundles again whose time has come, until the origin seems to be away.
    private mutating func retry() async {
        var failures = 0
        let due = behind.filter { $0.value.next <= clock.now }
        for (bundle, delay) in due.sorted(by: { $0.key < $1.key }) {
            let failure = await bring(bundle, news: nil, telling: delay.lines)
            failures = failure?.isTransient ?? false ? failures + 1 : 0
            if failures >= MirrorRun.mostFailures { return }
        }
    }

    /// Brings a bundle up to date, or lets it wait, longer each time.
    private mutating func bring(
        _ bundle: String, news: [RegistryChange]?, telling lines: [RegistryChange]
    ) async -> MirrorError? {
        do throws(MirrorError) {
            try await copying.bring(bundle, news: news, telling: lines)
            if behind.removeValue(forKey: bundle) != nil {
                copying.logger.log(
                    .notice, "mirror.recovered", "a bundle is as at the origin again", [LogField("bundle", bundle)])
            }
            return nil
        } catch {
            var delay = behind[bundle] ?? Delay(next: clock.now, lines: lines)
            let pause = MirrorRun.pause(after: delay.attempts, world.chance)
            delay.attempts += 1
            delay.next = clock.now + pause
            behind[bundle] = delay
            copying.figures.change { $0.failures += 1 }
            copying.logger.log(
                .warning, "mirror.behind", "a bundle stays as it is until it can be brought up to date",
                [
                    LogField("bundle", bundle), LogField("reason", "\(error)"), LogField("attempts", delay.attempts),
                    LogField("retryInSeconds", Double(Int(pause / .milliseconds(1))) / 1_000),
                ])
            return error
        }
    }

    /// A pause that doubles, of which half is left to chance: mirrors do not return to their origin all at once.
    static func pause(
        after attempts: Int, _ chance: any Chance, atMost longest: Duration = longestPause
    ) -> Duration {
        var pause = firstPause
        for _ in 0..<attempts where pause < longest { pause = pause * 2 }
        return min(pause, longest) * (0.5 + chance.fraction / 2)
    }
}
