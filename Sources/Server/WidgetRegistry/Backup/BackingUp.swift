internal import JSONText
package import WidgetBytes
internal import WidgetFiles

/// The contents of a finished backup, and the archives that it lacks.
package struct BackupReport: Equatable, Sendable {
    package var archives = 0
    package var byteCount = 0
    /// Archives that are missing or damaged in the store, and so in the backup.
    package var missing: [Digest] = []

    package init() {}
}

/// The members of a backup. Their names are the format's; a store of any kind is written and read as this.
enum BackupNames {
    static let manifest = "widgetd-backup.json"
    static let catalog = "catalog.sqlite"
    static let sums = "SHA256SUMS"
    static let format = 1
    private static let folder = "blobs"

    static func path(_ item: StoredItem) -> String { "\(folder)/\(shard(item))/\(item.name)" }

    /// A line of the last member.
    static func line(_ digest: Digest, _ name: String) -> [UInt8] { Array("\(digest.hex)  \(name)\n".utf8) }

    /// The item that a member's name denotes; `nil` for members that are not items.
    static func item(of path: String) -> StoredItem? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0] == folder, let item = StoredItem(name: parts[2]), shard(item) == parts[1],
            !parts[2].utf8.contains(0)
        else { return nil }
        return item
    }

    private static func shard(_ item: StoredItem) -> String { String(item.digest.hex.prefix(2)) }
}

/// A backup in progress.
struct BackingUp {
    private let registry: Registry
    private let server: String

    init(_ registry: Registry, server: String) {
        self.registry = registry
        self.server = server
    }

    func run(
        reserve: Int, begin: (Int) -> Void, into sink: @escaping ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) -> BackupReport {
        guard let copier = registry.copier else { throw .database(CatalogFailure("this storage has no backups")) }
        let copy = try copier.copy(leaving: reserve)
        let snapshot = copy.reader
        let time = registry.options.now
        begin(try snapshot.storedByteCount().addingReportingOverflow(copy.file.byteCount).partialValue)
        var writer = BackupWriter(sink: sink, modified: time, sums: try registry.blobs.stage())
        try writer.add(BackupNames.manifest, manifest(try snapshot.latestTag(), time))
        try writer.add(BackupNames.catalog, byteCount: copy.file.byteCount, digest: nil) {
            piece throws(RegistryError) in
            try copy.file.readPieces(piece)
        }
        var last: Digest?
        while true {
            let page = try snapshot.digests(after: last, limit: 256)
            guard let end = page.last else { break }
            for digest in page {
                do throws(RegistryError) {
                    try add(digest, of: snapshot, to: &writer)
                } catch .damagedBlob(let digest) {
                    // The archive was damaged after it was checked, and some of its bytes are written already. The next
                    // backup finds it in quarantine and continues without it.
                    registry.blobs.distrust(digest)
                    throw .damagedBlob(digest)
                }
            }
            last = end
        }
        return try writer.finish()
    }

    private func add(
        _ digest: Digest, of snapshot: any CatalogReader, to writer: inout BackupWriter
    ) throws(RegistryError) {
        if try snapshot.holdsDocuments(ofDigest: digest) {
            if let blob = try soundBlob(digest) {
                try writer.add(BackupNames.path(.blob(digest)), byteCount: blob.byteCount, digest: digest) {
                    piece throws(RegistryError) in
                    do throws(RegistryError) {
                        try blob.file.readPieces(piece)
                    } catch .storage {
                        throw .damagedBlob(digest)
                    }
                }
                writer.report.archives += 1
            } else {
                writer.report.missing.append(digest)
            }
        }
        for expected in try snapshot.notes(ofDigest: digest) {
            let note = expected.note
            try writer.add(BackupNames.path(note.item), note.bytes)
        }
    }

    /// `nil` for one that is missing, damaged, or on a part of the disk that cannot be read.
    private func soundBlob(_ digest: Digest) throws(RegistryError) -> Blob? {
        try readable { () throws(RegistryError) in
            do throws(RegistryError) {
                return try registry.openBlob(digest)
            } catch .damagedBlob {
                return nil
            }
        }
    }

    private func manifest(_ tag: Int64, _ time: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", BackupNames.format)
            writer.member("server", server)
            writer.member("created", time)
            writer.member("latestTag", tag)
        }
        return writer.finish()
    }
}

extension StoredFile {
    /// Hands over all of the file's bytes, as many as it had when it was opened.
    fileprivate func readPieces(_ body: ([UInt8]) throws(RegistryError) -> Void) throws(RegistryError) {
        try descriptor.readPieces(byteCount, body)
    }
}

extension FileDescriptor {
    /// Passes on exactly `byteCount` bytes.
    fileprivate borrowing func readPieces(
        _ byteCount: Int, _ body: ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var offset = 0
        while offset < byteCount {
            let piece = try rethrowing(
                try read(at: offset, count: min(256 << 10, byteCount - offset)), as: RegistryError.init)
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
        try rethrowing(try staged.file.write(lines, at: end), as: RegistryError.init)
        byteCount += lines.count
        self.lines = []
    }

    func read(_ body: ([UInt8]) throws(RegistryError) -> Void) throws(RegistryError) {
        try staged.file.readPieces(byteCount, body)
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

    /// - Parameter digest: the digest that the contents must have; otherwise this throws, since they are written
    ///   already.
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
