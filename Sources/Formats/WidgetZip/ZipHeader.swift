internal import WidgetBytes

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

    private func isWide(_ number: Int) -> Bool { number >= Int(bounded: UInt32.max) }

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

    /// The fields that both headers share: from the version needed to the length of the name.
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
        let isWideOffset = directoryOffset >= Int(bounded: UInt32.max)
        let isWideSize = directoryByteCount >= Int(bounded: UInt32.max)
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

/// The general purpose bits of an entry (APPNOTE 4.4.4).
struct ZipFlags: OptionSet {
    let rawValue: UInt16

    static let encrypted = ZipFlags(rawValue: 1 << 0)
    /// The compressor's effort; informative.
    static let compressionLevel = ZipFlags(rawValue: 1 << 1 | 1 << 2)
    static let descriptor = ZipFlags(rawValue: 1 << 3)
    static let enhancedDeflate = ZipFlags(rawValue: 1 << 4)
    static let patchData = ZipFlags(rawValue: 1 << 5)
    static let strongEncryption = ZipFlags(rawValue: 1 << 6)
    static let utf8 = ZipFlags(rawValue: 1 << 11)
    static let maskedHeaders = ZipFlags(rawValue: 1 << 13)

    private static let accepted: ZipFlags = [.compressionLevel, .descriptor, .utf8]

    /// The reason to refuse these flags, if there is one.
    var refusal: ZipError.Reason? {
        if contains(.maskedHeaders) { return .maskedHeaders }
        if contains(.strongEncryption) { return .strongEncryption }
        if contains(.encrypted) { return .encrypted }
        if contains(.patchData) { return .patchData }
        if contains(.enhancedDeflate) { return .enhancedDeflate }
        let unknown = subtracting(ZipFlags.accepted)
        return unknown.isEmpty ? nil : .unknownFlags(unknown.rawValue)
    }
}

/// The encoding of a name, according to its archive.
package enum ZipNameEncoding: Equatable, Sendable {
    /// Declared to be UTF-8 by bit 11 (APPNOTE appendix D).
    case marked
    /// UTF-8 without the declaration, in an archive that allows no other reading.
    case implied
    /// ASCII at most.
    case unknown
}

/// The compression of an entry's data; the two methods of ISO/IEC 21320-1.
package enum ZipMethod: UInt16, Equatable, Sendable {
    case stored = 0
    case deflate = 8
}

/// The type of an entry, as the directory declares it beside its name.
///
/// The Unix type bits are judged for every system that claims to have made the archive, because readers differ in
/// which claims they believe. Permission and set-id bits are not kept.
package struct ZipAttributes: Equatable, Sendable {
    /// An entry that is neither a file nor a directory.
    package enum Special: String, Equatable, Sendable {
        case link, device, fifo, socket
        case volumeLabel = "volume label"
        case unknown = "unknown type"
    }

    /// The system that made the entry (APPNOTE 4.4.2): the high byte of the version it was made by.
    let host: UInt8
    let external: UInt32

    /// FAT and NTFS: tools write `\` between components.
    var isWindows: Bool { host == 0 || host == 10 }

    /// Unix and macOS: tools write names as the file system has them.
    var isUnix: Bool { host == 3 || host == 19 }
    private var unixType: UInt32 { external >> 28 }
    private var hasDirectoryBit: Bool { external & 0x10 != 0 }

    /// The kind of thing that cannot be in a bundle, if this is one.
    var special: Special? {
        switch unixType {
        case 0, 0o04, 0o10: break
        case 0o12: return .link
        case 0o02, 0o06: return .device
        case 0o01: return .fifo
        case 0o14: return .socket
        default: return .unknown
        }
        // The DOS attributes; a Unix tool uses the second byte for something else.
        if isUnix { return nil }
        if external & 0x08 != 0 { return .volumeLabel }
        if external & 0x40 != 0 { return .device }
        if external & 0x400 != 0 { return .link }
        return nil
    }

    /// Returns true if both marks of a directory agree with the name.
    func agrees(isDirectory: Bool) -> Bool {
        if isDirectory { return unixType != 0o10 }
        return unixType != 0o04 && !hasDirectoryBit
    }
}
