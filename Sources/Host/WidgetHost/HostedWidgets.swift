internal import GroupCache
package import RegistryClient
internal import RegistryContract
internal import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetFiles
package import WidgetHosting
internal import WidgetPredicates
package import WidgetRunning
package import WidgetSurroundings

/// The widgets of a host: any number of them, several of one bundle side by side, each isolated from the others.
package actor HostedWidgets {
    /// The origin of a widget's bundle.
    package enum Origin: Sendable {
        /// A folder or an archive.
        case path(String)
        /// The registry's current release for the widget's identifier.
        case registry(WidgetFetcher)
        /// A release that its owner has fetched from the registry of that address.
        case release(InstalledRelease, registry: String)
        /// A bundle that its owner was built with, in place of a release of the registry of that address: the data are the
        /// same widget's.
        case builtIn(String, registry: String)
    }

    /// The outcome of an update. In each case the widget continues.
    package enum Update: Equatable, Sendable {
        /// Another release than before runs now.
        case newData(revision: Int)
        /// The running release is the newest.
        case noData
        /// The release from before still runs.
        case failed(HostError)
    }

    /// The place in a bundle at which a widget begins.
    package struct Start: Equatable, Sendable {
        package var entryPoint = "Main"
        /// The first screen; `nil` for that of the bundle.
        package var screen: String?

        package init(entryPoint: String = "Main", screen: String? = nil) {
            self.entryPoint = entryPoint
            self.screen = screen
        }
    }

    private struct Loaded {
        var widget: RunningWidget
        var origin: Origin
        var start: Start
        var pictures: BundlePictures
        /// The bundle that it is an instance of.
        var bundle: StoreOrigin
        /// The digest of the running files.
        var content: String
        /// The cache keeps the release's folder while this refers to it.
        var release: InstalledRelease?
        /// The store with its data; `nil` if nothing is kept.
        var records: RecordStore?
        /// The entries of the group's cache that the widget shows are not evicted while this refers to them.
        var held: [HeldEntry] = []
    }

    private struct Found {
        var program: Program
        var pictures: BundlePictures
        var content: String
        /// The bundle's identifier.
        var bundle: String
        var release: InstalledRelease?
    }

    private var widgets: [String: Loaded] = [:]
    private var loading: Set<String> = []
    /// The folder of the widgets' stores; without one, nothing is kept.
    private let folder: String?
    private let adoption: DataAdoption
    private let network: @Sendable (String) -> any WidgetNetwork
    private let environment: @Sendable () -> Environment
    private let cache: HostCache?
    private let policy: @Sendable (String) -> DataUpdatePolicy?
    private let clock: ManualClock?
    private let watch: GroupWatch

    /// - Parameters:
    ///   - adoption: the data of widgets from elsewhere that widgets may have.
    ///   - network: the network for a widget of that identifier; none by default.
    ///   - cache: where cached values and answers of servers are kept; without it, values live as long as their widget.
    ///   - policy: when the data of a widget of that identifier are updated; `nil`: as its bundle declares.
    ///   - clock: moved by the host, and begun at the moment of the environment; `nil`: the clocks of widgets run.
    ///   - environment: the moment, the language and the random seed that a widget begins with.
    package init(
        storesIn folder: String? = nil,
        adopting adoption: DataAdoption = .nothing,
        network: @escaping @Sendable (String) -> any WidgetNetwork = { _ in DeniedNetwork() },
        cache: HostCache? = nil,
        policy: @escaping @Sendable (String) -> DataUpdatePolicy? = { _ in nil },
        clock: ManualClock? = nil,
        in world: World = .machine,
        environment: @escaping @Sendable () -> Environment
    ) {
        self.folder = folder
        self.adoption = adoption
        self.network = network
        self.cache = cache
        self.policy = policy
        self.clock = clock
        watch = GroupWatch(in: world)
        self.environment = environment
    }

    package var identifiers: [String] { widgets.keys.sorted() }

    package subscript(_ identifier: String) -> RunningWidget? { widgets[identifier]?.widget }

    /// The pictures of the program that a widget has now.
    package func pictures(of identifier: String) -> BundlePictures? { widgets[identifier]?.pictures }

    /// The bundle that a widget is an instance of: the file, or the registry and the identifier there. Bundles choose their
    /// identifiers themselves, so two with the same need not be one.
    package func bundle(of identifier: String) -> StoreOrigin? { widgets[identifier]?.bundle }

    /// The registry's release that a widget runs.
    package func release(of identifier: String) -> InstalledRelease? { widgets[identifier]?.release }

    /// Loads a widget and starts it.
    ///
    /// - Parameters:
    ///   - parameters: the values of its first screen's parameters.
    ///   - show: called with its first view, before any server of the widget is asked. That is its last view from
    ///     before, if it has one, with its age.
    /// - Throws: the reason why it cannot run; ``HostError/loadedAlready(_:)`` if the identifier is in use.
    @discardableResult
    package func load(
        _ identifier: String, from origin: Origin, at start: Start = Start(), parameters: Value = .null,
        showing show: @Sendable (RunningWidget.Snapshot) -> Void = { _ in }
    ) async throws(HostError) -> RunningWidget {
        guard widgets[identifier] == nil, loading.insert(identifier).inserted else { throw .loadedAlready(identifier) }
        defer { loading.remove(identifier) }
        let found = try await find(identifier, origin, start, before: nil)
        var diagnostics: [Finding] = []
        let kept = try keptData(identifier, origin, found, &diagnostics)
        let memory = kept.flatMap { _ in
            folder.map { HostedWidgets.memory(identifier, in: $0, program: found.content, &diagnostics) }
        }
        let plain = network(identifier)
        let network = cache?.keeping(plain, of: identifier) { sentence in
            diagnostics.append(
                Finding(.warning, .storing, sentence, hint: "each answer is asked for as a whole"))
        }
        let instance = WidgetInstance(
            found.program, store: kept?.store, environment: environment(), parameters: parameters, found: diagnostics)
        let cached = cache?.place(of: identifier, found.program)
        let widget = RunningWidget(
            instance, network: network ?? plain, records: kept?.records,
            policy: policy(identifier), memory: memory ?? ViewMemory(), cache: cached?.place, clock: clock)
        var loaded = Loaded(
            widget: widget, origin: origin, start: start, pictures: found.pictures,
            bundle: HostedWidgets.storeOrigin(origin, found), content: found.content, release: found.release,
            records: kept?.records)
        if let group = cached?.group { loaded.held = await follow(group, widget, identifier) }
        widgets[identifier] = loaded
        await widget.start(showing: show)
        await noteRun(of: found.release, from: origin)
        return widget
    }

    // MARK: - Data

    private struct KeptData {
        let records: RecordStore
        let store: Store
    }

    /// The data of a widget; `nil` if nothing is kept. The bundle that a host was built with runs in any case, without data
    /// where its store cannot be opened: it is the last thing that a host can show.
    private func keptData(
        _ identifier: String, _ origin: Origin, _ found: Found, _ diagnostics: inout [Finding]
    ) throws(HostError) -> KeptData? {
        guard let folder else { return nil }
        do throws(HostError) {
            let records = try HostedWidgets.store(identifier, in: folder)
            let kept = try rethrowing(as: HostError.widget) { () throws(WidgetError) in
                try records.claim(for: HostedWidgets.storeOrigin(origin, found), adopting: adoption)
                return try records.read(model: found.program.model)
            }
            diagnostics += kept.diagnostics
            return KeptData(records: records, store: kept.store)
        } catch {
            guard case .builtIn = origin else { throw error }
            diagnostics.append(
                Finding(
                    .warning, .storing, "The built-in bundle runs with empty data: \(error)",
                    hint: "what it is given is not kept"))
            return nil
        }
    }

    // MARK: - Caches

    /// The view that the widget showed last, and the file for the next one.
    package static func memory(
        _ identifier: String, in folder: String, program: String, _ found: inout [Finding]
    ) -> ViewMemory {
        let file = KeptViewFile(in: "\(folder)/\(identifier).view")
        switch file.read() {
        case .view(let kept): return ViewMemory(file, program: program, kept: kept)
        case .nothing: break
        case .damaged(let reason):
            found.append(Finding(.warning, .storing, reason, hint: "the next update makes a new one"))
        }
        return ViewMemory(file, program: program)
    }

    /// Holds the entries that the widget shows, and notifies it of their changes.
    private func follow(_ group: CacheGroup, _ widget: RunningWidget, _ identifier: String) async -> [HeldEntry] {
        var held: [HeldEntry] = []
        var keys: [GroupKey] = []
        for name in await widget.cachedKeys.prefix(HostedWidgets.heldLimit) {
            do throws(GroupCacheError) {
                let key = try GroupKey(name)
                keys.append(key)
                held.append(try await group.hold(key))
            } catch {
                // An entry that cannot be held is stored again when it is needed.
                await widget.report(
                    notice: "The cached value \(name.excerpt) may be evicted while it is shown: \(error)")
            }
        }
        if !keys.isEmpty { await watch.add(widget, identifier, keys: keys, in: group) }
        return held
    }

    /// Holds and watches what another program of a widget shows.
    private func follow(again identifier: String) async {
        guard let loaded = widgets[identifier], let cache else { return }
        await watch.remove(identifier)
        let held: [HeldEntry]
        if let group = cache.place(of: identifier, await loaded.widget.program).group {
            held = await follow(group, loaded.widget, identifier)
        } else {
            held = []
        }
        if widgets[identifier]?.widget === loaded.widget { widgets[identifier]?.held = held }
    }

    /// The entries that a host holds for one widget.
    private static let heldLimit = 256

    /// Continues with the current program of its origin, and keeps the state that has a place in it.
    ///
    /// - Parameter next: the origin from now on; `nil` for the one from before.
    package func update(_ identifier: String, to next: Origin? = nil) async -> Update {
        guard let loaded = widgets[identifier] else { return .failed(.notLoaded(identifier)) }
        let origin = next ?? loaded.origin
        do throws(HostError) {
            let found = try await find(identifier, origin, loaded.start, before: loaded.release)
            guard found.content != loaded.content else {
                await loaded.widget.report(warning: nil)
                return .noData
            }
            // It may have been unloaded meanwhile.
            guard widgets[identifier]?.widget === loaded.widget else { return .failed(.notLoaded(identifier)) }
            try claim(loaded.records, for: origin, found)
            widgets[identifier] = Loaded(
                widget: loaded.widget, origin: origin, start: loaded.start, pictures: found.pictures,
                bundle: HostedWidgets.storeOrigin(origin, found), content: found.content, release: found.release,
                records: loaded.records, held: loaded.held)
            let place = cache?.place(of: identifier, found.program).place
            await loaded.widget.replace(found.program, content: found.content, cache: place)
            await follow(again: identifier)
            await noteRun(of: found.release, from: origin)
            return .newData(revision: await loaded.widget.snapshot().revision)
        } catch {
            await loaded.widget.refuse("\(error)")
            return .failed(error)
        }
    }

    /// A release from elsewhere gets the data of the one before it by the rules of a start, and no others. The bundle that a
    /// host was built with is its own.
    private func claim(_ records: RecordStore?, for origin: Origin, _ found: Found) throws(HostError) {
        if case .builtIn = origin { return }
        try rethrowing(as: HostError.widget) { () throws(WidgetError) in
            try records?.claim(for: HostedWidgets.storeOrigin(origin, found), adopting: adoption)
        }
    }

    /// Ends a widget; its store stays.
    package func unload(_ identifier: String) async {
        guard let loaded = widgets[identifier] else { return }
        await watch.remove(identifier)
        await loaded.widget.stop()
        if widgets[identifier]?.widget === loaded.widget { widgets[identifier] = nil }
    }

    // MARK: - Reading

    private func find(
        _ identifier: String, _ origin: Origin, _ start: Start, before: InstalledRelease?
    ) async throws(HostError) -> Found {
        switch origin {
        case .path(let path), .builtIn(let path, _): return try program(identifier, at: path, start, nil)
        case .release(let release, _): return try program(identifier, at: release.path, start, release)
        case .registry(let fetcher):
            let widget = try rethrowing(try WidgetIdentifier(identifier), as: HostError.registry)
            switch await fetcher.update(widget) {
            case .newData(let release, _), .noData(let release):
                return try await program(identifier, of: release, from: fetcher, start)
            case .failed(let error, let kept):
                // The first time, the release in the cache is better than nothing; later, that release runs already.
                guard let kept, before == nil, !isLoaded(identifier) else { throw .registry(error) }
                return try await program(identifier, of: kept, from: fetcher, start)
            }
        }
    }

    /// Notes that a release of a registry runs, for a host that reports outcomes.
    private func noteRun(of release: InstalledRelease?, from origin: Origin) async {
        guard case .registry(let fetcher) = origin, let release else { return }
        await fetcher.note(release, runs: true)
    }

    /// The program of a release, of which is noted if it cannot be loaded.
    private func program(
        _ identifier: String, of release: InstalledRelease, from fetcher: WidgetFetcher, _ start: Start
    ) async throws(HostError) -> Found {
        do throws(HostError) {
            return try program(identifier, at: release.path, start, release)
        } catch {
            if error.isFaultOfBundle { await fetcher.note(release, runs: false) }
            throw error
        }
    }

    private func isLoaded(_ identifier: String) -> Bool { widgets[identifier] != nil }

    private func program(
        _ identifier: String, at path: String, _ start: Start, _ release: InstalledRelease?
    ) throws(HostError) -> Found {
        let bundle = try rethrowing(as: HostError.widget) { () throws(WidgetError) in
            try BundleReading.bundle(
                at: path, identifier: identifier, entryPoint: start.entryPoint, locale: environment().locale,
                isInstalled: release != nil)
        }
        var program = bundle.program
        if let screen = start.screen {
            guard let started = program.beginning(with: screen) else {
                throw .noScreen(screen, program.entries.keys.sorted())
            }
            program = started
        }
        return Found(
            program: program, pictures: bundle.pictures, content: bundle.content, bundle: bundle.identifier,
            release: release)
    }

    private static func storeOrigin(_ origin: Origin, _ found: Found) -> StoreOrigin {
        switch origin {
        case .path(let path): StoreOrigin(path: path)
        case .registry(let fetcher):
            StoreOrigin(
                registry: found.release?.record.registry ?? "\(fetcher.registry)", bundle: found.bundle)
        case .release(_, let registry), .builtIn(_, let registry):
            StoreOrigin(registry: registry, bundle: found.bundle)
        }
    }

    /// A file for each widget, so that the instances of one bundle share nothing.
    package static func store(_ identifier: String, in folder: String) throws(HostError) -> RecordStore {
        _ = try rethrowing(try WidgetIdentifier(identifier), as: HostError.registry)
        _ = try rethrowing(try Directory(creating: folder), as: { HostError.widget(.file($0)) })
        return try rethrowing(try RecordStore(path: storePath(identifier, in: folder)), as: HostError.widget)
    }

    package static func storePath(_ identifier: String, in folder: String) -> String {
        "\(folder)/\(identifier).sqlite"
    }
}

/// The reason why a host could not load a widget, or bring it up to date.
package enum HostError: Error, Equatable, Sendable, CustomStringConvertible {
    case widget(WidgetError)
    case registry(FetchError)
    case loadedAlready(String)
    case notLoaded(String)
    /// - Parameter screens: those that the bundle has.
    case noScreen(String, [String])

    /// True if the bundle is at fault, and not what it was to be loaded with.
    package var isFaultOfBundle: Bool {
        if case .widget(let error) = self { error.isFaultOfBundle } else { false }
    }

    package var description: String {
        switch self {
        case .widget(let error): "\(error)"
        case .registry(let error): "\(error)"
        case .loadedAlready(let identifier):
            "a widget \(identifier) is loaded already; another one needs another identifier"
        case .notLoaded(let identifier): "no widget \(identifier) is loaded"
        case .noScreen(let name, let screens):
            "the bundle has no screen \(name); it has \(screens.joined(separator: ", "))"
        }
    }
}
