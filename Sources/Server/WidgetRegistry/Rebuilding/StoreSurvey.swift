internal import WidgetBytes

/// The items of a blob store from which a catalog can be rebuilt.
struct StoreSurvey {
    /// A release that a note tells of; the note is read again when its turn comes.
    struct Found {
        var digest: Digest
        var key: String
        var bundleIdentifier: String
        var published: Int64
        /// When its note was written: of what was published within one second, which came first.
        var noted: Duration
        var contentDigest: Digest

        /// True when the first was published before the other. The order is total, even where the times do not decide.
        static func isEarlier(_ one: Found, _ other: Found) -> Bool {
            (one.published, one.noted, one.key, one.digest.hex)
                < (other.published, other.noted, other.key, other.digest.hex)
        }
    }

    /// A note of a withdrawal that says nothing; its name does. One of an expiry that says nothing is left out: without it the
    /// release stays if all of it is stored.
    struct DamagedTombstone {
        var name: String
        var digest: Digest
        var key: String
        /// When the file was written.
        var at: Int64
    }

    var blobs: [Digest: Int] = [:]
    var releases: [Found] = []
    var tombstones: [Tombstone] = []
    var damagedTombstones: [DamagedTombstone] = []
    /// Blobs without a note that can be read, with the keys that names of bad notes speak of.
    var nameless: [(digest: Digest, key: String?)] = []
    var skipped: [String] = []

    var byteCount: Int { blobs.values.reduce(0, +) }

    init(_ store: any CatalogReplacement) throws(RegistryError) {
        var noted: Set<Digest> = []
        var bad: [(digest: Digest, key: String)] = []
        for byte in 0...UInt8.max {
            for listed in try store.blobs.items(beginning: byte) {
                switch listed.item {
                case .blob(let digest): blobs[digest] = listed.byteCount
                case .sidecar(let digest, let key):
                    let note = try readable { () throws(RegistryError) in try store.blobs.sidecar(digest, key) }
                    guard let note, note.release.key == key, note.release.digest == digest else {
                        bad.append((digest, key))
                        continue
                    }
                    noted.insert(digest)
                    releases.append(
                        Found(
                            digest: digest, key: key, bundleIdentifier: note.release.bundleIdentifier,
                            published: note.release.published, noted: listed.modified,
                            contentDigest: note.release.contentDigest))
                case .tombstone(let digest, let key), .expiry(let digest, let key):
                    let bytes = try readable { () throws(RegistryError) in try store.blobs.note(listed.item) }
                    if let note = Tombstone(parsing: bytes ?? []), note.note.item == listed.item {
                        noted.insert(digest)
                        tombstones.append(note)
                    } else if case .expiry = listed.item {
                        skipped.append("\(listed.item.name): speaks of an expiry and cannot be read")
                    } else {
                        damagedTombstones.append(
                            DamagedTombstone(
                                name: listed.item.name, digest: digest, key: key,
                                at: listed.modified.components.seconds))
                    }
                }
            }
        }
        for (digest, key) in bad {
            if blobs[digest] != nil {
                nameless.append((digest, key))
            } else {
                skipped.append("\(digest.hex).\(key): unreadable, and its archive is not there")
            }
        }
        let (former, spokenOf) = (store.former, noted.union(bad.map(\.digest)))
        for digest in blobs.keys where !spokenOf.contains(digest) {
            // Its sender has not said that it shall be published.
            let waiting = try? former?.waitingArchives(from: digest, through: digest)
            if waiting?.isEmpty ?? true { nameless.append((digest, nil)) }
        }
        nameless.sort { ($0.digest.hex, $0.key ?? "") < ($1.digest.hex, $1.key ?? "") }
        dropDoubles(former)
    }

    /// Of two notes about one key, the one that the former catalog knows counts, if that catalog can be read, and
    /// otherwise the later one: a snapshot that was published again may have been packed anew.
    private mutating func dropDoubles(_ former: (any CatalogReader)?) {
        releases.sort(by: Found.isEarlier)
        var last: [String: Int] = [:]
        for (index, found) in releases.enumerated() {
            let name = "\(found.bundleIdentifier) \(found.key)"
            guard let other = last[name] else {
                last[name] = index
                continue
            }
            let isKnown = try? former?.knows(releases[other])
            if isKnown != true { last[name] = index }
            if releases[other].contentDigest != found.contentDigest {
                skipped.append(
                    "\(name): there were two contents of it; that of \(releases[last[name] ?? index].digest.hex) counts"
                )
            }
        }
        let kept = Set(last.values)
        releases = releases.indices.filter(kept.contains).map { releases[$0] }
        let stored = Dictionary(
            releases.map { ("\($0.bundleIdentifier) \($0.key)", $0.digest) }, uniquingKeysWith: { $1 })
        tombstones.removeAll { note in
            stored["\(note.release.bundleIdentifier) \(note.release.key)"].map { $0 != note.release.digest } ?? false
        }
    }
}

extension BlobStore {
    /// The note beside a blob about one of its releases; `nil` when none can be read.
    func sidecar(_ digest: Digest, _ key: String) throws(RegistryError) -> Sidecar? {
        try note(.sidecar(digest, key: key)).flatMap(Sidecar.init(parsing:))
    }
}

extension CatalogReader {
    /// True when the catalog has this key with this archive.
    fileprivate func knows(_ found: StoreSurvey.Found) throws(RegistryError) -> Bool {
        try releases(withDigest: found.digest, limit: 100).contains { $0.key == found.key }
    }
}
