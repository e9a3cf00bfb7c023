internal import Bytes
internal import CatalogSQL
internal import Database
internal import Files
package import Registry

/// The catalog of a data directory: SQLite, and the marks beside it.
package final class LocalCatalog: ReleaseCatalog, CatalogCopier {
    private let readers: CatalogReaders<DatabaseConnection>
    private let writer: CatalogWriter<DatabaseConnection>
    private let observer: Guarded<(@Sendable ([RegistryChange]) -> Void)?>
    private let directory: StoreDirectory
    private let index: DatabaseConnection.LogIndex

    /// - Parameter capacity: connections for reading that are kept open; as many as threads that read.
    package init(_ directory: StoreDirectory, readers capacity: Int, figures: StoreFigures) throws(RegistryError) {
        let path = directory.catalogPath
        let connection = try DatabaseConnection.migratingAnywhere(path)
        let latest = try SQLCatalog(connection).latestTag()
        if let shown = directory.markedTag, shown > latest { throw .staleCatalog(latest: latest, shown: shown) }
        let observer = Guarded<(@Sendable ([RegistryChange]) -> Void)?>(nil)
        self.directory = directory
        self.observer = observer
        let index = connection.index
        self.index = index
        readers = CatalogReaders(capacity: max(1, capacity)) { () throws(RegistryError) in
            try rethrowing(
                try DatabaseConnection(opening: path, for: .reading, index: index), as: DatabaseConnection.translated)
        }
        writer = CatalogWriter(connection, figures: figures) { changes in
            if let last = changes.last { directory.setMark(last.tag) }
            observer.withLock { $0 }?(changes)
        }
    }

    package func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value
    {
        try readers.read(body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try writer.write(body)
    }

    package func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    package func complaints() throws(RegistryError) -> [String] {
        try readers.lend { connection throws(RegistryError) in
            try connection.reading { () throws(RegistryError) in
                try rethrowing(try connection.complaints(), as: DatabaseConnection.translated)
            }
        }
    }

    package func lastRun(of task: HousekeepingTask) -> Int64? { directory.lastRun(of: task) }

    package func noteRun(of task: HousekeepingTask, at time: Int64) { try? directory.noteRun(of: task, at: time) }

    // MARK: Copies

    package func copy(leaving reserve: Int) throws(RegistryError) -> any CatalogCopy {
        let size = try directory.status(of: StoreNames.catalog)?.byteCount ?? 0
        let available = try rethrowing(try directory.root.availableByteCount(), as: RegistryError.init)
        guard available.subtractingReportingOverflow(size).partialValue >= reserve else { throw .outOfSpace }
        let staged = try rethrowing(try StagedFile(in: directory.staging), as: RegistryError.init)
        try rethrowing(as: DatabaseConnection.translated) { () throws(DatabaseError) in
            try DatabaseConnection(opening: directory.catalogPath, for: .reading, index: index).writeCopy(
                to: staged.path)
        }
        return try LocalCopy(staged)
    }

    private final class LocalCopy: CatalogCopy {
        let file: StoredFile
        private let connection: DatabaseConnection
        private let staged: StagedFile

        init(_ staged: consuming StagedFile) throws(RegistryError) {
            connection = try rethrowing(
                try DatabaseConnection(opening: staged.path, for: .reading), as: DatabaseConnection.translated)
            file = try rethrowing(try StoredFile(staged.file.duplicate()), as: RegistryError.init)
            self.staged = staged
        }

        var reader: any CatalogReader { SQLCatalog(connection) }
    }
}

extension DatabaseConnection {
    /// The connection that writes to a catalog, which is taken through the steps of the schema that it has not seen.
    convenience init(migrating path: String, index: LogIndex = .shared) throws(RegistryError) {
        let version: Int64
        do throws(DatabaseError) {
            try self.init(opening: path, for: .writing, index: index)
            version = try schemaVersion()
            if version <= Schema.steps.count { try migrate(Schema.steps) }
        } catch {
            throw DatabaseConnection.translated(error)
        }
        guard version <= Schema.steps.count else { throw .newerStore(version: version) }
    }

    /// The same, with the index of the log in memory where there is no room for it on the disk: what was stored can be read
    /// then, and what is to be written is refused for as long as there is no room.
    static func migratingAnywhere(_ path: String) throws(RegistryError) -> DatabaseConnection {
        do throws(RegistryError) {
            return try DatabaseConnection(migrating: path)
        } catch {
            switch error {
            // SQLite tells of a file that could not be made larger as of any other trouble with it.
            case .outOfSpace, .database: return try DatabaseConnection(migrating: path, index: .inMemory)
            default: throw error
            }
        }
    }
}
