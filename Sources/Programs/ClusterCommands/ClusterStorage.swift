import Bytes
import CatalogSQL
import ClusterStore
import Files
import FoundationEssentials
import LocalStore
import Logging
import ObjectStore
import Postgres
import Registry
import ServerCommands
import Surroundings

/// Opens what replicas share.
struct ClusterStorage: Sendable {
    private let settings: ClusterSettings

    init(_ settings: ClusterSettings) {
        self.settings = settings
    }

    var choice: StorageChoice {
        let places = [settings.catalog.url, settings.blobs.url].map { $0 ?? "nowhere" }
        return StorageChoice(
            places.joined(separator: " and "), exists: { _ in true },
            open: { data, holder, options throws(RegistryError) in try open(data, holder, options) },
            replacement: { data, holder throws(RegistryError) in
                try requireNoDirectory(data)
                let parts = try openParts(replica: data, holder, StoreFigures(), in: .machine)
                try parts.catalog.requireAlone()
                let replacement = ClusterReplacement(parts.catalog, parts.blobs, replica: data)
                try replacement.recoverRows()
                return replacement
            })
    }

    private func open(
        _ data: String, _ holder: String, _ options: Registry.Options
    ) throws(RegistryError) -> Registry {
        try requireNoDirectory(data)
        let figures = StoreFigures(clock: options.world.clock)
        let parts = try openParts(replica: data, holder, figures, in: options.world)
        return try Registry(
            catalog: parts.catalog, blobs: parts.blobs,
            copier: ClusterCopier(catalog: parts.catalog, blobs: parts.blobs), figures: figures, options: options)
    }

    /// Its registry would look as if it were served, and be forgotten.
    private func requireNoDirectory(_ data: String) throws(RegistryError) {
        guard !StoreDirectory.exists(at: data) else {
            throw .invalidValue("--data", reason: "\(data) holds a registry of one process; choose another directory")
        }
    }

    // MARK: The parts

    /// The catalog and the archives. The place of archives is checked before the database is asked for anything.
    ///
    /// - Parameter replica: a directory that this process has for itself.
    func openParts(
        replica: String, _ holder: String, _ figures: StoreFigures, in world: World
    ) throws(RegistryError) -> (catalog: PostgresCatalog, blobs: any BlobStore) {
        let source = PostgresSource(try address(), in: world)
        let open = try blobs(replica: replica, holder, figures, in: world)
        var choices = PostgresCatalog.Options(name: holder)
        choices.readers = settings.catalog.connections
        choices.staleFor = settings.reads.staleFor
        let catalog = try PostgresCatalog(source, figures: figures, choices)
        return (catalog, try open(catalog))
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

    private typealias OpenBlobs = (any ReleaseCatalog) throws(RegistryError) -> any BlobStore

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
            let directory = try StoreDirectory(sharing: rest, replica: replica, holder: holder, in: world)
            return { _ in DirectoryBlobs(directory, figures: figures) }
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
                    return try ObjectBlobs(client, catalog: catalog, figures: figures, options: chosen)
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
