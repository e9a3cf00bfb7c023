package import CatalogSQL
package import WidgetBundles
internal import WidgetBytes
internal import WidgetDatabase
package import WidgetFiles
package import WidgetRegistry
internal import WidgetSurroundings

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

    /// Makes the table of rows about objects, for archives that are elsewhere.
    package func makeObjectTables() throws(RegistryError) {
        try writer.write { editor, _ throws(RegistryError) in
            guard let catalog = editor as? SQLCatalog else { return }
            try catalog.makeObjectTables()
        }
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
        try LocalCatalog.leaveOutDesk(of: staged.path)
        return try LocalCopy(staged)
    }

    /// Removes what people have begun from a copy, and overwrites it there.
    private static func leaveOutDesk(of path: String) throws(RegistryError) {
        let connection = try DatabaseConnection(migrating: path)
        try rethrowing(try connection.script("PRAGMA secure_delete = ON"), as: DatabaseConnection.translated)
        try connection.writing { () throws(RegistryError) in try SQLCatalog(connection).removeDesk() }
        try rethrowing(try connection.gather(), as: DatabaseConnection.translated)
    }

    fileprivate final class LocalCopy: CatalogCopy {
        let file: StoredFile
        private let connection: DatabaseConnection
        private let staged: StagedFile

        fileprivate init(_ staged: consuming StagedFile) throws(RegistryError) {
            connection = try rethrowing(
                try DatabaseConnection(opening: staged.path, for: .reading), as: DatabaseConnection.translated)
            file = try rethrowing(try StoredFile(staged.file.duplicate()), as: RegistryError.init)
            self.staged = staged
        }

        var reader: any CatalogReader { SQLCatalog(connection) }
    }
}

/// A catalog in the form that backups hold, made of a catalog that is kept otherwise.
package enum CatalogFile {
    /// - Parameter fill: copies everything to the catalog it is given.
    package static func copy(
        into staged: consuming StagedFile, _ fill: (SQLCatalog) throws(RegistryError) -> Void
    ) throws(RegistryError) -> any CatalogCopy {
        let connection = try DatabaseConnection(migrating: staged.path)
        try connection.writing { () throws(RegistryError) in try fill(SQLCatalog(connection)) }
        try rethrowing(try connection.gather(), as: DatabaseConnection.translated)
        return try LocalCatalog.LocalCopy(staged)
    }
}

extension DatabaseConnection {
    /// The connection that writes to a catalog, which is taken through the steps of the schema that it has not seen.
    convenience init(migrating path: String, index: LogIndex = .shared) throws(RegistryError) {
        let version: Int64
        do throws(DatabaseError) {
            try self.init(opening: path, for: .writing, index: index)
            version = try schemaVersion()
            if version <= CatalogSchema.steps.count { try migrate(CatalogSchema.steps) }
        } catch {
            throw DatabaseConnection.translated(error)
        }
        guard version <= CatalogSchema.steps.count else { throw .newerStore(version: version) }
    }

    /// The same, with the index of the log in memory where the disk has no room for it. Reads work then, and writes are
    /// refused until there is room.
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

/// A change of a catalog's tables that its next opening makes, which takes the longer the more releases it has.
package struct CatalogUpgrade: Equatable, Sendable {
    package let from: Int64
    package let to: Int64
    package let byteCount: Int

    /// - Returns: `nil` for a catalog that stays as it is, that is not there, or that cannot be read: opening it says why.
    package init?(at path: String) {
        let file = "\(path)/\(StoreNames.catalog)"
        guard let bytes = try? Directory(opening: path).status(of: StoreNames.catalog).byteCount,
            let version = try? DatabaseConnection(opening: file, for: .reading).schemaVersion(), version > 0,
            version < CatalogSchema.steps.count
        else { return nil }
        (from, to, byteCount) = (version, Int64(CatalogSchema.steps.count), bytes)
    }
}

/// A data directory whose catalog is being replaced.
package struct LocalReplacement: CatalogReplacement {
    private let directory: StoreDirectory
    package let blobs: any BlobStore

    package init(_ path: String, holder: String) throws(RegistryError) {
        directory = try StoreDirectory(path, holder: holder, for: .repairing)
        blobs = DirectoryBlobs(directory, figures: StoreFigures())
    }

    package var former: (any CatalogReader)? {
        (try? DatabaseConnection(opening: directory.catalogPath, for: .reading)).map { SQLCatalog($0) }
    }

    package var shownTag: Int64? { directory.markedTag }

    package func makeCatalog() throws(RegistryError) -> any CatalogDraft {
        LocalDraft(try FileDraft(try blobs.stage()), directory)
    }

    package func openCatalog(_ file: consuming StagedFile) throws(RegistryError) -> any CatalogDraft {
        LocalDraft(try FileDraft(ofBackup: file), directory)
    }
}

/// A catalog in the making, in a staged file.
package final class FileDraft {
    private let connection: DatabaseConnection
    fileprivate let staged: StagedFile

    /// An empty one.
    package init(_ staged: consuming StagedFile) throws(RegistryError) {
        connection = try DatabaseConnection(migrating: staged.path)
        self.staged = staged
    }

    /// The catalog of a backup.
    package init(ofBackup staged: consuming StagedFile) throws(RegistryError) {
        do throws(RegistryError) {
            connection = try DatabaseConnection(migrating: staged.path)
        } catch .damaged(let words) {
            throw .invalidBackup("its catalog cannot be opened: \(words)")
        } catch .database(let failure) {
            throw .invalidBackup("its catalog cannot be opened: \(failure)")
        }
        self.staged = staged
    }

    package var catalog: SQLCatalog { SQLCatalog(connection) }

    package func write<Value>(
        _ body: (any CatalogEditor) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try connection.writing { () throws(RegistryError) in try body(catalog) }
    }

    package func complaints() throws(RegistryError) -> [String] {
        try rethrowing(try connection.complaints(), as: DatabaseConnection.translated)
    }

    /// Has all of it in the one file.
    fileprivate func gather() throws(RegistryError) {
        try rethrowing(try connection.gather(), as: DatabaseConnection.translated)
    }
}

/// A catalog in the staging folder of a data directory.
private final class LocalDraft: CatalogDraft {
    private let file: FileDraft
    private let directory: StoreDirectory

    init(_ file: FileDraft, _ directory: StoreDirectory) {
        self.file = file
        self.directory = directory
    }

    var reader: any CatalogReader { file.catalog }

    func write<Value>(_ body: (any CatalogEditor) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        try file.write(body)
    }

    func complaints() throws(RegistryError) -> [String] { try file.complaints() }

    func install(at time: Int64, for command: String) throws(RegistryError) {
        let latest = try reader.latestTag()
        try file.gather()
        try directory.replaceCatalog(with: file.staged, latestTag: latest, at: time, for: command)
    }
}

extension Registry {
    /// Opens the registry of a data directory, which is made if need be. Nothing in it is walked, so this is quick however
    /// much there is.
    ///
    /// - Parameters:
    ///   - holder: the description of this process in the error that others get while it runs: "widgetd, process 17".
    ///   - readers: connections for reading that are kept open; as many as threads that read.
    package convenience init(
        opening path: String, options: Options, holder: String = "another process", readers: Int = 4
    ) throws(RegistryError) {
        let figures = StoreFigures(clock: options.world.clock)
        let directory = try StoreDirectory(path, holder: holder)
        let catalog = try LocalCatalog(directory, readers: readers, figures: figures)
        try self.init(
            catalog: catalog, blobs: DirectoryBlobs(directory, figures: figures), copier: catalog, figures: figures,
            options: options)
    }

    /// Makes the catalog of a data directory anew: ``CatalogReplacement/rebuild(_:policy:progress:)``.
    package static func rebuild(
        _ path: String, options: Options, holder: String = "another process", policy: BundlePolicy,
        progress: HousekeepingProgress
    ) throws(RegistryError) -> RebuildReport {
        try LocalReplacement(path, holder: holder).rebuild(options, policy: policy, progress: progress)
    }

    /// Restores a data directory from a backup: ``CatalogReplacement/restore(from:_:progress:)``.
    package static func restore(
        _ path: String, from backup: consuming FileDescriptor, options: Options, holder: String = "another process",
        progress: HousekeepingProgress
    ) throws(RegistryError) -> RestoreReport {
        let store = try LocalReplacement(path, holder: holder)
        let file: StoredFile
        do { file = try StoredFile(backup) } catch { throw RegistryError(error) }
        return try store.restore(from: file, options, progress: progress)
    }
}
