internal import Files

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
