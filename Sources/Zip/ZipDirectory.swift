internal import Bytes
package import Files

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
    /// - Throws: ``ZipError``; where several rules are broken, the one met first.
    package init(reading file: borrowing FileDescriptor, limits: ZipLimits = ZipLimits()) throws(ZipError) {
        try self.init(reading: file, limits: limits, expecting: [])
    }

    /// - Parameter pieces: what the archive was made of. Names that are the same are held once, not twice.
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
                    bytes, isUTF8: row.flags.contains(.utf8), convertsBackslashes: convertsBackslashes, limits: limits)
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
