internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings
internal import WidgetTransfers

/// The verified archives, shared by all widgets, and those that are on their way.
extension WidgetCache {
    private static let windowByteCount = 256 << 10

    /// An archive, verified again; `nil` when it is missing or damaged.
    func archive(_ digest: Digest, byteCount: Int) -> FileDescriptor? {
        let name = WidgetCache.archiveName(digest)
        guard let file = try? archives.openFile(name) else { return nil }
        var window = [UInt8](repeating: 0, count: WidgetCache.windowByteCount)
        guard (try? file.status())?.byteCount == byteCount,
            let found = try? ReleaseFolder.digest(of: file, limit: byteCount, window: &window), found.digest == digest
        else {
            try? archives.removeFile(name)
            return nil
        }
        return file
    }

    static func archiveName(_ digest: Digest) -> String { "\(digest.hex).zip" }

    /// Opens a partial download, and keeps other processes from adding to it meanwhile.
    ///
    /// A process that is fetching it is waited for as long as the file grows. When the file stops growing, the archive
    /// is fetched a second time, into a file without a name.
    ///
    /// - Parameters:
    ///   - name: identifies the download; a process that continues it must want the same archive.
    ///   - digest: of the archive it is for.
    /// - Returns: `nil` when that archive has arrived on the shelf meanwhile.
    func partialArchive(
        _ name: String, of digest: Digest, byteCount: Int
    ) async throws(FetchError) -> PartialArchive? {
        do throws(FileError) {
            var seen = -1
            var deadline = clock.moment(after: limits.lockPatience)
            while true {
                let file = try partial.openOrCreateFile(name, mode: WidgetCache.fileMode)
                if try file.tryLock() {
                    // A file that was moved to the shelf in between is no longer partial.
                    if try isNamed(name, file) {
                        if !isOnShelf(digest) { return try PartialArchive(file, name: name, byteCount: byteCount) }
                        // The archive left this name before the file was created, and a second one is not needed.
                        try? partial.removeFile(name)
                    }
                } else {
                    let now = try file.status().byteCount
                    if now != seen { deadline = clock.moment(after: limits.lockPatience) }
                    seen = now
                    guard clock.now < deadline, !Task.isCancelled else { break }
                    await clock.sleep(for: WidgetCache.downloadPause)
                }
                if isOnShelf(digest) { return nil }
            }
            return try PartialArchive(
                FileDescriptor.unnamed(inDirectory: partial.path), name: nil, byteCount: byteCount)
        } catch {
            throw FetchError(error)
        }
    }

    /// The number of bytes of a download that are here.
    func partialByteCount(_ name: String) -> Int {
        (try? partial.status(of: name).byteCount) ?? 0
    }

    private static let downloadPause = Duration.milliseconds(20)

    private func isOnShelf(_ digest: Digest) -> Bool {
        (try? archives.status(of: WidgetCache.archiveName(digest))) != nil
    }

    private func isNamed(_ name: String, _ file: borrowing FileDescriptor) throws(FileError) -> Bool {
        do throws(FileError) {
            return try partial.status(of: name).isSameFile(as: file.status())
        } catch {
            if error.isMissing { return false }
            throw error
        }
    }

    /// Moves a proven archive to the shelf. One without a name stays without.
    func shelve(_ archive: PartialArchive, as digest: Digest) throws(FetchError) {
        guard let name = archive.name else { return }
        try rethrowing(as: FetchError.init) { () throws(FileError) in
            try partial.rename(name, to: WidgetCache.archiveName(digest), in: archives, replacing: true)
        }
    }

    /// Puts an archive that was made here on the shelf.
    func shelve(_ archive: consuming StagedFile, as digest: Digest) throws(FetchError) {
        try rethrowing(as: FetchError.init) { () throws(FileError) in
            try archive.move(to: WidgetCache.archiveName(digest), in: archives)
        }
    }

    /// A file to make an archive in, gone with its owner unless it is put on the shelf.
    func stagedArchive() throws(FetchError) -> StagedFile {
        return try rethrowing(as: FetchError.init) { () throws(FileError) in
            let staged = try StagedFile(in: partial)
            // Distinguishes it from a crash's leftover.
            _ = try staged.file.tryLock()
            return staged
        }
    }

    /// Discards a partial download that is wrong, no longer needed, or too large for the disk.
    func discard(_ archive: PartialArchive) {
        if let name = archive.name { try? partial.removeFile(name) }
    }
}

/// An archive that is being written from its start, and the digest of the bytes so far.
///
/// The file is always a beginning of the archive, so that another process can continue it.
final class PartialArchive: DownloadSink {
    let file: SharedFile
    /// In the folder of partial archives; `nil` when it has none and goes with its descriptor.
    let name: String?
    private let state: Guarded<State>

    private struct State {
        var digest: RunningDigest
        var byteCount: Int
        /// The start of the present part.
        var base: Int
    }

    /// - Parameter byteCount: of the whole; a file that holds more is begun anew.
    init(_ file: consuming FileDescriptor, name: String?, byteCount: Int) throws(FileError) {
        let held = try file.status().byteCount
        let isUsable = held <= byteCount
        if !isUsable { try file.truncate(to: 0) }
        let digest = RunningDigest()
        if isUsable { try digest.restart(with: file, byteCount: held) }
        self.file = SharedFile(file)
        self.name = name
        state = Guarded(State(digest: digest, byteCount: isUsable ? held : 0, base: 0))
    }

    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Starts a part whose first byte belongs at `position`. Some of its bytes may be here already.
    func begin(at position: Int) {
        state.withLock { $0.base = position }
    }

    /// Meets a full disk now rather than in the middle.
    func reserve(_ byteCount: Int) throws(FetchError) {
        try rethrowing(as: FetchError.init) { () throws(FileError) in try file.descriptor.reserve(byteCount: byteCount)
        }
    }

    /// Forgets everything.
    func clear() throws(FetchError) {
        begin(at: 0)
        try rethrowing(as: FetchError.init) { () throws(FileError) in try restart() }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            let position = state.base + offset
            precondition(position == state.byteCount, "a download hands its bytes over in order")
            try file.descriptor.write(bytes, at: position)
            state.digest.update(bytes)
            state.byteCount = position + bytes.count
        }
    }

    /// Removes the bytes of the present part.
    func restart() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            try file.descriptor.truncate(to: state.base)
            try state.digest.restart(with: file.descriptor, byteCount: state.base)
            state.byteCount = state.base
        }
    }

    /// The digest of everything that is here.
    func digest() -> Digest? { state.withLock { $0.digest.value } }
}

/// The digest of a file that is still being written from its start.
final class RunningDigest: Sendable {
    private let sha = QueuedSHA256()

    func update(_ bytes: [UInt8]) { sha.update(bytes) }

    /// Starts anew with the first bytes of a file.
    func restart(with file: borrowing FileDescriptor, byteCount: Int) throws(FileError) {
        var beginning = SHA256()
        var window = [UInt8](repeating: 0, count: min(byteCount, 64 << 10))
        try file.forEachPiece(of: 0..<byteCount, through: &window) { beginning.update($0) }
        sha.restart(with: beginning)
    }

    /// The digest of everything so far.
    var value: Digest? { sha.value }
}
