internal import RegistryContract
internal import WidgetBytes
internal import WidgetFiles

extension WidgetCache {
    private static let mostItems = 100_000

    private struct Item {
        var name: String
        var byteCount: Int
        var time: Duration
        var isInUse: Bool
    }

    /// Removes unused files until the cache has its target size: partial archives first, then by age. Archives of
    /// releases in use go last, because they only save network traffic. The releases themselves always stay.
    ///
    /// - Parameter target: how small; `nil`: as its limits say.
    func evict(to target: Int? = nil) {
        // One process is enough. A file that cannot be listed or removed now is removed the next time.
        guard let lock = try? Directory(opening: path), (try? lock.tryLock()) == true else { return }
        var used = 0
        var digests: Set<String> = []
        for item in (try? widgets.items(limit: WidgetCache.mostItems)) ?? [] {
            guard let identifier = try? WidgetIdentifier(item.name), let state = try? state(of: identifier) else {
                continue
            }
            for record in state.records {
                used += record.expandedByteCount
                digests.insert(WidgetCache.archiveName(record.keptDigest))
            }
        }
        let now = fileSystemTime
        var beginnings = items(in: partial, inUse: [])
        var archives = items(in: archives, inUse: digests)
        used += archives.reduce(0) { $0 + $1.byteCount } + beginnings.reduce(0) { $0 + $1.byteCount }
        beginnings.sort { $0.time < $1.time }
        for item in beginnings where used > target ?? limits.byteCount || now - item.time > limits.partialAge {
            guard WidgetCache.remove(item.name, from: partial) else { continue }
            used -= item.byteCount
        }
        archives.sort { ($0.isInUse ? 1 : 0, $0.time) < ($1.isInUse ? 1 : 0, $1.time) }
        for item in archives where used > target ?? limits.byteCount {
            guard (try? self.archives.removeFile(item.name)) != nil else { continue }
            used -= item.byteCount
        }
    }

    /// The present time by the clock of the file system, which stamps files.
    private var fileSystemTime: Duration {
        guard let file = try? FileDescriptor.unnamed(inDirectory: path), let status = try? file.status() else {
            return .zero
        }
        return status.modification
    }

    /// Removes crashes' leftovers of archives and of this widget's releases.
    func sweep(_ widget: WidgetIdentifier) async {
        for item in items(in: partial, inUse: []) where item.name.hasPrefix(StagedFile.prefix) {
            WidgetCache.remove(item.name, from: partial)
        }
        for item in items(in: root, inUse: []) where item.name.hasPrefix(StagedFile.prefix) {
            WidgetCache.remove(item.name, from: root)
        }
        // A leftover that cannot be removed now is removed the next time.
        guard let folder = try? existing(widget), folder.hasLeftovers else { return }
        try? await change(widget) { (_) throws(FetchError) in }
    }

    /// Removes partial archives that a newer release supersedes, unless a process is fetching them now.
    func removeBeginnings(_ archives: [Digest]) {
        guard !archives.isEmpty else { return }
        let superseded = Set(archives.map(\.hex))
        for item in items(in: partial, inUse: []) where superseded.contains(String(item.name.prefix(64))) {
            WidgetCache.remove(item.name, from: partial)
        }
    }

    private func items(in folder: borrowing Directory, inUse: Set<String>) -> [Item] {
        ((try? folder.items(limit: WidgetCache.mostItems)) ?? []).map {
            Item(
                name: $0.name, byteCount: $0.status.byteCount, time: $0.status.modification,
                isInUse: inUse.contains($0.name))
        }
    }

    /// Removes a file that was being written, unless a process is still writing it.
    @discardableResult
    private static func remove(_ name: String, from folder: borrowing Directory) -> Bool {
        guard let file = try? folder.openFile(name), (try? file.tryLock()) == true else { return false }
        return (try? folder.removeFile(name)) != nil
    }
}
