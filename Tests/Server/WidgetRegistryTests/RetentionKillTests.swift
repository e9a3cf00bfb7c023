import LocalStore
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

private let day: Int64 = 86_400

/// Goal: a process that ends at any step of a collection leaves a store in which all that is kept can be read, every key is
/// used, and from which the next collection comes to the same end. Method: the n-th change of the catalog or of the store of
/// archives is the last that the process makes, with and without its effect; n covers all there are in `make check`.
@Suite(.also(.cluster)) struct `A collection that is cut short` {
    @Test(arguments: StorageKind.allCases)
    func `A collection that ends at any step loses nothing, and the next one finishes it`(_ kind: StorageKind) throws {
        let whole = try CutStore(kind, at: .max, hasEffect: true)
        #expect(try whole.collect() == nil)
        let (steps, wanted) = (whole.cut.count, try whole.state())
        #expect(steps > 10 && wanted.alive == ["1.5~1", "1.4~1"], "\(steps) steps, \(wanted)")
        let stride = Part.faults.isRunning || Part.cluster.isRunning ? 1 : 5
        for step in Swift.stride(from: 1, through: steps, by: stride) {
            for hasEffect in [false, true] {
                let store = try CutStore(kind, at: step, hasEffect: hasEffect)
                let place = "\(kind), step \(step) of \(steps), \(hasEffect ? "after" : "before") its effect"
                #expect(try store.collect() != nil, "\(place)")
                let faults = try store.faultsAfterRestart()
                try #require(faults.isEmpty, "\(place): \(faults)")
                #expect(try store.collect() == nil, "\(place)")
                #expect(try store.state() == wanted, "\(place)")
            }
        }
    }

    @Test func `A catalog that is made anew after a cut knows every key, and all that is kept`() throws {
        let whole = try CutStore(.local, at: .max, hasEffect: true)
        #expect(try whole.collect() == nil)
        let stride = Part.faults.isRunning ? 1 : 7
        for step in Swift.stride(from: 1, through: whole.cut.count, by: stride) {
            let store = try CutStore(.local, at: step, hasEffect: step % 2 == 0)
            #expect(try store.collect() != nil)
            let faults = try store.faultsAfterRebuilding()
            try #require(faults.isEmpty, "step \(step): \(faults)")
        }
    }
}

/// A store with releases that are to expire, and a process that ends at one of its changes.
private final class CutStore {
    struct State: Equatable {
        var alive: [String]
        var expired: [String]
        var items: [String]
        var usage: StoredUsage
    }

    let cut: Cut
    private let storage: Storage
    /// `nil` once its process has ended.
    private var registry: Registry?
    private let policy = RetentionPolicy([RetentionRule(.all, last: 1)], rollbacks: 1)

    init(_ kind: StorageKind, at step: Int, hasEffect: Bool) throws {
        storage = try Storage(kind)
        cut = Cut(at: step, hasEffect: hasEffect)
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let registry = try storage.registry()
        for number in 0..<6 {
            try registry.publish("1.\(number)", content: "[\(number)]")
            storage.fixture.pass(seconds: 2 * day)
        }
        // Of one archive with a release that expires.
        try registry.publish("1.1", to: "dev", content: "[1]")
        storage.fixture.pass(seconds: 2 * day)
        try open(CutCatalog(storage.catalog, cut), CutBlobs(storage.blobs, cut))
        cut.begin()
    }

    private func open(_ catalog: any ReleaseCatalog, _ blobs: any BlobStore) throws {
        var options = Registry.Options(in: World(clock: storage.fixture.clock))
        options.retention = { [policy] in policy }
        registry = try Registry(catalog: catalog, blobs: blobs, options: options)
    }

    private func running() throws -> Registry { try #require(registry) }

    /// - Returns: the error of a collection that was cut short.
    func collect() throws -> RegistryError? {
        let registry = try running()
        return try refusal { try registry.collect(grace: 1, isDryRun: false, isConfirmed: true) { _, _ in } }
    }

    /// Starts again, and reads all that is kept.
    func faultsAfterRestart() throws -> [String] {
        registry = nil
        try storage.reopen()
        try open(storage.catalog, storage.blobs)
        return try faults()
    }

    /// Makes the catalog anew from what lies in the store, and reads all that is kept.
    func faultsAfterRebuilding() throws -> [String] {
        registry = nil
        try storage.close()
        let options = Registry.Options(in: World(clock: storage.fixture.clock))
        let report = try Registry.rebuild(storage.fixture.path, options: options, policy: .init()) { _, _ in }
        try storage.reopen()
        try open(storage.catalog, storage.blobs)
        return try faults() + (report.lost.isEmpty && report.damaged.isEmpty ? [] : ["\(report)"])
    }

    private func faults() throws -> [String] {
        let registry = try running()
        var faults: [String] = []
        let releases = try registry.releases(sample, limit: 100, after: nil).items
        if releases.count != 7 { faults.append("\(releases.map(\.key)) are known") }
        for release in releases where release.expiry == nil {
            do {
                _ = try registry.files(sample, release.key)
                _ = try registry.report(sample, release.key)
                _ = try registry.openBlob(release.digest)
            } catch {
                faults.append("\(release.key) cannot be read: \(error)")
            }
        }
        for release in releases where release.expiry != nil {
            if try storage.item(.expiry(release.digest, key: release.key)) == nil {
                faults.append("no note says that \(release.key) has expired")
            }
        }
        if try registry.shown() != ["1.5~1 0-10000"] { faults.append("something else is shown") }
        let scrub = try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in })
        if !scrub.isSound { faults.append("\(scrub)") }
        return faults
    }

    func state() throws -> State {
        let registry = try running()
        let releases = try registry.releases(sample, limit: 100, after: nil).items
        var items: [String] = []
        for byte in UInt8.min...UInt8.max { items += try storage.blobs.items(beginning: byte).map(\.item.name) }
        return State(
            alive: releases.filter { !$0.isGone && !$0.isSnapshot }.map(\.key),
            expired: releases.filter { $0.expiry != nil }.map(\.key), items: items.sorted(),
            usage: try registry.usage(of: .all).stored)
    }
}

/// The step at which a process ends.
private final class Cut: Sendable {
    private struct State {
        var count = 0
        var hasBegun = false
        var isOver = false
    }

    private let state = Guarded(State())
    private let last: Int
    private let hasEffect: Bool

    init(at last: Int, hasEffect: Bool) {
        self.last = last
        self.hasEffect = hasEffect
    }

    /// Steps count from now on.
    func begin() { state.withLock { $0.hasBegun = true } }

    var count: Int { state.withLock { $0.count } }
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The error of a process that has ended; what it says of its writing is not known.
    static let error = RegistryError.database(CatalogFailure("the process has ended"))

    func step<Value>(_ body: () throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        let isLast = try state.withLock { state throws(RegistryError) in
            guard state.hasBegun else { return false }
            if state.isOver { throw Cut.error }
            state.count += 1
            if state.count == last { state.isOver = true }
            return state.isOver
        }
        guard isLast else { return try body() }
        if hasEffect { _ = try body() }
        throw Cut.error
    }
}

private final class CutCatalog: ReleaseCatalog {
    private let catalog: any ReleaseCatalog
    private let cut: Cut

    init(_ catalog: any ReleaseCatalog, _ cut: Cut) {
        self.catalog = catalog
        self.cut = cut
    }

    func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        if cut.isOver { throw Cut.error }
        return try catalog.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try cut.step { () throws(RegistryError) in try catalog.write(body) }
    }

    func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) { catalog.follow(observer) }
    func complaints() throws(RegistryError) -> [String] { try catalog.complaints() }
    func lastRun(of task: HousekeepingTask) -> Int64? { catalog.lastRun(of: task) }
    func noteRun(of task: HousekeepingTask, at time: Int64) { catalog.noteRun(of: task, at: time) }
}

private final class CutBlobs: BlobStore {
    private let blobs: any BlobStore
    private let cut: Cut

    init(_ blobs: any BlobStore, _ cut: Cut) {
        self.blobs = blobs
        self.cut = cut
    }

    func stage() throws(RegistryError) -> StagedFile { try blobs.stage() }

    func place(
        _ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?
    ) throws(RegistryError) { try blobs.place(archive, as: digest, with: note) }

    func open(_ digest: Digest) throws(RegistryError) -> StoredFile? { try blobs.open(digest) }
    func holds(_ digest: Digest) throws(RegistryError) -> Bool { try blobs.holds(digest) }
    func check(_ digest: Digest) throws(RegistryError) -> BlobCondition { try blobs.check(digest) }
    func quarantine(_ digest: Digest, _ file: StoredFile?) { blobs.quarantine(digest, file) }
    func distrust(_ digest: Digest) { blobs.distrust(digest) }
    func put(_ note: StoredNote) throws(RegistryError) {
        try cut.step { () throws(RegistryError) in try blobs.put(note) }
    }
    func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError) { try blobs.put(file, as: item) }
    func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]? { try blobs.note(item) }
    func remove(_ item: StoredItem) throws(RegistryError) {
        try cut.step { () throws(RegistryError) in try blobs.remove(item) }
    }
    func takeBack(_ items: [StoredItem]) { if !cut.isOver { blobs.takeBack(items) } }
    func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem] {
        if cut.isOver { throw Cut.error }
        return try blobs.items(beginning: byte)
    }
    func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem? {
        try cut.step { () throws(RegistryError) in try blobs.detach(item) }
    }
    func discard(_ item: DetachedItem) throws(RegistryError) {
        try cut.step { () throws(RegistryError) in try blobs.discard(item) }
    }
    func sweep() throws(RegistryError) { try cut.step { () throws(RegistryError) in try blobs.sweep() } }
    func holds(_ items: [StoredItem], in catalog: any CatalogReader) throws(RegistryError) -> Bool {
        try blobs.holds(items, in: catalog)
    }
    func quarantined() throws(RegistryError) -> ItemShare { try blobs.quarantined() }
    var availableByteCount: Int { get throws(RegistryError) { try blobs.availableByteCount } }
    var remote: RemoteBlobs? { blobs.remote }
}
