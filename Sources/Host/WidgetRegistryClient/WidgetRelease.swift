package import RegistryClient
internal import RegistryContract
internal import WidgetBytes

/// A release that can be shown: a bundle folder on this machine, verified when it was handed out.
///
/// Its folder stays for as long as the app refers to the release, even when newer ones arrive: keep the release while it is
/// shown, not only its ``path``.
public final class WidgetRelease: Sendable {
    /// The origin of a release.
    public enum Origin: Hashable, Sendable {
        /// A registry published it.
        case registry
        /// The app was built with it.
        case builtIn
    }

    /// The widget that it was asked for.
    public let widget: WidgetID
    /// The bundle's folder; of a built-in bundle, its folder or its archive.
    public let path: String
    /// The place where it comes from.
    public let origin: Origin
    /// The identifier of the bundle; `nil` for a built-in one, which nothing has read yet.
    public let bundleIdentifier: String?
    /// The release's key, such as `1.4.0~312`; `nil` for a built-in one.
    public let version: String?
    /// True if a newer release was here that the registry wants to be shown instead, and it is damaged: fetch it first.
    public let mustUpdate: Bool
    /// True for a release whose start was not confirmed yet. If it never is, the next start goes back.
    public let isTrial: Bool
    package let installed: InstalledRelease?
    private let fetcher: WidgetFetcher?
    /// Marks the start for as long as this value is referenced.
    private let trial = Guarded<InstalledRelease?>(nil)
    /// The address of the registry that published it, or in whose place it is shown. After the address of a registry has
    /// changed, releases in the cache are from the former one, until the next update.
    public let registry: String
    /// True if the cache has it from another registry than the client's.
    public let isFromAnotherRegistry: Bool

    init(_ installed: InstalledRelease, of fetcher: WidgetFetcher, isTrial: Bool) {
        self.fetcher = fetcher
        let asked = fetcher.registry.description
        registry = installed.record.registry ?? asked
        isFromAnotherRegistry = registry != asked
        widget = WidgetID(installed.widgetIdentifier)
        path = installed.path
        origin = .registry
        bundleIdentifier = installed.record.bundleIdentifier
        version = installed.record.release
        mustUpdate = installed.mustUpdate
        self.isTrial = isTrial
        self.installed = installed
    }

    init(builtIn path: String, for widget: WidgetID, of fetcher: WidgetFetcher) {
        registry = fetcher.registry.description
        self.widget = widget
        self.path = path
        origin = .builtIn
        (bundleIdentifier, version, installed, self.fetcher) = (nil, nil, nil, nil)
        (mustUpdate, isTrial, isFromAnotherRegistry) = (false, false, false)
    }

    /// Says that the release is being started, for hosts that show it in another way than by a session of `WidgetRuntime`,
    /// which says so itself. ``WidgetClient/start(_:builtIn:)`` has said so of its release.
    ///
    /// If the release is not confirmed by the end of the process, or while this value is referenced, the next start goes
    /// back to the one that was confirmed last.
    ///
    /// - Throws: ``ClientError`` if that cannot be written to the cache.
    public func begin() async throws(ClientError) {
        guard let installed, let fetcher, isTrial, trial.withLock({ $0 == nil }) else { return }
        let held = try await ClientError.rethrowing { () async throws(FetchError) in
            try await fetcher.beginTrial(of: installed)
        }
        trial.withLock { $0 = held }
    }

    /// Says that the release was started and works: from now on, later ones that do not work go back to it.
    ///
    /// Call it when the widget is on the screen and the app is sure of itself, such as after its first update of data.
    /// For a confirmed release and for a built-in one it does nothing, and neither for one in whose place a newer one was
    /// confirmed meanwhile, or which was rejected.
    ///
    /// - Throws: ``ClientError`` if that cannot be written to the cache, with ``ClientError/Code/cancelled`` if the task was
    ///   cancelled while it waited for another process.
    public func confirm() async throws(ClientError) {
        guard let installed, let fetcher else { return }
        try await ClientError.rethrowing { () async throws(FetchError) in
            try await fetcher.confirmStart(of: installed)
        }
    }

    /// Says that the release could not be started because of an error. If the release is at fault, it is rejected; if not, the
    /// start counts neither for it nor against it, and the next ``WidgetClient/start(_:builtIn:)`` gives it again.
    ///
    /// - Parameter error: the one of a session. An error that is not a ``ReleaseFault`` blames no release.
    /// - Returns: true if the release was rejected; false for a built-in one, which nothing can replace.
    /// - Throws: ``ClientError`` if that cannot be written to the cache.
    @discardableResult
    public func reject(because error: any Error) async throws(ClientError) -> Bool {
        guard let installed, let fetcher else { return false }
        guard (error as? any ReleaseFault)?.isFaultOfRelease ?? false else {
            // On a full disk, or while the cache is locked, this cannot be noted either; the next start finds out.
            try? await fetcher.cache.forgetStart(of: installed)
            return false
        }
        try await reject(.unusable, installed, fetcher)
        return true
    }

    /// Says that the release was started and does not work, without waiting for the next start: it is not offered again,
    /// and ``WidgetClient/start(_:builtIn:)`` gives the last confirmed one. This holds for a confirmed release too; call
    /// ``reject(because:)`` with an error.
    ///
    /// - Throws: ``ClientError`` if that cannot be written to the cache.
    public func reject() async throws(ClientError) {
        guard let installed, let fetcher else { return }
        try await reject(.app, installed, fetcher)
    }

    private func reject(
        _ reason: OutcomeReason, _ installed: InstalledRelease, _ fetcher: WidgetFetcher
    ) async throws(ClientError) {
        try await ClientError.rethrowing { () async throws(FetchError) in
            try await fetcher.rejectStart(of: installed, because: reason)
        }
    }

    /// True if the two have the same files.
    public func isSame(as other: WidgetRelease) -> Bool {
        guard let installed, let others = other.installed else {
            return origin == other.origin && path == other.path
        }
        return installed.record.contentDigest == others.record.contentDigest
    }
}
