package import Bytes
internal import Database
internal import Files

extension Registry {
    /// The releases whose archive it is.
    package func releaseOfBlob(_ digest: Digest) throws(RegistryError) -> BlobOwner {
        try readers.read { catalog throws(RegistryError) in
            // More than two have the same archive only when a version was published to many snapshot channels' keys.
            let rows = try catalog.releases(withDigest: digest, limit: 100)
            guard let first = rows.first else { throw .noSuchBlob(digest) }
            let bundle = try catalog.identifier(ofBundle: first.bundle)
            let channels = try catalog.channels(ofBundle: first.bundle)
            return BlobOwner(
                digest: digest, byteCount: first.byteCount, bundleIdentifier: bundle,
                releases: rows.map { $0.release(of: bundle, shownBy: channels) })
        }
    }

    /// Opens an archive whose bytes were compared with their digest since the system last saw its file change.
    ///
    /// One that differs is moved to quarantine and never returned; publishing the same bundle again heals it.
    package func openBlob(_ digest: Digest) throws(RegistryError) -> Blob {
        let stored = try readers.read { catalog throws(RegistryError) in
            try catalog.first(
                "SELECT byte_count, published FROM release WHERE digest = ? ORDER BY id LIMIT 1", .blob(digest.bytes)
            ) { row throws(DatabaseError) in (byteCount: try row.count(0), published: try row.integer(1)) }
        }
        guard let stored else { throw .noSuchBlob(digest) }
        if let found = try store.open(digest), verified.contains(digest, found.status) {
            return try blob(digest, stored, found)
        }
        // One reader does the work, and the others wait for it; publishers do not.
        let opened = try store.verifyLock.withLock(for: digest) { () throws(RegistryError) -> OpenedBlob? in
            guard let found = try store.open(digest) else { return nil }
            if !verified.contains(digest, found.status) {
                guard try isIntact(found, digest) else {
                    store.blobLock.withLock(for: digest) { store.quarantine(digest, found.status) }
                    return nil
                }
                verified.insert(digest, found.status)
            }
            return found
        }
        guard let opened else {
            try quarantineWhatIsNoFile(digest)
            throw .damagedBlob(digest)
        }
        return try blob(digest, stored, opened)
    }

    private func blob(
        _ digest: Digest, _ stored: (byteCount: Int, published: Int64), _ opened: OpenedBlob
    ) throws(RegistryError) -> Blob {
        guard opened.status.byteCount == stored.byteCount else {
            throw .damaged("the catalog has a wrong size for \(digest.hex), whose bytes are right; `reindex` mends it")
        }
        return Blob(
            digest: digest, byteCount: stored.byteCount, modified: stored.published, file: opened.file,
            status: opened.status)
    }

    /// A link in a blob's place is moved away, so that a publisher may put the blob there.
    private func quarantineWhatIsNoFile(_ digest: Digest) throws(RegistryError) {
        try store.blobLock.withLock(for: digest) { () throws(RegistryError) in
            // Looked at again: a publisher may have been here.
            if try store.open(digest) == nil { store.quarantine(digest, nil) }
        }
    }

    private func isIntact(_ blob: OpenedBlob, _ digest: Digest) throws(RegistryError) -> Bool {
        try figures.time(.verify) { () throws(RegistryError) in try store.holds(blob, digest) }
    }
}
