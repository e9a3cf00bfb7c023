/// What of a NIBArchive's bytes its graph does not tell: the order of the tables, what lies between and behind them, and
/// numbers that are spelled longer than they need to be.
struct ArchiveLayout: Equatable, Sendable {
    struct Part: Equatable, Sendable {
        var table: NibTable
        /// Bytes before the table that belong to none.
        var before: [UInt8] = []
    }

    /// In the order of the file.
    var parts: [Part] = NibTable.allCases.map { Part(table: $0) }
    /// Some writers leave a few bytes at the end.
    var trailing: [UInt8] = []
    /// In the order of their ordinals.
    var wideNumbers: [WideNumber] = []

    /// The ways in which every known writer lays the tables out.
    static let plain = ArchiveLayout()

    private init() {}

    /// - Parameter ranges: where each table lies, in the order of ``NibTable``.
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
