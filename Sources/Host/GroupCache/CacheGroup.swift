package import JSONText
internal import WidgetBytes
internal import WidgetFiles
package import WidgetSurroundings

/// The cache of one group: a folder that any number of processes read and write at once.
///
/// ```
/// entries/DIGEST.json   a value, or the digest of its bytes, under the digest of its key
/// blobs/DIGEST          images and archives
/// uses/DIGEST           when the entry was last used; locked while an instance shows it
/// damaged/…             files that could not be read, for people to look at
/// lock                  held while an entry is compared and replaced, and during eviction
/// ```
///
/// Files are replaced as a whole. Readers take no lock, and see the old entry or the new one. A process that is killed
/// leaves at most a temporary file, which the next writer removes.
package final class CacheGroup: Sendable {
    package let name: GroupName
    package let path: String
    package let limits: GroupCacheLimits
    let clock: any Clock
    private let chance: any Chance
    let root: Directory
    let entries: Directory
    let blobs: Directory
    let uses: Directory
    let damaged: Directory
    private let report: @Sendable (GroupCacheFault) -> Void
    private let known = Guarded(Known())

    private struct Known {
        /// The faults reported so far, by their file. Damage that cannot be moved aside is reported once.
        var faults: Set<String> = []
        /// The moments until which a use of an entry counts.
        var uses: [GroupKey: ContinuousClock.Instant] = [:]
    }

    static let lockName = "lock"
    static let entryEnding = ".json"
    static let folderMode: UInt32 = 0o700
    static let fileMode: UInt32 = 0o600
    private static let mostKnown = 1_000

    /// Opens a group's cache, and makes it if it is not there.
    ///
    /// - Parameters:
    ///   - folder: the folder of all groups.
    ///   - access: the groups that the widget may reach.
    ///   - report: called with each damaged entry, once.
    package init(
        _ name: GroupName, at folder: String, access: GroupAccess, limits: GroupCacheLimits = GroupCacheLimits(),
        in world: World = .machine, report: @escaping @Sendable (GroupCacheFault) -> Void = { _ in }
    ) throws(GroupCacheError) {
        try access.check(name)
        self.name = name
        self.limits = limits
        clock = world.clock
        chance = world.chance
        self.report = report
        path = "\(folder)/\(name)"
        let root = try rethrowing(as: GroupCacheError.file) { () throws(FileError) in
            try Directory(creating: folder, mode: CacheGroup.folderMode)
                .createDirectory(name.text, mode: CacheGroup.folderMode)
        }
        let mode = try rethrowing(try root.status().mode, as: GroupCacheError.file)
        guard mode & 0o077 == 0 else { throw .openToOthers(path: root.path, mode: mode) }
        entries = try CacheGroup.folder("entries", in: root)
        blobs = try CacheGroup.folder("blobs", in: root)
        uses = try CacheGroup.folder("uses", in: root)
        damaged = try CacheGroup.folder("damaged", in: root)
        self.root = root
    }

    private static func folder(_ name: String, in root: borrowing Directory) throws(GroupCacheError) -> Directory {
        do throws(FileError) { return try root.createDirectory(name, mode: folderMode) } catch { throw .file(error) }
    }

    /// The folder to watch for changes; the names in it are those of ``GroupKey/fileName``.
    package var entriesPath: String { entries.path }

    // MARK: - Reading

    /// The entry of a key, fresh or not; `nil` without one that can be read.
    package func entry(_ key: GroupKey) -> GroupEntry? {
        guard let entry = read(key, isLocked: false) else { return nil }
        noteUse(of: key)
        return entry
    }

    /// The JSON value of a key while it is fresh.
    package func value(_ key: GroupKey, at moment: Double) -> JSONValue? {
        guard let entry = entry(key), entry.isFresh(at: moment) else { return nil }
        return entry.json
    }

    /// The value of a key as a type of the caller's, while it is fresh. A value of another type is absent: another
    /// program has stored it.
    package func value<T: JSONDecodable>(_ key: GroupKey, as type: T.Type, at moment: Double) -> T? {
        guard let value = value(key, at: moment) else { return nil }
        var writer = JSONWriter()
        writer.value(value)
        return try? JSONDocument(parsing: writer.finish(), limits: limits.json).cursor.decode()
    }

    /// The bytes of an entry; `nil` if they are missing or are not those that were stored.
    package func bytes(_ key: GroupKey) -> [UInt8]? {
        guard let entry = entry(key), case .blob(let digest, let byteCount) = entry.content else { return nil }
        guard let found = contents(of: digest.hex, in: blobs, limit: byteCount) else {
            // It may have been replaced or evicted since the entry was read.
            if read(key, isLocked: false) == entry { setAside(key, .missingBlob) }
            return nil
        }
        guard found.count == byteCount, Digest.sha256(found) == digest else {
            setAside(key, .wrongBlob)
            return nil
        }
        return found
    }

    /// Reads an entry. Without the lock, damage is moved aside only if it is still there with the lock.
    func read(_ key: GroupKey, isLocked: Bool) -> GroupEntry? {
        switch reading(key) {
        case .entry(let entry): return entry
        case .nothing: return nil
        case .damage(let reason):
            if isLocked { moveAside(key, reason) } else { setAside(key, reason) }
            return nil
        }
    }

    enum Reading {
        case entry(GroupEntry)
        case nothing
        case damage(GroupCacheFault.Reason)
    }

    func reading(_ key: GroupKey) -> Reading {
        let status: FileStatus
        do throws(FileError) {
            status = try entries.status(of: key.fileName)
        } catch {
            return error.isMissing ? .nothing : .damage(.unreadable("\(error)"))
        }
        guard status.kind == .file else { return .damage(.unreadable("it is not a file")) }
        guard status.byteCount <= limits.entryByteCount else { return .damage(.tooLarge(byteCount: status.byteCount)) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try entries.openFile(key.fileName).read(at: 0, count: limits.entryByteCount + 1)
        } catch {
            // It may have been removed since.
            return error.isMissing ? .nothing : .damage(.unreadable("\(error)"))
        }
        do throws(JSONError) {
            return try GroupEntry(reading: bytes, of: key, limits: limits).map { .entry($0) } ?? .nothing
        } catch {
            return .damage(.unreadable("\(error)"))
        }
    }

    /// The bytes of a file, up to one more than the limit; `nil` if it is not there or cannot be read.
    private func contents(of name: String, in folder: borrowing Directory, limit: Int) -> [UInt8]? {
        guard let file = try? folder.openFile(name) else { return nil }
        return try? file.read(at: 0, count: limit + 1)
    }

    // MARK: - Damage

    /// Moves a damaged entry aside unless it has been replaced meanwhile. While another process has the lock, it stays:
    /// that process replaces it, or a later reader moves it.
    private func setAside(_ key: GroupKey, _ reason: GroupCacheFault.Reason) {
        do throws(GroupCacheError) {
            let isLocked: Void? = try tryLocked { () throws(GroupCacheError) in
                switch (reading(key), reason) {
                case (.damage(let reason), _): moveAside(key, reason)
                case (.entry(let entry), .missingBlob), (.entry(let entry), .wrongBlob):
                    guard case .blob(let digest, let byteCount) = entry.content,
                        contents(of: digest.hex, in: blobs, limit: byteCount).flatMap(Digest.sha256) != digest
                    else { return }
                    try? blobs.removeFile(digest.hex)
                    moveAside(key, reason)
                case (.entry, _), (.nothing, _): return
                }
            }
            if isLocked == nil { say(key, reason, "another process has the lock of \(path)") }
        } catch {
            say(key, reason, "\(error)")
        }
    }

    /// The caller has the lock.
    private func moveAside(_ key: GroupKey, _ reason: GroupCacheFault.Reason) {
        let name = "\(key.digest.hex)-\(String(chance.next(), radix: 16))"
        do throws(FileError) {
            // A directory in place of an entry is moved as well.
            try entries.rename(key.fileName, to: name, in: damaged, replacing: true)
            say(key, reason, nil)
        } catch {
            say(key, reason, "\(error)")
        }
        var old = (try? damaged.items(limit: .max)) ?? []
        old.sort { $0.status.change < $1.status.change }
        for item in old.dropLast(limits.damagedCount) { try? damaged.removeTree(item) }
    }

    private func say(_ key: GroupKey, _ reason: GroupCacheFault.Reason, _ obstacle: String?) {
        var fault = GroupCacheFault(path: "\(entries.path)/\(key.fileName)", reason: reason)
        // The same damage is reported once, also if it can be moved aside only later.
        let isNew = known.withLock { known in
            guard known.faults.count < CacheGroup.mostKnown else { return false }
            return known.faults.insert("\(fault)").inserted
        }
        fault.obstacle = obstacle
        if isNew { report(fault) }
    }

    // MARK: - Uses

    static func useName(_ key: GroupKey) -> String { key.digest.hex }

    /// Stamps the use of an entry, at most once in ``GroupCacheLimits/useInterval``.
    func noteUse(of key: GroupKey) {
        let now = clock.now
        let isDue = known.withLock { known in
            if let until = known.uses[key], now < until { return false }
            if known.uses.count >= CacheGroup.mostKnown { known.uses.removeAll() }
            known.uses[key] = now + limits.useInterval
            return true
        }
        guard isDue else { return }
        // Without a stamp, the entry counts as used when it was stored.
        guard let file = try? uses.openOrCreateFile(CacheGroup.useName(key), mode: CacheGroup.fileMode) else { return }
        try? file.write([0], at: 0)
    }
}

extension Directory {
    /// Removes a file, or a directory with all that is in it.
    fileprivate borrowing func removeTree(_ item: Item) throws(FileError) {
        if item.status.kind == .directory { try removeTree(item.name) } else { try removeFile(item.name) }
    }
}
