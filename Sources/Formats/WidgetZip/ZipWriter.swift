package import WidgetBytes
internal import WidgetDeflate
package import WidgetFiles

/// An archive that was written, read back and found to be as intended.
package struct ZipWritten: Equatable, Sendable {
    /// Of the archive's bytes.
    package let digest: Digest
    /// The archive as the strict reader sees it; its entries carry the offsets of their data.
    package let directory: ZipDirectory

    package var byteCount: Int { directory.byteCount }
}

/// Writes archives in the served form: the same pieces give the same bytes on any machine.
///
/// Entries are sorted by the bytes of their names; both headers are equal; there are no descriptors, extra
/// fields or comments; the time is 1980-01-01 and modes are 0644 and 0755; zip64 appears only where a number
/// does not fit without it. Compressed data is copied unchanged.
package struct ZipWriter: ~Copyable {
    private static let windowByteCount = 64 << 10

    private var buffer = [UInt8](repeating: 0, count: ZipWriter.windowByteCount)
    private var held = 0
    private var offset = 0
    private var digest = SHA256()

    private init() {}

    /// Writes `pieces`, with data in `source`, to `target` from its start, and checks the result.
    ///
    /// The check reads the written archive with the strict reader, compares every entry with its piece, and
    /// every copied byte with the checksum taken when the piece was proven. Nothing is inflated again.
    /// The target is neither truncated nor synced: it is meant to be a new file, and its owner decides when
    /// it must survive.
    ///
    /// - Throws: ``ZipError`` with reason `.rewriteDiffers` if the check fails: the disk or we are at fault.
    package static func write(
        _ pieces: consuming [ZipPiece], from source: borrowing FileDescriptor, to target: borrowing FileDescriptor,
        limits: ZipLimits = ZipLimits()
    ) throws(ZipError) -> ZipWritten {
        var pieces = consume pieces
        pieces.sort { $0.name < $1.name }
        var writer = ZipWriter()
        var headerOffsets: [Int] = []
        headerOffsets.reserveCapacity(pieces.count)
        for piece in pieces {
            headerOffsets.append(writer.position)
            try writer.append(ZipHeader(piece).local, to: target)
            try writer.copy(piece, from: source, to: target)
        }
        let directoryOffset = writer.position
        for (piece, headerOffset) in zip(pieces, headerOffsets) {
            try writer.append(ZipHeader(piece, headerOffset: headerOffset).central, to: target)
        }
        let end = ZipHeader.end(
            entryCount: pieces.count, directoryOffset: directoryOffset,
            directoryByteCount: writer.position - directoryOffset)
        try writer.append(end, to: target)
        try writer.flush(to: target)
        guard let digest = writer.finish() else { throw ZipError(.outOfMemory) }
        return ZipWritten(digest: digest, directory: try check(target, holds: pieces, limits: limits))
    }

    private var position: Int { offset + held }

    private consuming func finish() -> Digest? {
        digest.finish()
    }

    private mutating func append(_ bytes: [UInt8], to target: borrowing FileDescriptor) throws(ZipError) {
        if held + bytes.count > buffer.count { try flush(to: target) }
        buffer.replaceSubrange(held..<(held + bytes.count), with: bytes)
        held += bytes.count
    }

    /// Copies a piece's data by windows, through the buffer that headers are collected in.
    private mutating func copy(
        _ piece: ZipPiece, from source: borrowing FileDescriptor, to target: borrowing FileDescriptor
    ) throws(ZipError) {
        var done = 0
        while done < piece.compressedByteCount {
            if held == buffer.count { try flush(to: target) }
            let count = min(buffer.count - held, piece.compressedByteCount - done)
            let filled = try rethrowing(
                try source.read(at: piece.sourceOffset + done, into: &buffer, from: held, count: count),
                as: { ZipError(.file($0), entry: piece.name.text, at: piece.sourceOffset + done) })
            guard filled == count else {
                throw ZipError(.changedWhileRead, entry: piece.name.text, at: piece.sourceOffset + done + filled)
            }
            done += count
            held += count
        }
    }

    private mutating func flush(to target: borrowing FileDescriptor) throws(ZipError) {
        // Another name for the same bytes, so that the digest may change meanwhile.
        let bytes = buffer
        digest.update(bytes.span.extracting(0..<held))
        try rethrowing(
            try target.write(bytes.span.extracting(0..<held), at: offset), as: { ZipError(.file($0), at: offset) })
        offset += held
        held = 0
    }

    /// Reads the written archive and compares it with its pieces.
    private static func check(
        _ target: borrowing FileDescriptor, holds pieces: [ZipPiece], limits: ZipLimits
    ) throws(ZipError) -> ZipDirectory {
        let directory = try ZipDirectory(reading: target, limits: limits, expecting: pieces)
        guard directory.entries.count == pieces.count else { throw ZipError(.rewriteDiffers) }
        var reader = try ZipEntryReader()
        for (entry, piece) in zip(directory.entries, pieces) {
            guard entry.name == piece.name, entry.method == piece.method, entry.checksum == piece.checksum,
                entry.byteCount == piece.byteCount, entry.compressedByteCount == piece.compressedByteCount,
                try reader.rawChecksum(of: entry, in: target).value == piece.rawChecksum
            else { throw ZipError(.rewriteDiffers, entry: entry.name.text, at: entry.dataOffset) }
        }
        return directory
    }
}

/// An entry of an archive to be written: a name, and proven data that is in a file already.
package struct ZipPiece: Equatable, Sendable {
    package var name: ZipName
    package var method: ZipMethod
    package var checksum: UInt32
    package var byteCount: Int
    package var compressedByteCount: Int
    /// The offset of the compressed data in the source.
    package var sourceOffset: Int
    /// CRC-32 of the compressed data in the source.
    package var rawChecksum: UInt32

    /// An entry that was read and proven, under its own name or another.
    ///
    /// A directory loses the empty stream it may have had.
    package init(_ verified: ZipVerifiedEntry, name: ZipName? = nil) {
        let entry = verified.entry
        self.init(
            name: name ?? entry.name, method: entry.method, checksum: entry.checksum, byteCount: entry.byteCount,
            compressedByteCount: entry.compressedByteCount, sourceOffset: entry.dataOffset,
            rawChecksum: verified.rawChecksum)
        if self.name.isDirectory { self = .directory(self.name) }
    }

    /// A directory, which has no data.
    package static func directory(_ name: ZipName) -> ZipPiece {
        ZipPiece(
            name: name, method: .stored, checksum: 0, byteCount: 0, compressedByteCount: 0, sourceOffset: 0,
            rawChecksum: 0)
    }

    init(
        name: ZipName, method: ZipMethod, checksum: UInt32, byteCount: Int, compressedByteCount: Int,
        sourceOffset: Int, rawChecksum: UInt32
    ) {
        self.name = name
        self.method = method
        self.checksum = checksum
        self.byteCount = byteCount
        self.compressedByteCount = compressedByteCount
        self.sourceOffset = sourceOffset
        self.rawChecksum = rawChecksum
    }
}
