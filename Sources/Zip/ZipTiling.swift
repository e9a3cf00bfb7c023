internal import Bytes
internal import Files

/// The proof that local records, in the order of their offsets, cover the archive from its first byte to the
/// directory, without a gap or an overlap, and repeat what the directory says.
enum ZipTiling {
    /// How far ahead to read: a local header with its name, and the descriptor before it.
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
