internal import WidgetBytes
package import WidgetRegistry
package import WidgetSurroundings

/// The question whether a store of archives is the one that a catalog is about.
///
/// The catalog has a name for its store, and the store has it in a mark. Both are made once: for a catalog without archives
/// where it begins, and for one of an earlier version where one of its archives lies. The row comes first, then the mark,
/// then the row is settled, by one process at a time, so that one that ends in between leaves no second store.
package struct StoreProof: Sendable {
    private let store: any MarkedStore
    private let catalog: any TiedCatalog
    private let chance: any Chance

    private static let start = "widgetd registry "
    /// The archives that are looked for in a store without a mark, the smallest of many.
    private static let sampleCount = 3
    private static let pageCount = 256

    package init(_ store: any MarkedStore, _ catalog: any TiedCatalog, _ chance: any Chance) {
        self.store = store
        self.catalog = catalog
        self.chance = chance
    }

    /// Compares the mark with the catalog's name for the store, and makes both where they are due.
    ///
    /// - Parameter isFirst: true at the start, when the right to write is tried as well.
    package func run(isFirst: Bool) throws(StoreProofError) {
        let tie = try tie()
        if let tie, tie.isSettled { return try compare(tie, isFirst) }
        // What replicas that begin together would do to each other, one does after the other.
        try alone { proof throws(StoreProofError) in
            let tie = try proof.tie()
            if let tie, tie.isSettled { return try proof.compare(tie, isFirst) }
            if let mark = try proof.mark() {
                guard let tie, mark == StoreProof.text(tie.name) else { throw .another(StoreProof.foreign) }
                try proof.settle(tie.name)
            } else {
                try proof.requireOneArchive()
                try proof.make()
            }
        }
    }

    private func compare(_ tie: StoreTie, _ isFirst: Bool) throws(StoreProofError) {
        guard let mark = try mark() else { throw .another(StoreProof.absent) }
        guard mark == StoreProof.text(tie.name) else { throw .another(StoreProof.foreign) }
        if isFirst { try setMark(mark) }
    }

    /// The outcome for people, without a change anywhere.
    package func look() throws(StoreProofError) -> String {
        let tie = try tie()
        guard let mark = try mark() else {
            guard tie?.isSettled != true else { throw .another(StoreProof.absent) }
            try requireOneArchive()
            return "not tied to this catalog yet, which the next start does"
        }
        guard let tie, mark == StoreProof.text(tie.name) else { throw .another(StoreProof.foreign) }
        return "the one of this catalog"
    }

    /// Ties the store to this catalog in place of another one, if it has the catalog's archives. The former store is refused
    /// from then on.
    ///
    /// - Returns: the number of archives that were compared.
    package func adopt() throws(StoreProofError) -> Int {
        let count = try requireArchives(StoreProof.adoptedCount)
        try take()
        return count
    }

    private static let adoptedCount = 16

    /// Ties the store to this catalog in place of another one: what is in the catalog came from there, or was put there.
    package func take() throws(StoreProofError) {
        try alone { proof throws(StoreProofError) in try proof.make() }
    }

    /// Throws if the store is tied to another catalog.
    package func requireFree() throws(StoreProofError) {
        let (tie, mark) = (try tie(), try mark())
        guard mark == nil || mark == tie.map({ StoreProof.text($0.name) }) else {
            throw .another(StoreProof.foreign)
        }
    }

    // MARK: Steps

    private static let foreign = "the store of archives is tied to another catalog"
    private static let absent = "the store of archives has no mark of a registry, and that of this catalog has one"

    private static func text(_ name: String) -> String { "\(start)\(name)\n" }

    /// Each time with a new name: a store that was begun with before, or left, does not have it.
    private func make() throws(StoreProofError) {
        let name = Hex.string(chance.bytes(16))
        try asking { () throws(RegistryError) in try catalog.renameTie(name) }
        let text = StoreProof.text(name)
        try setMark(text)
        // Of two catalogs that begin at once, one has the store.
        guard try mark() == text else { throw .another(StoreProof.foreign) }
        try settle(name)
    }

    private func alone(_ body: (StoreProof) throws(StoreProofError) -> Void) throws(StoreProofError) {
        var outcome: Result<Void, StoreProofError>?
        try asking { () throws(RegistryError) in
            try catalog.makingTie {
                do throws(StoreProofError) { outcome = .success(try body(self)) } catch { outcome = .failure(error) }
            }
        }
        try outcome?.get()
    }

    private func requireOneArchive() throws(StoreProofError) {
        let sample = try sample(StoreProof.sampleCount)
        for blob in sample where try holdsWhole(blob) { return }
        guard sample.isEmpty else { throw .another(StoreProof.empty(sample.count)) }
    }

    private func requireArchives(_ count: Int) throws(StoreProofError) -> Int {
        let sample = try sample(count)
        var missing = 0
        for blob in sample where try !holdsWhole(blob) { missing += 1 }
        guard !sample.isEmpty else { throw .another("this catalog has no archive that could be looked for there") }
        guard missing == 0 else {
            throw .another(
                "of \(sample.count) archives of this catalog that were looked for, the store lacks \(missing)")
        }
        return sample.count
    }

    private static func empty(_ count: Int) -> String {
        "the store of archives has no mark of a registry, and not one of \(count) archives of this catalog that were looked for"
    }

    private func sample(_ count: Int) throws(StoreProofError) -> [StoredBlob] {
        let blobs = try asking { () throws(RegistryError) in
            try catalog.read { catalog throws(RegistryError) in
                try catalog.storedBlobs(after: nil, limit: StoreProof.pageCount)
            }
        }
        return Array(blobs.sorted { $0.byteCount < $1.byteCount }.prefix(count))
    }

    // MARK: Questions

    private func tie() throws(StoreProofError) -> StoreTie? {
        try asking { () throws(RegistryError) in try catalog.tie() }
    }

    private func settle(_ name: String) throws(StoreProofError) {
        try asking { () throws(RegistryError) in try catalog.settleTie(name) }
    }

    private func asking<Value>(_ body: () throws(RegistryError) -> Value) throws(StoreProofError) -> Value {
        do throws(RegistryError) { return try body() } catch { throw .catalog(error) }
    }

    private func mark() throws(StoreProofError) -> String? {
        do throws(StoreTrouble) { return try store.mark() } catch { throw .store(error) }
    }

    private func setMark(_ text: String) throws(StoreProofError) {
        do throws(StoreTrouble) { try store.setMark(text) } catch { throw .store(error) }
    }

    private func holdsWhole(_ blob: StoredBlob) throws(StoreProofError) -> Bool {
        do throws(StoreTrouble) { return try store.holdsWhole(blob) } catch { throw .store(error) }
    }
}

/// The reason why nothing was proven.
package enum StoreProofError: Error, Equatable, Sendable {
    case store(StoreTrouble)
    /// It is the store of something else: why that is so.
    case another(String)
    /// The catalog could not be asked, which says nothing of the store.
    case catalog(RegistryError)

}

extension StoreProof {
    /// Does a step, and says of its failure where the archives are.
    @discardableResult
    package func taking<Value>(
        _ place: String, _ step: (StoreProof) throws(StoreProofError) -> Value
    ) throws(RegistryError) -> Value {
        do throws(StoreProofError) {
            return try step(self)
        } catch {
            switch error {
            case .catalog(let error): throw error
            case .another(let reason): throw .otherStore("\(place): \(reason)")
            case .store(.refused(let reason)): throw .storeRefused("\(place): \(reason)")
            case .store(.silent(let reason)): throw .unreachable("\(place): \(reason)")
            }
        }
    }
}
