internal import WidgetBytes
internal import WidgetFiles
package import WidgetRegistry
package import WidgetSurroundings

/// The data directory: its lock, its folders, and how files get into them.
///
/// Other files in the directory are left alone. A link in the place of a file or folder of ours is refused, not
/// followed.
package final class StoreDirectory: Sendable {
    let path: String
    let root: Directory
    let staging: Directory
    let blobs: Directory
    let quarantine: Directory
    /// True when other processes use the folder of archives, too.
    let isShared: Bool
    /// Held until the end of the process, or of this object.
    private let lock: FileLock?
    /// The same of a directory beside a folder that is shared.
    private let replica: ReplicaLock?
    /// The same of a staging folder that is this process's in a shared folder; others remove what a crash leaves there.
    private let stagingLock: FileLock?
    /// The tag of the last change, overwritten after each commit and never waited for: it may lag behind the catalog
    /// after a power cut, and is ahead of it only after an old catalog was put in its place.
    private let mark: FileDescriptor
    private static let markWidth = 20

    package enum Purpose: Sendable {
        case serving
        /// The catalog may be in any state, since it is going to be replaced.
        case repairing
    }

    /// Creates missing files and folders, and takes the lock.
    ///
    /// - Parameter holder: the description of this process in the error that others get while the lock is held.
    package init(_ path: String, holder: String, for purpose: Purpose = .serving) throws(RegistryError) {
        self.path = path
        isShared = false
        stagingLock = nil
        replica = nil
        do throws(FileError) {
            let root = try Directory(creating: path, mode: 0o700, isDurable: true)
            lock = try StoreDirectory.lock(root, holder)
            blobs = try root.createDirectory(StoreNames.blobs, mode: 0o700)
            staging = try root.createDirectory(StoreNames.staging, mode: 0o700)
            quarantine = try root.createDirectory(StoreNames.quarantine, mode: 0o700)
            mark = try root.openOrCreateFile(StoreNames.mark, mode: 0o600)
            self.root = root
        } catch {
            if error.isLocked { throw .locked(by: StoreDirectory.holder(path)) }
            throw RegistryError(error)
        }
        try prepareBlobs()
        if purpose == .serving {
            if let command = try unfinishedCommand() { throw .unfinished(command) }
            try prepareCatalog()
        }
        try sweep()
    }

    /// A folder of archives that processes of several machines share. Its catalog is elsewhere.
    package init(sharing path: String, _ replica: ReplicaLock, in world: World = .machine) throws(RegistryError) {
        self.path = path
        isShared = true
        self.replica = replica
        lock = nil
        do throws(FileError) {
            let root = try Directory(creating: path, mode: 0o700, isDurable: true)
            blobs = try root.createDirectory(StoreNames.blobs, mode: 0o700)
            quarantine = try root.createDirectory(StoreNames.quarantine, mode: 0o700)
            let all = try root.createDirectory(StoreNames.staging, mode: 0o700)
            let name = StoreNames.sharedStaging + Hex.string(world.chance.bytes(16))
            let staging = try all.createDirectory(name, mode: 0o700)
            stagingLock = try FileLock(of: staging.openOrCreateFile(StoreNames.lock, mode: 0o600))
            self.staging = staging
            mark = try root.openOrCreateFile(StoreNames.mark, mode: 0o600)
            self.root = root
            try StoreDirectory.sweep(all, besides: name)
        } catch {
            throw RegistryError(error)
        }
        try prepareBlobs()
    }

    /// Removes the staging folders of processes that are gone: those whose lock is free.
    private static func sweep(_ all: borrowing Directory, besides own: String) throws(FileError) {
        for item in try all.items(limit: .max) ?? []
        where item.status.kind == .directory && item.name.hasPrefix(StoreNames.sharedStaging) && item.name != own {
            do throws(FileError) {
                let lock = try FileLock(of: all.openDirectory(item.name).openFile(StoreNames.lock))
                try all.removeTree(item.name)
                _ = consume lock
            } catch {
                // In use, or just being made or removed by another process.
                guard error.isLocked || error.isMissing else { throw error }
            }
        }
    }

    fileprivate static func lock(_ root: borrowing Directory, _ holder: String) throws(FileError) -> FileLock {
        let file = try root.openOrCreateFile(StoreNames.lock, mode: 0o600)
        // A server that was killed leaves its lock for a moment to a child that it was starting.
        let last = Int(words(of: file).split(separator: " ").last ?? "")
        let lock = try FileLock(of: file, isPatient: last.map { !ProcessNumber.isOther($0) } ?? false)
        let words = Array(holder.utf8)
        do throws(FileError) {
            try lock.file.write(words, at: 0)
            try lock.file.truncate(to: words.count)
        } catch {
            // Only for people to read: a full disk must not stop the store from serving reads.
            if !error.isOutOfSpace { throw error }
        }
        return lock
    }

    /// The description that the lock's holder has written of itself.
    fileprivate static func holder(_ path: String) -> String {
        guard let file = try? Directory(opening: path).openFile(StoreNames.lock) else { return "another process" }
        let words = words(of: file)
        return words.isEmpty ? "another process" : words
    }

    private static func words(of lock: borrowing FileDescriptor) -> String {
        String(decoding: (try? lock.read(at: 0, count: 256)) ?? [], as: UTF8.self)
    }

    /// The directories are made before the first blob comes, so that none is ever missing from a path that was synced.
    private func prepareBlobs() throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            for shard in StoreNames.shards { _ = try blobs.createDirectory(shard) }
            try blobs.synchronize()
            try root.synchronize()
        }
    }

    /// SQLite opens files by path and follows links, so only files may be at those paths. Afterwards no other code of
    /// this process may open them: closing one would release SQLite's locks.
    private func prepareCatalog() throws(RegistryError) {
        for name in StoreNames.catalogFiles {
            let status = try status(of: name)
            guard status == nil || status?.kind == .file else {
                throw .damaged("\(path)/\(name) is not a file; move it away")
            }
        }
        let isNew = try status(of: StoreNames.catalog).map { $0.byteCount == 0 } ?? true
        if isNew, try rethrowing(try StoreDirectory.hasArchives(blobs), as: RegistryError.init) {
            throw .damaged("\(path)/\(StoreNames.catalog) is gone, but the archives are there; rebuild it from them")
        }
        // Digests of tokens are in it; the files SQLite adds take their mode from it.
        _ = try rethrowing(try root.openOrCreateFile(StoreNames.catalog, mode: 0o600), as: RegistryError.init)
    }

    func status(of name: String) throws(RegistryError) -> FileStatus? {
        do throws(FileError) {
            return try root.status(of: name)
        } catch {
            if error.isMissing { return nil }
            throw RegistryError(error)
        }
    }

    /// Removes a crash's leftovers of files in progress. Foreign files stay.
    private func sweep() throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
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

    /// True while the directory at the path is the one that was opened.
    var isInPlace: Bool {
        guard let opened = try? root.status(), let present = try? Directory(opening: path).status() else {
            return false
        }
        return opened.device == present.device && opened.inode == present.inode
    }

    // MARK: Marks

    /// The path of the catalog.
    var catalogPath: String { "\(path)/\(StoreNames.catalog)" }

    /// The tag of the last change that followers were ever sent from here; `nil` when it was not noted.
    var markedTag: Int64? {
        guard let bytes = try? mark.read(at: 0, count: StoreDirectory.markWidth) else { return nil }
        return Int64(String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// Writes the same number of bytes each time, so that it works on a full disk. A failure does no harm: the mark is
    /// only a safeguard.
    func setMark(_ tag: Int64) {
        let digits = Array(String(tag).utf8)
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, StoreDirectory.markWidth - digits.count))
        try? mark.write(padding + digits, at: 0)
    }

    func lastRun(of task: HousekeepingTask) -> Int64? {
        guard let bytes = try? root.openFile(StoreNames.lastRun(task)).read(at: 0, count: 32) else { return nil }
        return Int64(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    func noteRun(of task: HousekeepingTask, at time: Int64) throws(FileError) {
        try root.replaceFile(StoreNames.lastRun(task), with: Array("\(time)\n".utf8), mode: 0o600)
    }

    /// Has no start serve the directory any more: its registry is elsewhere now.
    package func retire(for command: String) throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try root.replaceFile(StoreNames.unfinished, with: Array(command.utf8), mode: 0o600)
            try root.synchronize()
        }
    }

    // MARK: Replacing the catalog

    /// The command that did not finish.
    private func unfinishedCommand() throws(RegistryError) -> String? {
        guard try status(of: StoreNames.unfinished) != nil else { return nil }
        let text = try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try root.openFile(StoreNames.unfinished).read(at: 0, count: 32)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Replaces the catalog with a complete one, and keeps a copy of the former one in quarantine.
    ///
    /// No server uses the directory until the last step. Archives that the new catalog does not know stay until the
    /// next collection of garbage is due, so that there is time to take them in.
    ///
    /// - Parameters:
    ///   - catalog: one complete file, without a log beside it.
    ///   - time: now; it is a part of the copy's name.
    func replaceCatalog(
        with catalog: borrowing StagedFile, latestTag: Int64, at time: Int64, for command: String
    ) throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try root.replaceFile(StoreNames.unfinished, with: Array(command.utf8), mode: 0o600)
            try catalog.settle(mode: 0o600)
            try noteRun(of: .gc, at: time)
            var present: [(name: String, inode: UInt64)] = []
            for file in StoreNames.catalogFiles {
                do throws(FileError) {
                    present.append((file, try root.status(of: file).inode))
                } catch {
                    if !error.isMissing { throw error }
                }
            }
            // Two may be replaced within a second, but a file that is still there shares its number with none. SQLite
            // knows the files of one catalog by their names, so all get the number of the first.
            for file in present {
                let name = "replaced-\(time)-\(present[0].inode)-\(file.name)"
                try root.rename(file.name, to: name, in: quarantine, replacing: true)
            }
            try catalog.move(to: StoreNames.catalog, in: root)
            try root.synchronize()
            setMark(latestTag)
            try mark.synchronize()
            try root.removeFile(StoreNames.unfinished)
            try root.synchronize()
        }
    }
}

/// A directory that one process has for itself, beside what it shares with others.
package final class ReplicaLock: Sendable {
    private let lock: FileLock

    /// - Parameter holder: the description of this process in the error that others get while it has the directory.
    package init(_ path: String, holder: String) throws(RegistryError) {
        do throws(FileError) {
            lock = try StoreDirectory.lock(Directory(creating: path, mode: 0o700, isDurable: true), holder)
        } catch {
            if error.isLocked { throw .locked(by: StoreDirectory.holder(path)) }
            throw RegistryError(error)
        }
    }
}

// MARK: Before it is opened

extension StoreDirectory {
    /// True when the directory has held a registry before.
    package static func exists(at path: String) -> Bool {
        (try? Directory(opening: path).status(of: StoreNames.catalog)) != nil
    }

    /// True when the directory has archives, even without a catalog.
    package static func hasArchives(at path: String) -> Bool {
        do throws(FileError) {
            return try hasArchives(Directory(opening: path).openDirectory(StoreNames.blobs))
        } catch {
            // A file that cannot be read is read again when the store is opened, which reports the reason.
            return !error.isMissing
        }
    }

    private static func hasArchives(_ blobs: borrowing Directory) throws(FileError) -> Bool {
        for shard in StoreNames.shards {
            do throws(FileError) {
                if try blobs.openDirectory(shard).items(limit: 0) == nil { return true }
            } catch {
                if !error.isMissing { throw error }
            }
        }
        return false
    }

    /// Writes the token of the first start into the data directory, for its owner's eyes alone.
    ///
    /// - Returns: the file's path.
    @discardableResult
    package static func storeAdminToken(_ text: [UInt8], at path: String) throws(RegistryError) -> String {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try Directory(opening: path).replaceFile(StoreNames.adminToken, with: text, mode: 0o600)
        }
        return adminTokenPath(at: path)
    }

    /// Removes the token of the first start, which is good for nothing any more.
    package static func removeAdminToken(at path: String) throws(RegistryError) {
        try rethrowing(as: RegistryError.init) { () throws(FileError) in
            try Directory(opening: path).removeFile(StoreNames.adminToken)
        }
    }

    package static func adminTokenPath(at path: String) -> String { "\(path)/\(StoreNames.adminToken)" }
}

/// The names in the data directory.
package enum StoreNames {
    static let lock = "lock"
    static let catalog = "catalog.sqlite"
    static let blobs = "blobs"
    static let staging = "staging"
    static let quarantine = "quarantine"
    /// Begins the name of a process's folder in the staging folder of a shared one.
    static let sharedStaging = "\(StagedFile.prefix)replica-"
    /// Holds the token that the first start made, for its owner's eyes alone.
    package static let adminToken = "admin-token"
    /// The socket through which the owner talks to the server that runs here.
    package static let controlSocket = "control.sock"
    /// The audit of changes that commands made while no server ran, until the next server copies it into its log.
    package static let audit = "audit"
    /// Holds the name by which a catalog knows a shared folder.
    static let tie = "registry"
    /// Holds the last change's tag, for a start to see that a catalog is an old one.
    static let mark = "mark"
    /// Holds the name of the command that is about to replace the catalog.
    package static let unfinished = "unfinished"
    /// Holds the place up to which a mirror has followed its origin.
    package static let mirror = "mirror.json"

    /// Holds when work on the whole store was finished last.
    static func lastRun(_ task: HousekeepingTask) -> String { "last-\(task.rawValue)" }

    /// The files SQLite keeps.
    static let catalogFiles = [catalog, "\(catalog)-wal", "\(catalog)-shm", "\(catalog)-journal"]

    /// The number of directories over which blobs are spread, by the first byte of their digest.
    static let shards = (0...UInt8.max).map { Hex.string([$0]) }

    static func shard(_ digest: Digest) -> String { shards[Int(digest.bytes[0])] }
}
