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
        var opened = try store.open(digest)
        if let found = opened, verified.contains(digest, found.status) {
            return Blob(
                digest: digest, byteCount: stored.byteCount, modified: stored.published, file: found.file,
                status: found.status)
        }
        // Opened again under the lock: another reader may have done the work, or a publisher may have healed it.
        opened = try store.blobLock.withLock(for: digest) { () throws(RegistryError) -> OpenedBlob? in
            guard let found = try store.open(digest) else {
                store.quarantine(digest, nil)
                return nil
            }
            if verified.contains(digest, found.status) { return found }
            guard found.status.byteCount == stored.byteCount, try isIntact(found, digest) else {
                store.quarantine(digest, found.status)
                return nil
            }
            verified.insert(digest, found.status)
            return found
        }
        guard let opened else { throw .damagedBlob(digest) }
        return Blob(
            digest: digest, byteCount: stored.byteCount, modified: stored.published, file: opened.file,
            status: opened.status)
    }

    private func isIntact(_ blob: OpenedBlob, _ digest: Digest) throws(RegistryError) -> Bool {
        try figures.time(.verify) { () throws(RegistryError) in try store.holds(blob, digest) }
    }
}
