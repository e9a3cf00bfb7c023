package import RegistryContract
package import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings
package import WidgetTransfers

/// Updates widgets: asks a registry, fetches the release meant for this installation, verifies it, and makes it current
/// in the cache.
///
/// A registry is not trusted. An archive must have the announced size and digest, pass the rules by which a registry
/// reads uploads, and be the announced bundle; otherwise it is refused. The release from before is touched only after
/// all of that.
package struct WidgetFetcher: Sendable {
    /// Reports the progress of an archive of which a part had to be fetched.
    package typealias Progress = @Sendable (_ done: Int, _ total: Int) -> Void

    package let registry: RegistryAddress
    package let cache: WidgetCache
    package let options: FetchOptions
    let client: TransferClient
    /// Of this fetcher and of its copies.
    private let pace: QuestionPace
    /// The same.
    let feed: SharedFeed
    /// The same.
    let outcomePauses: OutcomePauses

    package init(
        registry: RegistryAddress, cache: WidgetCache, client: TransferClient = TransferClient(),
        options: FetchOptions = FetchOptions()
    ) {
        self.init(
            registry: registry, cache: cache, client: client, options: options, pace: QuestionPace(),
            feed: SharedFeed(), outcomePauses: OutcomePauses())
    }

    private init(
        registry: RegistryAddress, cache: WidgetCache, client: TransferClient, options: FetchOptions,
        pace: QuestionPace, feed: SharedFeed, outcomePauses: OutcomePauses
    ) {
        self.registry = registry
        self.cache = cache
        self.client = client
        self.options = options
        self.pace = pace
        self.feed = feed
        self.outcomePauses = outcomePauses
    }

    /// Brings one widget up to date. May be called for any number of widgets at once, by any number of processes.
    package func update(_ widget: WidgetIdentifier, progress: @escaping Progress = { _, _ in }) async -> UpdateResult {
        var before: InstalledRelease?
        do throws(FetchError) {
            try await waitForTurn(of: widget)
            before = try cache.installed(widget)
            await cache.sweep(widget)
            let result = try await update(widget, from: before, progress)
            return try forbidden(widget).map { .failed($0, nil) } ?? result
        } catch {
            // An interrupted download stays, to be continued, and counts: endless partial downloads must not fill the
            // disk.
            cache.evict(to: error.isOutOfSpace ? 0 : nil)
            // The registry's answer may have changed what may run: a mandatory release can exclude the one from before.
            if let forbidden = (try? forbidden(widget)) ?? nil { return .failed(forbidden, nil) }
            return .failed(error, (try? cache.installed(widget)) ?? before)
        }
    }

    /// The error in place of a release that the registry wants not to be shown; `nil` if it may be shown.
    private func forbidden(_ widget: WidgetIdentifier) throws(FetchError) -> FetchError? {
        try cache.withdrawal(of: widget).map { FetchError(.forbidden($0.directive, because: $0.reason)) }
    }

    private func update(
        _ widget: WidgetIdentifier, from before: InstalledRelease?, _ progress: @escaping Progress
    ) async throws(FetchError) -> UpdateResult {
        switch try await ask(about: widget, from: before) {
        case .current(let release): return .noData(release)
        case .waiting:
            guard let release = try await cache.apply(widget) else { throw FetchError(.noLongerWaiting) }
            return .newData(release, UpdateCost(fetchedByteCount: 0, reusedByteCount: release.record.byteCount))
        case .offer(let offer): return try await bring(offer, isWaiting: false, progress)
        }
    }

    /// Asks the registry for the release meant for this installation, and fetches nothing.
    package func check(_ widget: WidgetIdentifier) async throws(FetchError) -> ReleaseCheckup {
        try await waitForTurn(of: widget)
        let before = try cache.installed(widget)
        await cache.sweep(widget)
        return try await ask(about: widget, from: before)
    }

    /// Fetches an offered release. It lies beside the current one until it is applied.
    package func download(
        _ offer: ReleaseOffering, progress: @escaping Progress = { _, _ in }
    ) async throws(FetchError) -> InstalledRelease {
        do throws(FetchError) {
            switch try await bring(offer, isWaiting: true, progress) {
            case .newData(let release, _), .noData(let release): return release
            case .failed(let error, _): throw error
            }
        } catch {
            cache.evict(to: error.isOutOfSpace ? 0 : nil)
            throw error
        }
    }

    private func ask(
        about widget: WidgetIdentifier, from before: InstalledRelease?
    ) async throws(FetchError) -> ReleaseCheckup {
        let state = try cache.state(of: widget)
        let url = try address(of: widget)
        // A conditional request is made only when the release of the previous answer is here, and nothing was said against it
        // since.
        let isCurrent =
            before != nil && before?.record == state.current && state.starts.withdrawal == nil
            && state.validator?.address == url.description
        let answered: ResolveAnswer?
        do throws(FetchError) {
            defer { pace.end(about: widget, pause: options.leastPause, on: client.world.clock) }
            answered = try await resolve(url, entityTag: isCurrent ? state.validator?.entityTag : nil)
        } catch {
            try await cache.obey(error.withdrawals, about: widget)
            throw error
        }
        guard let answer = answered else {
            guard let before else { throw FetchError(.unexpectedStatus(304)) }
            return try cache.waiting(widget).map { .waiting($0) } ?? .current(before)
        }
        let resolution = answer.resolution
        try requireMeant(resolution, for: widget)
        try requireSameBundle(resolution, as: before)
        let bucket = Rollout.bucket(
            installation: cache.installation, bundleIdentifier: resolution.bundleIdentifier, salt: resolution.salt)
        let offered = resolution.candidate(for: bucket).flatMap { options.serves($0) ? $0 : nil }
        let notes = AnswerNotes(
            resolution, from: registry, to: try question(), offering: offered,
            validator: answer.entityTag.map { WidgetState.Validator(address: url.description, entityTag: $0) })
        try notes.requireFresh(state)
        try await cache.obey(OfferedWithdrawals(resolution), about: widget)
        guard let candidate = offered, !state.starts.hasFailed(candidate.contentDigest) else {
            try await cache.change(widget) { (state) throws(FetchError) in
                try notes.requireFresh(state)
                notes.remember(in: &state, isHere: false)
            }
            if let before { return .current(before) }
            throw FetchError(offered.map { .startFailed(release: $0.release) } ?? .nothingOffered)
        }
        if let before, before.record == state.current, before.record.isOffered(by: candidate, of: resolution) {
            try await cache.confirm(before.record, of: widget, isMandatory: resolution.isMandatory, notes)
            return .current(before)
        }
        if let waiting = state.starts.waiting, waiting.record.isOffered(by: candidate, of: resolution),
            let release = try cache.waiting(widget)
        {
            return .waiting(release)
        }
        return .offer(
            ReleaseOffering(
                widget: widget, candidate: candidate, resolution: resolution, notes: notes, before: before))
    }

    /// Has an offered release here, and notes what becomes of it.
    private func bring(
        _ offer: ReleaseOffering, isWaiting: Bool, _ progress: @escaping Progress
    ) async throws(FetchError) -> UpdateResult {
        defer { reportSoon(of: offer.widget) }
        do throws(FetchError) {
            return try await obtain(offer, isWaiting: isWaiting, progress)
        } catch {
            await note(error, of: offer)
            throw error
        }
    }

    private func obtain(
        _ offer: ReleaseOffering, isWaiting: Bool, _ progress: @escaping Progress
    ) async throws(FetchError) -> UpdateResult {
        let (candidate, resolution, notes) = (offer.candidate, offer.resolution, offer.notes)
        let (widget, before) = (offer.widget, offer.before)
        let known = try await cache.reinstate(candidate, of: resolution, as: widget, notes, isWaiting: isWaiting)
        if let release = known {
            if release.record.digest == before?.record.digest { return .noData(release) }
            return .newData(release, UpdateCost(fetchedByteCount: 0, reusedByteCount: candidate.byteCount))
        }
        // Known even if this process ends on the way; not knowing it costs room for a while.
        try? await cache.change(widget) { $0.begin(candidate.digest) }
        let fetch = ArchiveFetch(
            candidate: candidate, url: try registry.resolving(candidate.url), fetcher: self, before: before,
            progress: progress)
        let archive = try await fetch.archive()
        let cost = archive.cost
        let release: InstalledRelease
        do throws(FetchError) {
            release = try await install(archive, candidate, of: resolution, notes, to: widget, isWaiting: isWaiting)
        } catch {
            fetch.discard(archive, because: error)
            throw error
        }
        // The release is there; without its archive, the next update fetches more.
        try? fetch.keep(archive)
        cache.evict()
        return .newData(release, cost)
    }

    private func install(
        _ archive: borrowing ArchiveFetch.Archive, _ candidate: ReleaseCandidate, of resolution: ResolutionDocument,
        _ notes: AnswerNotes, to widget: WidgetIdentifier, isWaiting: Bool
    ) async throws(FetchError) -> InstalledRelease {
        let staged = try await cache.stage(widget)
        let unpacked = try unpack(archive.file, into: staged.directory)
        try WidgetFetcher.requireAnnounced(unpacked, candidate, of: resolution)
        let record = InstalledRecord(
            bundleIdentifier: resolution.bundleIdentifier, release: candidate.release, channel: resolution.channel,
            digest: candidate.digest, contentDigest: candidate.contentDigest, byteCount: candidate.byteCount,
            expandedByteCount: unpacked.byteCount, name: candidate.name, keptDigest: archive.digest,
            keptByteCount: archive.byteCount, isMandatory: resolution.isMandatory, registry: registry.description)
        let files = unpacked.files.map {
            ReleaseFolder.File(path: $0.path, byteCount: $0.byteCount, digest: $0.digest)
        }
        return try await cache.install(staged, files, as: record, of: widget, notes, isWaiting: isWaiting)
    }

    private func unpack(
        _ archive: SharedFile, into folder: borrowing Directory
    ) throws(FetchError) -> BundleIntake.Unpacked {
        return try rethrowing(as: FetchError.init) { () throws(BundleError) in
            try BundleIntake(policy: options.policy).unpack(archive.descriptor, into: folder)
        }
    }
}

extension WidgetFetcher {
    struct ResolveAnswer {
        var resolution: ResolutionDocument
        var entityTag: String?
    }

    /// The address to ask for a widget. It does not contain what the host has, so that the answer is the same for all
    /// hosts.
    func address(of widget: WidgetIdentifier) throws(FetchError) -> TransferURL {
        let parameters = ResolveParameters(
            channel: options.channel, os: options.os, host: options.host, pin: options.pin)
        return try registry.route(RegistryPath.widget(widget.text), parameters.query)
    }

    /// All that decides, besides a channel's state, which of its candidates is meant.
    func question() throws(FetchError) -> Digest {
        let words = [cache.installation, options.os ?? "", options.host ?? ""].joined(separator: "\n")
        guard let digest = Digest.sha256(Array(words.utf8)) else { throw FetchError(.outOfMemory) }
        return digest
    }

    /// The same, with pauses between questions that are no shorter than this.
    func asking(noFasterThan pause: Duration) -> WidgetFetcher {
        var options = options
        options.leastPause = pause
        return WidgetFetcher(
            registry: registry, cache: cache, client: client, options: options, pace: pace, feed: feed,
            outcomePauses: outcomePauses)
    }

    private func waitForTurn(of widget: WidgetIdentifier) async throws(FetchError) {
        try await pace.wait(about: widget, pause: options.leastPause, on: client.world.clock)
    }

    /// A request to the registry, with everything that all have in common.
    func request(_ url: TransferURL) -> TransferRequest {
        var request = TransferRequest(.get, url)
        request.token = options.token
        request.policy = options.addresses
        request.followsElsewhere = options.followsElsewhere
        request.retries = options.retries
        request.limits.connecting = options.connecting
        request.limits.stall = options.stall
        return request
    }

    /// - Returns: `nil` when the answer with that tag is still current.
    func resolve(_ url: TransferURL, entityTag: String?) async throws(FetchError) -> ResolveAnswer? {
        var request = request(url)
        request.retries = options.questionRetries
        request.limits.bodyByteCount = ResolutionDocument.byteLimit
        request.limits.total = .seconds(60)
        request.fields.append(TransferField("Accept", "application/json"))
        if let entityTag { request.fields.append(TransferField("If-None-Match", entityTag)) }
        let answer: TransferAnswer
        let bytes: [UInt8]
        do throws(TransferError) {
            answer = try await client.send(request)
            if answer.head.status == 304, entityTag != nil { return nil }
            bytes = answer.head.status == 200 ? try await answer.body.collect() : []
        } catch {
            throw FetchError(error)
        }
        guard answer.head.status == 200 else { throw await FetchError(answer, now: client.now) }
        return ResolveAnswer(
            resolution: try ResolutionDocument(checking: bytes, limits: options.policy.limits),
            entityTag: answer.head["ETag"])
    }

    /// Refuses an answer to another question, and a bundle that may not answer for this widget.
    func requireMeant(_ resolution: ResolutionDocument, for widget: WidgetIdentifier) throws(FetchError) {
        guard resolution.widgetIdentifier == widget.text else { throw FetchError(.contradiction(.anotherWidget)) }
        guard resolution.channel == options.channel else { throw FetchError(.contradiction(.anotherChannel)) }
        if let pin = options.pin, resolution.bundleIdentifier != pin {
            throw FetchError(.pinMismatch(wanted: pin, found: resolution.bundleIdentifier))
        }
        guard widget.belongs(to: resolution.bundleIdentifier) else {
            throw FetchError(.foreignBundle(identifier: resolution.bundleIdentifier))
        }
    }

    /// Refuses a bundle with a longer identifier than that of the release that is here. The first release of a bundle
    /// needs fewer rights than a change of a channel, so a new bundle could take over the widgets of an older one.
    func requireSameBundle(
        _ resolution: ResolutionDocument, as before: InstalledRelease?
    ) throws(FetchError) {
        guard let known = before?.record.bundleIdentifier, options.pin == nil,
            resolution.bundleIdentifier.utf8.count > known.utf8.count
        else { return }
        throw FetchError(.anotherBundle(known: known, offered: resolution.bundleIdentifier))
    }

    /// Refuses a valid bundle that is not the announced one.
    static func requireAnnounced(
        _ unpacked: BundleIntake.Unpacked, _ candidate: ReleaseCandidate, of resolution: ResolutionDocument
    ) throws(FetchError) {
        let manifest = unpacked.manifest
        guard manifest.identifier == resolution.bundleIdentifier else {
            throw FetchError(.wrongIdentity(expected: resolution.bundleIdentifier, actual: manifest.identifier))
        }
        // On a snapshot channel, the first digits of the content follow.
        let snapshot = "\(manifest.releaseKey)+\(unpacked.contentDigest.hex.prefix(12))"
        guard candidate.release == manifest.releaseKey || candidate.release == snapshot else {
            throw FetchError(.wrongIdentity(expected: candidate.release, actual: manifest.releaseKey))
        }
        guard unpacked.name == candidate.name else {
            throw FetchError(.wrongIdentity(expected: "\(candidate.name).bundle", actual: unpacked.folder))
        }
        guard unpacked.contentDigest == candidate.contentDigest else {
            throw FetchError(.wrongContent(expected: candidate.contentDigest, actual: unpacked.contentDigest))
        }
    }
}

/// A host's choice of channel and versions, and its limits for what it fetches.
package struct FetchOptions: Sendable {
    package var channel = ChannelName.standard
    /// The only bundle that may answer; `nil`: any whose identifier the widget's begins with.
    package var pin: String?
    /// The version of the operating system that bundles find here; `nil`: it is not sent, and bundles' minimums do not
    /// count.
    package var os: String?
    /// The version of the host, likewise.
    package var host: String?
    /// Sent to the registry only.
    package var token: String?
    package var policy = BundlePolicy()
    /// The policy that has to accept each address before a connection.
    package var addresses: (any TransferPolicy)?
    package var retries = RetryPolicy()
    /// The least time between two questions about a widget, attempts included.
    package var leastPause = Duration.seconds(1)
    /// The time limit for establishing a connection.
    package var connecting = Duration.seconds(10)
    /// Time without a single byte.
    package var stall = Duration.seconds(30)
    /// The least rate of an archive. A slower download is given up, and its bytes are kept.
    package var leastRate: LeastRate? = .archives
    /// True when redirects may lead to another origin than the registry's.
    package var followsElsewhere = false
    /// True when what the cache notes of releases is sent to the registry, a while after it has happened.
    package var reportsOutcomes = false
    /// Time for one archive.
    package var total: Duration? = .seconds(3_600)

    package init() {}

    /// A question is repeated as seldom as it is asked anew.
    var questionRetries: RetryPolicy {
        var retries = retries
        // Half of a pause is fixed and half is chance.
        retries.firstPause = max(retries.firstPause, leastPause * 2)
        retries.longestPause = max(retries.longestPause, retries.firstPause)
        retries.attempts = min(retries.attempts, FetchOptions.mostQuestionAttempts)
        return retries
    }

    /// With the pauses between them, a host knows after some five seconds that its registry does not answer.
    private static let mostQuestionAttempts = 3

    /// True for a release that this host and its system are new enough for. A registry leaves out the others; a static
    /// copy of its answers, or a cache that ignores queries, does not.
    func serves(_ candidate: ReleaseCandidate) -> Bool {
        VersionOrder.serves(os, candidate.minimumOSVersion) && VersionOrder.serves(host, candidate.minimumHostVersion)
    }
}

extension LeastRate {
    /// For archives: 1 KiB a second, as registries promise to send at least.
    package static let archives = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
}
