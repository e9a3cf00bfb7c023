/// The first fifty bytes: a mark, two versions, then how many entries each table has and where it begins.
struct ArchiveHeader {
    static let mark = Array("NIBArchive".utf8)
    static let byteCount = 50
    static let coderVersions: ClosedRange<UInt32> = 1...10

    struct Place {
        var count: Int
        var offset: Int
    }

    var formatVersion: UInt32 = 1
    var coderVersion: UInt32 = 9
    /// In the order of ``NibTable``.
    var places: [Place] = []

    static func isMarked(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes.count >= mark.count else { return false }
        return mark.indices.allSatisfy { bytes[$0] == mark[$0] }
    }

    init(_ bytes: borrowing Span<UInt8>, limits: NibLimits) throws(NibError) {
        guard ArchiveHeader.isMarked(bytes) else { throw NibError(.unknownForm, at: 0) }
        guard bytes.count <= limits.byteCount else { throw NibError(.byteCount, of: limits, at: limits.byteCount) }
        var cursor = ArchiveCursor(at: ArchiveHeader.mark.count, end: bytes.count)
        formatVersion = UInt32(try cursor.fixed(4, bytes))
        guard formatVersion == 1 else { throw NibError(.unknownFormatVersion(formatVersion), at: 10) }
        coderVersion = UInt32(try cursor.fixed(4, bytes))
        guard ArchiveHeader.coderVersions.contains(coderVersion) else {
            throw NibError(.unknownCoderVersion(coderVersion), at: 14)
        }
        for table in NibTable.allCases {
            let start = cursor.offset
            let count = Int(try cursor.fixed(4, bytes))
            let offset = Int(try cursor.fixed(4, bytes))
            guard offset >= ArchiveHeader.byteCount, offset <= bytes.count else {
                throw NibError(.tableOutOfRange(table), at: start + 4)
            }
            let name = limits.name(of: table)
            guard count <= limits.limit(name) else { throw NibError(name, of: limits, at: start) }
            // No overflow: both numbers have 32 bits.
            guard count * table.smallestEntry <= bytes.count - offset else {
                throw NibError(.tableOutOfRange(table), at: start)
            }
            places.append(Place(count: count, offset: offset))
        }
        guard let objects = places.first, objects.count > 0 else { throw NibError(.noObjects, at: 18) }
    }
}
