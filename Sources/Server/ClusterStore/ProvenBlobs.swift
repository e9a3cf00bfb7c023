package import WidgetBytes
package import WidgetFiles
package import WidgetRegistry

/// A store of archives that nothing is asked of, and nothing is written to, until it is proven to be the catalog's.
///
/// What is on this machine alone is used all the same: copies of archives, and the room for more of them.
package final class ProvenBlobs: BlobStore {
    private let watch: StoreWatch
    private let catalog: any TiedCatalog
    private let store: Guarded<(any BlobStore)?>

    /// Opens the store, and waits until the first look at it is over.
    ///
    /// - Parameters:
    ///   - ready: the store, where it can be made without a question to it.
    ///   - open: gives it once it is proven, after each look: a folder may be another one by then.
    package init(
        _ catalog: any TiedCatalog, ready: (any BlobStore)?,
        watch: (_ opened: @escaping @Sendable () throws(RegistryError) -> Void) -> StoreWatch,
        open: @escaping @Sendable () throws(RegistryError) -> any BlobStore
    ) throws(RegistryError) {
        self.catalog = catalog
        let store = Guarded(ready)
        self.store = store
        self.watch = watch { () throws(RegistryError) in
            let opened = try open()
            store.withLock { $0 = opened }
        }
        if let refusal = self.watch.begin() {
            self.watch.end()
            throw refusal
        }
    }

    deinit { watch.end() }

    private func proven() throws(RegistryError) -> any BlobStore {
        guard watch.isProven, let store = store.withLock({ $0 }) else {
            let trouble = watch.trouble ?? StoreTrouble.silent(StoreWatch.unasked)
            throw trouble.error
        }
        return store
    }

    /// The same for a question that may take its time: one that is silent is not asked.
    private func answering() throws(RegistryError) -> any BlobStore {
        if let trouble = watch.trouble, case .silent = trouble { throw trouble.error }
        return try proven()
    }

    /// Hears of a refusal that a look does not meet.
    private func heard(_ error: RegistryError) -> RegistryError {
        switch error {
        case .storeRefused: watch.tryWriting()
        case .storage(let error) where error.isPermissionDenied: watch.tryWriting()
        default: break
        }
        return error
    }

    private var here: (any BlobStore)? { store.withLock { $0 } }

    // MARK: The state

    package var trouble: StoreTrouble? { watch.trouble }

    /// A trouble that all share is noticed by each at another moment, so that what others have said before counts for nothing.
    package var isReachedByOthers: Bool {
        catalog.othersReachStore(laterBy: ProvenBlobs.noticing, than: watch.troubled)
    }

    private static let noticing = Duration.seconds(10)

    package func requireProof() throws(RegistryError) { _ = try proven() }

    package func followTrouble(_ observer: @escaping @Sendable (StoreTrouble?) -> Void) { watch.follow(observer) }

    package var remote: RemoteBlobs? {
        guard var state = here?.remote else { return nil }
        state.trouble = trouble?.reason ?? state.trouble
        return state
    }

    package var availableByteCount: Int {
        get throws(RegistryError) {
            if let here { return try here.availableByteCount }
            return try proven().availableByteCount
        }
    }

    // MARK: Archives

    package func stage() throws(RegistryError) -> StagedFile { try answering().stage() }

    package func place(
        _ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?
    ) throws(RegistryError) {
        let store = try proven()
        do throws(RegistryError) {
            try store.place(archive, as: digest, with: note)
        } catch {
            throw heard(error)
        }
    }

    package func open(_ digest: Digest) throws(RegistryError) -> StoredFile? {
        if watch.trouble != nil, let copy = try here?.copy(of: digest) { return copy }
        return try answering().open(digest)
    }

    package func copy(of digest: Digest) throws(RegistryError) -> StoredFile? { try here?.copy(of: digest) }

    package func holds(_ digest: Digest) throws(RegistryError) -> Bool { try proven().holds(digest) }

    package func check(_ digest: Digest) throws(RegistryError) -> BlobCondition { try proven().check(digest) }

    package func quarantine(_ digest: Digest, _ file: StoredFile?) { try? proven().quarantine(digest, file) }

    package func distrust(_ digest: Digest) { here?.distrust(digest) }

    package func redirect(_ digest: Digest, as disposition: String) throws(RegistryError) -> String? {
        guard trouble == nil else { return nil }
        return try proven().redirect(digest, as: disposition)
    }

    package var redirects: Bool { here?.redirects ?? false }

    // MARK: Items

    package func put(_ note: StoredNote) throws(RegistryError) {
        let store = try proven()
        do throws(RegistryError) { try store.put(note) } catch { throw heard(error) }
    }

    package func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError) {
        try proven().put(file, as: item)
    }

    package func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]? { try proven().note(item) }

    package func remove(_ item: StoredItem) throws(RegistryError) { try proven().remove(item) }

    /// A leftover does no harm.
    package func takeBack(_ items: [StoredItem]) { try? proven().takeBack(items) }

    // MARK: Collecting

    package func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem] {
        try proven().items(beginning: byte)
    }

    package func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem? { try proven().detach(item) }

    package func discard(_ item: DetachedItem) throws(RegistryError) { try proven().discard(item) }

    package func sweep() throws(RegistryError) { try proven().sweep() }

    package func holds(_ items: [StoredItem], in catalog: any CatalogReader) throws(RegistryError) -> Bool {
        try proven().holds(items, in: catalog)
    }

    package func quarantined() throws(RegistryError) -> ItemShare { try proven().quarantined() }
}
