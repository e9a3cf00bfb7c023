internal import JSONText
internal import WidgetBytes
package import WidgetFiles

extension CatalogReplacement {
    /// Restores a store from a backup.
    ///
    /// Three steps: every byte of the backup is verified; its archives are put in place, unknown to the present
    /// catalog; and the catalog is replaced. Sequences and tags continue above the previous ones.
    package func restore(
        from backup: StoredFile, _ options: Registry.Options, progress: HousekeepingProgress
    ) throws(RegistryError) -> RestoreReport {
        var reader = TarReader(backup)
        let staged = try blobs.stage()
        var restoring = Restoring(self, options)
        try restoring.prove(&reader, catalog: staged, progress)
        let catalog = try restoring.openCatalog(staged)
        reader.rewind()
        try restoring.place(&reader, progress)
        return try restoring.finish(catalog)
    }
}

private struct Restoring {
    let store: any CatalogReplacement
    var blobs: any BlobStore { store.blobs }
    let options: Registry.Options
    var report = RestoreReport()
    /// The archives of the backup.
    private var archives: Set<Digest> = []

    init(_ store: any CatalogReplacement, _ options: Registry.Options) {
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
            guard !isKept || header.byteCount <= StoredNote.byteLimit else {
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
            let item = BackupNames.item(of: header.name)
            if case .blob(let wanted)? = item {
                guard digest == wanted else {
                    throw .invalidBackup("\(header.name) has other bytes than its name says")
                }
                archives.insert(digest)
            } else if ![BackupNames.manifest, BackupNames.catalog].contains(header.name),
                item == nil
            {
                throw .invalidBackup("\(header.name.prefix(200)) is not a member of a backup")
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
        try rethrowing(as: { RegistryError.invalidBackup("\(BackupNames.manifest) is of another format: \($0)") }) {
            () throws(JSONError) in
            let cursor = try JSONDocument(parsing: bytes).cursor
            let format: Int = try cursor.require("format")
            guard format == BackupNames.format else { throw cursor.wrongType(.integer) }
            report.created = try cursor.require("created")
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
        try rethrowing(as: RegistryError.init) { () throws(FileError) in try file.write(piece, at: offset) }
    }

    /// The catalog of the backup, if it is whole and everything it lists is there.
    mutating func openCatalog(_ staged: consuming StagedFile) throws(RegistryError) -> any CatalogDraft {
        let catalog = try store.openCatalog(staged)
        if let complaint = try catalog.complaints().first {
            throw .invalidBackup("its catalog is damaged: \(complaint)")
        }
        guard try catalog.reader.highestNumber() < Epoch.highest else {
            throw .invalidBackup("its catalog has a number that no change was ever given")
        }
        var last: Digest?
        while true {
            let page = try catalog.reader.storedBlobs(after: last, limit: 256)
            guard let end = page.last else { break }
            for blob in page where !archives.contains(blob.digest) { report.missing.append(blob.digest) }
            last = end.digest
        }
        return catalog
    }

    // MARK: Placing

    mutating func place(_ reader: inout TarReader, _ progress: HousekeepingProgress) throws(RegistryError) {
        while let header = try reader.next() {
            try progress(reader.totalByteCount + reader.offset, reader.totalByteCount * 2)
            guard let item = BackupNames.item(of: header.name) else {
                try reader.contents(of: header) { _ throws(RegistryError) in }
                continue
            }
            if case .blob(let digest) = item {
                report.archives += 1
                if case .intact = try blobs.check(digest) {
                    try reader.contents(of: header) { _ throws(RegistryError) in }
                    continue
                }
            }
            let file = try blobs.stage()
            let digest = try Restoring.read(header, &reader) { piece, offset throws(RegistryError) in
                try Restoring.write(piece, at: offset, to: file.file)
            }
            if case .blob(let wanted) = item, digest != wanted {
                throw .invalidBackup("\(header.name) has changed while it was read")
            }
            try blobs.put(file, as: item)
        }
    }

    // MARK: The end

    mutating func finish(_ catalog: any CatalogDraft) throws(RegistryError) -> RestoreReport {
        var epoch = Epoch(now: options.now)
        epoch.pass(store)
        epoch.pass(try catalog.reader.highestNumber())
        let time = options.now
        _ = try catalog.write { catalog throws(RegistryError) in
            // What has expired since the backup is here again, and must not go before its owner has seen it.
            try catalog.setRetentionGuard(.unseen)
            return try catalog.raise(to: epoch.number, by: "restore", at: time)
        }
        report.sequence = epoch.number
        report.releases = try catalog.reader.releaseCount()
        report.tokens = try catalog.reader.tokens().count
        report.unknown = try unknownCount(besides: catalog.reader)
        var record = AuditRecord(.restoreBackup, by: "restore", at: time, about: "")
        record.remark = "a backup of \(report.releases) releases"
        report.auditRecords = try FormerAudit(keeping: store.former, in: catalog, floor: epoch.number, record).kept
        try catalog.install(at: time, for: "restore")
        return report
    }

    /// The number of stored archives that a catalog does not know.
    private func unknownCount(besides catalog: any CatalogReader) throws(RegistryError) -> Int {
        var count = 0
        for byte in 0...UInt8.max {
            let known = try KnownItems(beginning: byte, besides: [], in: catalog)
            for listed in try blobs.items(beginning: byte) {
                if case .blob = listed.item, !known.contains(listed.item) { count += 1 }
            }
        }
        return count
    }
}
