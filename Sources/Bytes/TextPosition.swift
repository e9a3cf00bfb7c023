/// Where in a text: line and column, both counted from 1.
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

/// Whether the byte is the last of a line's ending: CR counts unless LF follows.
func endsLine(_ byte: UInt8, at index: Int, in bytes: borrowing Span<UInt8>) -> Bool {
    if byte == 0x0A { return true }
    guard byte == 0x0D else { return false }
    return index &+ 1 >= bytes.count || bytes[index &+ 1] != 0x0A
}
