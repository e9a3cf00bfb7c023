/// The beginnings of a text's lines, so that each of many positions costs one line and not the text.
package struct LineTable: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]

    package init(_ bytes: [UInt8]) {
        var starts = [0]
        let span = bytes.span
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
        let span = bytes.span
        let column = (starts[low]..<end).reduce(1) { span[$1] & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return TextPosition(line: low + 1, column: column)
    }
}
