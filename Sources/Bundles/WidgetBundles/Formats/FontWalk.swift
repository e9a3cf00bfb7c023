/// Checks TrueType and OpenType: tables that follow each other from the directory to the end of the file (ISO/IEC
/// 14496-22), so that no byte is outside every table.
struct FontWalk: FormatWalk {
    /// Tables begin at multiples of four.
    private static let largestPadding = 3

    let fileByteCount: Int
    private var phase = Phase.header
    /// Padding that was not seen yet, the last ranges first.
    private var paddings: [Range<Int>] = []

    private enum Phase { case header, directory, padding, lastByte }

    init(fileByteCount: Int) {
        self.fileByteCount = fileByteCount
    }

    var start: FormatStep { .next(take: 12) }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        let position = offset + bytes.count
        switch phase {
        case .header:
            let magic = bytes.bigEndian32(0)
            guard magic == 0x0001_0000 || bytes.holds("OTTO", at: 0) || bytes.holds("true", at: 0) else {
                throw FormatFault(.wrongMagic, at: 0)
            }
            let tableCount = bytes.bigEndian16(4)
            guard (1...512).contains(tableCount) else { throw FormatFault(.invalidHeader, at: 4) }
            guard position + 16 * tableCount <= fileByteCount else { throw FormatFault(.tableOutOfBounds, at: 4) }
            phase = .directory
            return .next(take: 16 * tableCount)
        case .directory:
            paddings = try paddings(between: try tables(bytes, at: offset), from: position).reversed()
        case .padding:
            if let index = bytes.firstIndex(where: { $0 != 0 }) {
                throw FormatFault(position == fileByteCount ? .dataAfterEnd : .hiddenData, at: offset + index)
            }
        case .lastByte: return .end
        }
        if let padding = paddings.popLast() {
            phase = .padding
            return .next(skip: padding.lowerBound - position, take: padding.count)
        }
        guard position < fileByteCount else { return .end }
        phase = .lastByte
        return .next(skip: fileByteCount - position - 1, take: 1)
    }

    private struct Table {
        var range: Range<Int>
        /// The offset of its record in the directory.
        var recordOffset: Int
    }

    /// Returns the tables with content, in the order of their places in the file.
    private func tables(_ directory: [UInt8], at offset: Int) throws(FormatFault) -> [Table] {
        var tables: [Table] = []
        for index in stride(from: 0, to: directory.count, by: 16) {
            let start = directory.bigEndian32(index + 8)
            let length = directory.bigEndian32(index + 12)
            guard start >= offset + directory.count || length == 0, start + length <= fileByteCount else {
                throw FormatFault(.tableOutOfBounds, at: offset + index)
            }
            if length > 0 { tables.append(Table(range: start..<(start + length), recordOffset: offset + index)) }
        }
        return tables.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    /// Returns the padding between the tables and behind the last one: a few bytes each time.
    private func paddings(between tables: [Table], from directoryEnd: Int) throws(FormatFault) -> [Range<Int>] {
        var paddings: [Range<Int>] = []
        var end = directoryEnd
        var last: Range<Int>?
        // Two records may refer to one table: bitmaps have two names.
        for table in tables where table.range != last {
            let start = table.range.lowerBound
            guard start >= end else { throw FormatFault(.tablesOverlap, at: table.recordOffset) }
            guard start - end <= FontWalk.largestPadding else { throw FormatFault(.hiddenData, at: end) }
            if start > end { paddings.append(end..<start) }
            end = table.range.upperBound
            last = table.range
        }
        guard fileByteCount - end <= FontWalk.largestPadding else { throw FormatFault(.dataAfterEnd, at: end) }
        if fileByteCount > end { paddings.append(end..<fileByteCount) }
        return paddings
    }
}
