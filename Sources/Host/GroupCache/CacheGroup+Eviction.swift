internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings

/// An entry that an instance shows. It is not evicted, by any process, while this value is alive.
package final class HeldEntry: Sendable {
    package let key: GroupKey
    /// Its shared lock ends with it, also when the process is killed.
    private let mark: FileDescriptor

    fileprivate init(_ key: GroupKey, _ mark: consuming FileDescriptor) {
        self.key = key
        self.mark = mark
    }
}

extension CacheGroup {
    private static let holdAttempts = 200

    /// Keeps an entry from being evicted; there need not be one yet.
    package func hold(_ key: GroupKey) async throws(GroupCacheError) -> HeldEntry {
        for _ in 0..<CacheGroup.holdAttempts {
            do throws(FileError) {
                let name = CacheGroup.useName(key)
                let mark = try uses.openOrCreateFile(name, mode: CacheGroup.fileMode)
                // An eviction may have removed the mark before it was locked.
                if try mark.tryLock(exclusively: false), try isNamed(name, mark) { return HeldEntry(key, mark) }
            } catch {
                throw .file(error)
            }
            // An eviction looks at the mark for a moment.
            await clock.sleep(for: .milliseconds(5))
        }
        throw .busy(path: path)
    }

    private func isNamed(_ name: String, _ file: borrowing FileDescriptor) throws(FileError) -> Bool {
        do throws(FileError) {
            return try uses.status(of: name).isSameFile(as: file.status())
        } catch {
            if error.isMissing { return false }
            throw error
        }
    }

    /// Removes the least recently used entries until the group is within its limits, and what crashes have left.
    package func evict() async throws(GroupCacheError) {
        try await locked { () throws(GroupCacheError) in evictLocked(sparing: nil) }
    }

    private struct Candidate {
        var name: String
        var byteCount: Int
        var lastUse: Duration
    }

    /// The caller has the lock. Files that cannot be listed or removed now are removed the next time.
    func evictLocked(sparing spared: GroupKey?) {
        let stored = swept(entries).filter { $0.name.hasSuffix(CacheGroup.entryEnding) }
        var bytes = swept(blobs).reduce(into: [String: Int]()) { $0[$1.name] = $1.status.byteCount }
        var total = stored.reduce(0) { $0 + $1.status.byteCount } + bytes.values.reduce(0, +)
        var count = stored.count
        guard total > limits.byteCount || count > limits.entryCount else { return }
        let marks = ((try? uses.items(limit: .max)) ?? []).reduce(into: [String: Duration]()) {
            $0[$1.name] = $1.status.modification
        }
        // The entries that refer to each blob: the last one takes it along.
        var references: [String: Int] = [:]
        var blobOf: [String: String] = [:]
        var isComplete = true
        for item in stored {
            switch blob(of: item.name) {
            case .some(.some(let blob)):
                blobOf[item.name] = blob
                references[blob, default: 0] += 1
            case .some(.none): continue
            case .none: isComplete = false
            }
        }
        // An entry that cannot be read may refer to any of them.
        for (blob, byteCount) in bytes where references[blob] == nil && isComplete {
            guard (try? blobs.removeFile(blob)) != nil else { continue }
            total -= byteCount
            bytes[blob] = nil
        }
        let candidates = stored.map { item in
            let mark = marks[String(item.name.dropLast(CacheGroup.entryEnding.utf8.count))] ?? .zero
            return Candidate(
                name: item.name, byteCount: item.status.byteCount, lastUse: max(mark, item.status.modification))
        }
        let names = Set(stored.map { String($0.name.dropLast(CacheGroup.entryEnding.utf8.count)) })
        for mark in marks.keys where !names.contains(mark) { forgetUse(mark) }
        for item in candidates.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard total > limits.byteCount || count > limits.entryCount else { return }
            guard item.name != spared?.fileName, removeUnheld(item.name) else { continue }
            total -= item.byteCount
            count -= 1
            guard let blob = blobOf[item.name], let left = references[blob] else { continue }
            references[blob] = left - 1
            if left == 1, (try? blobs.removeFile(blob)) != nil { total -= bytes[blob] ?? 0 }
        }
    }

    /// Removes an entry with its mark, unless an instance holds it.
    private func removeUnheld(_ name: String) -> Bool {
        let use = String(name.dropLast(CacheGroup.entryEnding.utf8.count))
        if let mark = try? uses.openFile(use) {
            guard (try? mark.tryLock()) == true else { return false }
            guard (try? entries.removeFile(name)) != nil else { return false }
            try? uses.removeFile(use)
            return true
        }
        return (try? entries.removeFile(name)) != nil
    }

    /// Removes the mark of an entry that is gone, unless an instance waits for it.
    func forgetUse(_ name: String) {
        guard let mark = try? uses.openFile(name), (try? mark.tryLock()) == true else { return }
        try? uses.removeFile(name)
    }

    /// The bytes that an entry refers to, if it does; `nil` for one that cannot be read, or is of a newer schema.
    private func blob(of name: String) -> String?? {
        guard let file = try? entries.openFile(name), let bytes = try? file.read(at: 0, count: limits.entryByteCount),
            let entry = try? GroupEntry(reading: bytes, of: nil, limits: limits)
        else { return nil }
        guard case .blob(let digest, _) = entry.content else { return .some(nil) }
        return digest.hex
    }

    /// The files of a folder without temporary ones, which are removed: their writers had the lock, which the caller has
    /// now, so they are gone.
    private func swept(_ folder: borrowing Directory) -> [Directory.Item] {
        var kept: [Directory.Item] = []
        for item in (try? folder.items(limit: .max)) ?? [] {
            if item.name.hasPrefix(StagedFile.prefix) { try? folder.removeFile(item.name) } else { kept.append(item) }
        }
        return kept
    }
}
