internal import WidgetFiles

/// The header in front of an entry's data, compared with the directory's (APPNOTE 4.3.7).
struct ZipLocalHeader {
    let dataOffset: Int
    /// Sizes are eight bytes wide here, and so they are in a descriptor (4.3.9.2).
    let hasZip64: Bool

    /// Reads the header of `row` and requires that it ends before `end` and repeats the directory.
    ///
    /// With bit 3 its checksum and sizes may be zero, because they were not known when it was written. Times
    /// and versions are not compared: they change nothing that we keep.
    init(
        _ row: ZipEntryTable.Row, name: ZipName, end: Int, limits: ZipLimits, window: inout ZipWindow,
        from file: borrowing FileDescriptor
    ) throws(ZipError) {
        let entry = name.text
        let start = row.headerOffset
        let fixed = ZipRecord.localHeader.fixedByteCount
        let rawName = try row.rawName(name, window: &window, from: file)
        guard end - start >= fixed else { throw ZipError(.recordOutOfBounds, entry: entry, at: start) }
        try window.require(start, count: fixed, ahead: ZipTiling.ahead, from: file)
        guard window.holds(.localHeader, at: start) else {
            throw ZipError(.wrongSignature(.localHeader), entry: entry, at: start)
        }
        let extraCount = Int(window.uint16(start + 28))
        try limits.require(extraCount, within: .extraByteCount, entry: entry, at: start + 28)
        guard Int(window.uint16(start + 26)) == rawName.count else {
            throw ZipError(.headersDisagree(.name), entry: entry, at: start + 26)
        }
        dataOffset = start + fixed + rawName.count + extraCount
        guard dataOffset <= end else { throw ZipError(.recordOutOfBounds, entry: entry, at: start + 26) }
        try window.require(start, count: dataOffset - start, ahead: ZipTiling.ahead, from: file)

        guard window.bytes(start + fixed, count: rawName.count) == rawName else {
            throw ZipError(.headersDisagree(.name), entry: entry, at: start + fixed)
        }
        let version = Int(window.uint16(start + 4) & 0xFF)
        guard version <= ZipEntryTable.highestVersion else {
            throw ZipError(.unsupportedVersion(version), entry: entry, at: start + 4)
        }
        guard window.uint16(start + 6) == row.flags.rawValue else {
            throw ZipError(.headersDisagree(.flags), entry: entry, at: start + 6)
        }
        guard window.uint16(start + 8) == row.method.rawValue else {
            throw ZipError(.headersDisagree(.method), entry: entry, at: start + 8)
        }
        let extraOffset = start + fixed + rawName.count
        let sizes: Sizes
        do throws(ZipError.Reason) {
            let extra = try ZipExtraFields(window.bytes(extraOffset, count: extraCount))
            try extra.requireUnicodePath(agreesWith: rawName)
            sizes = try Sizes(start, extra: extra, window: window)
        } catch {
            throw ZipError(error, entry: entry, at: extraOffset)
        }
        hasZip64 = sizes.isWide
        let mayBeZero = row.flags.contains(.descriptor)
        let checksum = window.uint32(start + 14)
        guard checksum == row.checksum || (mayBeZero && checksum == 0) else {
            throw ZipError(.headersDisagree(.checksum), entry: entry, at: start + 14)
        }
        let compressed = UInt64(row.compressedByteCount)
        guard sizes.compressed == compressed || (mayBeZero && sizes.compressed == 0) else {
            throw ZipError(.headersDisagree(.compressedByteCount), entry: entry, at: start + 18)
        }
        guard sizes.expanded == UInt64(row.byteCount) || (mayBeZero && sizes.expanded == 0) else {
            throw ZipError(.headersDisagree(.byteCount), entry: entry, at: start + 22)
        }
    }

    /// The two sizes, from the fixed fields or from the zip64 record, which has both here (4.5.3).
    private struct Sizes {
        var compressed: UInt64
        var expanded: UInt64
        var isWide: Bool

        init(_ start: Int, extra: ZipExtraFields, window: borrowing ZipWindow) throws(ZipError.Reason) {
            compressed = UInt64(window.uint32(start + 18))
            expanded = UInt64(window.uint32(start + 22))
            isWide = extra.zip64 != nil
            let isSaturated = (compressed == UInt32.max, expanded == UInt32.max)
            guard let zip64 = extra.zip64 else {
                if isSaturated.0 || isSaturated.1 { throw .zip64Missing }
                return
            }
            guard zip64.count == 16 else { throw .zip64ExtraLength }
            let wide = (expanded: zip64.uint64(0), compressed: zip64.uint64(8))
            // A field that is not saturated repeats the record's number, or is 0.
            guard isSaturated.0 || compressed == wide.compressed || compressed == 0 else {
                throw .zip64Disagrees(.compressedByteCount)
            }
            guard isSaturated.1 || expanded == wide.expanded || expanded == 0 else {
                throw .zip64Disagrees(.byteCount)
            }
            (compressed, expanded) = (wide.compressed, wide.expanded)
        }
    }
}

extension ZipEntryTable.Row {
    /// The name as the directory's header holds it; for most names, that is exactly the judged one.
    fileprivate func rawName(
        _ name: ZipName, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> [UInt8] {
        if name.repairs.isEmpty { return Array(name.text.utf8) }
        let offset = recordOffset + ZipRecord.directoryHeader.fixedByteCount
        try window.require(offset, count: nameByteCount, ahead: nameByteCount, from: file)
        return window.bytes(offset, count: nameByteCount)
    }
}

/// The record behind an entry's data that repeats its checksum and sizes (APPNOTE 4.3.9).
///
/// It comes with or without a signature, four or eight bytes for each size; it must say exactly what the
/// directory says.
enum ZipDescriptor {
    /// Reads the descriptor of `row` at `offset`; the next record begins at `next`.
    ///
    /// - Returns: where the descriptor ends.
    static func read(
        _ row: ZipEntryTable.Row, entry: String, at offset: Int, before next: Int, isWide: Bool,
        window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> Int {
        let sizeByteCount = isWide ? 8 : 4
        let plainCount = 4 + 2 * sizeByteCount
        let room = next - offset
        guard room >= plainCount else { throw ZipError(.descriptorMissing, entry: entry, at: offset) }
        try window.require(offset, count: min(room, plainCount + 4), ahead: ZipTiling.ahead, from: file)
        // A checksum can look like the signature; when only the plain form fits, it is the plain form.
        let isSigned = room >= plainCount + 4 && window.holds(.descriptor, at: offset)
        let start = isSigned ? offset + 4 : offset
        guard window.uint32(start) == row.checksum else {
            throw ZipError(.descriptorDisagrees(.checksum), entry: entry, at: start)
        }
        let sizes = [start + 4, start + 4 + sizeByteCount].map {
            isWide ? window.uint64($0) : UInt64(window.uint32($0))
        }
        guard sizes[0] == UInt64(row.compressedByteCount) else {
            throw ZipError(.descriptorDisagrees(.compressedByteCount), entry: entry, at: start + 4)
        }
        guard sizes[1] == UInt64(row.byteCount) else {
            throw ZipError(.descriptorDisagrees(.byteCount), entry: entry, at: start + 4 + sizeByteCount)
        }
        return start + plainCount
    }
}
