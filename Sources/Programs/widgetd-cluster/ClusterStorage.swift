import CatalogSQL
import ClusterStore
import LocalStore
import Logging
import Postgres
import Registry
import ServerCommands

/// Opens what replicas share.
struct ClusterStorage: Sendable {
    private let settings: ClusterSettings

    init(_ settings: ClusterSettings) {
        self.settings = settings
    }

    var choice: StorageChoice {
        let places = [settings.catalog.url, settings.blobs].map { $0 ?? "nowhere" }
        return StorageChoice(places.joined(separator: " and "), exists: { _ in true }) {
            [self] data, holder, options throws(RegistryError) in
            try open(data, holder, options)
        }
    }

    private func open(
        _ data: String, _ holder: String, _ options: Registry.Options
    ) throws(RegistryError) -> Registry {
        // Its registry would look as if it were served, and be forgotten.
        guard !StoreDirectory.exists(at: data) else {
            throw .invalidValue("--data", reason: "\(data) holds a registry of one process; choose another directory")
        }
        let figures = StoreFigures()
        let blobs = try openBlobs(replica: data, holder, figures)
        let catalog = try openCatalog(holder, figures)
        return try Registry(
            catalog: catalog, blobs: blobs, copier: Copier(catalog: catalog, blobs: blobs), figures: figures,
            options: options)
    }

    func openCatalog(_ holder: String, _ figures: StoreFigures) throws(RegistryError) -> PostgresCatalog {
        var choices = PostgresCatalog.Options(name: holder)
        choices.readers = settings.catalog.connections
        choices.staleFor = settings.reads.staleFor
        return try PostgresCatalog(PostgresSource(address()), figures: figures, choices)
    }

    /// Backups hold the same file as those of a data directory.
    private struct Copier: CatalogCopier {
        let catalog: PostgresCatalog
        let blobs: any BlobStore

        func copy(leaving reserve: Int) throws(RegistryError) -> any CatalogCopy {
            guard try blobs.availableByteCount >= reserve else { throw .outOfSpace }
            return try catalog.read { reader throws(RegistryError) in
                guard let all = reader as? SQLCatalog else { throw .damaged("the catalog cannot be copied") }
                return try CatalogFile.copy(into: blobs.stage()) { copy throws(RegistryError) in try all.copy(to: copy)
                }
            }
        }
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

    /// A further place for archives is a further scheme here.
    func openBlobs(
        replica: String, _ holder: String, _ figures: StoreFigures
    ) throws(RegistryError) -> any BlobStore {
        guard let url = settings.blobs, let end = url.firstRange(of: "://") else {
            throw .invalidValue("--blobs", reason: "a place for archives is needed: --blobs file:///PATH")
        }
        let rest = String(url[end.upperBound...])
        switch url[..<end.lowerBound] {
        case "file":
            guard rest.hasPrefix("/") else {
                throw .invalidValue("--blobs", reason: "file: takes an absolute path, as in file:///srv/widgetd")
            }
            return DirectoryBlobs(
                try StoreDirectory(sharing: rest, replica: replica, holder: holder), figures: figures)
        case let scheme:
            throw .invalidValue("--blobs", reason: "\(scheme): is not a known scheme; the schemes are: file")
        }
    }
}
