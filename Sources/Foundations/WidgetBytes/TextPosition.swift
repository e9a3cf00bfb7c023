/// A position in a text: line and column, both counted from 1.
///
/// A line ends with LF, CR or CR LF. Columns count Unicode scalars, so that an editor's cursor lands
/// where the message points; bytes that are not UTF-8 count by their first bytes.
package struct TextPosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position of `offset`, or of the end when the offset lies behind it.
    ///
    /// - Complexity: linear in the offset; for many positions of one text see ``LineTable``.
    package init(of offset: Int, in bytes: borrowing Span<UInt8>) {
        self.init(line: 1, column: 1)
        let end = min(max(offset, 0), bytes.count)
        var index = 0
        while index < end {
            let byte = bytes[index]
            if endsLine(byte, at: index, in: bytes) {
                line &+= 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
            index &+= 1
        }
    }
}

extension TextPosition: CustomStringConvertible {
    package var description: String { "line \(line), column \(column)" }
}

/// Returns true if the byte is the last of a line's ending: CR counts unless LF follows.
func endsLine(_ byte: UInt8, at index: Int, in bytes: borrowing Span<UInt8>) -> Bool {
    if byte == 0x0A { return true }
    guard byte == 0x0D else { return false }
    return index &+ 1 >= bytes.count || bytes[index &+ 1] != 0x0A
}

/// The beginnings of a text's lines, and the number of characters before some offsets. Finding one of many positions
/// then costs neither a scan of the text nor of a line, which may be as long as the text.
package struct LineTable: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    /// The number of characters that begin before each multiple of ``step``.
    private let counts: [Int]

    private static let step = 256

    package init(_ bytes: [UInt8]) {
        var starts = [0]
        let span = bytes.span
        var counts: [Int] = []
        counts.reserveCapacity(bytes.count / LineTable.step + 1)
        var count = 0
        for index in span.indices {
            if index % LineTable.step == 0 { counts.append(count) }
            if span[index] & 0xC0 != 0x80 { count += 1 }
        }
        self.counts = counts
        for index in span.indices where endsLine(span[index], at: index, in: span) {
            starts.append(index + 1)
        }
        self.bytes = bytes
        self.starts = starts
    }

    package var count: Int { starts.count }

    /// The position of `offset`, or of the end when the offset lies behind it.
    package func position(of offset: Int) -> TextPosition {
        let end = min(max(offset, 0), bytes.count)
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if starts[middle] <= end { low = middle } else { high = middle }
        }
        return TextPosition(line: low + 1, column: characters(before: end) - characters(before: starts[low]) + 1)
    }

    private func characters(before offset: Int) -> Int {
        guard !counts.isEmpty else { return 0 }
        let block = min(offset / LineTable.step, counts.count - 1)
        let span = bytes.span
        return (block * LineTable.step..<offset).reduce(counts[block]) { span[$1] & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}
