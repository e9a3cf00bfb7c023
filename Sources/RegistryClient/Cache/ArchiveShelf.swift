internal import Bytes
internal import Files

/// The verified archives, shared by all widgets, and those that are on their way.
extension WidgetCache {
    private static let windowByteCount = 256 << 10

    /// An archive, proven anew; `nil` when it is not there or not what it should be.
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

    /// Opens what is here of a download, and keeps other processes from adding to it meanwhile.
    ///
    /// Who brings it is waited for as long as it grows. When it stops growing, it is brought a second time, into a
    /// file without a name, rather than waited for any longer.
    ///
    /// - Parameters:
    ///   - name: says what it is: who goes on with it must mean the same.
    ///   - digest: of the archive it is for.
    /// - Returns: `nil` when that archive has arrived on the shelf meanwhile.
    func partialArchive(
        _ name: String, of digest: Digest, byteCount: Int
    ) async throws(FetchError) -> PartialArchive? {
        do throws(FileError) {
            var seen = -1
            var deadline = ContinuousClock.now + limits.lockPatience
            while true {
                let file = try partial.openOrCreateFile(name, mode: WidgetCache.fileMode)
                if try file.tryLock() {
                    // What has been moved to the shelf in between is no longer partial.
                    if try isNamed(name, file) { return try PartialArchive(file, name: name, byteCount: byteCount) }
                } else {
                    let now = try file.status().byteCount
                    if now != seen { deadline = ContinuousClock.now + limits.lockPatience }
                    seen = now
                    guard ContinuousClock.now < deadline, !Task.isCancelled else { break }
                    try? await Task.sleep(for: WidgetCache.downloadPause)
                }
                if (try? archives.status(of: WidgetCache.archiveName(digest))) != nil { return nil }
            }
            return try PartialArchive(
                FileDescriptor.unnamed(inDirectory: partial.path), name: nil, byteCount: byteCount)
        } catch {
            throw FetchError(error)
        }
    }

    /// How much of a download is here.
    func partialByteCount(_ name: String) -> Int {
        (try? partial.status(of: name).byteCount) ?? 0
    }

    private static let downloadPause = Duration.milliseconds(20)

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
            // Tells it from what a crash has left.
            _ = try staged.file.tryLock()
            return staged
        }
    }

    /// Lets go of what is here of a download: it is wrong, no longer needed, or there is no room for it.
    func discard(_ archive: PartialArchive) {
        if let name = archive.name { try? partial.removeFile(name) }
    }
}
