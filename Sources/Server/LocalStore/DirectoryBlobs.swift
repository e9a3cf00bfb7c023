package import WidgetBytes
package import WidgetFiles
package import WidgetRegistry

/// The archives and notes of a data directory, one file each, in 256 folders.
package final class DirectoryBlobs: BlobStore {
    private let directory: StoreDirectory
    private let figures: StoreFigures
    private let verified = VerifiedBlobs()
    /// Held while a blob is moved away or put in place.
    private let blobLock = StripedLock()
    /// Held while a blob is read for its digest, so that this is done once.
    private let verifyLock = StripedLock()

    package init(_ directory: StoreDirectory, figures: StoreFigures) {
        self.directory = directory
        self.figures = figures
    }

    package func stage() throws(RegistryError) -> StagedFile {
        try rethrowing(try StagedFile(in: directory.staging), as: RegistryError.init)
    }

    package var availableByteCount: Int {
        get throws(RegistryError) { try rethrowing(try directory.root.availableByteCount(), as: RegistryError.init) }
    }

    // MARK: Placing

    /// An archive that is there already is replaced: the bytes are the same, unless they have gone bad.
    package func place(
        _ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?
    ) throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try archive.settle()
            let shard = try shard(digest)
            // Steps that can fail on a full disk come before the archive is in its place.
            let settled: StagedFile? = if let note { try settled(note.bytes) } else { nil }
            try DirectoryBlobs.change(shard) { () throws(FileError) in
                try blobLock.withLock(for: digest) { () throws(FileError) in
                    try archive.move(to: StoredItem.blob(digest).name, in: shard)
                }
                if let note { try settled?.move(to: note.item.name, in: shard) }
            }
        }
    }

    /// Changes names in a folder of items, which survives a power cut from then on.
    private static func change(
        _ shard: borrowing Directory, _ change: () throws(FileError) -> Void
    ) throws(FileError) {
        try change()
        try shard.synchronize()
    }

    package func put(_ note: StoredNote) throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            let shard = try shard(note.item.digest)
            let settled = try settled(note.bytes)
            try DirectoryBlobs.change(shard) { () throws(FileError) in try settled.move(to: note.item.name, in: shard) }
        }
    }

    package func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try file.settle()
            let shard = try shard(item.digest)
            try DirectoryBlobs.change(shard) { () throws(FileError) in try file.move(to: item.name, in: shard) }
        }
    }

    package func remove(_ item: StoredItem) throws(RegistryError) {
        do throws(FileError) {
            let shard = try shard(item.digest)
            try DirectoryBlobs.change(shard) { () throws(FileError) in try shard.removeFile(item.name) }
        } catch {
            if !error.isMissing { throw RegistryError(error) }
        }
    }

    package func takeBack(_ items: [StoredItem]) {
        // Another process may have placed the same bytes meanwhile. A collection of garbage takes what nothing refers to.
        guard !directory.isShared else { return }
        for item in items {
            guard let shard = try? shard(item.digest) else { continue }
            blobLock.withLock(for: item.digest) { try? shard.removeFile(item.name) }
        }
    }

    private func settled(_ bytes: [UInt8]) throws(FileError) -> StagedFile {
        let staged = try StagedFile(in: directory.staging)
        try staged.file.write(bytes, at: 0)
        try staged.settle()
        return staged
    }

    private func shard(_ digest: Digest) throws(FileError) -> Directory {
        try directory.blobs.openDirectory(StoreNames.shard(digest))
    }

    // MARK: Reading

    package func open(_ digest: Digest) throws(RegistryError) -> StoredFile? {
        if let found = try look(digest), verified.contains(digest, found.status) { return found }
        // One reader does the work, and the others wait for it; publishers do not.
        let opened = try verifyLock.withLock(for: digest) { () throws(RegistryError) -> StoredFile? in
            guard let found = try look(digest) else { return nil }
            if verified.contains(digest, found.status) { return found }
            guard try figures.time(.verify, { () throws(RegistryError) in try isIntact(found, digest) }) else {
                quarantine(digest, found)
                return nil
            }
            verified.insert(digest, found.status)
            return found
        }
        if opened == nil { try quarantineWhatIsNoFile(digest) }
        return opened
    }

    package func holds(_ digest: Digest) throws(RegistryError) -> Bool { try look(digest) != nil }

    package func check(_ digest: Digest) throws(RegistryError) -> BlobCondition {
        guard let found = try look(digest) else { return .missing }
        guard try isIntact(found, digest) else { return .damaged(found) }
        verified.insert(digest, found.status)
        return .intact(found)
    }

    package func distrust(_ digest: Digest) { verified.remove(digest) }

    package func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]? {
        do throws(FileError) {
            let file = try shard(item.digest).openFile(item.name)
            let status = try file.status()
            guard status.kind == .file, status.byteCount <= StoredNote.byteLimit else { return nil }
            return try file.read(at: 0, count: status.byteCount)
        } catch {
            if error.isMissing || error.isLink { return nil }
            throw RegistryError(error)
        }
    }

    /// Opens a blob without checking its bytes; `nil` when the file does not exist.
    private func look(_ digest: Digest) throws(RegistryError) -> StoredFile? {
        do throws(FileError) {
            return try StoredFile(shard(digest).openFile(StoredItem.blob(digest).name))
        } catch {
            // A link in its place is not a blob either.
            if error.isMissing || error.isLink { return nil }
            throw RegistryError(error)
        }
    }

    /// True when the bytes match the digest. Reads all of them.
    private func isIntact(_ file: StoredFile, _ digest: Digest) throws(RegistryError) -> Bool {
        guard file.status.kind == .file else { return false }
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while offset < file.byteCount {
            let wanted = min(window.count, file.byteCount - offset)
            let filled = try rethrowing(
                try file.descriptor.read(at: offset, into: &window, count: wanted), as: RegistryError.init)
            // Shorter than it was a moment ago.
            guard filled == wanted else { return false }
            sha.update(window.span.extracting(0..<filled))
            offset += filled
        }
        guard let found = sha.finish() else { throw .outOfMemory }
        return found == digest
    }

    // MARK: Quarantine

    package func quarantine(_ digest: Digest, _ file: StoredFile?) {
        blobLock.withLock(for: digest) { moveToQuarantine(digest, file) }
    }

    private func moveToQuarantine(_ digest: Digest, _ file: StoredFile?) {
        let name = StoredItem.blob(digest).name
        // Whether or not this works, the blob is not served.
        guard let shard = try? shard(digest), let found = try? shard.status(of: name),
            file == nil || found.inode == file?.status.inode
        else { return }
        try? shard.rename(name, to: name, in: directory.quarantine, replacing: true)
        _ = try? returnUnlessSame(name, as: name, in: directory.quarantine, to: shard, found.inode)
    }

    /// Puts an item back that was moved away although it was not the one looked at: in a shared folder another process may
    /// have placed it between the look and the move.
    ///
    /// - Returns: true if it was the one.
    private func returnUnlessSame(
        _ name: String, as moved: String, in folder: borrowing Directory, to shard: borrowing Directory,
        _ inode: UInt64
    ) throws(FileError) -> Bool {
        guard directory.isShared, try folder.status(of: moved).inode != inode else { return true }
        do throws(FileError) {
            try DirectoryBlobs.change(shard) { () throws(FileError) in
                try folder.rename(moved, to: name, in: shard, replacing: false)
            }
        } catch {
            // A still later one is in its place, with the same bytes.
            guard error.exists else { throw error }
            try folder.removeFile(moved)
        }
        return false
    }

    /// A link in a blob's place is moved away, so that a publisher may put the blob there.
    private func quarantineWhatIsNoFile(_ digest: Digest) throws(RegistryError) {
        try blobLock.withLock(for: digest) { () throws(RegistryError) in
            // Looked at again: a publisher may have been here.
            if try look(digest) == nil { moveToQuarantine(digest, nil) }
        }
    }

    package func quarantined() throws(RegistryError) -> ItemShare {
        var share = ItemShare()
        let items = try rethrowing(try directory.quarantine.items(limit: .max), as: RegistryError.init) ?? []
        for item in items { share.add(item.status.byteCount) }
        return share
    }

    // MARK: Collecting

    package func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem] {
        let found = try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try directory.blobs.openDirectory(StoreNames.shards[Int(byte)]).items(limit: .max) ?? []
        }
        return found.compactMap { found in
            guard found.status.kind == .file, let item = StoredItem(name: found.name) else { return nil }
            return ListedItem(
                item: item, byteCount: found.status.byteCount, modified: found.status.modification,
                changed: found.status.change, mark: found.status.inode)
        }
    }

    /// A crash leaves the file in the staging folder, which the next start sweeps.
    package func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem? {
        let name = item.item.name
        let aside = "\(StagedFile.prefix)\(name.prefix(24))-\(item.mark)"
        do throws(FileError) {
            let folder = try shard(item.item.digest)
            let status = try folder.status(of: name)
            guard status.kind == .file, status.inode == item.mark, status.byteCount == item.byteCount,
                status.modification == item.modified, status.change == item.changed
            else { return nil }
            try folder.rename(name, to: aside, in: directory.staging, replacing: true)
            guard try returnUnlessSame(name, as: aside, in: directory.staging, to: folder, item.mark) else {
                return nil
            }
            return DetachedItem(aside)
        } catch {
            if error.isMissing { return nil }
            throw RegistryError(error)
        }
    }

    package func discard(_ item: DetachedItem) throws(RegistryError) {
        try rethrowing(try directory.staging.removeFile(item.name), as: RegistryError.init)
    }
}

/// The blobs whose bytes were compared with their digests, with the status of their files at that time.
struct VerifiedBlobs: Sendable {
    private let known: Guarded<[Digest: FileStatus]> = Guarded([:])
    /// More are forgotten, and compared again; so memory has a bound.
    private static let capacity = 16 << 10

    func contains(_ digest: Digest, _ status: FileStatus) -> Bool {
        known.withLock { $0[digest] == status }
    }

    func remove(_ digest: Digest) {
        known.withLock { _ = $0.removeValue(forKey: digest) }
    }

    func insert(_ digest: Digest, _ status: FileStatus) {
        known.withLock { known in
            if known.count >= VerifiedBlobs.capacity { known.remove(at: known.startIndex) }
            known[digest] = status
        }
    }
}
