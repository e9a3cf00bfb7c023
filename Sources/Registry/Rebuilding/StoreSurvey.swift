internal import Bytes
internal import Files

/// What lies in the blobs' folder, as far as a catalog can be made of it.
struct StoreSurvey {
    /// A release that a note tells of; the note is read again when its turn comes.
    struct Found {
        var digest: Digest
        var key: String
        var bundleIdentifier: String
        var published: Int64
    }

    var blobs: [Digest: Int] = [:]
    var releases: [Found] = []
    var tombstones: [Tombstone] = []
    /// Blobs without a note that can be read, with the keys that names of bad notes speak of.
    var nameless: [(digest: Digest, key: String?)] = []
    var skipped: [String] = []

    var byteCount: Int { blobs.values.reduce(0, +) }

    init(_ store: Store) throws(RegistryError) {
        var noted: Set<Digest> = []
        var bad: [(digest: Digest, key: String)] = []
        for shard in StoreNames.shards {
            let items = try storing { () throws(FileError) in
                try store.blobs.openDirectory(shard).items(limit: .max) ?? []
            }
            for item in items where item.status.kind == .file {
                switch StoreNames.kind(of: item.name) {
                case .blob(let digest): blobs[digest] = item.status.byteCount
                case .sidecar(let digest, let key):
                    guard let note = try store.sidecar(digest, key), note.release.key == key,
                        note.release.digest == digest
                    else {
                        bad.append((digest, key))
                        continue
                    }
                    noted.insert(digest)
                    releases.append(
                        Found(
                            digest: digest, key: key, bundleIdentifier: note.release.bundleIdentifier,
                            published: note.release.published))
                case .tombstone(let digest, let key):
                    let bytes = try store.noteBytes(beside: digest, named: item.name) ?? []
                    if let note = Tombstone(parsing: bytes), note.release.key == key, note.release.digest == digest {
                        noted.insert(digest)
                        tombstones.append(note)
                    } else {
                        skipped.append("\(item.name): not a note of a withdrawal")
                    }
                case nil: break
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
        for digest in blobs.keys where !noted.contains(digest) && !bad.contains(where: { $0.digest == digest }) {
            nameless.append((digest, nil))
        }
        nameless.sort { ($0.digest.hex, $0.key ?? "") < ($1.digest.hex, $1.key ?? "") }
        dropDoubles()
    }

    /// Of two notes about one key, the later one counts: a snapshot that came back may have been packed anew.
    private mutating func dropDoubles() {
        releases.sort { ($0.published, $0.key, $0.digest.hex) < ($1.published, $1.key, $1.digest.hex) }
        var last: [String: Int] = [:]
        for (index, found) in releases.enumerated() { last["\(found.bundleIdentifier) \(found.key)"] = index }
        let kept = Set(last.values)
        releases = releases.indices.filter(kept.contains).map { releases[$0] }
        let stored = Dictionary(
            releases.map { ("\($0.bundleIdentifier) \($0.key)", $0.digest) }, uniquingKeysWith: { $1 })
        tombstones.removeAll { note in
            stored["\(note.release.bundleIdentifier) \(note.release.key)"].map { $0 != note.release.digest } ?? false
        }
    }
}

extension Store {
    /// What lies beside a blob about one of its releases; `nil` when there is nothing that can be read.
    func sidecar(_ digest: Digest, _ key: String) throws(RegistryError) -> Sidecar? {
        try noteBytes(beside: digest, named: StoreNames.sidecar(digest, key)).flatMap(Sidecar.init(parsing:))
    }
}
