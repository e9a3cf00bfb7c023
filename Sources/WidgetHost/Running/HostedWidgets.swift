internal import Files
package import RegistryClient
internal import RegistryContract
package import WidgetCore

/// The widgets of a host: any number of them, several of one bundle side by side, none knowing of the others.
package actor HostedWidgets {
    /// Where a widget's bundle comes from.
    package enum Origin: Sendable {
        /// A folder or an archive.
        case path(String)
        /// Whatever a registry offers under the widget's identifier.
        case registry(WidgetFetcher)
    }

    /// How bringing a widget up to date ended. In each case it runs on.
    package enum Update: Equatable, Sendable {
        /// Another release than before runs now.
        case newData(revision: Int)
        /// What ran is what there is.
        case noData
        /// What ran still runs.
        case failed(HostError)
    }

    private struct Loaded {
        var widget: RunningWidget
        var origin: Origin
        /// What runs, by the digest of its files.
        var content: String
        /// As long as it is held, its folder stays.
        var release: InstalledRelease?
    }

    private struct Found {
        var program: Program
        var content: String
        var release: InstalledRelease?
    }

    private var widgets: [String: Loaded] = [:]
    private var loading: Set<String> = []
    /// Where the widgets' stores are; without one, nothing is kept.
    private let folder: String?
    private let network: @Sendable (String) -> any WidgetNetwork
    private let environment: @Sendable () -> Environment

    /// - Parameters:
    ///   - network: what a widget of that identifier may use; nothing, unless somebody grants it something.
    ///   - environment: the moment, the language and the chance that a widget begins with.
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
    /// - Throws: for whatever keeps it from running; for an identifier that is taken.
    package func load(_ identifier: String, from origin: Origin) async throws(HostError) -> RunningWidget {
        guard widgets[identifier] == nil, loading.insert(identifier).inserted else { throw .loadedAlready(identifier) }
        defer { loading.remove(identifier) }
        let found = try await find(identifier, origin, before: nil)
        let keeper = try folder.map { (folder) throws(HostError) in try HostedWidgets.store(identifier, in: folder) }
        try keeper?.claim(for: HostedWidgets.storeOrigin(origin, found.release))
        let kept = try keeper.map { (keeper) throws(HostError) in try keeper.read(model: found.program.model) }
        let instance = WidgetInstance(
            found.program, store: kept?.store, environment: environment(), found: kept?.diagnostics ?? [])
        let widget = RunningWidget(instance, network: network(identifier), keeper: keeper)
        widgets[identifier] = Loaded(widget: widget, origin: origin, content: found.content, release: found.release)
        await widget.start()
        return widget
    }

    /// Takes over what its origin has now, and keeps what still has a place in it.
    package func update(_ identifier: String) async -> Update {
        guard let loaded = widgets[identifier] else { return .failed(.notLoaded(identifier)) }
        do throws(HostError) {
            let found = try await find(identifier, loaded.origin, before: loaded.release)
            guard found.content != loaded.content else {
                await loaded.widget.report(trouble: nil)
                return .noData
            }
            // Somebody may have unloaded it meanwhile.
            guard widgets[identifier]?.widget === loaded.widget else { return .failed(.notLoaded(identifier)) }
            widgets[identifier] = Loaded(
                widget: loaded.widget, origin: loaded.origin, content: found.content, release: found.release)
            await loaded.widget.replace(found.program)
            return .newData(revision: await loaded.widget.look().revision)
        } catch {
            await loaded.widget.report(trouble: "\(error)")
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
            let widget: WidgetIdentifier
            do throws(FetchError) {
                widget = try WidgetIdentifier(identifier)
            } catch {
                throw .registry(error)
            }
            switch await fetcher.update(widget) {
            case .newData(let release, _), .noData(let release):
                return try program(identifier, at: release.path, release)
            case .failed(let error, let kept):
                // The first time, what is in the cache is better than nothing; later, what runs is just that.
                guard let kept, before == nil, !isLoaded(identifier) else { throw .registry(error) }
                return try program(identifier, at: kept.path, kept)
            }
        }
    }

    private func isLoaded(_ identifier: String) -> Bool { widgets[identifier] != nil }

    private func program(
        _ identifier: String, at path: String, _ release: InstalledRelease?
    ) throws(HostError) -> Found {
        let (program, content) = try BundleReading.program(
            at: path, identifier: identifier, locale: environment().locale)
        return Found(program: program, content: content, release: release)
    }

    private static func storeOrigin(_ origin: Origin, _ release: InstalledRelease?) -> StoreOrigin {
        switch origin {
        case .path(let path): StoreOrigin(path: path)
        case .registry(let fetcher):
            StoreOrigin(fetcher.registry, bundle: release?.record.bundleIdentifier ?? "")
        }
    }

    /// A file for each widget, so that the instances of one bundle share nothing.
    package static func store(_ identifier: String, in folder: String) throws(HostError) -> RecordStore {
        do throws(FetchError) {
            _ = try WidgetIdentifier(identifier)
        } catch {
            throw .registry(error)
        }
        do throws(FileError) {
            _ = try Directory(creating: folder)
        } catch {
            throw .file(error)
        }
        return try RecordStore(path: storePath(identifier, in: folder))
    }

    package static func storePath(_ identifier: String, in folder: String) -> String {
        "\(folder)/\(identifier).sqlite"
    }
}
