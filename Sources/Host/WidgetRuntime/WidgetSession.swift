internal import WidgetBundles
internal import WidgetContract
package import WidgetCore
internal import WidgetHost
package import WidgetHosting
internal import WidgetIntake
public import WidgetRegistryClient
package import WidgetRunning

/// A widget that runs: its timers fire, its requests are sent, its data are kept, and its screens follow what people do.
///
/// ```swift
/// let session = try await WidgetSession(release, configuration: configuration)
/// print(await session.screen().text())
/// try await session.tap("Refresh")
/// for await _ in session.changes { print(await session.screen().text()) }
/// ```
public actor WidgetSession {
    /// The identifier of the widget.
    public nonisolated let identifier: String
    package nonisolated let running: RunningWidget
    /// A new stream for one reader: an element at once, and one for each time that the screen may look different. Elements that
    /// the reader has not taken yet are one, so that a slow reader sees the last state and keeps none of the others from it.
    ///
    /// Each reader asks for another stream. It ends with the session, and costs nothing once its reader has stopped.
    public nonisolated var changes: AsyncStream<Void> { running.changes }
    private let host: HostedWidgets
    private var path: String
    private var isInstalled: Bool
    /// The pictures of the bundle at ``path``, once they were asked for.
    private var pictures: BundlePictures?
    /// The release is kept on the disk while this refers to it.
    private var release: WidgetRelease?

    /// Loads a release and begins.
    ///
    /// - Parameters:
    ///   - release: the release, which is on trial from now on unless it is confirmed.
    ///   - configuration: its data, its network, its place, its clock.
    ///   - first: called with the first screen, before any server of the widget is asked: the one from last time, if there
    ///     is one.
    /// - Throws: ``RuntimeError``: the reason why it cannot run. A host then calls `WidgetRelease.reject(because:)` with it.
    public init(
        _ release: WidgetRelease, configuration: WidgetConfiguration = WidgetConfiguration(),
        showing first: @escaping @Sendable (WidgetScreen) -> Void = { _ in }
    ) async throws(RuntimeError) {
        try await WidgetSession.begin(release)
        try await self.init(
            release.widget.description, WidgetSession.origin(of: release), release.path, configuration, first)
        self.release = release
        isInstalled = release.installed != nil
    }

    /// Loads a bundle that lies in the file system and begins.
    ///
    /// - Parameters:
    ///   - path: an archive, a bundle's folder, or a folder of sources, which is built first.
    ///   - identifier: that of the widget; `nil` for that of the bundle.
    ///   - configuration: its data, its network, its place, its clock.
    ///   - first: called with the first screen, before any server of the widget is asked.
    /// - Throws: ``RuntimeError``: the reason why it cannot run.
    public init(
        path: String, identifier: String? = nil, configuration: WidgetConfiguration = WidgetConfiguration(),
        showing first: @escaping @Sendable (WidgetScreen) -> Void = { _ in }
    ) async throws(RuntimeError) {
        let name: String
        if let identifier { name = identifier } else { name = try WidgetSession.identifier(ofBundleAt: path) }
        try await self.init(name, .path(path), path, configuration, first)
    }

    private init(
        _ identifier: String, _ origin: HostedWidgets.Origin, _ path: String, _ configuration: WidgetConfiguration,
        _ first: @escaping @Sendable (WidgetScreen) -> Void
    ) async throws(RuntimeError) {
        let host = try configuration.hosted()
        do throws(HostError) {
            running = try await host.load(identifier, from: origin, parameters: configuration.firstParameters) {
                first(WidgetScreen($0, nil))
            }
        } catch {
            throw RuntimeError(error)
        }
        self.host = host
        self.path = path
        self.identifier = identifier
        isInstalled = false
    }

    private static func identifier(ofBundleAt path: String) throws(RuntimeError) -> String {
        do throws(SourceError) {
            return try BundleSource(opening: path).take().bundle.manifest.identifier
        } catch {
            throw RuntimeError(WidgetError(error))
        }
    }

    /// From now on, an end of the process without a confirmation is known to the next start.
    private static func begin(_ release: WidgetRelease) async throws(RuntimeError) {
        do throws(ClientError) {
            try await release.begin()
        } catch {
            throw RuntimeError(error.code == .cancelled ? .cancelled : .store, "\(error)", hint: error.hint)
        }
    }

    private static func origin(of release: WidgetRelease) -> HostedWidgets.Origin {
        if let installed = release.installed { return .release(installed, registry: release.registry) }
        return .builtIn(release.path, registry: release.registry)
    }

    // MARK: - The screen

    /// The screen as it is now.
    public func screen() async -> WidgetScreen {
        let (snapshot, program) = await present()
        return WidgetScreen(snapshot, program)
    }

    /// The same for printers.
    package func present() async -> (snapshot: RunningWidget.Snapshot, program: Program) {
        (await running.snapshot(), await running.program)
    }

    /// Continues in another room, or in another mode.
    public func show(in room: ScreenSize?, mode: WidgetConfiguration.Mode = .expanded) async {
        let environment = await running.environment
        var display = environment.display
        display.mode = mode == .compact ? .compact : .expanded
        display.maximum = room.map { Size(width: $0.width, height: $0.height) }
        await running.show(in: display, abilities: environment.abilities)
    }

    // MARK: - Another release

    /// Continues with another release, and keeps the state that has a place in it.
    ///
    /// - Returns: false if it has the same files as the one that runs.
    /// - Throws: ``RuntimeError`` if it cannot run. The one from before continues, and a host calls
    ///   `WidgetRelease.reject(because:)` with it.
    @discardableResult
    public func replace(with next: WidgetRelease) async throws(RuntimeError) -> Bool {
        try await WidgetSession.begin(next)
        switch await host.update(identifier, to: WidgetSession.origin(of: next)) {
        case .newData:
            (release, path, isInstalled, pictures) = (next, next.path, next.installed != nil, nil)
            return true
        case .noData: return false
        case .failed(let error): throw RuntimeError(error)
        }
    }

    /// Reads the bundle at the session's path again, after its author has changed it.
    ///
    /// - Returns: false if its files are the same.
    /// - Throws: ``RuntimeError`` if it cannot run. The one from before continues.
    @discardableResult
    public func reload() async throws(RuntimeError) -> Bool {
        switch await host.update(identifier) {
        case .newData:
            pictures = nil
            return true
        case .noData: return false
        case .failed(let error): throw RuntimeError(error)
        }
    }

    /// Ends the widget: its timers, its requests and the streams of changes. Its data are saved.
    public func stop() async { await host.unload(identifier) }

    /// The pictures of the bundle, for printers; `nil` if the bundle cannot be read any more.
    package func bundlePictures() -> BundlePictures? {
        if let pictures { return pictures }
        guard let taken = try? BundleSource(opening: path, isInstalled: isInstalled).take() else { return nil }
        pictures = try? BundlePictures(of: taken.opened)
        return pictures
    }
}
