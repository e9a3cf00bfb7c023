internal import WidgetBytes
internal import WidgetFiles

/// The directory's headers before names are judged and local headers are compared.
struct ZipEntryTable {
    /// The highest version that we know: 4.5, zip64.
    static let highestVersion = 45

    struct Row {
        var recordOffset: Int
        var headerOffset: Int
        var compressedByteCount: Int
        var byteCount: Int
        var checksum: UInt32
        var nameByteCount: Int
        var flags: ZipFlags
        var method: ZipMethod
        var attributes: ZipAttributes
        var hasUnicodePath: Bool
    }

    private(set) var rows: [Row] = []
    /// Every entry was made on Windows.
    private var isWindows = true
    private var hasSlash = false
    /// Every name is valid UTF-8, whether the archive declares it or not.
    private var isUTF8 = true
    private(set) var endsIn: ZipEndRecord

    /// Backslashes separate components only in an archive that has no other separator and comes from Windows.
    var convertsBackslashes: Bool { isWindows && !hasSlash }

    /// The encoding of an entry's name.
    ///
    /// Archive Utility and `zip` without a UTF-8 locale write the bytes of the file system, and no flag. On Unix and
    /// macOS these are UTF-8, unless one name of the archive shows that they are not.
    func encoding(of row: Row) -> ZipNameEncoding {
        if row.flags.contains(.utf8) { return .marked }
        return isUTF8 && row.attributes.isUnix && !row.hasUnicodePath ? .implied : .unknown
    }

    init(
        _ end: ZipEndRecord, limits: ZipLimits, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) {
        endsIn = end
        rows.reserveCapacity(end.entryCount)
        var offset = end.directoryOffset
        var expanded = 0
        while offset < end.directoryEnd {
            guard rows.count < end.entryCount else {
                throw ZipError(.entryCountMismatch(declared: end.entryCount, found: rows.count + 1), at: offset)
            }
            let row = try read(&offset, end: end.directoryEnd, limits: limits, window: &window, from: file)
            expanded = expanded.adding(row.byteCount) ?? .max
            try limits.require(expanded, within: .expandedByteCount, at: row.recordOffset + 24)
            rows.append(row)
        }
        guard rows.count == end.entryCount else {
            throw ZipError(.entryCountMismatch(declared: end.entryCount, found: rows.count), at: end.directoryEnd)
        }
    }

    private mutating func read(
        _ offset: inout Int, end: Int, limits: ZipLimits, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> Row {
        let record = offset
        let fixed = ZipRecord.directoryHeader.fixedByteCount
        guard end - record >= fixed else { throw ZipError(.truncatedDirectory, at: record) }
        try window.require(record, count: fixed, ahead: .max, from: file)
        guard window.holds(.directoryHeader, at: record) else {
            throw ZipError(.wrongSignature(.directoryHeader), at: record)
        }
        let nameCount = Int(window.uint16(record + 28))
        let extraCount = Int(window.uint16(record + 30))
        let commentCount = Int(window.uint16(record + 32))
        let count = fixed + nameCount + extraCount + commentCount
        guard end - record >= count else { throw ZipError(.truncatedDirectory, at: record) }
        guard nameCount > 0 else { throw ZipError(.unsafeName(.empty), at: record + 28) }
        guard nameCount <= limits.pathByteCount else {
            throw ZipError(.unsafeName(.tooLong(limits.pathByteCount)), at: record + 28)
        }
        try limits.require(extraCount, within: .extraByteCount, at: record + 30)
        try limits.require(commentCount, within: .commentByteCount, at: record + 32)
        try window.require(record, count: count, ahead: .max, from: file)
        let name = window.bytes(record + fixed, count: nameCount)
        let entry = ZipName.printable(name)
        hasSlash = hasSlash || name.contains(UInt8(ascii: "/"))
        isUTF8 = isUTF8 && String(validating: name, as: UTF8.self) != nil

        let row = try interpret(record, name: name, entry: entry, limits: limits, window: window)
        isWindows = isWindows && row.attributes.isWindows
        let extraOffset = record + fixed + nameCount
        try window.requirePlainComment(extraOffset + extraCount, count: commentCount, entry: entry)
        offset = record + count
        return row
    }

    /// The fixed fields and the extra fields of the header at `record`, which is in the window.
    private func interpret(
        _ record: Int, name: [UInt8], entry: String, limits: ZipLimits, window: borrowing ZipWindow
    ) throws(ZipError) -> Row {
        let flags = ZipFlags(rawValue: window.uint16(record + 8))
        if let refusal = flags.refusal { throw ZipError(refusal, entry: entry, at: record + 8) }
        guard let method = ZipMethod(rawValue: window.uint16(record + 10)) else {
            throw ZipError(.unsupportedMethod(window.uint16(record + 10)), entry: entry, at: record + 10)
        }
        let version = Int(window.uint16(record + 6) & 0xFF)
        guard version <= ZipEntryTable.highestVersion else {
            throw ZipError(.unsupportedVersion(version), entry: entry, at: record + 6)
        }
        if flags.contains(.descriptor), method == .stored {
            throw ZipError(.descriptorOnStored, entry: entry, at: record + 8)
        }
        let extraOffset = record + ZipRecord.directoryHeader.fixedByteCount + name.count
        let numbers: Numbers
        let hasUnicodePath: Bool
        do throws(ZipError.Reason) {
            let extra = try ZipExtraFields(window.bytes(extraOffset, count: Int(window.uint16(record + 30))))
            try extra.requireUnicodePath(agreesWith: name)
            hasUnicodePath = extra.unicodePath != nil
            numbers = try Numbers(record, extra: extra, window: window)
        } catch {
            throw ZipError(error, entry: entry, at: extraOffset)
        }
        guard numbers.disk == 0 else { throw ZipError(.multipleDisks, entry: entry, at: record + 34) }
        try limits.require(numbers.byteCount, within: .entryByteCount, entry: entry, at: record + 24)
        try limits.require(numbers.compressedByteCount, within: .archiveByteCount, entry: entry, at: record + 20)
        if limits.exceedsRatio(numbers.byteCount, compressedByteCount: numbers.compressedByteCount) {
            throw ZipError(.limitReached(.ratio, limit: limits.ratio), entry: entry, at: record + 20)
        }
        return Row(
            recordOffset: record, headerOffset: numbers.headerOffset,
            compressedByteCount: numbers.compressedByteCount, byteCount: numbers.byteCount,
            checksum: window.uint32(record + 16), nameByteCount: name.count, flags: flags, method: method,
            attributes: ZipAttributes(
                host: window.uint8(record + 5), external: window.uint32(record + 38)),
            hasUnicodePath: hasUnicodePath)
    }

    /// The numbers that zip64 can widen (4.5.3): each is in the record exactly when its field is saturated.
    private struct Numbers {
        var byteCount: Int
        var compressedByteCount: Int
        var headerOffset: Int
        var disk: Int

        init(_ record: Int, extra: ZipExtraFields, window: borrowing ZipWindow) throws(ZipError.Reason) {
            var wide = (extra.zip64 ?? [])[...]
            func number(_ narrow: UInt32) throws(ZipError.Reason) -> Int {
                guard narrow == .max else { return Int(bounded: narrow) }
                guard extra.zip64 != nil else { throw .zip64Missing }
                guard wide.count >= 8 else { throw .zip64ExtraLength }
                guard let value = Int64(exactly: Array(wide.prefix(8)).uint64(0)) else { throw .numberTooLarge }
                wide = wide.dropFirst(8)
                return Int(bounded: value)
            }
            byteCount = try number(window.uint32(record + 24))
            compressedByteCount = try number(window.uint32(record + 20))
            headerOffset = try number(window.uint32(record + 42))
            disk = Int(window.uint16(record + 34))
            if disk == Int(UInt16.max), extra.zip64 != nil {
                guard wide.count >= 4 else { throw .zip64ExtraLength }
                disk = Int(bounded: Array(wide.prefix(4)).uint32(0))
                wide = wide.dropFirst(4)
            }
            // Numbers without a field that asks for them are read by some readers and ignored by others.
            guard wide.isEmpty else { throw .zip64ExtraLength }
        }
    }
}
