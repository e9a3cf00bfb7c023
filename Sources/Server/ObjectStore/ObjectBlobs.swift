package import WidgetBytes
package import WidgetFiles
package import WidgetRegistry
package import WidgetSurroundings
internal import WidgetTransfers

/// Archives and notes in a bucket of an S3-compatible store, with rows about them in the catalog, and copies of archives
/// on this machine.
///
/// The order of the steps is the promise. An item is announced by a row with a generation that was never used; then its
/// object is sent, under a name with that generation and with its digest; then the row becomes the item, and the one before
/// is condemned. A release refers to an item in a transaction that sees the row. Only condemned objects are deleted, and
/// only by rows: listings of a store may lack what is there.
package final class ObjectBlobs: BlobStore {
    package struct Options: Sendable {
        /// A folder of this machine, for copies of archives and for files in the making.
        package var folder: String
        /// The bytes of all copies.
        package var copyByteLimit = 4 << 30
        /// The seconds for which a name is reserved for a process that sends its object. Longer than sending can take.
        package var lease: Int64 = 3_600
        /// True if clients may be sent to the store for archives.
        package var redirects = false
        /// Time and chance.
        package var world: World

        package init(folder: String, in world: World = .machine) {
            self.folder = folder
            self.world = world
        }

        /// Seconds since 1970.
        var now: Int64 { world.clock.seconds }
    }

    let client: ObjectClient
    let catalog: any ReleaseCatalog
    let copies: LocalCopies
    let options: Options
    private let figures: StoreFigures
    /// Held while a copy is brought, so that this is done once.
    private let bringing = DigestLocks()
    /// The generations that were compared last, so that no later one is moved to quarantine for them.
    private let compared: Guarded<[Digest: Int64]> = Guarded([:])
    private let openings = Guarded((hits: UInt64(0), misses: UInt64(0)))

    /// - Parameter catalog: keeps rows about objects.
    package init(
        _ client: ObjectClient, catalog: any ReleaseCatalog, figures: StoreFigures = StoreFigures(), options: Options
    ) throws(RegistryError) {
        self.client = client
        self.catalog = catalog
        self.figures = figures
        self.options = options
        copies = try rethrowing(
            try LocalCopies(options.folder, byteLimit: options.copyByteLimit), as: RegistryError.init(_:))
    }

    // MARK: Rows

    static func rows(_ catalog: any CatalogReader) throws(RegistryError) -> any ObjectRows {
        guard let rows = catalog.objects else { throw .damaged("the catalog keeps no rows about objects") }
        return rows
    }

    func present(_ item: StoredItem) throws(RegistryError) -> ObjectRecord? {
        try catalog.read { catalog throws(RegistryError) in try ObjectBlobs.rows(catalog).present(item) }
    }

    /// The name of an object: in 256 parts, as stores spread their load by the beginnings of names.
    func key(_ record: ObjectRecord) -> String {
        let generation = String(UInt64(bitPattern: record.generation), radix: 16)
        let start = client.place.prefix.isEmpty ? "" : "\(client.place.prefix)/"
        return "\(start)\(record.item.digest.hex.prefix(2))/\(record.item.name).\(generation)"
    }

    // MARK: Placing

    /// Something to be stored: an item and its bytes.
    private struct Piece {
        var item: StoredItem
        var body: TransferBody
        var digest: Digest
    }

    package func stage() throws(RegistryError) -> StagedFile {
        try rethrowing(try copies.stage(), as: RegistryError.init(_:))
    }

    package var availableByteCount: Int {
        get throws(RegistryError) { try rethrowing(try copies.availableByteCount(), as: RegistryError.init(_:)) }
    }

    package func place(
        _ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?
    ) throws(RegistryError) {
        var pieces = [Piece(item: .blob(digest), body: try body(of: archive), digest: digest)]
        if let note { pieces.append(try piece(note)) }
        try store(pieces)
    }

    package func put(_ note: StoredNote) throws(RegistryError) { try store([try piece(note)]) }

    package func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError) {
        let body = try body(of: file)
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 256 << 10)
        do throws(FileError) {
            try file.file.forEachPiece(of: 0..<body.byteCount, through: &window) { sha.update($0) }
        } catch {
            throw RegistryError(error)
        }
        guard let digest = sha.finish() else { throw .outOfMemory }
        try store([Piece(item: item, body: body, digest: digest)])
    }

    private func piece(_ note: StoredNote) throws(RegistryError) -> Piece {
        guard let digest = Digest.sha256(note.bytes) else { throw .outOfMemory }
        return Piece(item: note.item, body: .bytes(note.bytes), digest: digest)
    }

    private func body(of staged: borrowing StagedFile) throws(RegistryError) -> TransferBody {
        try rethrowing(as: RegistryError.init(_:)) { () throws(FileError) in
            let file = SharedFile(try staged.file.duplicate())
            return .file(FileRegion(file, byteCount: try staged.file.status().byteCount))
        }
    }

    /// Announces, sends and settles.
    private func store(_ pieces: [Piece]) throws(RegistryError) {
        let start = options.now
        let end = start.adding(options.lease) ?? .max
        var records: [ObjectRecord] = []
        for piece in pieces {
            records.append(
                ObjectRecord(
                    generation: Int64(truncatingIfNeeded: options.world.chance.next() >> 1), item: piece.item,
                    byteCount: piece.body.byteCount, state: .announced, changed: start, until: end))
        }
        let announced = records
        try catalog.write { catalog, _ throws(RegistryError) in
            let rows = try ObjectBlobs.rows(catalog)
            for record in announced { try rows.insert(record) }
        }
        do throws(RegistryError) {
            let objects = zip(pieces, announced).map { piece, record in
                NewObject(key: key(record), body: piece.body, digest: piece.digest)
            }
            try rethrowing(try client.put(objects), as: RegistryError.init(objects:))
            try settle(announced)
        } catch {
            condemn(announced.map(\.generation))
            throw error
        }
    }

    /// Makes announced objects their items, if they are still reserved.
    private func settle(_ announced: [ObjectRecord]) throws(RegistryError) {
        let time = options.now
        try catalog.write { catalog, _ throws(RegistryError) in
            let rows = try ObjectBlobs.rows(catalog)
            for record in announced {
                guard try rows.record(record.generation)?.state == .announced else {
                    throw .unreachable("sending an object took longer than its name was reserved for")
                }
                if let before = try rows.present(record.item) { try rows.update(before.inState(.condemned, at: time)) }
                try rows.update(record.inState(.present, at: time))
            }
        }
    }

    /// Condemns objects that are in the way of nothing; what fails here is swept later.
    private func condemn(_ generations: [Int64]) {
        let time = options.now
        try? catalog.write { catalog, _ throws(RegistryError) in
            let rows = try ObjectBlobs.rows(catalog)
            for generation in generations {
                guard let record = try rows.record(generation), [.announced, .present].contains(record.state) else {
                    continue
                }
                try rows.update(record.inState(.condemned, at: time))
            }
        }
    }

    // MARK: Reading

    package func open(_ digest: Digest) throws(RegistryError) -> StoredFile? {
        guard let record = try present(.blob(digest)) else { return nil }
        if let file = try copy(of: digest) {
            openings.withLock { $0.hits += 1 }
            return file
        }
        openings.withLock { $0.misses += 1 }
        return try bringing.withLock(for: digest) { () throws(RegistryError) -> StoredFile? in
            if let file = try copy(of: digest) { return file }
            // A store, or what is between, may give wrong bytes once.
            for attempt in 1...2 {
                switch try figures.time(.verify, { () throws(RegistryError) in try fetch(record) }) {
                case .intact(let file): return file
                case .missing: return nil
                case .damaged: if attempt == 2 { setAside(record.generation) }
                }
            }
            return nil
        }
    }

    package func copy(of digest: Digest) throws(RegistryError) -> StoredFile? {
        try rethrowing(try copies.open(digest), as: RegistryError.init(objects:))
    }

    /// Gets all of an archive, and compares it.
    private func fetch(_ record: ObjectRecord) throws(RegistryError) -> BlobCondition {
        let staged = try stage()
        let number = SharedFile(try rethrowing(try staged.file.duplicate(), as: RegistryError.init(_:)))
        let offset = Guarded(0)
        let limit = record.byteCount
        let isThere = try rethrowing(as: RegistryError.init(objects:)) { () throws(ObjectError) in
            try client.get(key(record), byteLimit: limit) { () throws(FileError) in
                offset.withLock { $0 = 0 }
                try number.descriptor.truncate(to: 0)
            } receive: { bytes throws(FileError) in
                try number.descriptor.write(bytes, at: offset.withLock { $0 })
                offset.withLock { $0 += bytes.count }
            }
        }
        guard isThere else { return .missing }
        let kept = try rethrowing(try copies.keep(staged, as: record.item.digest), as: RegistryError.init(objects:))
        if let kept { return .intact(kept) }
        return .damaged(
            try rethrowing(as: RegistryError.init(_:)) { () throws(FileError) in
                try StoredFile(staged.file.duplicate())
            })
    }

    /// True when a row says so and its object is there: a publisher who has the bytes stores them again otherwise.
    package func holds(_ digest: Digest) throws(RegistryError) -> Bool {
        guard let record = try present(.blob(digest)) else { return false }
        let count = try rethrowing(try client.head(key(record)), as: RegistryError.init(objects:))
        return count == record.byteCount
    }

    package func check(_ digest: Digest) throws(RegistryError) -> BlobCondition {
        guard let record = try present(.blob(digest)) else { return .missing }
        let condition = try fetch(record)
        compared.withLock { compared in
            if compared.count >= 1 << 12 { compared.removeAll() }
            compared[digest] = record.generation
        }
        if case .intact = condition { return condition }
        // The copy of this machine may be what the store has lost.
        guard let copy = try copy(of: digest) else { return condition }
        let body = try rethrowing(as: RegistryError.init(_:)) { () throws(FileError) in
            TransferBody.file(
                FileRegion(SharedFile(try copy.descriptor.duplicate()), byteCount: copy.byteCount))
        }
        try store([Piece(item: .blob(digest), body: body, digest: digest)])
        return .intact(copy)
    }

    package func distrust(_ digest: Digest) { copies.distrust(digest) }

    package var redirects: Bool { options.redirects }

    /// A store in trouble is not recommended: the copy of this machine may be there, and who brings one finds out whether the
    /// trouble is over.
    package func redirect(_ digest: Digest, as disposition: String) throws(RegistryError) -> String? {
        guard options.redirects, !client.breaker.isOpen, let record = try present(.blob(digest)) else { return nil }
        return client.address(of: key(record), as: disposition, for: ObjectBlobs.redirectSeconds)
    }

    package func quarantine(_ digest: Digest, _ file: StoredFile?) {
        guard let record = try? present(.blob(digest)) else { return }
        if file != nil, compared.withLock({ $0[digest] }) != record.generation { return }
        setAside(record.generation)
    }

    private func setAside(_ generation: Int64) {
        let time = options.now
        // Whether or not this works, the bytes are not served.
        try? catalog.write { catalog, _ throws(RegistryError) in
            let rows = try ObjectBlobs.rows(catalog)
            guard let record = try rows.record(generation), record.state == .present else { return }
            try rows.update(record.inState(.quarantined, at: time))
        }
    }

    package func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]? {
        guard let record = try present(item), record.byteCount <= StoredNote.byteLimit else { return nil }
        let text = Guarded<[UInt8]>([])
        let isThere = try rethrowing(as: RegistryError.init(objects:)) { () throws(ObjectError) in
            try client.get(key(record), byteLimit: record.byteCount) { () throws(FileError) in
                text.withLock { $0 = [] }
            } receive: { bytes throws(FileError) in
                text.withLock { $0 += bytes }
            }
        }
        return isThere ? text.withLock { $0 } : nil
    }
}

extension ObjectClient {
    /// Knows the way to the store that an operator has named, and asks it nothing yet.
    ///
    /// - Parameters:
    ///   - address: `s3://BUCKET/PREFIX?endpoint=…`; see ``ObjectPlace``.
    ///   - credentials: the text of a file with the key; `nil`: the key is in the environment.
    package convenience init(
        at address: String, credentials: String?, environment: [String: String], in world: World = .machine
    ) throws(RegistryError) {
        let place = try rethrowing(
            try ObjectPlace(address),
            as: { (mistake: ObjectPlace.Mistake) in RegistryError.invalidValue("--blobs", reason: mistake.reason) })
        guard
            let key = credentials.map({ ObjectCredentials(file: $0) })
                ?? ObjectCredentials(environment: environment)
        else {
            // The text itself is a secret.
            throw .invalidValue(
                "--blobs",
                reason: "its key is missing: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a file with "
                    + "aws_access_key_id and aws_secret_access_key, each once")
        }
        self.init(place, key, in: world)
    }
}

extension ObjectBlobs {
    package var remote: RemoteBlobs? {
        var state = RemoteBlobs()
        state.trouble = client.isResting ? "\(ObjectError.resting)" : nil
        state.copies = copies.share
        state.copyByteLimit = options.copyByteLimit
        (state.hits, state.misses) = openings.withLock { $0 }
        state.attempts = client.attempts
        return state
    }
}
