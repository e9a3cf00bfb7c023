internal import Bytes
internal import Database
internal import Files

/// How long what was taken out of sight is kept.
enum Retention {
    /// Who is said to have withdrawn a snapshot that there was no more room for. Its key may be given again: it
    /// holds the content's digest, so that it can only mean the same.
    static let author = "retention"
    static let reason = "later snapshots took its place"

    struct Cutoffs: Sendable {
        /// What was withdrawn before has come to its end.
        var withdrawn: Int64
        /// The same for snapshots that were retired.
        var retired: Int64
    }
}

extension Catalog {
    /// Withdrawn releases that cannot be restored any more and still have documents, by number.
    func endedReleases(_ cutoffs: Retention.Cutoffs, after last: Int64, limit: Int) throws(RegistryError) -> [Int64] {
        try all(
            """
            SELECT id FROM release
            WHERE id > ? AND withdrawn_at < CASE withdrawn_by WHEN ? THEN ? ELSE ? END
                AND EXISTS (SELECT 1 FROM release_files WHERE release = release.id)
            ORDER BY id LIMIT ?
            """, .integer(last), .text(Retention.author), .integer(cutoffs.retired), .integer(cutoffs.withdrawn),
            .integer(limit)
        ) { row throws(DatabaseError) in try row.integer(0) }
    }

    func bundles(withMoreSnapshotsThan count: Int) throws(RegistryError) -> [BundleName] {
        try all(
            """
            SELECT id, identifier FROM bundle
            WHERE (SELECT COUNT(*) FROM release
                WHERE bundle = bundle.id AND is_snapshot AND withdrawn_at IS NULL) > ?
            ORDER BY id
            """, .integer(count), read: BundleName.init)
    }

    /// The keys of snapshots that no channel shows and of which each snapshot channel has later ones enough.
    ///
    /// One that was ever put on another channel is none of them: a rollback there may lead to it.
    func surplusSnapshots(
        ofBundle bundle: Int64, channels: [String], keeping count: Int
    ) throws(RegistryError) -> [String] {
        let all = try snapshots(ofBundle: bundle)
        let shown = try self.channels(ofBundle: bundle).map(\.state)
        var left: [String: Int] = [:]
        var surplus: [String] = []
        // The newest first: each channel it was published to has one place less.
        for snapshot in all {
            let places = Set(try placedChannels(ofRelease: snapshot.id, bundle: bundle))
            let wanted = places.isEmpty ? [""] : places
            var isKept = !wanted.subtracting(channels + [""]).isEmpty || shown.contains { $0.shows(snapshot.id) }
            for place in wanted where left[place, default: count] > 0 {
                left[place, default: count] -= 1
                isKept = true
            }
            if !isKept { surplus.append(snapshot.key) }
        }
        return surplus
    }

    private func snapshots(ofBundle bundle: Int64) throws(RegistryError) -> [(id: Int64, key: String)] {
        try all(
            "SELECT id, key FROM release WHERE bundle = ? AND is_snapshot AND withdrawn_at IS NULL ORDER BY id DESC",
            .integer(bundle)
        ) { row throws(DatabaseError) in (try row.integer(0), try row.text(1)) }
    }

    private func placedChannels(ofRelease release: Int64, bundle: Int64) throws(RegistryError) -> [String] {
        try all(
            "SELECT DISTINCT channel FROM placement WHERE bundle = ? AND release = ?", .integer(bundle),
            .integer(release)
        ) { row throws(DatabaseError) in try row.text(0) }
    }
}

extension Registry {
    /// Takes a snapshot out of sight, unless somebody shows it by now.
    ///
    /// - Returns: whether it did.
    func retire(_ bundle: String, _ key: String) throws(RegistryError) -> Bool {
        do throws(RegistryError) {
            _ = try withdraw(bundle, key, reason: Retention.reason, by: Retention.author) {
                catalog, row throws(RegistryError) in
                let states = try catalog.channels(ofBundle: row.bundle).map(\.state)
                if states.contains(where: { $0.shows(row.id) }) { throw .interrupted }
            }
            return true
        } catch .interrupted {
            return false
        }
    }
}

/// Which files of one part of the store belong to something.
struct KnownFiles: Sendable {
    private var blobs: Set<Digest> = []
    private var names: Set<String> = []

    mutating func add(_ digest: Digest, _ key: String, isStored: Bool, isWithdrawn: Bool) {
        if isStored {
            blobs.insert(digest)
            names.insert(StoreNames.sidecar(digest, key))
        }
        if isWithdrawn { names.insert(StoreNames.tombstone(digest, key)) }
        // Of a release that is not withdrawn, a tombstone is one that never came to be; of one that the catalog does
        // not know, it is what keeps the key from being given again.
        releases.insert(StoreNames.tombstone(digest, key))
    }

    private var releases: Set<String> = []

    func contains(_ name: String, _ kind: StoreNames.Kind) -> Bool {
        switch kind {
        case .blob(let digest): blobs.contains(digest)
        case .sidecar: names.contains(name)
        case .tombstone: names.contains(name) || !releases.contains(name)
        }
    }
}

extension Catalog {
    /// - Parameter ended: releases to take for gone.
    func knownFiles(ofShard shard: String, besides ended: Set<Int64>) throws(RegistryError) -> KnownFiles {
        guard let first = UInt8(shard, radix: 16) else { return KnownFiles() }
        return try knownFiles(besides: ended, from: [first], to: [first] + [UInt8](repeating: 0xFF, count: 32))
    }

    func knownFiles(ofDigest digest: Digest) throws(RegistryError) -> KnownFiles {
        try knownFiles(besides: [], from: digest.bytes, to: digest.bytes)
    }

    private func knownFiles(
        besides ended: Set<Int64>, from first: [UInt8], to last: [UInt8]
    ) throws(RegistryError) -> KnownFiles {
        var known = KnownFiles()
        try each(
            """
            SELECT id, digest, key, EXISTS (SELECT 1 FROM release_files WHERE release = release.id),
                withdrawn_at IS NOT NULL
            FROM release WHERE digest >= ? AND digest <= ?
            """, .blob(first), .blob(last)
        ) { row throws(DatabaseError) in
            let id = try row.integer(0)
            known.add(
                try row.digest(1), try row.text(2), isStored: try row.flag(3) && !ended.contains(id),
                isWithdrawn: try row.flag(4))
            return true
        }
        return known
    }
}
