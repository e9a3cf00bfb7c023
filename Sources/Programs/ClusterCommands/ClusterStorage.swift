import CatalogSQL
import ClusterStore
import FoundationEssentials
import JSONText
import LocalStore
import ObjectStore
import ServerCommands
import WidgetBytes
import WidgetConfiguration
import WidgetFiles
import WidgetLogging
import WidgetPostgres
import WidgetRegistry
import WidgetSurroundings

/// Opens what replicas share.
struct ClusterStorage: Sendable {
    private let settings: ClusterSettings

    init(_ settings: ClusterSettings) {
        self.settings = settings
    }

    var choice: StorageChoice {
        let places = [settings.catalog.url, settings.blobs.url].map { $0 ?? "nowhere" }
        return StorageChoice(
            places.joined(separator: " and "), noted: noted, exists: { _ in true },
            open: { data, holder, options throws(RegistryError) in try open(data, holder, options) },
            replacement: { data, holder throws(RegistryError) in
                try requireNoDirectory(data)
                let parts = try openParts(replica: data, holder, StoreFigures(), in: .machine)
                try parts.catalog.requireAlone()
                let replacement = ClusterReplacement(
                    parts.catalog, try parts.opened(), replica: data, proof: parts.proof, place: place)
                try replacement.recoverRows()
                return replacement
            })
    }

    private func open(
        _ data: String, _ holder: String, _ options: Registry.Options
    ) throws(RegistryError) -> Registry {
        try requireNoDirectory(data)
        let figures = StoreFigures(clock: options.world.clock)
        let parts = try openParts(
            replica: data, holder, figures, in: options.world, remark: options.remark)
        let blobs = try proven(parts, in: options.world)
        var options = options
        // The dates of all replicas are by one clock, unless one was handed in.
        if options.world.clock is SystemClock { options.world.clock = parts.catalog.time }
        return try Registry(
            catalog: parts.catalog, blobs: blobs, copier: ClusterCopier(catalog: parts.catalog, blobs: blobs),
            figures: figures, options: options)
    }

    /// The archives, once they are known to be the catalog's.
    private func proven(_ parts: Parts, in world: World) throws(RegistryError) -> ProvenBlobs {
        do throws(RegistryError) {
            return try ProvenBlobs(parts.catalog, ready: parts.ready) { opened in
                StoreWatch(parts.marked, parts.catalog, in: world, opened: opened)
            } open: { () throws(RegistryError) in
                try parts.opened()
            }
        } catch {
            // A start that was refused is not a replica.
            parts.catalog.leave()
            switch error {
            case .storeRefused(let reason): throw .storeRefused("\(place): \(reason)")
            case .otherStore(let reason): throw .otherStore("\(place): \(reason)")
            default: throw error
            }
        }
    }

    /// The place of archives as an operator has named it.
    var place: String { "blobs.url is \(settings.blobs.url ?? "not set")" }

    /// The settings that replicas of one registry have in common, as a document.
    var noted: String {
        var writer = JSONWriter()
        writer.object { writer in
            for setting in ClusterSettings.table where ClusterStorage.isCommon(setting.path) {
                writer.member(setting.path, setting.shown(in: settings))
            }
        }
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    static func isCommon(_ path: String) -> Bool {
        ["access.read", "publicURL", "blobs.url"].contains(path)
            || ["policy.", "limits.", "retention.", "quota."].contains { path.hasPrefix($0) }
    }

    /// Its registry would look as if it were served, and be forgotten.
    private func requireNoDirectory(_ data: String) throws(RegistryError) {
        guard !StoreDirectory.exists(at: data) else {
            throw .invalidValue("--data", reason: "\(data) holds a registry of one process; choose another directory")
        }
    }

    // MARK: The parts

    struct Parts: Sendable {
        let catalog: PostgresCatalog
        /// The archives, where nothing is asked of their store to have them.
        let ready: (any BlobStore)?
        fileprivate let marked: any MarkedStore
        let proof: StoreProof
        fileprivate let open: @Sendable () throws(RegistryError) -> any BlobStore

        /// The archives, whether or not they are the catalog's.
        func opened() throws(RegistryError) -> any BlobStore {
            if let ready { return ready }
            return try open()
        }
    }

    /// The catalog and the archives. The place of archives is checked before the database is asked for anything.
    ///
    /// - Parameter replica: a directory that this process has for itself.
    func openParts(
        replica: String, _ holder: String, _ figures: StoreFigures, in world: World, isLook: Bool = false,
        remark: @escaping @Sendable (OpeningRemark) -> Void = { _ in }
    ) throws(RegistryError) -> Parts {
        let source = PostgresSource(try address(), in: world)
        let open = try blobs(replica: replica, holder, figures, in: world)
        var choices = PostgresCatalog.Options(name: holder)
        choices.readers = settings.catalog.connections
        choices.staleFor = settings.reads.staleFor
        choices.isLook = isLook
        choices.remark = remark
        let catalog = try PostgresCatalog(source, figures: figures, choices)
        let archives = try open(catalog)
        return Parts(
            catalog: catalog, ready: archives.ready, marked: archives.marked,
            proof: StoreProof(archives.marked, catalog, world.chance),
            open: archives.open)
    }

    func address() throws(RegistryError) -> PostgresAddress {
        guard let url = settings.catalog.url else {
            throw .invalidValue("--catalog", reason: "a database is needed: --catalog postgres://USER@HOST/NAME")
        }
        do throws(PostgresError) {
            return try PostgresAddress(
                url, password: settings.catalog.password?.exposedText, program: "widgetd-cluster")
        } catch {
            throw .invalidValue("--catalog", reason: error.message)
        }
    }

    private struct Archives {
        var marked: any MarkedStore
        var ready: (any BlobStore)?
        var open: @Sendable () throws(RegistryError) -> any BlobStore
    }

    private typealias OpenBlobs = (PostgresCatalog) throws(RegistryError) -> Archives

    /// A further place for archives is a further scheme here.
    private func blobs(
        replica: String, _ holder: String, _ figures: StoreFigures, in world: World
    ) throws(RegistryError) -> OpenBlobs {
        guard let url = settings.blobs.url, let end = url.firstRange(of: "://") else {
            throw .invalidValue(
                "--blobs", reason: "a place for archives is needed: --blobs file:///PATH or s3://BUCKET/PREFIX")
        }
        let rest = String(url[end.upperBound...])
        switch url[..<end.lowerBound] {
        case "file":
            guard rest.hasPrefix("/") else {
                throw .invalidValue("--blobs", reason: "file: takes an absolute path, as in file:///srv/widgetd")
            }
            let lock = try ReplicaLock(replica, holder: holder)
            return { _ in
                let folder = SharedFolder(rest, lock, figures: figures, in: world)
                return Archives(marked: folder, ready: nil, open: { () throws(RegistryError) in try folder.opened() })
            }
        case "s3":
            let client = try ObjectClient(
                at: url, credentials: settings.blobs.key?.exposedText,
                environment: ProcessInfo.processInfo.environment, in: world)
            try ClusterStorage.makeFolder(replica)
            var options = ObjectBlobs.Options(folder: "\(replica)/archives", in: world)
            options.copyByteLimit = settings.blobs.cacheByteLimit
            options.redirects = settings.blobs.redirects
            let chosen = options
            return { catalog throws(RegistryError) in
                do throws(RegistryError) {
                    var options = chosen
                    if options.world.clock is SystemClock { options.world.clock = catalog.time }
                    let blobs = try ObjectBlobs(client, catalog: catalog, figures: figures, options: options)
                    return Archives(marked: blobs, ready: blobs, open: { blobs })
                } catch .storage(let error) where error.isLocked {
                    throw .locked(by: "another replica")
                }
            }
        case let scheme:
            throw .invalidValue("--blobs", reason: "\(scheme): is not a known scheme; the schemes are: file, s3")
        }
    }

    private static func makeFolder(_ path: String) throws(RegistryError) {
        do throws(FileError) {
            _ = try Directory(creating: path, mode: 0o700, isDurable: true)
        } catch {
            throw RegistryError(error)
        }
    }
}

/// Backups hold the same file as those of a data directory.
struct ClusterCopier: CatalogCopier {
    let catalog: PostgresCatalog
    let blobs: any BlobStore

    func copy(leaving reserve: Int) throws(RegistryError) -> any CatalogCopy {
        guard try blobs.availableByteCount >= reserve else { throw .outOfSpace }
        return try catalog.read { reader throws(RegistryError) in
            guard let all = reader as? SQLCatalog else { throw .damaged("the catalog cannot be copied") }
            return try CatalogFile.copy(into: blobs.stage()) { copy throws(RegistryError) in try all.copy(to: copy) }
        }
    }
}
