/// What an archive to be written will hold: a name, and proven data that stands in some file already.
package struct ZipPiece: Equatable, Sendable {
    package var name: ZipName
    package var method: ZipMethod
    package var checksum: UInt32
    package var byteCount: Int
    package var compressedByteCount: Int
    /// Where the compressed data begins in the source.
    package var sourceOffset: Int
    /// CRC-32 of the data as it stands in the source.
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
