internal import Bytes
internal import Files

/// The data directory: its lock, its folders, and how files get into them.
///
/// Names in it are ours alone. Whatever else lies there is left alone, and a link in the place of a file or folder
/// of ours is refused, not followed.
final class Store: Sendable {
    let path: String
    let root: Directory
    let staging: Directory
    let blobs: Directory
    let quarantine: Directory
    /// Held until the end of the process, or of this object.
    private let lock: FileLock
    /// Held while a blob is moved away or put in place.
    let blobLock = StripedLock()
    /// Held while a blob is read for its digest, so that this is done once.
    let verifyLock = StripedLock()

    /// The tag of the last change, overwritten after each commit and never waited for: it may lag behind the catalog
    /// after a power cut, and is ahead of it only when somebody has put an old catalog in its place.
    let mark: FileDescriptor

    enum Purpose {
        case serving
        /// Whatever the state of the catalog: it is going to be replaced.
        case repairing
    }

    /// Makes what is missing, and takes the lock.
    ///
    /// - Parameter holder: what others are told who find it locked.
    init(_ path: String, holder: String, for purpose: Purpose = .serving) throws(RegistryError) {
        self.path = path
        do throws(FileError) {
            let root = try Directory(creating: path, mode: 0o700, isDurable: true)
            lock = try Store.lock(root, holder)
            blobs = try root.createDirectory(StoreNames.blobs, mode: 0o700)
            staging = try root.createDirectory(StoreNames.staging, mode: 0o700)
            quarantine = try root.createDirectory(StoreNames.quarantine, mode: 0o700)
            mark = try root.openOrCreateFile(StoreNames.mark, mode: 0o600)
            self.root = root
        } catch {
            if error.isLocked { throw .locked(by: Store.holder(path)) }
            throw RegistryError(error)
        }
        try prepareBlobs()
        if purpose == .serving {
            if let command = try unfinishedCommand() { throw .unfinished(command) }
            try prepareCatalog()
        }
        try sweep()
    }

    private static func lock(_ root: borrowing Directory, _ holder: String) throws(FileError) -> FileLock {
        let lock = try FileLock(of: root.openOrCreateFile(StoreNames.lock, mode: 0o600))
        try lock.file.truncate(to: 0)
        try lock.file.write(Array(holder.utf8), at: 0)
        return lock
    }

    /// What the holder of the lock wrote about itself.
    private static func holder(_ path: String) -> String {
        let text = try? Directory(opening: path).openFile(StoreNames.lock).read(at: 0, count: 256)
        let words = String(decoding: text ?? [], as: UTF8.self)
        return words.isEmpty ? "another process" : words
    }

    /// The directories are made before the first blob comes, so that none is ever missing from a path that was synced.
    private func prepareBlobs() throws(RegistryError) {
        try storing { () throws(FileError) in
            for shard in StoreNames.shards { _ = try blobs.createDirectory(shard) }
            try blobs.synchronize()
            try root.synchronize()
        }
    }

    /// SQLite opens files by path and follows links, so nothing but a file may be at those paths. Afterwards nobody
    /// else opens them in this process: closing one would give up SQLite's locks.
    private func prepareCatalog() throws(RegistryError) {
        for name in StoreNames.catalogFiles {
            let status = try status(of: name)
            guard status == nil || status?.kind == .file else {
                throw .damaged("\(path)/\(name) is not a file; move it away")
            }
        }
        let isNew = try status(of: StoreNames.catalog).map { $0.byteCount == 0 } ?? true
        if isNew, try hasBlobs() {
            throw .damaged("\(path)/\(StoreNames.catalog) is gone, but the archives are there; rebuild it from them")
        }
        // Digests of tokens are in it; the files SQLite adds take their mode from it.
        _ = try storing { () throws(FileError) in try root.openOrCreateFile(StoreNames.catalog, mode: 0o600) }
    }

    func status(of name: String) throws(RegistryError) -> FileStatus? {
        do throws(FileError) {
            return try root.status(of: name)
        } catch {
            if error.isMissing { return nil }
            throw RegistryError(error)
        }
    }

    private func hasBlobs() throws(RegistryError) -> Bool {
        try storing { () throws(FileError) in
            for shard in StoreNames.shards where try blobs.openDirectory(shard).items(limit: 0) == nil { return true }
            return false
        }
    }

    /// Removes what a crash has left of files in progress. What is not from us stays.
    private func sweep() throws(RegistryError) {
        try storing { () throws(FileError) in
            for item in try staging.items(limit: .max) ?? [] where item.name.hasPrefix(StagedFile.prefix) {
                if item.status.kind == .directory {
                    try staging.removeTree(item.name)
                } else {
                    try staging.removeFile(item.name)
                }
            }
            for item in try root.items(limit: .max) ?? [] where item.name.hasPrefix(StagedFile.prefix) {
                // Files alone are made here by us.
                if item.status.kind != .directory { try root.removeFile(item.name) }
            }
        }
    }
}
