internal import Bytes
internal import Files
package import RegistryClient
internal import RegistryContract
package import WidgetCore
package import WidgetRunning

/// The widgets of a host: any number of them, several of one bundle side by side, each isolated from the others.
package actor HostedWidgets {
    /// The origin of a widget's bundle.
    package enum Origin: Sendable {
        /// A folder or an archive.
        case path(String)
        /// The registry's current release for the widget's identifier.
        case registry(WidgetFetcher)
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

    private struct Loaded {
        var widget: RunningWidget
        var origin: Origin
        /// The digest of the running files.
        var content: String
        /// The cache keeps the release's folder while this refers to it.
        var release: InstalledRelease?
    }

    private struct Found {
        var program: Program
        var content: String
        var release: InstalledRelease?
    }

    private var widgets: [String: Loaded] = [:]
    private var loading: Set<String> = []
    /// The folder of the widgets' stores; without one, nothing is kept.
    private let folder: String?
    private let network: @Sendable (String) -> any WidgetNetwork
    private let environment: @Sendable () -> Environment

    /// - Parameters:
    ///   - network: the network for a widget of that identifier; none by default.
    ///   - environment: the moment, the language and the random seed that a widget begins with.
    package init(
        storesIn folder: String? = nil,
        network: @escaping @Sendable (String) -> any WidgetNetwork = { _ in DeniedNetwork() },
        environment: @escaping @Sendable () -> Environment
    ) {
        self.folder = folder
        self.network = network
        self.environment = environment
    }

    package var identifiers: [String] { widgets.keys.sorted() }

    package subscript(_ identifier: String) -> RunningWidget? { widgets[identifier]?.widget }

    /// Loads a widget and starts it.
    ///
    /// - Throws: the reason why it cannot run; ``HostError/loadedAlready(_:)`` if the identifier is in use.
    package func load(_ identifier: String, from origin: Origin) async throws(HostError) -> RunningWidget {
        guard widgets[identifier] == nil, loading.insert(identifier).inserted else { throw .loadedAlready(identifier) }
        defer { loading.remove(identifier) }
        let found = try await find(identifier, origin, before: nil)
        let records = try folder.map { (folder) throws(HostError) in try HostedWidgets.store(identifier, in: folder) }
        let kept = try rethrowing(as: HostError.widget) { () throws(WidgetError) in
            try records?.claim(for: HostedWidgets.storeOrigin(origin, found.release))
            return try records?.read(model: found.program.model)
        }
        let instance = WidgetInstance(
            found.program, store: kept?.store, environment: environment(), found: kept?.diagnostics ?? [])
        let widget = RunningWidget(instance, network: network(identifier), records: records)
        widgets[identifier] = Loaded(widget: widget, origin: origin, content: found.content, release: found.release)
        await widget.start()
        return widget
    }

    /// Continues with the current program of its origin, and keeps the state that has a place in it.
    package func update(_ identifier: String) async -> Update {
        guard let loaded = widgets[identifier] else { return .failed(.notLoaded(identifier)) }
        do throws(HostError) {
            let found = try await find(identifier, loaded.origin, before: loaded.release)
            guard found.content != loaded.content else {
                await loaded.widget.report(warning: nil)
                return .noData
            }
            // It may have been unloaded meanwhile.
            guard widgets[identifier]?.widget === loaded.widget else { return .failed(.notLoaded(identifier)) }
            widgets[identifier] = Loaded(
                widget: loaded.widget, origin: loaded.origin, content: found.content, release: found.release)
            await loaded.widget.replace(found.program)
            return .newData(revision: await loaded.widget.snapshot().revision)
        } catch {
            await loaded.widget.report(warning: "\(error)")
            return .failed(error)
        }
    }

    /// Ends a widget; its store stays.
    package func unload(_ identifier: String) async {
        guard let loaded = widgets.removeValue(forKey: identifier) else { return }
        await loaded.widget.stop()
    }

    // MARK: - Reading

    private func find(
        _ identifier: String, _ origin: Origin, before: InstalledRelease?
    ) async throws(HostError) -> Found {
        switch origin {
        case .path(let path): return try program(identifier, at: path, nil)
        case .registry(let fetcher):
            let widget = try rethrowing(try WidgetIdentifier(identifier), as: HostError.registry)
            switch await fetcher.update(widget) {
            case .newData(let release, _), .noData(let release):
                return try program(identifier, at: release.path, release)
            case .failed(let error, let kept):
                // The first time, the release in the cache is better than nothing; later, that release runs already.
                guard let kept, before == nil, !isLoaded(identifier) else { throw .registry(error) }
                return try program(identifier, at: kept.path, kept)
            }
        }
    }

    private func isLoaded(_ identifier: String) -> Bool { widgets[identifier] != nil }

    private func program(
        _ identifier: String, at path: String, _ release: InstalledRelease?
    ) throws(HostError) -> Found {
        try rethrowing(as: HostError.widget) { () throws(WidgetError) in
            let (program, content) = try BundleReading.program(
                at: path, identifier: identifier, locale: environment().locale)
            return Found(program: program, content: content, release: release)
        }
    }

    private static func storeOrigin(_ origin: Origin, _ release: InstalledRelease?) -> StoreOrigin {
        switch origin {
        case .path(let path): StoreOrigin(path: path)
        case .registry(let fetcher):
            StoreOrigin(registry: "\(fetcher.registry)", bundle: release?.record.bundleIdentifier ?? "")
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

    package var description: String {
        switch self {
        case .widget(let error): "\(error)"
        case .registry(let error): "\(error)"
        case .loadedAlready(let identifier):
            "a widget \(identifier) is loaded already; another one needs another identifier"
        case .notLoaded(let identifier): "no widget \(identifier) is loaded"
        }
    }
}
