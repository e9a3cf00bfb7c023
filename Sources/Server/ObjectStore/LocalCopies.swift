internal import WidgetBytes
internal import WidgetFiles
internal import WidgetRegistry

/// Copies of archives on this machine, by their digests, up to a number of bytes. Any of them may be lost.
///
/// A copy gets its name when all of it is there and compared with its digest, and is compared again when it is opened first
/// after a start, and whenever its file has changed. Those used longest ago go first; after a start, those brought longest
/// ago. One process uses a folder at a time.
final class LocalCopies: Sendable {
    private struct Copy {
        var byteCount: Int
        /// Rises with each use of any copy.
        var lastUse: UInt64
        /// The file as it was when its bytes were compared; `nil`: they are to be compared.
        var verified: FileStatus?
    }

    private struct State {
        var copies: [Digest: Copy] = [:]
        var byteCount = 0
        var uses: UInt64 = 0

        mutating func use(_ digest: Digest) {
            uses += 1
            copies[digest]?.lastUse = uses
        }
    }

    private let folder: Directory
    private let copies: Directory
    private let staging: Directory
    private let byteLimit: Int
    private let state = Guarded(State())

    private static let copiesName = "copies"
    private static let stagingName = "incoming"

    init(_ path: String, byteLimit: Int) throws(FileError) {
        self.byteLimit = byteLimit
        let folder = try Directory(creating: path, mode: 0o700)
        try folder.lock()
        // Leftovers of a process that has ended.
        if try folder.holds(LocalCopies.stagingName) { try folder.removeTree(LocalCopies.stagingName) }
        staging = try folder.createDirectory(LocalCopies.stagingName, mode: 0o700)
        let copies = try folder.createDirectory(LocalCopies.copiesName, mode: 0o700)
        var found = State()
        let items = try copies.items(limit: .max) ?? []
        for item in items.sorted(by: { $0.status.modification < $1.status.modification }) {
            guard let digest = Digest(hex: item.name), item.status.kind == .file else { continue }
            found.uses += 1
            found.copies[digest] = Copy(byteCount: item.status.byteCount, lastUse: found.uses)
            found.byteCount += item.status.byteCount
        }
        self.folder = folder
        self.copies = copies
        state.withLock { $0 = found }
        evict(besides: nil)
    }

    func stage() throws(FileError) -> StagedFile { try StagedFile(in: staging) }

    func availableByteCount() throws(FileError) -> Int { try folder.availableByteCount() }

    /// The number of copies, and their bytes.
    var share: ItemShare {
        state.withLock { state in
            var share = ItemShare()
            share.count = state.copies.count
            share.byteCount = state.byteCount
            return share
        }
    }

    /// A copy whose bytes were compared with their digest; `nil` when it is not there. One with other bytes is removed.
    func open(_ digest: Digest) throws(ObjectError) -> StoredFile? {
        let file: StoredFile
        do throws(FileError) {
            file = try StoredFile(copies.openFile(digest.hex))
        } catch {
            forget(digest)
            if error.isMissing || error.isLink { return nil }
            throw .file(error)
        }
        let isVerified = state.withLock { state in
            state.use(digest)
            return state.copies[digest]?.verified == file.status
        }
        if isVerified { return file }
        guard try LocalCopies.digest(of: file.descriptor, file.byteCount) == digest else {
            remove(digest)
            return nil
        }
        state.withLock { $0.copies[digest]?.verified = file.status }
        return file
    }

    /// Makes a copy of a staged file, if its bytes have the digest.
    func keep(_ staged: borrowing StagedFile, as digest: Digest) throws(ObjectError) -> StoredFile? {
        do throws(FileError) {
            let count = try staged.file.status().byteCount
            guard try LocalCopies.sum(of: staged.file, count) == digest else { return nil }
            try staged.move(to: digest.hex, in: copies)
            let file = try StoredFile(copies.openFile(digest.hex))
            state.withLock { state in
                state.byteCount += count - (state.copies[digest]?.byteCount ?? 0)
                state.copies[digest] = Copy(byteCount: count, lastUse: 0, verified: file.status)
                state.use(digest)
            }
            evict(besides: digest)
            return file
        } catch {
            throw .file(error)
        }
    }

    /// Has a copy compared with its digest when it is opened next.
    func distrust(_ digest: Digest) { state.withLock { $0.copies[digest]?.verified = nil } }

    func remove(_ digest: Digest) {
        try? copies.removeFile(digest.hex)
        forget(digest)
    }

    private func forget(_ digest: Digest) {
        state.withLock { state in
            guard let copy = state.copies.removeValue(forKey: digest) else { return }
            state.byteCount -= copy.byteCount
        }
    }

    /// Removes copies until the rest is within the limit. Open files stay readable.
    private func evict(besides kept: Digest?) {
        while true {
            let victim = state.withLock { state -> Digest? in
                guard state.byteCount > byteLimit else { return nil }
                return state.copies.filter { $0.key != kept }.min { $0.value.lastUse < $1.value.lastUse }?.key
            }
            guard let victim else { return }
            remove(victim)
        }
    }

    private static func digest(of file: borrowing FileDescriptor, _ count: Int) throws(ObjectError) -> Digest? {
        do throws(FileError) { return try sum(of: file, count) } catch { throw .file(error) }
    }

    /// `nil` if the digest cannot be computed, and then belongs to no copy.
    private static func sum(of file: borrowing FileDescriptor, _ count: Int) throws(FileError) -> Digest? {
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 256 << 10)
        try file.forEachPiece(of: 0..<count, through: &window) { sha.update($0) }
        return sha.finish()
    }
}

/// One lock for each digest that is at work.
final class DigestLocks: Sendable {
    private struct Entry {
        var lock = Guarded(false)
        var users = 0
    }

    private let entries = Guarded<[Digest: Entry]>([:])

    func withLock<Value: Sendable, Failure: Error>(
        for digest: Digest, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let lock = entries.withLock { entries in
            entries[digest, default: Entry()].users += 1
            return entries[digest]?.lock ?? Guarded(false)
        }
        defer {
            entries.withLock { entries in
                entries[digest]?.users -= 1
                if entries[digest]?.users == 0 { entries[digest] = nil }
            }
        }
        return try lock.withLock { (_: inout Bool) throws(Failure) in try body() }
    }
}
