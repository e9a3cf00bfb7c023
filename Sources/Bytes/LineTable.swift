/// The beginnings of a text's lines, and how many characters come before some places, so that each of many positions
/// costs neither the text nor a line: all of it may be one.
package struct LineTable: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    /// How many characters begin before each multiple of ``step``.
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
