internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings

extension CacheGroup {
    /// The outcome of storing a value.
    package enum Stored: Equatable, Sendable {
        case stored
        /// The group has a newer value of the key, from that upstream time. Nothing was changed.
        case superseded(by: Double)
    }

    /// Stores a value under a key. Of two writers the last one wins, unless its value is older at the source.
    ///
    /// - Parameter moment: the present, by the clock that all processes share.
    @discardableResult
    package func store(
        _ entry: GroupEntry, under key: GroupKey, at moment: Double
    ) async throws(GroupCacheError) -> Stored {
        try await store(entry, nil, under: key, at: moment)
    }

    /// Stores bytes under a key. Equal bytes are stored once.
    ///
    /// - Parameter entry: the times and validators; its content becomes the digest of the bytes.
    @discardableResult
    package func store(
        _ bytes: [UInt8], _ entry: GroupEntry, under key: GroupKey, at moment: Double
    ) async throws(GroupCacheError) -> Stored {
        guard bytes.count <= limits.blobByteCount else {
            throw .valueTooLarge(byteCount: bytes.count, limit: limits.blobByteCount)
        }
        guard let digest = Digest.sha256(bytes) else { throw .noDigest }
        var entry = entry
        entry.content = .blob(digest, byteCount: bytes.count)
        return try await store(entry, bytes, under: key, at: moment)
    }

    private func store(
        _ entry: GroupEntry, _ blob: [UInt8]?, under key: GroupKey, at moment: Double
    ) async throws(GroupCacheError) -> Stored {
        var entry = entry
        // A time of the far future would keep all later values out.
        entry.upstream = entry.upstream.map { min($0, moment + limits.clockTolerance) }
        let document = try entry.checked(as: key, limits: limits)
        return try await locked { () throws(GroupCacheError) in
            if let new = entry.upstream, let old = read(key, isLocked: true)?.upstream, new < old {
                return .superseded(by: old)
            }
            do throws(FileError) {
                if let blob, case .blob(let digest, _) = entry.content {
                    try blobs.replaceFile(digest.hex, with: blob, mode: CacheGroup.fileMode)
                }
                try entries.replaceFile(key.fileName, with: document, mode: CacheGroup.fileMode)
            } catch {
                throw .file(error)
            }
            noteUse(of: key)
            evictLocked(sparing: key)
            return .stored
        }
    }

    /// Removes the value of a key, if there is one.
    package func remove(_ key: GroupKey) async throws(GroupCacheError) {
        try await locked { () throws(GroupCacheError) in
            do throws(FileError) {
                try entries.removeFile(key.fileName)
            } catch {
                if !error.isMissing { throw .file(error) }
            }
            forgetUse(CacheGroup.useName(key))
        }
    }

    // MARK: - The lock

    /// Runs a body while no other process, and no other thread, compares and replaces entries.
    func locked<Result: Sendable>(
        _ body: () throws(GroupCacheError) -> Result
    ) async throws(GroupCacheError) -> Result {
        let deadline = clock.moment(after: limits.patience)
        while true {
            if let result = try tryLocked(body) { return result }
            guard clock.now < deadline, !Task.isCancelled else { throw .busy(path: path) }
            await clock.sleep(for: CacheGroup.lockPause)
        }
    }

    private static let lockPause = Duration.milliseconds(5)

    /// Runs a body with the lock; `nil` while another has it.
    func tryLocked<Result>(_ body: () throws(GroupCacheError) -> Result) throws(GroupCacheError) -> Result? {
        let lock: FileLock
        do throws(FileError) {
            lock = try FileLock(of: root.openOrCreateFile(CacheGroup.lockName, mode: CacheGroup.fileMode))
        } catch {
            if error.isLocked { return nil }
            throw .file(error)
        }
        let result = try body()
        withExtendedLifetime(lock) {}
        return result
    }
}
