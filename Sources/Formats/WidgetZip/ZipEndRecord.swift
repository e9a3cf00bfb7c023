internal import WidgetBytes
internal import WidgetFiles

/// The directory's place and size, from the record or records that end the archive.
///
/// SeeAlso: APPNOTE 4.3.14 to 4.3.16.
struct ZipEndRecord {
    var entryCount: Int
    var directoryOffset: Int
    /// The directory's end, which is the start of the first end record.
    var directoryEnd: Int

    /// Reads the end of the archive, which has exactly one reading.
    ///
    /// The last signature decides, and its comment must end exactly where the file does. A second signature
    /// inside a comment would be a second reading; comments are plain text, so they cannot hold one.
    init(
        fileByteCount: Int, limits: ZipLimits, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) {
        let offset = try ZipEndRecord.find(fileByteCount: fileByteCount, window: &window, from: file)
        let fixed = ZipRecord.endRecord.fixedByteCount
        let commentCount = Int(window.uint16(offset + 20))
        let commentEnd = offset + fixed + commentCount
        if commentEnd > fileByteCount {
            throw ZipError(.truncatedEndRecord(missing: commentEnd - fileByteCount), at: offset + 20)
        }
        if commentEnd < fileByteCount {
            throw ZipError(.trailingData(byteCount: fileByteCount - commentEnd), at: commentEnd)
        }
        try limits.require(commentCount, within: .commentByteCount, at: offset + 20)
        try window.requirePlainComment(offset + fixed, count: commentCount, entry: nil)

        let hasLocator = try ZipEndRecord.hasLocator(before: offset, window: &window, from: file)
        let isSaturated =
            window.uint16(offset + 4) == .max || window.uint16(offset + 6) == .max
            || window.uint16(offset + 8) == .max || window.uint16(offset + 10) == .max
            || window.uint32(offset + 12) == .max || window.uint32(offset + 16) == .max
        if hasLocator {
            self = try ZipEndRecord.zip64(endRecord: offset, window: &window, from: file)
        } else {
            if isSaturated { throw ZipError(.zip64Missing, at: offset) }
            guard window.uint16(offset + 4) == 0, window.uint16(offset + 6) == 0 else {
                throw ZipError(.multipleDisks, at: offset + 4)
            }
            guard window.uint16(offset + 8) == window.uint16(offset + 10) else {
                throw ZipError(.multipleDisks, at: offset + 8)
            }
            entryCount = Int(window.uint16(offset + 10))
            directoryOffset = Int(bounded: window.uint32(offset + 16))
            directoryEnd = offset
            let declaredEnd = Int64(window.uint32(offset + 16)) + Int64(window.uint32(offset + 12))
            guard declaredEnd == directoryEnd else {
                throw ZipError(.directoryMisplaced(declaredEnd: declaredEnd, end: directoryEnd), at: offset + 12)
            }
        }
        try limits.require(entryCount, within: .entryCount, at: offset + 10)
    }

    /// The offset of the last end record, with the record and its comment in the window.
    private static func find(
        fileByteCount: Int, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> Int {
        let fixed = ZipRecord.endRecord.fixedByteCount
        guard fileByteCount >= fixed else { throw ZipError(.missingEndRecord, at: 0) }
        // First without a comment, as nearly all are; then as far back as a comment can reach.
        for reach in [fixed + ZipRecord.zip64Locator.fixedByteCount, fixed + Int(UInt16.max)] {
            let count = min(reach, fileByteCount)
            let start = fileByteCount - count
            try window.require(start, count: count, ahead: count, from: file)
            var offset = fileByteCount - fixed
            while offset >= start {
                if window.holds(.endRecord, at: offset) { return offset }
                offset -= 1
            }
        }
        throw ZipError(.missingEndRecord, at: max(0, fileByteCount - fixed))
    }

    private static func hasLocator(
        before offset: Int, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> Bool {
        let fixed = ZipRecord.zip64Locator.fixedByteCount
        guard offset >= fixed else { return false }
        let count = fixed + ZipRecord.endRecord.fixedByteCount
        try window.require(offset - fixed, count: count, ahead: count, from: file)
        return window.holds(.zip64Locator, at: offset - fixed)
    }

    /// The zip64 records, which must come right before the end record and repeat the fields that fit in it.
    private static func zip64(
        endRecord: Int, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> ZipEndRecord {
        let locator = endRecord - ZipRecord.zip64Locator.fixedByteCount
        let record = locator - ZipRecord.zip64EndRecord.fixedByteCount
        guard record >= 0 else { throw ZipError(.zip64Misplaced, at: locator + 8) }
        let count = endRecord + ZipRecord.endRecord.fixedByteCount - record
        try window.require(record, count: count, ahead: count, from: file)
        guard window.uint32(locator + 4) == 0, window.uint32(locator + 16) == 1 else {
            throw ZipError(.multipleDisks, at: locator + 4)
        }
        guard window.uint64(locator + 8) == UInt64(record), window.holds(.zip64EndRecord, at: record) else {
            throw ZipError(.zip64Misplaced, at: locator + 8)
        }
        // 44 bytes follow the length; more would be an unknown extensible sector.
        guard window.uint64(record + 4) == 44 else { throw ZipError(.zip64RecordLength, at: record + 4) }
        let version = Int(window.uint16(record + 14) & 0xFF)
        guard version <= ZipEntryTable.highestVersion else {
            throw ZipError(.unsupportedVersion(version), at: record + 14)
        }
        guard window.uint32(record + 16) == 0, window.uint32(record + 20) == 0,
            window.uint16(endRecord + 4) == 0 || window.uint16(endRecord + 4) == .max,
            window.uint16(endRecord + 6) == 0 || window.uint16(endRecord + 6) == .max
        else { throw ZipError(.multipleDisks, at: record + 16) }
        guard window.uint64(record + 24) == window.uint64(record + 32) else {
            throw ZipError(.multipleDisks, at: record + 24)
        }
        let entryCount = window.uint64(record + 32)
        let byteCount = window.uint64(record + 40)
        let offset = window.uint64(record + 48)
        for count in [window.uint16(endRecord + 8), window.uint16(endRecord + 10)]
        where count != .max && UInt64(count) != entryCount {
            throw ZipError(.zip64Disagrees(.entryCount), at: record + 32)
        }
        if window.uint32(endRecord + 12) != .max, UInt64(window.uint32(endRecord + 12)) != byteCount {
            throw ZipError(.zip64Disagrees(.directoryByteCount), at: record + 40)
        }
        if window.uint32(endRecord + 16) != .max, UInt64(window.uint32(endRecord + 16)) != offset {
            throw ZipError(.zip64Disagrees(.directoryOffset), at: record + 48)
        }
        guard let entries = Int64(exactly: entryCount), let start = Int64(exactly: offset),
            let length = Int64(exactly: byteCount), let declaredEnd = start.adding(length)
        else { throw ZipError(.numberTooLarge, at: record + 24) }
        guard declaredEnd == record else {
            throw ZipError(.directoryMisplaced(declaredEnd: declaredEnd, end: record), at: record + 40)
        }
        return ZipEndRecord(
            entryCount: Int(bounded: entries), directoryOffset: Int(bounded: start), directoryEnd: record)
    }

    private init(entryCount: Int, directoryOffset: Int, directoryEnd: Int) {
        self.entryCount = entryCount
        self.directoryOffset = directoryOffset
        self.directoryEnd = directoryEnd
    }
}

extension ZipWindow {
    /// Requires that a comment is text for people: printable ASCII, tabs and line breaks. No record can hide in it,
    /// because every signature has other control characters.
    func requirePlainComment(_ offset: Int, count: Int, entry: String?) throws(ZipError) {
        for index in 0..<count {
            switch uint8(offset + index) {
            case 0x20...0x7E, 0x09, 0x0A, 0x0D: break
            default: throw ZipError(.commentNotPlain, entry: entry, at: offset + index)
            }
        }
    }
}
