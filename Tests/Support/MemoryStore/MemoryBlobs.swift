package import WidgetBytes
package import WidgetFiles
package import WidgetRegistry
package import WidgetSurroundings

/// Archives and notes in memory, for tests. Files are staged, and opened, in a folder that is gone with its owner.
package final class MemoryBlobs: BlobStore {
    private struct Kept {
        var bytes: [UInt8]
        var time: Int64
        var mark: UInt64
    }

    private struct State {
        var items: [StoredItem: Kept] = [:]
        var detached: Set<String> = []
        var quarantined = ItemShare()
        var lastMark: UInt64 = 0

        mutating func put(_ bytes: [UInt8], as item: StoredItem, at time: Int64) {
            lastMark += 1
            items[item] = Kept(bytes: bytes, time: time, mark: lastMark)
        }
    }

    private let state = Guarded(State())
    private let scratch: ScratchDirectory
    /// Seconds since 1970.
    private let clock: any Clock
    /// The beginning of the addresses to which readers of archives are sent; `nil` to send them from here.
    private let place: String?

    package init(clock: any Clock, redirectingTo place: String? = nil) throws(FileError) {
        self.place = place
        scratch = try ScratchDirectory(in: Directory.temporary)
        self.clock = clock
    }

    package func stage() throws(RegistryError) -> StagedFile {
        try rethrowing(try StagedFile(in: scratch.directory), as: RegistryError.init)
    }

    package var redirects: Bool { place != nil }

    package func redirect(_ digest: Digest, as disposition: String) throws(RegistryError) -> String? {
        place.map { "\($0)\(digest.hex)" }
    }

    package var availableByteCount: Int { 1 << 40 }

    // MARK: Archives

    package func place(
        _ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?
    ) throws(RegistryError) {
        let bytes = try bytes(of: archive)
        let time = clock.seconds
        state.withLock { state in
            state.put(bytes, as: .blob(digest), at: time)
            if let note { state.put(note.bytes, as: note.item, at: time) }
        }
    }

    package func open(_ digest: Digest) throws(RegistryError) -> StoredFile? {
        switch try check(digest) {
        case .intact(let file): return file
        case .damaged(let file):
            quarantine(digest, file)
            return nil
        case .missing: return nil
        }
    }

    package func holds(_ digest: Digest) -> Bool { state.withLock { $0.items[.blob(digest)] != nil } }

    package func check(_ digest: Digest) throws(RegistryError) -> BlobCondition {
        guard let bytes = state.withLock({ $0.items[.blob(digest)]?.bytes }) else { return .missing }
        let path = scratch.path
        let file = try rethrowing(as: RegistryError.init) { () throws(FileError) in
            let file = try FileDescriptor.unnamed(inDirectory: path)
            try file.write(bytes, at: 0)
            return try StoredFile(file)
        }
        return Digest.sha256(bytes) == digest ? .intact(file) : .damaged(file)
    }

    package func quarantine(_ digest: Digest, _ file: StoredFile?) {
        state.withLock { state in
            guard let kept = state.items.removeValue(forKey: .blob(digest)) else { return }
            state.quarantined.add(kept.bytes.count)
        }
    }

    package func distrust(_ digest: Digest) {}

    /// Changes the bytes of an archive, as a bad disk does.
    package func damage(_ digest: Digest) {
        state.withLock { $0.items[.blob(digest)]?.bytes.append(0) }
    }

    // MARK: Items

    package func put(_ note: StoredNote) {
        let time = clock.seconds
        state.withLock { $0.put(note.bytes, as: note.item, at: time) }
    }

    package func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError) {
        let bytes = try bytes(of: file)
        let time = clock.seconds
        state.withLock { $0.put(bytes, as: item, at: time) }
    }

    package func note(_ item: StoredItem) -> [UInt8]? { state.withLock { $0.items[item]?.bytes } }

    package func remove(_ item: StoredItem) { state.withLock { _ = $0.items.removeValue(forKey: item) } }

    package func takeBack(_ items: [StoredItem]) { for item in items { remove(item) } }

    private func bytes(of staged: borrowing StagedFile) throws(RegistryError) -> [UInt8] {
        do throws(FileError) {
            return try staged.file.read(at: 0, count: staged.file.status().byteCount)
        } catch {
            throw RegistryError(error)
        }
    }

    // MARK: Collecting

    package func items(beginning byte: UInt8) -> [ListedItem] {
        state.withLock { state in
            state.items.filter { $0.key.digest.bytes[0] == byte }.map { item, kept in
                ListedItem(
                    item: item, byteCount: kept.bytes.count, modified: .seconds(kept.time),
                    changed: .seconds(kept.time), mark: kept.mark)
            }
        }
    }

    package func detach(_ item: ListedItem) -> DetachedItem? {
        state.withLock { state in
            guard state.items[item.item]?.mark == item.mark else { return nil }
            state.items[item.item] = nil
            let name = String(item.mark)
            state.detached.insert(name)
            return DetachedItem(name)
        }
    }

    package func discard(_ item: DetachedItem) { state.withLock { _ = $0.detached.remove(item.name) } }

    package func quarantined() -> ItemShare { state.withLock { $0.quarantined } }
}
