/// The bytes of our own headers; everything in them follows from the piece.
struct ZipHeader {
    /// Made on Unix, so that modes are believed; version 2.0 of the format, or 4.5 where zip64 is used.
    private static let host: UInt16 = 3 << 8
    private static let zip64Version: UInt16 = 45
    /// 1980-01-01 00:00, the first moment the format can name.
    private static let time: UInt16 = 0
    private static let date: UInt16 = 1 << 5 | 1

    private let piece: ZipPiece
    private let headerOffset: Int
    private let name: [UInt8]

    init(_ piece: ZipPiece, headerOffset: Int = 0) {
        self.piece = piece
        self.headerOffset = headerOffset
        name = Array(piece.name.text.utf8)
    }

    private var flags: UInt16 { name.allSatisfy { $0 < 0x80 } ? 0 : ZipFlags.utf8.rawValue }

    private func isWide(_ number: Int) -> Bool { number >= Int(UInt32.max) }

    private var hasWideSize: Bool { isWide(piece.byteCount) || isWide(piece.compressedByteCount) }

    /// The version a reader needs (APPNOTE 4.4.3.2): 4.5 for zip64, 2.0 for deflate and directories.
    private func version(isZip64: Bool) -> UInt16 {
        if isZip64 { return ZipHeader.zip64Version }
        return piece.method == .stored && !piece.name.isDirectory ? 10 : 20
    }

    /// The number, or the mark that says it is in the zip64 record.
    private func narrow(_ number: Int, isWide: Bool) -> UInt32 {
        isWide ? .max : UInt32(truncatingIfNeeded: number)
    }

    /// What both headers share: from the version needed to the length of the name.
    private func common(isZip64: Bool, sizesAreWide: (compressed: Bool, expanded: Bool)) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(version(isZip64: isZip64))
        bytes.append(flags)
        bytes.append(piece.method.rawValue)
        bytes.append(ZipHeader.time)
        bytes.append(ZipHeader.date)
        bytes.append(piece.checksum)
        bytes.append(narrow(piece.compressedByteCount, isWide: sizesAreWide.compressed))
        bytes.append(narrow(piece.byteCount, isWide: sizesAreWide.expanded))
        bytes.append(UInt16(truncatingIfNeeded: name.count))
        return bytes
    }

    private func zip64Extra(_ numbers: [Int]) -> [UInt8] {
        guard !numbers.isEmpty else { return [] }
        var bytes: [UInt8] = []
        bytes.append(UInt16(1))
        bytes.append(UInt16(numbers.count * 8))
        for number in numbers { bytes.append(UInt64(number)) }
        return bytes
    }

    /// The header in front of the data. Its zip64 record holds both sizes or is absent (4.5.3).
    var local: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(ZipRecord.localHeader.rawValue)
        bytes += common(isZip64: hasWideSize, sizesAreWide: (hasWideSize, hasWideSize))
        let extra = zip64Extra(hasWideSize ? [piece.byteCount, piece.compressedByteCount] : [])
        bytes.append(UInt16(extra.count))
        return bytes + name + extra
    }

    /// The header in the directory.
    var central: [UInt8] {
        let isWideOffset = isWide(headerOffset)
        var numbers = hasWideSize ? [piece.byteCount, piece.compressedByteCount] : []
        if isWideOffset { numbers.append(headerOffset) }
        let extra = zip64Extra(numbers)
        let isZip64 = !numbers.isEmpty
        var bytes: [UInt8] = []
        bytes.append(ZipRecord.directoryHeader.rawValue)
        bytes.append(ZipHeader.host | (isZip64 ? ZipHeader.zip64Version : 20))
        bytes += common(isZip64: isZip64, sizesAreWide: (hasWideSize, hasWideSize))
        bytes.append(UInt16(extra.count))
        // No comment, the first disk, no internal attributes.
        bytes.append(UInt16(0))
        bytes.append(UInt16(0))
        bytes.append(UInt16(0))
        bytes.append(piece.name.isDirectory ? UInt32(0o040755) << 16 | 0x10 : UInt32(0o100644) << 16)
        bytes.append(narrow(headerOffset, isWide: isWideOffset))
        return bytes + name + extra
    }

    /// The record that ends the archive, after the zip64 records when a number needs them.
    static func end(entryCount: Int, directoryOffset: Int, directoryByteCount: Int) -> [UInt8] {
        let isWideCount = entryCount >= Int(UInt16.max)
        let isWideOffset = directoryOffset >= Int(UInt32.max)
        let isWideSize = directoryByteCount >= Int(UInt32.max)
        var bytes: [UInt8] = []
        if isWideCount || isWideOffset || isWideSize {
            let recordOffset = directoryOffset + directoryByteCount
            bytes.append(ZipRecord.zip64EndRecord.rawValue)
            bytes.append(UInt64(44))
            bytes.append(host | zip64Version)
            bytes.append(zip64Version)
            bytes.append(UInt32(0))
            bytes.append(UInt32(0))
            bytes.append(UInt64(entryCount))
            bytes.append(UInt64(entryCount))
            bytes.append(UInt64(directoryByteCount))
            bytes.append(UInt64(directoryOffset))
            bytes.append(ZipRecord.zip64Locator.rawValue)
            bytes.append(UInt32(0))
            bytes.append(UInt64(recordOffset))
            bytes.append(UInt32(1))
        }
        let count = isWideCount ? UInt16.max : UInt16(entryCount)
        bytes.append(ZipRecord.endRecord.rawValue)
        bytes.append(UInt16(0))
        bytes.append(UInt16(0))
        bytes.append(count)
        bytes.append(count)
        bytes.append(isWideSize ? .max : UInt32(directoryByteCount))
        bytes.append(isWideOffset ? .max : UInt32(directoryOffset))
        bytes.append(UInt16(0))
        return bytes
    }
}
