internal import Bytes
internal import Files

extension Store {
    /// A file in progress, gone with its owner.
    func stage() throws(RegistryError) -> StagedFile {
        try storing { () throws(FileError) in try StagedFile(in: staging) }
    }

    /// Puts an archive in its place, and beside it what it is; when this returns, a power cut takes neither.
    ///
    /// An archive that is there already is replaced: the bytes are the same, unless they have gone bad.
    func place(
        _ archive: borrowing StagedFile, _ digest: Digest, sidecar: [UInt8], named name: String
    ) throws(RegistryError) {
        try storing { () throws(FileError) in
            try archive.settle()
            let shard = try blobs.openDirectory(StoreNames.shard(digest))
            let note = try settled(sidecar)
            try blobLock.withLock(for: digest) { () throws(FileError) in
                try archive.move(to: StoreNames.blob(digest), in: shard)
            }
            try note.move(to: name, in: shard)
            try shard.synchronize()
        }
    }

    /// Puts an archive back in its place; what lies beside it is there.
    func place(_ archive: borrowing StagedFile, _ digest: Digest) throws(RegistryError) {
        try storing { () throws(FileError) in
            try archive.settle()
            let shard = try blobs.openDirectory(StoreNames.shard(digest))
            try blobLock.withLock(for: digest) { () throws(FileError) in
                try archive.move(to: StoreNames.blob(digest), in: shard)
            }
            try shard.synchronize()
        }
    }

    /// Puts a small file beside a blob, for good.
    func placeBeside(_ digest: Digest, _ bytes: [UInt8], named name: String) throws(RegistryError) {
        try storing { () throws(FileError) in
            let shard = try blobs.openDirectory(StoreNames.shard(digest))
            try settled(bytes).move(to: name, in: shard)
            try shard.synchronize()
        }
    }

    /// Removes a small file from beside a blob, for good; that it is not there is fine.
    func removeBeside(_ digest: Digest, named name: String) throws(RegistryError) {
        do throws(FileError) {
            let shard = try blobs.openDirectory(StoreNames.shard(digest))
            try shard.removeFile(name)
            try shard.synchronize()
        } catch {
            if !error.isMissing { throw RegistryError(error) }
        }
    }

    /// Takes back what was placed in vain. A leftover would do no harm: nothing refers to it.
    func discard(_ digest: Digest, sidecar: String, withBlob: Bool) {
        guard let shard = try? blobs.openDirectory(StoreNames.shard(digest)) else { return }
        try? shard.removeFile(sidecar)
        if withBlob {
            blobLock.withLock(for: digest) { try? shard.removeFile(StoreNames.blob(digest)) }
        }
    }

    private func settled(_ bytes: [UInt8]) throws(FileError) -> StagedFile {
        let staged = try StagedFile(in: staging)
        try staged.file.write(bytes, at: 0)
        try staged.settle()
        return staged
    }
}

extension Store {
    /// Moves a file out of a blobs' folder, if it is still what was seen there.
    ///
    /// - Returns: its name in the staging folder, from where a crash has it swept.
    func moveAside(_ item: Directory.Item, in shard: String) throws(RegistryError) -> String? {
        let name = "\(StagedFile.prefix)\(item.name.prefix(24))-\(item.status.inode)"
        do throws(FileError) {
            let folder = try blobs.openDirectory(shard)
            guard try folder.status(of: item.name) == item.status else { return nil }
            try folder.rename(item.name, to: name, in: staging, replacing: true)
            return name
        } catch {
            if error.isMissing { return nil }
            throw RegistryError(error)
        }
    }
}

extension Store {
    /// Puts a complete file into a blobs' folder, for good.
    func put(_ file: borrowing StagedFile, as name: String, besides digest: Digest) throws(RegistryError) {
        try storing { () throws(FileError) in
            try file.settle()
            let shard = try blobs.openDirectory(StoreNames.shard(digest))
            try file.move(to: name, in: shard)
            try shard.synchronize()
        }
    }
}
