package import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetSurroundings
internal import WidgetTransfers

/// The widgets for which a fetcher, or a copy of it, waits before it sends outcomes.
final class OutcomePauses: Sendable {
    private let widgets = Guarded<Set<String>>([])

    /// - Returns: false if outcomes of the widget are waited for already.
    func begin(_ widget: WidgetIdentifier) -> Bool { widgets.withLock { $0.insert(widget.text).inserted } }

    func end(_ widget: WidgetIdentifier) { widgets.withLock { _ = $0.remove(widget.text) } }
}

/// Reports of what happens to releases here, for hosts whose app wants that. They have no name of the installation, and nothing
/// that a host does waits for them or fails because of them.
extension WidgetFetcher {
    /// The longest wait before outcomes are sent. It is drawn anew each time, so that a release does not bring all hosts at
    /// once; a host that ends before sends them at its next start.
    private static let longestWait = 60.0

    /// Sends soon what is waiting of a widget. Returns at once.
    func reportSoon(of widget: WidgetIdentifier) {
        guard options.reportsOutcomes, outcomePauses.begin(widget) else { return }
        let world = client.world
        let wait = Duration.seconds(world.chance.fraction * WidgetFetcher.longestWait)
        Task(executorPreference: world.threads.tasks) {
            await world.clock.sleep(for: wait)
            outcomePauses.end(widget)
            await reportOutcomes(of: widget)
        }
    }

    /// Sends what is waiting of a widget. It leaves the widget's state first, and is lost if it does not arrive.
    ///
    /// - Returns: false if something was to be sent, and the registry did not take it.
    @discardableResult
    package func reportOutcomes(of widget: WidgetIdentifier) async -> Bool {
        await send(await cache.takeOutcomes(of: widget, for: registry.description), of: widget)
    }

    @discardableResult
    private func send(_ reports: [OutcomeReport], of widget: WidgetIdentifier) async -> Bool {
        guard !reports.isEmpty else { return true }
        guard let url = try? registry.route(RegistryPath.outcomes(ofWidget: widget.text)) else { return false }
        var request = request(url)
        request.method = .post
        request.body = .bytes(OutcomeReportsDocument(reports).bytes)
        request.fields.append(TransferField("Content-Type", "application/json"))
        request.followsRedirects = false
        request.limits.bodyByteCount = WidgetFetcher.answerByteLimit
        request.limits.total = .seconds(30)
        // A host that cannot send behaves as before.
        guard let answer = try? await client.send(request), (try? await answer.body.collect()) != nil else {
            return false
        }
        return answer.head.status == 202
    }

    /// Problems have less, and success has nothing.
    private static let answerByteLimit = 64 << 10

    /// Chooses the release for a start, notes it, and sends what the process before has left.
    package func start(_ widget: WidgetIdentifier) async throws(FetchError) -> ReleaseStart {
        guard options.reportsOutcomes else { return try await cache.start(widget) }
        let left = await cache.takeOutcomes(of: widget, for: registry.description)
        if !left.isEmpty {
            Task(executorPreference: client.world.threads.tasks) { await send(left, of: widget) }
        }
        defer { reportSoon(of: widget) }
        return try await cache.start(widget)
    }

    /// Notes that a release is being shown which an update has handed out (``WidgetCache/beginTrial(of:)``).
    package func beginTrial(of release: InstalledRelease) async throws(FetchError) -> InstalledRelease {
        defer { reportSoon(of: release.widgetIdentifier) }
        return try await cache.beginTrial(of: release)
    }

    package func confirmStart(of release: InstalledRelease) async throws(FetchError) {
        try await cache.confirmStart(of: release)
        reportSoon(of: release.widgetIdentifier)
    }

    package func rejectStart(
        of release: InstalledRelease, because reason: OutcomeReason = .app
    ) async throws(FetchError) {
        try await cache.rejectStart(of: release, because: reason)
        reportSoon(of: release.widgetIdentifier)
    }

    /// Notes for a host without trials that a release runs, or that it cannot be loaded.
    package func note(_ release: InstalledRelease, runs: Bool) async {
        guard options.reportsOutcomes else { return }
        // What cannot be noted is not counted.
        try? await cache.change(release.widgetIdentifier) { [cache] (state) throws(FetchError) in
            if runs {
                cache.note(.started, of: release.record, in: &state)
                cache.note(.confirmed, of: release.record, in: &state)
            } else {
                cache.note(.rejected, of: release.record, because: .unusable, in: &state)
            }
        }
        reportSoon(of: release.widgetIdentifier)
    }

    /// Notes that an offered release could not be installed, if that has a reason which counts.
    func note(_ error: FetchError, of offer: ReleaseOffering) async {
        guard cache.notesOutcomes, let reason = error.outcomeReason else { return }
        let (candidate, channel, registry) = (offer.candidate, offer.resolution.channel, registry.description)
        try? await cache.change(offer.widget) { [day = cache.today] (state) throws(FetchError) in
            state.outcomes.note(
                .notInstalled, of: candidate.release, content: candidate.contentDigest, on: channel, from: registry,
                because: reason, day: day)
        }
    }
}

extension WidgetCache {
    /// Days since 1970 in UTC, by the clock of this machine.
    var today: Int { Int(clock.seconds / 86_400) }

    /// Notes an outcome of a release that is here, if this cache notes outcomes.
    func note(
        _ outcome: DeviceOutcome, of record: InstalledRecord, because reason: OutcomeReason? = nil,
        in state: inout WidgetState
    ) {
        guard notesOutcomes, let registry = record.registry else { return }
        state.outcomes.note(
            outcome, of: record.release, content: record.contentDigest, on: record.channel, from: registry,
            because: reason, day: today)
    }

    /// Notes that a host is about to go back, because the last start was not confirmed.
    func noteGoingBack(in state: inout WidgetState) {
        guard let failed = state.starts.trial,
            let record = state.records.first(where: { $0.contentDigest == failed })
        else { return }
        note(.wentBack, of: record, because: .unconfirmed, in: &state)
    }

    /// Takes the outcomes that wait for a registry out of a widget's state, before they are sent.
    func takeOutcomes(of widget: WidgetIdentifier, for registry: String) async -> [OutcomeReport] {
        guard notesOutcomes, let known = try? state(of: widget), known.outcomes.isWaiting(for: registry) else {
            return []
        }
        var taken: [OutcomeReport] = []
        do throws(FetchError) {
            try await change(widget) { (state) throws(FetchError) in taken = state.outcomes.take(for: registry) }
        } catch {
            // Sent without being taken out, they could be sent again.
            return []
        }
        return taken
    }
}

extension FetchError {
    /// The reason for which a release counts as not installed; `nil` for a failure that says nothing about the release, such as
    /// a lost connection.
    var outcomeReason: OutcomeReason? {
        if isOutOfSpace { return .noRoom }
        switch reason {
        case .archiveGone: return .archiveGone
        case .wrongSize: return .wrongSize
        case .wrongDigest: return .wrongDigest
        case .wrongContent: return .wrongContent
        case .wrongIdentity: return .wrongIdentity
        case .bundle(let error): return error.isRefusal ? .bundle : .other
        case .foreignAddress: return .foreignAddress
        case .transfer(let error):
            switch error.reason {
            case .redirectRefused: return .redirectRefused
            case .redirectedElsewhere: return .redirectedElsewhere
            case .limitReached: return .wrongSize
            default: return nil
            }
        case .file, .notKept, .outOfMemory: return .other
        default: return nil
        }
    }
}
