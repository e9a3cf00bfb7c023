package import Bytes
internal import Database
internal import Files
internal import JSONText

/// What a backup holds, and what it could not.
package struct BackupReport: Equatable, Sendable {
    package var archives = 0
    package var byteCount = 0
    /// Archives that are missing or damaged in the store, and so in the backup.
    package var missing: [Digest] = []

    package init() {}
}

/// What a backup is called by those who read it.
enum BackupNames {
    static let manifest = "widgetd-backup.json"
    static let catalog = StoreNames.catalog
    static let sums = "SHA256SUMS"
    static let format = 1

    static func path(_ digest: Digest, _ name: String) -> String {
        "\(StoreNames.blobs)/\(StoreNames.shard(digest))/\(name)"
    }

    /// What a path below the blobs' folder is about.
    static func kind(of path: String) -> (shard: String, name: String, kind: StoreNames.Kind)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0] == StoreNames.blobs, let kind = StoreNames.kind(of: parts[2]),
            StoreNames.shard(kind.digest) == parts[1], !parts[2].utf8.contains(0)
        else { return nil }
        return (parts[1], parts[2], kind)
    }
}

extension Registry {
    /// Hands over a tar archive of everything there is at one moment: the catalog, the archives, and what lies beside
    /// them. Everybody goes on meanwhile; what is published later is not in it.
    ///
    /// - Parameters:
    ///   - server: who writes it, for people.
    ///   - begin: is told about how many bytes will come, before the first.
    ///   - sink: takes the next bytes; what it throws ends the backup.
    package func backUp(
        server: String, begin: (Int) -> Void, into sink: @escaping ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) -> BackupReport {
        try housekeeping.run(.backup) { () throws(RegistryError) in
            let staged = try store.stage()
            let snapshot = try copyCatalog(to: staged)
            let size = try storing { () throws(FileError) in try staged.file.status().byteCount }
            begin(try snapshot.storedByteCount() + size)
            var writer = BackupWriter(sink: sink, modified: options.now())
            try writer.add(BackupNames.manifest, Registry.manifest(server, try snapshot.latestTag(), options.now()))
            try writer.add(BackupNames.catalog, byteCount: size, digest: nil) {
                piece throws(RegistryError) in
                try Registry.read(staged.file, byteCount: size, piece)
            }
            var last: Digest?
            while true {
                let page = try snapshot.digests(after: last, limit: 256)
                guard let end = page.last else { break }
                for digest in page { try add(digest, of: snapshot, to: &writer) }
                last = end
            }
            return try writer.finish()
        }
    }

    private func copyCatalog(to staged: borrowing StagedFile) throws(RegistryError) -> Catalog {
        do throws(DatabaseError) {
            try Connection(opening: "\(store.path)/\(StoreNames.catalog)", for: .reading).writeCopy(to: staged.path)
            return Catalog(connection: try Connection(opening: staged.path, for: .reading))
        } catch {
            throw RegistryError(error)
        }
    }

    private func add(
        _ digest: Digest, of snapshot: Catalog, to writer: inout BackupWriter
    ) throws(RegistryError) {
        if try snapshot.holdsDocuments(ofDigest: digest) {
            do throws(RegistryError) {
                let blob = try openBlob(digest)
                try writer.add(
                    BackupNames.path(digest, StoreNames.blob(digest)), byteCount: blob.byteCount, digest: digest
                ) { piece throws(RegistryError) in
                    try Registry.read(blob.file.descriptor, byteCount: blob.byteCount, piece)
                }
                writer.report.archives += 1
            } catch .damagedBlob {
                writer.report.missing.append(digest)
            }
        }
        for note in try snapshot.notes(ofDigest: digest) {
            try writer.add(BackupNames.path(digest, note.name), note.bytes)
        }
    }

    private static func manifest(_ server: String, _ tag: Int64, _ time: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", BackupNames.format)
            writer.member("server", server)
            writer.member("created", time)
            writer.member("latestTag", tag)
        }
        return writer.finish()
    }

    /// Hands over exactly so many bytes of a file.
    private static func read(
        _ file: borrowing FileDescriptor, byteCount: Int, _ body: ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var offset = 0
        while offset < byteCount {
            let piece: [UInt8]
            do throws(FileError) {
                piece = try file.read(at: offset, count: min(256 << 10, byteCount - offset))
            } catch {
                throw RegistryError(error)
            }
            guard !piece.isEmpty else { throw .interrupted }
            try body(piece)
            offset += piece.count
        }
    }
}

/// Writes the members of a backup and remembers their digests.
private struct BackupWriter {
    typealias Sink = ([UInt8]) throws(RegistryError) -> Void

    let sink: Sink
    let modified: Int64
    var report = BackupReport()
    private var sums: [UInt8] = []

    init(sink: @escaping Sink, modified: Int64) {
        self.sink = sink
        self.modified = modified
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) throws(RegistryError) {
        try add(name, byteCount: bytes.count, digest: nil) { sink throws(RegistryError) in
            if !bytes.isEmpty { try sink(bytes) }
        }
    }

    /// - Parameter digest: what the contents must have; with other contents, this throws, since they are out already.
    mutating func add(
        _ name: String, byteCount: Int, digest expected: Digest?, _ body: (Sink) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        try write(TarHeader(name: name, byteCount: byteCount, modified: modified).bytes)
        let hash = Hashing()
        try body { bytes throws(RegistryError) in
            hash.sha.update(bytes)
            try sink(bytes)
        }
        report.byteCount += byteCount
        guard let digest = hash.finish() else { throw .outOfMemory }
        if let expected, digest != expected { throw .interrupted }
        try write([UInt8](repeating: 0, count: TarHeader.padding(byteCount)))
        sums += Array("\(digest.hex)  \(name)\n".utf8)
    }

    mutating func finish() throws(RegistryError) -> BackupReport {
        let sums = sums
        try add(BackupNames.sums, sums)
        try write([UInt8](repeating: 0, count: TarHeader.blockSize * 2))
        return report
    }

    private func write(_ bytes: [UInt8]) throws(RegistryError) {
        if !bytes.isEmpty { try sink(bytes) }
    }

    /// A digest in the making that a closure can add to.
    private final class Hashing {
        var sha = SHA256()

        func finish() -> Digest? {
            var done = SHA256()
            swap(&done, &sha)
            return done.finish()
        }
    }
}
