import ClusterStore
import LocalStore
import MemoryStore
import ObjectPeer
import PostgresPeer
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetPostgres
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import ObjectStore

/// The storages that the contract is tested with. A further implementation is a further case.
enum StorageKind: String, CaseIterable, Sendable {
    case memory, local, postgres
    /// A store of objects in memory, with rows in memory, and in SQLite.
    case objects, rowsOfSQL
    /// OpenStack Swift.
    case peer
    /// A store of objects in memory, with rows in PostgreSQL.
    case cluster

    /// The engines are the cases of `make check PART=cluster`. Suites with this list are marked for that part as well.
    static let allCases: [StorageKind] =
        Part.cluster.isRunning ? [.postgres, .cluster, .peer] : [.memory, .local, .objects, .rowsOfSQL]
}

/// An empty storage, with a clock that moves only when a test moves it.
final class Storage: @unchecked Sendable {
    // Safe to share: `another` is set before the initializer returns.
    var catalog: any ReleaseCatalog { parts.withLock { $0.catalog } }
    var blobs: any BlobStore { parts.withLock { $0.blobs } }
    /// Changes the bytes of an archive, as a bad disk does.
    let damage: @Sendable (Digest) throws -> Void

    /// The same store, as another process has it; `nil` for those that one process has alone.
    private(set) var another: (@Sendable () throws -> any BlobStore)?

    private struct Parts {
        var catalog: any ReleaseCatalog
        var blobs: any BlobStore
    }

    private let parts: Guarded<Parts>
    private let reopening: @Sendable () throws -> (any ReleaseCatalog, any BlobStore)
    let fixture: Fixture

    init(_ kind: StorageKind) throws {
        let fixture = try Fixture()
        self.fixture = fixture
        switch kind {
        case .memory:
            let clock = fixture.clock
            let catalog = MemoryCatalog()
            let blobs = try MemoryBlobs(clock: clock)
            parts = Guarded(Parts(catalog: catalog, blobs: blobs))
            reopening = { (catalog, blobs) }
            damage = { blobs.damage($0) }
        case .postgres:
            let peer = try PostgresPeer.shared.get()
            let database = try peer.makeDatabase()
            let clock = fixture.clock
            // The blobs are of no interest here, and are kept over a restart.
            let blobs = try MemoryBlobs(clock: clock)
            let open: @Sendable () throws -> (any ReleaseCatalog, any BlobStore) = {
                let source = PostgresSource(try peer.address(database))
                return (
                    try PostgresCatalog(source, figures: StoreFigures(), PostgresCatalog.Options(name: "the test")),
                    blobs
                )
            }
            parts = Guarded(Parts(catalog: try open().0, blobs: blobs))
            reopening = open
            damage = { blobs.damage($0) }
        case .local:
            let open: @Sendable () throws -> (any ReleaseCatalog, any BlobStore) = {
                let directory = try StoreDirectory(fixture.path, holder: "the test")
                let figures = StoreFigures()
                return (
                    try LocalCatalog(directory, readers: 4, figures: figures),
                    DirectoryBlobs(directory, figures: figures)
                )
            }
            let (catalog, blobs) = try open()
            parts = Guarded(Parts(catalog: catalog, blobs: blobs))
            reopening = open
            damage = { digest in
                let file = try FileDescriptor.creating(fixture.blob(digest))
                try file.write([0], at: file.status().byteCount)
            }
        case .objects, .peer, .rowsOfSQL, .cluster:
            let address =
                kind == .cluster ? try PostgresPeer.shared.get().address(PostgresPeer.shared.get().makeDatabase()) : nil
            let client: ObjectClient
            if kind == .peer {
                let peer = try ObjectPeer.shared.get()
                client = ObjectClient(try peer.place(), peer.credentials)
            } else {
                client = ObjectClient(
                    try ObjectPlace("s3://widgets/p?endpoint=http://store.test"),
                    ObjectCredentials(accessKey: "key", secret: "secret"), transport: ObjectDouble(),
                    in: .skipping())
            }
            let memory = MemoryCatalog()
            let clock = fixture.clock
            let open: @Sendable () throws -> (any ReleaseCatalog, ObjectBlobs) = {
                var catalog: any ReleaseCatalog = memory
                if kind == .rowsOfSQL {
                    let directory = try StoreDirectory(fixture.path, holder: "the test")
                    let local = try LocalCatalog(directory, readers: 4, figures: StoreFigures())
                    try local.makeObjectTables()
                    catalog = local
                }
                if let address {
                    catalog = try PostgresCatalog(
                        PostgresSource(address), figures: StoreFigures(), PostgresCatalog.Options(name: "the test"))
                }
                let options = ObjectBlobs.Options(folder: "\(fixture.path)/copies", in: World(clock: clock))
                return (catalog, try ObjectBlobs(client, catalog: catalog, options: options))
            }
            let (catalog, blobs) = try open()
            parts = Guarded(Parts(catalog: catalog, blobs: blobs))
            reopening = { try open() }
            // It must not hold the catalog, whose lock has to be free when it is opened again.
            another = { [parts] in
                let catalog = parts.withLock { $0.catalog }
                let options = ObjectBlobs.Options(
                    folder: "\(fixture.path)/copies-\(UInt64.random(in: 0 ... .max))", in: World(clock: clock))
                return try ObjectBlobs(client, catalog: catalog, options: options)
            }
            // In the store, and in the copy on this machine.
            damage = { [weak blobs] digest in
                guard let blobs, let record = try blobs.present(.blob(digest)) else { return }
                let bytes = [UInt8](repeating: 7, count: record.byteCount)
                try client.put(.bytes(bytes), digest: Digest.sha256(bytes) ?? digest, as: blobs.key(record))
                try? FileDescriptor.creating("\(fixture.path)/copies/copies/\(digest.hex)").write([9], at: 0)
            }
        }
    }

    /// Gives everything up.
    func close() throws {
        let nothing = Parts(catalog: MemoryCatalog(), blobs: try MemoryBlobs(clock: ManualClock(date: .seconds(0))))
        parts.withLock { $0 = nothing }
    }

    /// Gives everything up and opens it again, as a restart does.
    func reopen() throws {
        // The lock must be free before it is taken again.
        try close()
        let (catalog, blobs) = try reopening()
        parts.withLock { $0 = Parts(catalog: catalog, blobs: blobs) }
    }

    /// Marks the end of a test that uses only parts of it: the folder is there until then.
    func end() {}

    func registry(_ change: (inout Registry.Options) -> Void = { _ in }) throws -> Registry {
        let clock = fixture.clock
        var options = Registry.Options(in: World(clock: clock))
        change(&options)
        return try Registry(catalog: catalog, blobs: blobs, options: options)
    }

    // MARK: Samples

    /// Places bytes as an archive.
    func place(_ bytes: [UInt8], with note: StoredNote? = nil) throws -> Digest {
        guard let digest = Digest.sha256(bytes) else { throw RegistryError.outOfMemory }
        let staged = try blobs.stage()
        try staged.file.write(bytes, at: 0)
        try blobs.place(staged, as: digest, with: note)
        return digest
    }

    func item(_ item: StoredItem) throws -> ListedItem? {
        try blobs.items(beginning: item.digest.bytes[0]).first { $0.item == item }
    }
}

/// A record of a promotion.
func auditSample(_ key: String, of identifier: String = sample, at time: Int64) -> AuditRecord {
    var record = AuditRecord(.promote, by: "tester", at: time, about: identifier)
    record.release = key
    return record
}

extension CatalogEditor {
    /// A release with documents, of a bundle that is made if need be.
    func add(
        _ version: String, of identifier: String = sample, isSnapshot: Bool = false, digest: Digest? = nil
    ) throws(RegistryError) -> ReleaseRecord {
        guard let content = Digest.sha256(Array("\(identifier) \(version)".utf8)) else { throw .outOfMemory }
        let number: Int64
        if let known = try bundle(identifier) {
            number = known.id
        } else {
            number = try insertBundle(identifier, name: "Sample")
        }
        var release = Release(
            bundleIdentifier: identifier, key: "\(version)~1", shortVersion: version, build: "1", name: "Sample",
            digest: digest ?? content, contentDigest: content, byteCount: 100, published: 1_000, publishedBy: "tester",
            minimumOSVersion: "12.0", isSnapshot: isSnapshot)
        release.remarks.note = "about \(version)"
        let id = try insert(
            ReleaseRecord(release, ofBundle: number),
            ReleaseDocuments(files: Array("files \(version)".utf8), report: Array("report \(version)".utf8)))
        try updateLatest(ofBundle: number)
        return try self.release(id)
    }

    /// A step of a channel that shows one release to all hosts.
    func step(
        _ release: ReleaseRecord, on channel: String = "stable", sequence: Int64 = 1
    ) -> ChannelStep {
        ChannelStep(
            bundle: release.bundle, channel: channel, sequence: sequence, at: 1_000, kind: .publish,
            state: ChannelState(release: release.id, base: nil, rollout: 10_000, isMandatory: false, salt: "abcd"))
    }

    func tell(_ words: String) throws(RegistryError) -> RegistryChange {
        try append(
            RegistryChange(tag: 0, at: 1_000, kind: .publish, bundleIdentifier: words, release: "1~1", by: "tester"))
    }
}

extension ReleaseCatalog {
    /// Asks in one transaction; the body may throw anything.
    func ask<Value>(_ body: (any CatalogReader) throws -> Value) throws -> Value {
        try read { reader throws(RegistryError) in Result { try body(reader) } }.get()
    }
}

/// A catalog in which someone else writes just before a write.
final class InterruptedCatalog: ReleaseCatalog {
    typealias Interruption = @Sendable (any CatalogEditor) throws(RegistryError) -> Void

    private let catalog: any ReleaseCatalog
    private struct Interrupting {
        /// The writes that come first.
        var ahead: Int
        var body: Interruption
        var then: @Sendable () throws(RegistryError) -> Void
    }

    private let next: Guarded<Interrupting?> = Guarded(nil)
    private let count = Guarded(0)

    init(_ catalog: any ReleaseCatalog) { self.catalog = catalog }

    /// Writes that were asked for, and those that came between.
    var writes: Int { count.withLock { $0 } }

    /// Has a write come after this one, and after what follows on its commit: the next, or one after some others.
    func interrupt(
        after ahead: Int = 0, _ body: @escaping Interruption = { _ in },
        then: @escaping @Sendable () throws(RegistryError) -> Void = {}
    ) {
        next.withLock { $0 = Interrupting(ahead: ahead, body: body, then: then) }
    }

    /// True if an interruption has not come yet.
    var isWaiting: Bool { next.withLock { $0 != nil } }

    func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        try catalog.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let interruption = next.withLock { next -> Interrupting? in
            guard let present = next else { return nil }
            next =
                present.ahead > 0 ? Interrupting(ahead: present.ahead - 1, body: present.body, then: present.then) : nil
            return present.ahead > 0 ? nil : present
        }
        if let interruption {
            count.withLock { $0 += 1 }
            try catalog.write { editor, _ throws(RegistryError) in try interruption.body(editor) }
            try interruption.then()
        }
        count.withLock { $0 += 1 }
        return try catalog.write(body)
    }

    func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) { catalog.follow(observer) }

    func complaints() throws(RegistryError) -> [String] { try catalog.complaints() }

    func lastRun(of task: HousekeepingTask) -> Int64? { catalog.lastRun(of: task) }

    func noteRun(of task: HousekeepingTask, at time: Int64) { catalog.noteRun(of: task, at: time) }
}
