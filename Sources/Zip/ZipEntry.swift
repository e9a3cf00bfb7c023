/// One item of an archive, as its directory describes it and its local header confirms.
package struct ZipEntry: Equatable, Sendable {
    package let name: ZipName
    package let method: ZipMethod
    /// CRC-32 of the expanded data.
    package let checksum: UInt32
    package let compressedByteCount: Int
    package let byteCount: Int
    /// Where the compressed data begins in the archive.
    package let dataOffset: Int

    package var isDirectory: Bool { name.isDirectory }
    package var dataRange: Range<Int> { dataOffset..<(dataOffset + compressedByteCount) }
}
