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

    /// A line of the last member.
    static func line(_ digest: Digest, _ name: String) -> [UInt8] { Array("\(digest.hex)  \(name)\n".utf8) }

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
    ///   - reserve: how many bytes a copy of the catalog must leave on the disk.
    ///   - begin: is told about how many bytes will come, before the first.
    ///   - sink: takes the next bytes; what it throws ends the backup.
    package func backUp(
        server: String, reserve: Int = 0, begin: (Int) -> Void, into sink: @escaping ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) -> BackupReport {
        try housekeeping.run(.backup) { () throws(RegistryError) in
            let catalogSize = try store.status(of: StoreNames.catalog)?.byteCount ?? 0
            guard try availableByteCount.subtractingReportingOverflow(catalogSize).partialValue >= reserve else {
                throw .outOfSpace
            }
            let staged = try store.stage()
            let snapshot = try copyCatalog(to: staged)
            let size = try storing { () throws(FileError) in try staged.file.status().byteCount }
            begin(try snapshot.storedByteCount().addingReportingOverflow(size).partialValue)
            var writer = BackupWriter(sink: sink, modified: options.now(), sums: try store.stage())
            try writer.add(BackupNames.manifest, Registry.manifest(server, try snapshot.latestTag(), options.now()))
            try writer.add(BackupNames.catalog, byteCount: size, digest: nil) {
                piece throws(RegistryError) in
                try Registry.read(staged.file, byteCount: size, piece)
            }
            var last: Digest?
            while true {
                let page = try snapshot.digests(after: last, limit: 256)
                guard let end = page.last else { break }
                for digest in page {
                    do throws(RegistryError) {
                        try add(digest, of: snapshot, to: &writer)
                    } catch .damagedBlob(let digest) {
                        // It went bad since it was looked at, and its bytes are out already. The next backup finds it
                        // where it is now and goes on without it.
                        forget(digest)
                        throw .damagedBlob(digest)
                    }
                }
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
            if let blob = try soundBlob(digest) {
                try writer.add(
                    BackupNames.path(digest, StoreNames.blob(digest)), byteCount: blob.byteCount, digest: digest
                ) { piece throws(RegistryError) in
                    do throws(RegistryError) {
                        try Registry.read(blob.file.descriptor, byteCount: blob.byteCount, piece)
                    } catch .storage {
                        throw .damagedBlob(digest)
                    }
                }
                writer.report.archives += 1
            } else {
                writer.report.missing.append(digest)
            }
        }
        for note in try snapshot.notes(ofDigest: digest) {
            try writer.add(BackupNames.path(digest, note.name), note.bytes)
        }
    }

    /// `nil` for one that is missing, damaged, or on a part of the disk that cannot be read.
    private func soundBlob(_ digest: Digest) throws(RegistryError) -> Blob? {
        do throws(RegistryError) {
            return try openBlob(digest)
        } catch .damagedBlob {
            return nil
        } catch .storage(let error) where !error.isOutOfDescriptors {
            return nil
        }
    }

    /// Has an archive compared with its digest again before anybody gets it.
    private func forget(_ digest: Digest) {
        verified.remove(digest)
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
    fileprivate static func read(
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

/// The digests of a backup's members, in a file, since there may be millions.
private final class BackupSums {
    private let staged: StagedFile
    private(set) var byteCount = 0
    /// Lines that are not in the file yet.
    private var lines: [UInt8] = []

    init(_ staged: consuming StagedFile) {
        self.staged = staged
    }

    func add(_ digest: Digest, _ name: String) throws(RegistryError) {
        lines += BackupNames.line(digest, name)
        if lines.count >= 64 << 10 { try flush() }
    }

    func flush() throws(RegistryError) {
        let (lines, end) = (lines, byteCount)
        try storing { () throws(FileError) in try staged.file.write(lines, at: end) }
        byteCount += lines.count
        self.lines = []
    }

    func read(_ body: ([UInt8]) throws(RegistryError) -> Void) throws(RegistryError) {
        try Registry.read(staged.file, byteCount: byteCount, body)
    }
}

/// Writes the members of a backup and remembers their digests.
private struct BackupWriter {
    typealias Sink = ([UInt8]) throws(RegistryError) -> Void

    let sink: Sink
    let modified: Int64
    var report = BackupReport()
    private let sums: BackupSums

    init(sink: @escaping Sink, modified: Int64, sums: consuming StagedFile) {
        self.sink = sink
        self.modified = modified
        self.sums = BackupSums(sums)
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
        if let expected, digest != expected { throw .damagedBlob(expected) }
        try write([UInt8](repeating: 0, count: TarHeader.padding(byteCount)))
        try sums.add(digest, name)
    }

    mutating func finish() throws(RegistryError) -> BackupReport {
        let sums = sums
        try sums.flush()
        try add(BackupNames.sums, byteCount: sums.byteCount, digest: nil) { sink throws(RegistryError) in
            try sums.read(sink)
        }
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
