internal import Database
internal import Files
internal import Locks

/// What was published and what of it is shown where, in one data directory.
///
/// Everything blocks, and may be called from any thread. Reading never waits for a writer. What was written is on
/// the disk when its function returns.
package final class Registry: Sendable {
    package struct Options: Sendable {
        /// Channels whose releases get the content digest in their key, so that versions need not be raised.
        package var snapshotChannels: [String] = ["dev"]
        package var snapshotsKept = 20
        /// How long a withdrawn release can be restored.
        package var withdrawnSeconds: Int64 = 30 * 86_400
        /// The most channels of one bundle.
        package var channelLimit: @Sendable () -> Int = { 100 }
        /// What is told to whoever finds the data directory in use, "widgetd, process 17".
        package var holder = "another process"
        /// Connections for reading that are kept open; as many as threads that read.
        package var readers = 4
        /// Seconds since 1970.
        package var now: @Sendable () -> Int64

        package init(now: @escaping @Sendable () -> Int64) {
            self.now = now
        }
    }

    let options: Options
    let store: Store
    let readers: CatalogReaders
    let writer: CatalogWriter
    let feed: Feed
    let verified = VerifiedBlobs()
    package let figures = StoreFigures()
    /// Held while a release of a blob is published, withdrawn or restored, from its first file to the end of its
    /// transaction: files beside the blob and rows of the catalog change together.
    let publishing = StripedLock()
    let housekeeping = HousekeepingGate()
    /// When each token's use was noted last.
    let tokenUses: Guarded<[String: Int64]> = Guarded([:])

    /// Opens the data directory, which is made if need be. Nothing in it is walked, so this is quick however much
    /// there is.
    package init(opening path: String, options: Options) throws(RegistryError) {
        self.options = options
        store = try Store(path, holder: options.holder)
        let catalogPath = "\(path)/\(StoreNames.catalog)"
        let connection: Connection
        let version: Int64
        do throws(DatabaseError) {
            connection = try Connection(opening: catalogPath, for: .writing)
            version = try connection.schemaVersion()
            if version <= Schema.steps.count { try connection.migrate(Schema.steps) }
        } catch {
            throw RegistryError(error)
        }
        guard version <= Schema.steps.count else { throw .newerStore(version: version) }
        let latest = try Catalog(connection: connection).latestTag()
        if let shown = store.markedTag, shown > latest { throw .staleCatalog(latest: latest, shown: shown) }
        let feed = Feed(latestTag: latest)
        self.feed = feed
        readers = CatalogReaders(catalogPath, capacity: max(1, options.readers))
        writer = CatalogWriter(connection, figures: figures) { [store] changes in
            if let last = changes.last { store.setMark(last.tag) }
            feed.tell(changes)
        }
    }

    /// No release was ever stored, and no token ever made: this is the first start.
    package var isEmpty: Bool {
        get throws(RegistryError) {
            try readers.read { catalog throws(RegistryError) in try catalog.isUnused() }
        }
    }

    /// What the file system of the data directory has left for us.
    package var availableByteCount: Int {
        get throws(RegistryError) {
            try storing { () throws(FileError) in try store.root.availableByteCount() }
        }
    }

    /// The last change's tag, 0 before the first; from memory.
    package var latestTag: Int64 { feed.latestTag }

    /// Has `observer` called for each change, in their order, after it was committed and before its writer returns.
    ///
    /// It must be quick, and must not write to the registry.
    package func observe(_ observer: @escaping @Sendable (RegistryChange) -> Void) {
        feed.add(observer)
    }
}
