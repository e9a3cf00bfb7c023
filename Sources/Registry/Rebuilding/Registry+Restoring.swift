internal import Bytes
internal import Database
package import Files
internal import JSONText

extension Registry {
    /// Takes a data directory back to what a backup holds.
    ///
    /// The backup is proven first, every byte of it; then archives are put in place, which the catalog there is does
    /// not know; and last the catalog is replaced. Its sequences and tags go on past those of before.
    package static func restore(
        _ path: String, from backup: consuming FileDescriptor, options: Options, progress: HousekeepingProgress
    ) throws(RegistryError) -> RestoreReport {
        let store = try Store(path, holder: options.holder, for: .repairing)
        var reader = try TarReader(backup)
        let staged = try store.stage()
        var restoring = Restoring(store, options)
        try restoring.prove(&reader, catalog: staged, progress)
        let catalog = try restoring.openCatalog(staged)
        reader.rewind()
        try restoring.place(&reader, progress)
        return try restoring.finish(catalog, staged)
    }
}

private struct Restoring {
    let store: Store
    let options: Registry.Options
    var report = RestoreReport()
    private var blobs: Set<Digest> = []

    init(_ store: Store, _ options: Registry.Options) {
        self.store = store
        self.options = options
    }

    // MARK: Proof

    /// Reads all of it and compares every member with its digest; the catalog is kept aside.
    mutating func prove(
        _ reader: inout TarReader, catalog staged: borrowing StagedFile, _ progress: HousekeepingProgress
    ) throws(RegistryError) {
        var names: Set<String> = []
        // The last member lists the others in their order, so its digest is known before it comes.
        var sums = SHA256()
        var isListed = false
        var isFirst = true
        while let header = try reader.next() {
            guard !isListed else { throw .invalidBackup("something follows \(BackupNames.sums)") }
            try progress(reader.offset, reader.totalByteCount * 2)
            guard isFirst == (header.name == BackupNames.manifest) else {
                throw .invalidBackup("it does not begin with \(BackupNames.manifest)")
            }
            isFirst = false
            var kept: [UInt8] = []
            let isKept = header.name == BackupNames.manifest
            guard !isKept || header.byteCount <= NoteLimits.byteCount else {
                throw .invalidBackup("\(header.name) is too long")
            }
            let digest = try Restoring.read(header, &reader) { piece, offset throws(RegistryError) in
                if isKept { kept.append(copying: piece) }
                if header.name == BackupNames.catalog { try Restoring.write(piece, at: offset, to: staged.file) }
            }
            if header.name == BackupNames.sums {
                var listed = SHA256()
                swap(&listed, &sums)
                guard let expected = listed.finish() else { throw .outOfMemory }
                guard digest == expected else {
                    throw .invalidBackup("\(BackupNames.sums) lists other members or digests")
                }
                isListed = true
                continue
            }
            if isKept { try readManifest(kept) }
            if let blob = BackupNames.kind(of: header.name), case .blob(let wanted) = blob.kind {
                guard digest == wanted else {
                    throw .invalidBackup("\(header.name) has other bytes than its name says")
                }
                blobs.insert(digest)
            } else if ![BackupNames.manifest, BackupNames.catalog].contains(header.name),
                BackupNames.kind(of: header.name) == nil
            {
                throw .invalidBackup("\(header.name.prefix(200)) is none of its members")
            }
            guard names.insert(header.name).inserted else {
                throw .invalidBackup("\(header.name) is in it twice")
            }
            sums.update(BackupNames.line(digest, header.name).span)
        }
        guard isListed, names.contains(BackupNames.catalog) else {
            throw .invalidBackup("its end is missing: it was cut off while it was written")
        }
    }

    private mutating func readManifest(_ bytes: [UInt8]) throws(RegistryError) {
        do throws(JSONError) {
            let cursor = try JSONDocument(parsing: bytes).cursor
            let format: Int = try cursor.require("format")
            guard format == BackupNames.format else { throw cursor.wrongType(.integer) }
            report.created = try cursor.require("created")
        } catch {
            throw .invalidBackup("\(BackupNames.manifest) is of another format: \(error)")
        }
    }

    private static func read(
        _ header: TarHeader, _ reader: inout TarReader,
        _ body: (Span<UInt8>, Int) throws(RegistryError) -> Void
    ) throws(RegistryError) -> Digest {
        var sha = SHA256()
        var offset = 0
        try reader.contents(of: header) { piece throws(RegistryError) in
            sha.update(piece)
            try body(piece, offset)
            offset += piece.count
        }
        guard let digest = sha.finish() else { throw .outOfMemory }
        return digest
    }

    private static func write(
        _ piece: Span<UInt8>, at offset: Int, to file: borrowing FileDescriptor
    ) throws(RegistryError) {
        do throws(FileError) { try file.write(piece, at: offset) } catch { throw RegistryError(error) }
    }

    /// The catalog of the backup, if it is whole and what it lists is there.
    mutating func openCatalog(_ staged: borrowing StagedFile) throws(RegistryError) -> Catalog {
        let catalog: Catalog
        do throws(DatabaseError) {
            let connection = try Connection(opening: staged.path, for: .writing)
            let version = try connection.schemaVersion()
            guard version <= Schema.steps.count else { throw DatabaseError(.other, code: 0, message: "\(version)") }
            try connection.migrate(Schema.steps)
            catalog = Catalog(connection: connection)
        } catch {
            if error.kind == .other { throw .newerStore(version: Int64(error.message) ?? 0) }
            throw .invalidBackup("its catalog cannot be opened: \(error)")
        }
        if let complaint = try catalog.complaints().first {
            throw .invalidBackup("its catalog is damaged: \(complaint)")
        }
        guard try catalog.highestNumber() < Epoch.highest else {
            throw .invalidBackup("its catalog has a number that no change was ever given")
        }
        var last: Digest?
        while true {
            let page = try catalog.storedBlobs(after: last, limit: 256)
            guard let end = page.last else { break }
            for blob in page where !blobs.contains(blob.digest) { report.missing.append(blob.digest) }
            last = end.digest
        }
        return catalog
    }

    // MARK: Placing

    mutating func place(_ reader: inout TarReader, _ progress: HousekeepingProgress) throws(RegistryError) {
        while let header = try reader.next() {
            try progress(reader.totalByteCount + reader.offset, reader.totalByteCount * 2)
            guard let (_, name, kind) = BackupNames.kind(of: header.name) else {
                try reader.contents(of: header) { _ throws(RegistryError) in }
                continue
            }
            if case .blob(let digest) = kind {
                report.archives += 1
                if let found = try store.open(digest), found.status.byteCount == header.byteCount,
                    try store.holds(found, digest)
                {
                    try reader.contents(of: header) { _ throws(RegistryError) in }
                    continue
                }
            }
            let file = try store.stage()
            let digest = try Restoring.read(header, &reader) { piece, offset throws(RegistryError) in
                try Restoring.write(piece, at: offset, to: file.file)
            }
            if case .blob(let wanted) = kind, digest != wanted {
                throw .invalidBackup("\(header.name) has changed while it was read")
            }
            try store.put(file, as: name, besides: kind.digest)
        }
    }

    // MARK: The end

    mutating func finish(_ catalog: Catalog, _ staged: borrowing StagedFile) throws(RegistryError) -> RestoreReport {
        var epoch = Epoch(now: options.now())
        epoch.pass(store)
        epoch.pass(try catalog.highestNumber())
        let time = options.now()
        try catalog.connection.transaction(.writing, wrapping: RegistryError.init) { () throws(RegistryError) in
            _ = try catalog.raise(epoch, by: "restore", at: time)
        }
        report.sequence = epoch.number
        report.releases =
            try catalog.first("SELECT COUNT(*) FROM release") { row throws(DatabaseError) in
                try row.count(0)
            } ?? 0
        report.tokens = try catalog.tokens().count
        report.unknown = try StoreSurvey.countUnknown(in: store, besides: catalog)
        let latest = try catalog.latestTag()
        do throws(DatabaseError) { try catalog.connection.gather() } catch { throw RegistryError(error) }
        try store.replaceCatalog(with: staged, latestTag: latest, at: time, for: "restore")
        return report
    }
}

extension StoreSurvey {
    /// How many archives are there that a catalog does not know.
    fileprivate static func countUnknown(in store: Store, besides catalog: Catalog) throws(RegistryError) -> Int {
        var count = 0
        for shard in StoreNames.shards {
            let known = try catalog.knownFiles(ofShard: shard, besides: [])
            let items = try storing { () throws(FileError) in
                try store.blobs.openDirectory(shard).items(limit: .max) ?? []
            }
            for item in items {
                if let kind = StoreNames.kind(of: item.name), case .blob = kind, !known.contains(item.name, kind) {
                    count += 1
                }
            }
        }
        return count
    }
}
