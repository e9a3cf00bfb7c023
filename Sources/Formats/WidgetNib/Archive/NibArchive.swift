internal import WidgetBytes

/// A compiled interface in the form of Xcode since iOS 6: a header and four tables.
package struct NibArchive: Sendable {
    package let graph: NibGraph
    package let coderVersion: UInt32
    let layout: ArchiveLayout

    init(graph: NibGraph, coderVersion: UInt32, layout: ArchiveLayout) {
        self.graph = graph
        self.coderVersion = coderVersion
        self.layout = layout
    }

    package init(parsing bytes: Span<UInt8>, limits: NibLimits = NibLimits()) throws(NibError) {
        var decoder = try ArchiveDecoder(bytes, limits: limits)
        self = try decoder.decode(bytes)
    }

    package init(parsing bytes: [UInt8], limits: NibLimits = NibLimits()) throws(NibError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// Makes an archive of a graph, in the layout of every known writer.
    package init(_ graph: NibGraph, coderVersion: UInt32 = 9) {
        self.init(graph: graph, coderVersion: coderVersion, layout: .plain)
    }

    /// Returns the same bytes that were parsed.
    package func encode() -> [UInt8] {
        var encoder = ArchiveEncoder(self)
        return encoder.encode()
    }
}

/// The first fifty bytes: a mark, two versions, then the size and offset of each table.
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
            let count = Int(bounded: try cursor.fixed(4, bytes))
            let offset = Int(bounded: try cursor.fixed(4, bytes))
            guard offset >= ArchiveHeader.byteCount, offset <= bytes.count else {
                throw NibError(.tableOutOfRange(table), at: start + 4)
            }
            let name = limits.name(of: table)
            guard count <= limits.limit(name) else { throw NibError(name, of: limits, at: start) }
            // This does not overflow: both numbers have 32 bits.
            guard count * table.smallestEntry <= bytes.count - offset else {
                throw NibError(.tableOutOfRange(table), at: start)
            }
            places.append(Place(count: count, offset: offset))
        }
        guard let objects = places.first, objects.count > 0 else { throw NibError(.noObjects, at: 18) }
    }
}

/// Properties of a NIBArchive's bytes that its graph lacks: the order of the tables, the bytes between and behind them,
/// and numbers with longer encodings than they need.
struct ArchiveLayout: Equatable, Sendable {
    struct Part: Equatable, Sendable {
        var table: NibTable
        /// Bytes before the table that belong to no table.
        var before: [UInt8] = []
    }

    /// In the order of the file.
    var parts: [Part] = NibTable.allCases.map { Part(table: $0) }
    /// A few bytes that some writers leave at the end.
    var trailing: [UInt8] = []
    /// In the order of their ordinals.
    var wideNumbers: [WideNumber] = []

    /// The layout of every known writer.
    static let plain = ArchiveLayout()

    private init() {}

    /// - Parameter ranges: the ranges of the tables, in the order of ``NibTable``.
    init(_ ranges: [Range<Int>], wideNumbers: [WideNumber], of bytes: borrowing Span<UInt8>) throws(NibError) {
        self.wideNumbers = wideNumbers
        parts = []
        var end = ArchiveHeader.byteCount
        var previous = NibTable.objects
        let order = zip(NibTable.allCases, ranges).enumerated().sorted {
            ($0.element.1.lowerBound, $0.element.1.upperBound, $0.offset)
                < ($1.element.1.lowerBound, $1.element.1.upperBound, $1.offset)
        }
        for (_, (table, range)) in order {
            guard range.lowerBound >= end else {
                throw NibError(.tablesOverlap(previous, table), at: range.lowerBound)
            }
            parts.append(Part(table: table, before: ArchiveLayout.copy(end..<range.lowerBound, bytes)))
            end = range.upperBound
            previous = table
        }
        trailing = ArchiveLayout.copy(end..<bytes.count, bytes)
    }

    private static func copy(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> [UInt8] {
        range.map { bytes[$0] }
    }
}
