internal import WidgetDeflate

/// The extra fields of one header that change the meaning of the entry (APPNOTE 4.5).
///
/// Every block must divide exactly into records; informative records (times, owners) are skipped.
struct ZipExtraFields {
    /// The data of the zip64 record.
    var zip64: [UInt8]?
    /// The data of Info-ZIP's Unicode path record.
    var unicodePath: [UInt8]?

    private enum Kind {
        static let zip64: UInt16 = 0x0001
        static let pkwareUnix: UInt16 = 0x000D
        static let patchDescriptor: UInt16 = 0x000F
        static let strongEncryption: UInt16 = 0x0017
        static let encryptionRecipients: UInt16 = 0x0019
        static let unicodePath: UInt16 = 0x7075
        static let asiUnix: UInt16 = 0x756E
        static let aesEncryption: UInt16 = 0x9901
    }

    init(_ bytes: [UInt8]) throws(ZipError.Reason) {
        var position = 0
        while position < bytes.count {
            guard bytes.count - position >= 4 else { throw .extraDoesNotDivide }
            let kind = bytes.uint16(position)
            let count = Int(bytes.uint16(position + 2))
            guard bytes.count - position - 4 >= count else { throw .extraDoesNotDivide }
            try take(kind, Array(bytes[(position + 4)..<(position + 4 + count)]))
            position += 4 + count
        }
    }

    private mutating func take(_ kind: UInt16, _ data: [UInt8]) throws(ZipError.Reason) {
        switch kind {
        case Kind.zip64:
            guard zip64 == nil else { throw .extraRepeated(kind) }
            zip64 = data
        case Kind.unicodePath:
            guard unicodePath == nil else { throw .extraRepeated(kind) }
            unicodePath = data
        case Kind.patchDescriptor: throw .patchData
        case Kind.strongEncryption, Kind.encryptionRecipients: throw .strongEncryption
        case Kind.aesEncryption: throw .encrypted
        // Twelve bytes of times and owner; what follows is the target of a link or a device number (4.5.7).
        case Kind.pkwareUnix where data.count > 12: throw .notAFile(.link)
        // Checksum, mode, device or link length, owner, link target.
        case Kind.asiUnix where data.count >= 6:
            let attributes = ZipAttributes(host: 3, external: UInt32(data.uint16(4)) << 16)
            if let special = attributes.special { throw .notAFile(special) }
            if data.count > 14 { throw .notAFile(.link) }
        default: break
        }
    }

    /// Checks that a Unicode path record has the same name as the header (4.6.9).
    ///
    /// Version 1, the checksum of the header's name, then the name in UTF-8. Readers differ in whether they
    /// believe it, so it must repeat the name.
    func requireUnicodePath(agreesWith name: [UInt8]) throws(ZipError.Reason) {
        guard let unicodePath else { return }
        guard unicodePath.count >= 5, unicodePath[0] == 1, unicodePath.uint32(1) == Checksum.of(name),
            unicodePath.dropFirst(5).elementsEqual(name)
        else { throw .unicodePathDisagrees }
    }

    /// The zip64 record as numbers of eight bytes; bytes left over after them are ignored here.
    var zip64Numbers: [UInt64]? {
        guard let zip64 else { return nil }
        return (0..<(zip64.count / 8)).map { zip64.uint64($0 * 8) }
    }
}

/// Little-endian numbers in bytes of a checked count.
extension [UInt8] {
    func uint16(_ index: Int) -> UInt16 {
        UInt16(self[index]) | UInt16(self[index + 1]) << 8
    }

    func uint32(_ index: Int) -> UInt32 {
        UInt32(uint16(index)) | UInt32(uint16(index + 2)) << 16
    }

    func uint64(_ index: Int) -> UInt64 {
        UInt64(uint32(index)) | UInt64(uint32(index + 4)) << 32
    }

    mutating func append(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func append(_ value: UInt32) {
        append(UInt16(truncatingIfNeeded: value))
        append(UInt16(truncatingIfNeeded: value >> 16))
    }

    mutating func append(_ value: UInt64) {
        append(UInt32(truncatingIfNeeded: value))
        append(UInt32(truncatingIfNeeded: value >> 32))
    }
}
