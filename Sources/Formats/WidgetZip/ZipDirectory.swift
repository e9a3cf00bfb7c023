internal import WidgetBytes
package import WidgetFiles

/// The entries of an archive that has exactly one reading.
///
/// A `ZipDirectory` exists only when the archive's records tile the file from its first byte to its last,
/// both headers of every entry tell the same story, every name is safe and no two collide. The entries' data
/// is proven separately, by ``ZipEntryReader``; that a directory's data is empty is part of this.
///
/// The directory is a value: it holds no descriptor, so each call that touches the archive is lent one.
package struct ZipDirectory: Equatable, Sendable {
    /// In the order of the central directory.
    package let entries: [ZipEntry]
    /// The whole archive.
    package let byteCount: Int
    /// All entries, expanded.
    package let expandedByteCount: Int

    /// Reads and proves the structure; no entry's data is inflated.
    ///
    /// - Complexity: memory for the entries, bounded by ``ZipLimits/entryCount`` and
    ///   ``ZipLimits/pathByteCount``, and one fixed window.
    /// - Throws: ``ZipError``, for the first rule that is broken.
    package init(reading file: borrowing FileDescriptor, limits: ZipLimits = ZipLimits()) throws(ZipError) {
        try self.init(reading: file, limits: limits, expecting: [])
    }

    /// - Parameter pieces: the pieces the archive was made of; equal names share their memory with them.
    init(
        reading file: borrowing FileDescriptor, limits: ZipLimits, expecting pieces: [ZipPiece]
    ) throws(ZipError) {
        let byteCount = try rethrowing(try file.status().byteCount, as: { ZipError(.file($0)) })
        try limits.require(byteCount, within: .archiveByteCount, at: nil)
        var window = ZipWindow(fileByteCount: byteCount)
        let end = try ZipEndRecord(fileByteCount: byteCount, limits: limits, window: &window, from: file)
        let table = try ZipEntryTable(end, limits: limits, window: &window, from: file)
        let names = try table.judgeNames(limits: limits, expecting: pieces, window: &window, from: file)
        try ZipNameConflicts.requireNone(names, rows: table.rows)
        let dataOffsets = try ZipTiling.prove(table, names: names, limits: limits, window: &window, from: file)

        var entries: [ZipEntry] = []
        entries.reserveCapacity(names.count)
        for (index, row) in table.rows.enumerated() {
            entries.append(
                ZipEntry(
                    name: names[index], method: row.method, checksum: row.checksum,
                    compressedByteCount: row.compressedByteCount, byteCount: row.byteCount,
                    dataOffset: dataOffsets[index]))
        }
        self.entries = entries
        self.byteCount = byteCount
        expandedByteCount = entries.reduce(0) { $0 + $1.byteCount }
    }
}

extension ZipDirectory {
    /// The entries in the order of their names, and nothing else of the directory.
    package consuming func sortedEntries() -> [ZipEntry] {
        entries.sorted { $0.name < $1.name }
    }
}

extension ZipEntryTable {
    /// Judges every name, and whether the entry's type agrees with it.
    func judgeNames(
        limits: ZipLimits, expecting pieces: [ZipPiece], window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) -> [ZipName] {
        var names: [ZipName] = []
        names.reserveCapacity(rows.count)
        for row in rows {
            let nameOffset = row.recordOffset + ZipRecord.directoryHeader.fixedByteCount
            try window.require(nameOffset, count: row.nameByteCount, ahead: .max, from: file)
            let bytes = window.bytes(nameOffset, count: row.nameByteCount)
            let name: ZipName
            do throws(ZipName.Hazard) {
                name = try .judge(
                    bytes, encoding: encoding(of: row), convertsBackslashes: convertsBackslashes, limits: limits)
            } catch {
                throw ZipError(.unsafeName(error), entry: ZipName.printable(bytes), at: nameOffset)
            }
            try row.requireType(agreesWith: name)
            let expected = pieces.indices.contains(names.count) ? pieces[names.count].name : name
            names.append(expected == name ? expected : name)
        }
        return names
    }
}

extension ZipEntryTable.Row {
    /// Checks the type bits and the sizes against the name, which is where readers look first.
    func requireType(agreesWith name: ZipName) throws(ZipError) {
        if let special = attributes.special {
            throw ZipError(.notAFile(special), entry: name.text, at: recordOffset + 38)
        }
        guard attributes.agrees(isDirectory: name.isDirectory) else {
            throw ZipError(.typeContradictsName, entry: name.text, at: recordOffset + 38)
        }
        if name.isDirectory {
            // Empty, or deflated to the two bytes of an empty stream.
            let isEmpty = compressedByteCount == 0 || (method == .deflate && compressedByteCount == 2)
            guard byteCount == 0, checksum == 0, isEmpty else {
                throw ZipError(.directoryHasData, entry: name.text, at: recordOffset + 16)
            }
        } else if method == .stored, compressedByteCount != byteCount {
            throw ZipError(.storedSizesDiffer, entry: name.text, at: recordOffset + 20)
        }
    }
}

/// One item of an archive, as its directory describes it and its local header confirms.
package struct ZipEntry: Equatable, Sendable {
    package let name: ZipName
    package let method: ZipMethod
    /// CRC-32 of the expanded data.
    package let checksum: UInt32
    package let compressedByteCount: Int
    package let byteCount: Int
    /// The offset of the compressed data in the archive.
    package let dataOffset: Int

    package var isDirectory: Bool { name.isDirectory }
    package var dataRange: Range<Int> { dataOffset..<(dataOffset + compressedByteCount) }
}

/// The proof that local records, in the order of their offsets, cover the archive from its first byte to the
/// directory, without a gap or an overlap, and repeat the directory's fields.
enum ZipTiling {
    /// The bytes to read ahead: a local header with its name, and the descriptor before it.
    static let ahead = 1 << 10

    /// - Returns: where each entry's data begins, in the order of the table.
    static func prove(
        _ table: ZipEntryTable, names: [ZipName], limits: ZipLimits, window: inout ZipWindow,
        from file: borrowing FileDescriptor
    ) throws(ZipError) -> [Int] {
        let order = table.rows.indices.sorted {
            (table.rows[$0].headerOffset, $0) < (table.rows[$1].headerOffset, $1)
        }
        let directoryOffset = table.endsIn.directoryOffset
        var dataOffsets = [Int](repeating: 0, count: order.count)
        var position = 0
        for (rank, index) in order.enumerated() {
            let row = table.rows[index]
            let name = names[index]
            try requireAdjacent(row.headerOffset, to: position, entry: name.text)
            guard row.headerOffset < directoryOffset else {
                throw ZipError(.recordOutOfBounds, entry: name.text, at: row.recordOffset + 42)
            }
            let header = try ZipLocalHeader(
                row, name: name, end: directoryOffset, limits: limits, window: &window, from: file)
            dataOffsets[index] = header.dataOffset
            guard let dataEnd = header.dataOffset.adding(row.compressedByteCount), dataEnd <= directoryOffset else {
                throw ZipError(.recordOutOfBounds, entry: name.text, at: header.dataOffset)
            }
            if name.isDirectory, row.compressedByteCount > 0 {
                try requireEmptyStream(at: header.dataOffset, entry: name.text, window: &window, from: file)
            }
            position = dataEnd
            if row.flags.contains(.descriptor) {
                let next = rank + 1 < order.count ? table.rows[order[rank + 1]].headerOffset : directoryOffset
                position = try ZipDescriptor.read(
                    row, entry: name.text, at: dataEnd, before: min(next, directoryOffset), isWide: header.hasZip64,
                    window: &window, from: file)
            }
        }
        guard position == directoryOffset else {
            let isFirst = order.isEmpty
            throw ZipError(
                isFirst ? .prependedData(byteCount: directoryOffset) : .gap(byteCount: directoryOffset - position),
                at: position)
        }
        return dataOffsets
    }

    private static func requireAdjacent(_ offset: Int, to position: Int, entry: String) throws(ZipError) {
        if offset < position { throw ZipError(.overlap(byteCount: position - offset), entry: entry, at: offset) }
        if offset > position {
            let byteCount = offset - position
            throw ZipError(
                position == 0 ? .prependedData(byteCount: byteCount) : .gap(byteCount: byteCount), entry: entry,
                at: position)
        }
    }

    /// A deflated directory holds one final block of fixed codes with nothing in it.
    private static func requireEmptyStream(
        at offset: Int, entry: String, window: inout ZipWindow, from file: borrowing FileDescriptor
    ) throws(ZipError) {
        try window.require(offset, count: 2, ahead: ahead, from: file)
        guard window.uint16(offset) == 0x0003 else { throw ZipError(.directoryHasData, entry: entry, at: offset) }
    }
}
