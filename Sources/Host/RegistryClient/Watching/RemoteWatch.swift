package import RegistryContract
internal import WidgetBytes
internal import WidgetSurroundings
internal import WidgetTransfers

extension WidgetFetcher {
    /// Keeps a widget up to date and reports each release: first the present one, then each new one. A known release is
    /// revision 1, and only later ones are reported.
    ///
    /// The registry's feed says when to ask. Without a feed, or when it breaks off or is silent for too long, the
    /// registry is polled, which costs next to nothing while nothing changes; and the feed is tried again. Each caller
    /// gets a separate sequence, which ends when the caller stops iterating.
    package func events(
        of widget: WidgetIdentifier, since known: InstalledRelease? = nil, timing: WatchTiming = WatchTiming()
    ) -> AsyncStream<WatchEvent> {
        // The watch keeps no reference to the known release, whose files the cache may sweep.
        let shown = known.map { ShownRelease($0) }
        let world = client.world
        return AsyncStream(bufferingPolicy: .unbounded) { continuation in
            let task = Task(executorPreference: world.threads.tasks) {
                var watch = RemoteWatch(fetcher: self, widget: widget, since: shown, timing: timing, in: world) {
                    continuation.yield($0)
                }
                await watch.run()
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// The release that a watch has reported last, which the next one is compared with.
private struct ShownRelease {
    let digest: Digest
    let files: [String: ReleaseFolder.File]

    init(_ release: InstalledRelease) {
        digest = release.record.digest
        files = Dictionary(release.files.map { ($0.path, $0) }) { first, _ in first }
    }
}

/// One widget at a registry, being watched.
private struct RemoteWatch {
    let fetcher: WidgetFetcher
    let widget: WidgetIdentifier
    let timing: WatchTiming
    let world: World
    let tell: (WatchEvent) -> Void

    private var revision: Int
    private var shown: ShownRelease?
    /// True after the registry has forbidden the release that was shown: if it may be shown again, that is news.
    private var isForbidden = false
    private var failure: FetchError?
    /// True after the registry has answered that it does not have the widget, until it has it.
    private var isGone = false
    private var failures = 0
    /// The time of the next retry after a failure. The feed does not change it.
    private var nextTry: ContinuousClock.Instant?
    private var failedTries = 0
    private var attention: WatchEvent.Attention?
    /// When the last question was answered, or not; `nil` before the first.
    private var lastAsked: ContinuousClock.Instant?
    /// The number of times in a row that the feed was a reason to ask and nothing was new.
    private var falseAlarms = 0
    /// The pause that the registry wants before its feed is opened again.
    private var feedPause: Duration?

    init(
        fetcher: WidgetFetcher, widget: WidgetIdentifier, since shown: ShownRelease?, timing: WatchTiming,
        in world: World, tell: @escaping (WatchEvent) -> Void
    ) {
        self.shown = shown
        revision = shown == nil ? 0 : 1
        self.fetcher = fetcher.asking(noFasterThan: timing.leastPause)
        self.widget = widget
        self.timing = timing
        self.world = world
        self.tell = tell
    }

    private var clock: any Clock { world.clock }

    mutating func run() async {
        while !Task.isCancelled {
            await update()
            let hasFeed = await listen()
            guard !Task.isCancelled else { return }
            attend(.polling)
            failures += 1
            if hasFeed {
                // It was there, and may be again at once.
                let wish = min(feedPause ?? .zero, timing.longestPause)
                let least = timing.leastPause + timing.spread * world.chance.fraction
                await clock.sleep(for: max(timing.pause(after: failures, chance: world.chance.fraction), wish, least))
            } else {
                // As long again for some hosts as for others, so that those that began together drift apart.
                let poll = timing.poll + timing.poll / 4 * world.chance.fraction
                await clock.sleep(for: max(poll, timing.pause(after: failures, chance: world.chance.fraction)))
            }
            // A registry that has asked for patience is not asked before.
            await pause(until: nextTry)
        }
    }

    /// Asks the registry, and reports the outcome.
    private mutating func update() async {
        let result = await fetcher.update(widget)
        guard !Task.isCancelled else { return }
        // Attempts count: the last of them is the last question.
        lastAsked = clock.now
        if let release = result.release { show(release) }
        switch result {
        case .failed(let error, _):
            // The same error is reported once.
            if failure != error { tell(.failed(error)) }
            failure = error
            if case .forbidden = error.reason { isForbidden = true }
            if error.isAbsence, !isGone { tell(.gone) }
            isGone = error.isAbsence
            failedTries += 1
            let wish = min(error.secondsToRetry.map { Duration.seconds($0) } ?? .zero, timing.longestWish)
            nextTry = clock.now + max(timing.pause(after: failedTries, chance: world.chance.fraction), wish)
        case .newData, .noData:
            (failure, nextTry, failedTries, isGone) = (nil, nil, 0, false)
        }
        if case .newData = result { falseAlarms = 0 }
    }

    /// Asks because of an event of the feed, a moment later: a feed notifies all hosts at once, and one question covers
    /// all events of that moment. The pauses grow while a feed sends events without news.
    private mutating func updateSoon() async {
        var pause = timing.leastPause
        for _ in 0..<min(falseAlarms, 30) where pause < timing.poll { pause = pause + pause }
        falseAlarms += 1
        let due = lastAsked.map { max($0 + min(pause, timing.poll), clock.now) } ?? clock.now
        await self.pause(until: due + timing.spread * world.chance.fraction)
        await update()
    }

    private func pause(until end: ContinuousClock.Instant?) async {
        if let end, end > clock.now { await clock.sleep(until: end) }
    }

    private mutating func show(_ release: InstalledRelease) {
        guard isForbidden || shown?.digest != release.record.digest else { return }
        isForbidden = false
        let now = ShownRelease(release)
        revision += 1
        tell(.revision(revision, .release(release), FileChanges(from: shown?.files, to: now.files)))
        shown = now
    }

    private mutating func attend(_ now: WatchEvent.Attention) {
        if attention != now { tell(.attention(now)) }
        attention = now
    }

    /// Follows the feed for as long as there is one.
    ///
    /// - Returns: whether there was one.
    private mutating func listen() async -> Bool {
        let seat = fetcher.feed.join(fetcher, widget, timing)
        defer { fetcher.feed.leave(seat) }
        while let notice = await seat.next() {
            switch notice {
            case .opened:
                attend(.notified)
                // There may have been changes while the feed was closed.
                await updateSoon()
            case .read(let changes, let isFlooded):
                failures = 0
                // A feed's heartbeats are reason enough to look at the clock.
                let isDue = nextTry.map { clock.now >= $0 } ?? false
                if isDue || isFlooded || concerns(changes) { await updateSoon() }
            case .ended(let ending):
                feedPause = ending.retry
                return ending.hadFeed
            }
        }
        return true
    }

    /// True when one of these changes may have changed the widget.
    private func concerns(_ changes: [ChangeDocument]) -> Bool {
        guard !changes.isEmpty else { return false }
        let channel = fetcher.options.channel
        let state = (try? fetcher.cache.state(of: widget)) ?? WidgetState()
        return changes.contains { change in
            let known = state.sequence(fetcher.registry.description, change.bundleIdentifier, channel)?.number
            return change.concerns(widget, channel: channel, seen: known)
        }
    }
}
