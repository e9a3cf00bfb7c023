package import RegistryClient
internal import RegistryContract
package import WidgetSurroundings
package import WidgetTransfers

/// The releases of widgets at one registry, kept in a folder of the app.
///
/// Any number of widgets, tasks and processes may share a folder. A registry is not trusted: what it sends is verified
/// before it is used, and what was there stays if an update fails.
///
/// ```swift
/// let client = try WidgetClient(registry: "https://widgets.example", cache: "/var/lib/app/widgets")
/// let release = try await client.start(clock, builtIn: "/usr/share/app/Clock.bundle")
/// show(release.path)
/// try await release.confirm()
/// let update = await client.update(clock)
/// ```
public struct WidgetClient: Sendable {
    private let fetcher: WidgetFetcher
    private let world: World

    /// Opens the folder, and creates it if necessary. No network is used.
    ///
    /// - Parameters:
    ///   - registry: its address, such as `https://widgets.example`.
    ///   - cache: a folder that belongs to the app.
    ///   - options: the choice of releases, and limits.
    /// - Throws: ``ClientError`` if the address is not one, or the folder cannot be used.
    public init(
        registry: String, cache: String, options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        try self.init(registry: registry, cache: cache, options: options, in: .machine)
    }

    /// - Parameter transport: `nil`: libcurl.
    package init(
        registry: String, cache: String, options: ClientOptions = ClientOptions(), limits: CacheLimits? = nil,
        transport: (any Transport)? = nil, in world: World
    ) throws(ClientError) {
        self.world = world
        fetcher = try ClientError.rethrowing { () throws(FetchError) in
            WidgetFetcher(
                registry: try RegistryAddress(registry),
                cache: try WidgetCache(
                    at: cache, limits: limits ?? options.caching, notesOutcomes: options.reportsOutcomes, in: world),
                client: TransferClient(transport: transport, in: world), options: options.fetching)
        }
    }

    // MARK: - In one call

    /// Brings a widget up to date: asks, downloads what has changed, verifies it and makes it current.
    ///
    /// - Parameters:
    ///   - widget: the identifier of the widget.
    ///   - progress: called while an archive is fetched, on any thread.
    public func update(
        _ widget: WidgetID, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async -> ReleaseUpdate {
        let result = await fetcher.update(widget.identifier) { progress(DownloadProgress(done: $0, total: $1)) }
        do throws(FetchError) {
            switch result {
            case .newData(let release, _): return .newData(try known(release))
            case .noData(let release): return .noData(try known(release))
            case .failed(let error, let release):
                return .failed(
                    ClientError(error), try release.map { (release) throws(FetchError) in try known(release) })
            }
        } catch {
            return .failed(ClientError(error), nil)
        }
    }

    // MARK: - Step by step

    /// Asks the registry, and fetches nothing.
    ///
    /// - Throws: ``ClientError``, with ``ClientError/Code/stopped`` if nothing of the widget is to be shown.
    public func check(_ widget: WidgetID) async throws(ClientError) -> ReleaseCheck {
        try await ClientError.rethrowing { () async throws(FetchError) in
            switch try await fetcher.check(widget.identifier) {
            case .current(let release): .current(try known(release))
            case .waiting(let release): .downloaded(DownloadedRelease(installed: release))
            case .offer(let offering): .available(ReleaseOffer(offering: offering))
            }
        }
    }

    /// Fetches and verifies an offered release. The current one stays until the download is applied.
    ///
    /// - Parameters:
    ///   - offer: the one of the last check.
    ///   - progress: called while an archive is fetched, on any thread.
    /// - Throws: ``ClientError``. What has arrived is kept, and the next download continues there.
    public func download(
        _ offer: ReleaseOffer, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(ClientError) -> DownloadedRelease {
        try await ClientError.rethrowing { () async throws(FetchError) in
            DownloadedRelease(
                installed: try await fetcher.download(offer.offering) {
                    progress(DownloadProgress(done: $0, total: $1))
                })
        }
    }

    /// Makes a downloaded release current now.
    ///
    /// - Returns: the release, which is on trial until ``WidgetRelease/confirm()``.
    /// - Throws: ``ClientError``, with ``ClientError/Code/noLongerWaiting`` if it was applied already.
    public func apply(_ download: DownloadedRelease) async throws(ClientError) -> WidgetRelease {
        try await ClientError.rethrowing { () async throws(FetchError) in
            let applied = try await fetcher.cache.apply(
                download.installed.widgetIdentifier, as: download.installed)
            guard let applied else { throw FetchError(.noLongerWaiting) }
            return try known(applied)
        }
    }

    /// Lets a downloaded release become current later.
    ///
    /// - Throws: ``ClientError``, with ``ClientError/Code/noLongerWaiting`` if it was applied already.
    public func apply(_ download: DownloadedRelease, at moment: ApplyMoment) async throws(ClientError) {
        try await ClientError.rethrowing { () async throws(FetchError) in
            try await fetcher.cache.schedule(download.installed, at: moment.stored)
        }
    }

    /// Says that the app is in front again after a pause.
    ///
    /// - Parameters:
    ///   - widget: the identifier of the widget.
    ///   - pause: the time since it was last in front.
    /// - Returns: the release that became current because of it; `nil` if none waited for such a pause.
    public func resume(_ widget: WidgetID, after pause: Duration) async throws(ClientError) -> WidgetRelease? {
        try await ClientError.rethrowing { () async throws(FetchError) in
            let applied = try await fetcher.cache.apply(widget.identifier) { moment in
                if case .pause(let least) = moment { pause >= least } else { false }
            }
            guard let applied else { return nil }
            return try known(applied)
        }
    }

    // MARK: - Starting

    /// Chooses the release to show at the start of the app, without asking the registry.
    ///
    /// That is the current release; if its last start was not confirmed, the one that was confirmed last; and without
    /// one, the built-in bundle. So an app with a built-in bundle has something to show at every start, and no release
    /// is started twice that did not work.
    ///
    /// - Parameters:
    ///   - widget: the identifier of the widget.
    ///   - builtIn: the path of a bundle that the app was built with, its folder or its archive.
    /// - Throws: ``ClientError`` with ``ClientError/Code/nothingToStart`` without a built-in bundle, and with
    ///   ``ClientError/Code/stopped`` if the registry wants nothing of the widget to be shown.
    public func start(_ widget: WidgetID, builtIn: String? = nil) async throws(ClientError) -> WidgetRelease {
        let start: ReleaseStart
        do throws(FetchError) {
            start = try await fetcher.start(widget.identifier)
        } catch {
            // A cache that cannot be used is as good as an empty one.
            guard let path = builtIn else { throw ClientError(error) }
            return self.builtIn(widget, at: path)
        }
        switch start {
        case .confirmed(let release): return WidgetRelease(release, of: fetcher, isTrial: false)
        case .trial(let release): return WidgetRelease(release, of: fetcher, isTrial: true)
        case .nothing(.withdrawn(.stop, let reason)): throw WidgetClient.stopped(reason)
        case .nothing(let absence):
            if let path = builtIn { return self.builtIn(widget, at: path) }
            throw WidgetClient.nothing(absence)
        }
    }

    /// The bundle that the app was built with, to be shown where a release cannot be. It runs in the place of a release: with
    /// the same widget's data, or with empty data where these cannot be opened.
    public func builtIn(_ widget: WidgetID, at path: String) -> WidgetRelease {
        WidgetRelease(builtIn: path, for: widget, of: fetcher)
    }

    /// The release that is current, without beginning a start; `nil` if none is here, or none that is sound.
    public func current(_ widget: WidgetID) throws(ClientError) -> WidgetRelease? {
        try ClientError.rethrowing { () throws(FetchError) in
            try fetcher.cache.installed(widget.identifier).map { (release) throws(FetchError) in try known(release) }
        }
    }

    /// Lets releases be offered again whose starts were not confirmed.
    public func forgiveFailedStarts(of widget: WidgetID) async throws(ClientError) {
        try await ClientError.rethrowing { () async throws(FetchError) in
            try await fetcher.cache.forgiveStarts(of: widget.identifier)
        }
    }

    /// Removes everything that is known of a widget.
    public func remove(_ widget: WidgetID) throws(ClientError) {
        try ClientError.rethrowing { () throws(FetchError) in try fetcher.cache.remove(widget.identifier) }
    }

    // MARK: - Watching

    /// The releases of a widget as they are published: first the present one, then each new one.
    ///
    /// The sequence ends only with its task, and recovers from every failure. It follows the registry's feed of changes,
    /// and polls without one. The registry is asked about a widget once a second at most, by all of its
    /// sequences and updates of a client together.
    ///
    /// A directive about the shown release is an event once. After it the same sequence goes to the next release, and a new
    /// one since the built-in bundle does not begin with the directive that the bundle is shown for.
    ///
    /// - Parameters:
    ///   - widget: the identifier of the widget.
    ///   - known: a release that the app shows already; then the sequence begins with the next one.
    public func events(of widget: WidgetID, since known: WidgetRelease? = nil) -> AsyncStream<ReleaseEvent> {
        let watch = fetcher.events(of: widget.identifier, since: known?.installed)
        // The release itself is not kept, so that the cache may sweep its files.
        let origin = known?.origin
        return AsyncStream { continuation in
            let task = Task(executorPreference: world.threads.tasks) { [self] in
                var news = EventFilter(shown: origin)
                for await event in watch {
                    let stop = self.stop(widget, known: news.stop)
                    if let event = news.event(stop: stop, { self.event(event) }) { continuation.yield(event) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func event(_ event: WatchEvent) -> ReleaseEvent? {
        switch event {
        case .revision(_, .release(let release), _):
            do throws(FetchError) {
                return .release(try known(release))
            } catch {
                return .failed(ClientError(error))
            }
        case .failed(let error): return .failed(ClientError(error))
        case .gone: return .gone
        case .attention, .revision(_, .local, _): return nil
        }
    }

    // MARK: - Releases

    private func known(_ release: InstalledRelease) throws(FetchError) -> WidgetRelease {
        WidgetRelease(release, of: fetcher, isTrial: try !fetcher.cache.isConfirmed(release))
    }

    /// The error in place of a release that the registry wants not to be shown.
    private func stop(_ widget: WidgetID) throws(FetchError) -> ClientError? {
        guard let withdrawal = try fetcher.cache.withdrawal(of: widget.identifier) else { return nil }
        switch withdrawal.directive {
        case .keep: return nil
        case .stop: return WidgetClient.stopped(withdrawal.reason)
        case .builtIn: return WidgetClient.nothing(.withdrawn(.builtIn, reason: withdrawal.reason))
        }
    }

    /// The same; where the state cannot be read, the directive that was known before.
    private func stop(_ widget: WidgetID, known: ClientError?) -> ClientError? {
        do throws(FetchError) {
            return try stop(widget)
        } catch {
            return known
        }
    }

    private static func stopped(_ reason: String) -> ClientError {
        ClientError(
            .stopped, "the release was withdrawn, and nothing of the widget is to be shown" + because(reason),
            hint: "an update shows the widget again when its publisher has published another release")
    }

    private static func because(_ reason: String) -> String { reason.isEmpty ? "" : ": \(reason)" }

    private static func nothing(_ absence: ReleaseStart.Absence) -> ClientError {
        let hint = "an app that is built with a bundle names it as `builtIn`, and always has something to show"
        switch absence {
        case .neverInstalled: return ClientError(.nothingToStart, "no release was downloaded yet", hint: hint)
        case .damaged: return ClientError(.nothingToStart, "the releases in the cache are damaged", hint: hint)
        case .failed:
            return ClientError(.nothingToStart, "no release that was started here was confirmed", hint: hint)
        case .withdrawn(_, let reason):
            return ClientError(
                .nothingToStart,
                "the release was withdrawn, and the built-in bundle is to be shown" + because(reason), hint: hint)
        }
    }
}

extension ApplyMoment {
    var stored: ApplicationMoment {
        switch self {
        case .nextStart: .nextStart
        case .pause(let pause): .pause(pause)
        }
    }
}

/// Decides what of a watch an app is notified of: a directive is news once, and only if something else is shown.
private struct EventFilter {
    private var shown: WidgetRelease.Origin?
    /// The directive that was in force last.
    private(set) var stop: ClientError?

    init(shown: WidgetRelease.Origin?) { self.shown = shown }

    /// - Parameter stop: the directive that is in force.
    mutating func event(stop: ClientError?, _ event: () -> ReleaseEvent?) -> ReleaseEvent? {
        defer { self.stop = stop }
        guard let stop else {
            let event = event()
            if case .release = event { shown = .registry }
            return event
        }
        guard stop != self.stop else { return nil }
        let instead: WidgetRelease.Origin? = stop.code == .stopped ? nil : .builtIn
        guard instead == nil || shown != instead else { return nil }
        shown = instead
        return .withdrawn(stop)
    }
}
