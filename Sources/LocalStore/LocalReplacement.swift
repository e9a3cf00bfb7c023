internal import Bytes
internal import CatalogSQL
internal import Database
internal import Files
internal import Registry

/// A data directory whose catalog is being replaced.
struct LocalReplacement: CatalogReplacement {
    private let directory: StoreDirectory
    let blobs: any BlobStore

    init(_ directory: StoreDirectory) {
        self.directory = directory
        blobs = DirectoryBlobs(directory, figures: StoreFigures())
    }

    var former: (any CatalogReader)? {
        (try? DatabaseConnection(opening: directory.catalogPath, for: .reading)).map { SQLCatalog($0) }
    }

    var shownTag: Int64? { directory.markedTag }

    func makeCatalog() throws(RegistryError) -> any CatalogDraft {
        let staged = try blobs.stage()
        let connection = try DatabaseConnection(migrating: staged.path)
        return LocalDraft(staged, connection, directory)
    }

    func openCatalog(_ file: consuming StagedFile) throws(RegistryError) -> any CatalogDraft {
        let connection: DatabaseConnection
        do throws(RegistryError) {
            connection = try DatabaseConnection(migrating: file.path)
        } catch .damaged(let words) {
            throw .invalidBackup("its catalog cannot be opened: \(words)")
        } catch .database(let failure) {
            throw .invalidBackup("its catalog cannot be opened: \(failure)")
        }
        return LocalDraft(file, connection, directory)
    }
}

/// A catalog in the staging folder.
private final class LocalDraft: CatalogDraft {
    private let connection: DatabaseConnection
    private let staged: StagedFile
    private let directory: StoreDirectory

    init(_ staged: consuming StagedFile, _ connection: DatabaseConnection, _ directory: StoreDirectory) {
        self.staged = staged
        self.connection = connection
        self.directory = directory
    }

    var reader: any CatalogReader { SQLCatalog(connection) }

    func write<Value>(_ body: (any CatalogEditor) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        try connection.writing { () throws(RegistryError) in try body(SQLCatalog(connection)) }
    }

    func complaints() throws(RegistryError) -> [String] {
        try rethrowing(try connection.complaints(), as: DatabaseConnection.translated)
    }

    func install(at time: Int64, for command: String) throws(RegistryError) {
        let latest = try reader.latestTag()
        try rethrowing(try connection.gather(), as: DatabaseConnection.translated)
        try directory.replaceCatalog(with: staged, latestTag: latest, at: time, for: command)
    }
}
