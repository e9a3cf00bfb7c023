internal import Bytes
internal import Files

/// A blob's file, open, and what the system says of it.
struct OpenedBlob: Sendable {
    var file: BlobFile
    var status: FileStatus
}

extension Store {
    /// Opens a blob without looking into it; `nil` when there is no such file.
    func open(_ digest: Digest) throws(RegistryError) -> OpenedBlob? {
        do throws(FileError) {
            let descriptor = try blobs.openDirectory(StoreNames.shard(digest)).openFile(StoreNames.blob(digest))
            let status = try descriptor.status()
            return OpenedBlob(file: BlobFile(descriptor), status: status)
        } catch {
            // A link in its place is not a blob either.
            if error.isMissing || error.isLink { return nil }
            throw RegistryError(error)
        }
    }

    /// Whether the bytes are those of the digest; reads all of them.
    func holds(_ blob: OpenedBlob, _ digest: Digest) throws(RegistryError) -> Bool {
        guard blob.status.kind == .file else { return false }
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while offset < blob.status.byteCount {
            let wanted = min(window.count, blob.status.byteCount - offset)
            let filled: Int
            do throws(FileError) {
                filled = try blob.file.descriptor.read(at: offset, into: &window, count: wanted)
            } catch {
                throw RegistryError(error)
            }
            // Shorter than it was a moment ago.
            guard filled == wanted else { return false }
            sha.update(window.span.extracting(0..<filled))
            offset += filled
        }
        guard let found = sha.finish() else { throw .outOfMemory }
        return found == digest
    }

    /// Moves what lies in a blob's place to quarantine, if it is still what was looked at.
    func quarantine(_ digest: Digest, _ status: FileStatus?) {
        let name = StoreNames.blob(digest)
        // Whether or not this works, the blob is not served.
        guard let shard = try? blobs.openDirectory(StoreNames.shard(digest)), let found = try? shard.status(of: name),
            status == nil || found.inode == status?.inode
        else { return }
        try? shard.rename(name, to: name, in: quarantine, replacing: true)
    }
}

extension Store {
    /// What a small file beside a blob holds; `nil` when it is not there, or is no file of ours.
    func noteBytes(beside digest: Digest, named name: String) throws(RegistryError) -> [UInt8]? {
        do throws(FileError) {
            return try Store.noteBytes(blobs.openDirectory(StoreNames.shard(digest)), name)
        } catch {
            if error.isMissing || error.isLink { return nil }
            throw RegistryError(error)
        }
    }

    static func noteBytes(_ shard: borrowing Directory, _ name: String) throws(FileError) -> [UInt8]? {
        let file = try shard.openFile(name)
        let status = try file.status()
        guard status.kind == .file, status.byteCount <= NoteLimits.byteCount else { return nil }
        return try file.read(at: 0, count: status.byteCount)
    }
}
