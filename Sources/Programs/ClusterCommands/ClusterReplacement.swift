import CatalogSQL
import ClusterStore
import LocalStore
import ObjectStore
import WidgetBytes
import WidgetFiles
import WidgetRegistry

/// The catalog that replicas share, being replaced while none of them runs: by a backup, or made anew of the archives.
struct ClusterReplacement: CatalogReplacement {
    private let catalog: PostgresCatalog
    private let replica: String
    private let copy: (any CatalogCopy)?
    let blobs: any BlobStore
    private let proof: StoreProof
    private let place: String

    /// - Parameters:
    ///   - replica: a directory of this process, which gets a copy of the catalog that was replaced.
    ///   - place: of the archives, as an operator has named it.
    init(
        _ catalog: PostgresCatalog, _ blobs: any BlobStore, replica: String, proof: StoreProof, place: String
    ) {
        self.proof = proof
        self.place = place
        self.catalog = catalog
        self.blobs = blobs
        self.replica = replica
        // A catalog that cannot be copied is one that cannot be read.
        copy = try? ClusterCopier(catalog: catalog, blobs: blobs).copy(leaving: 0)
    }

    var former: (any CatalogReader)? { copy?.reader }

    var shownTag: Int64? { nil }

    func makeCatalog() throws(RegistryError) -> any CatalogDraft {
        SharedDraft(try FileDraft(try blobs.stage()), self)
    }

    func openCatalog(_ file: consuming StagedFile) throws(RegistryError) -> any CatalogDraft {
        SharedDraft(try FileDraft(ofBackup: file), self)
    }

    /// Makes rows about the objects that a store has and the catalog does not know.
    func recoverRows() throws(RegistryError) {
        guard let objects = blobs as? ObjectBlobs else { return }
        _ = try objects.survey(adopting: true) { _, _ in }
    }

    fileprivate func install(_ draft: SQLCatalog, at time: Int64) throws(RegistryError) {
        try keepCopy(at: time)
        // Archives that the new catalog does not know stay until the next collection is due.
        catalog.noteRun(of: .gc, at: time)
        try catalog.replace(by: draft)
        // The catalog is about this store from now on.
        try proof.taking(place) { proof throws(StoreProofError) in try proof.take() }
    }

    private func keepCopy(at time: Int64) throws(RegistryError) {
        guard let copy else { return }
        do throws(FileError) {
            let folder = try Directory(creating: replica, mode: 0o700, isDurable: true)
            let kept = try StagedFile(in: folder)
            var offset = 0
            while offset < copy.file.byteCount {
                let piece = try copy.file.descriptor.read(at: offset, count: 1 << 20)
                guard !piece.isEmpty else { break }
                try kept.file.write(piece, at: offset)
                offset += piece.count
            }
            try kept.commit(as: "replaced-\(time)-catalog.sqlite", replacing: true, mode: 0o600)
        } catch {
            throw RegistryError(error)
        }
    }
}

/// A catalog in a file, whose rows take the place of those in the database at the end.
private final class SharedDraft: CatalogDraft {
    private let file: FileDraft
    private let replacement: ClusterReplacement

    init(_ file: FileDraft, _ replacement: ClusterReplacement) {
        self.file = file
        self.replacement = replacement
    }

    var reader: any CatalogReader { file.catalog }

    func write<Value>(_ body: (any CatalogEditor) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        try file.write(body)
    }

    func complaints() throws(RegistryError) -> [String] { try file.complaints() }

    func install(at time: Int64, for command: String) throws(RegistryError) {
        try replacement.install(file.catalog, at: time)
    }
}
