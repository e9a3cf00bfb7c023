/// Rows under headings, each column as wide as it must be.
package enum TextTable {
    /// A longer cell is cut: one of them would pad all the others.
    private static let widest = 160

    package static func text(_ headings: [String], _ rows: [[String]]) -> String {
        let all = ([headings] + rows).map { $0.map(cut) }
        let widths = headings.indices.map { column in
            all.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            return trimmed(cells.joined(separator: "  ")) + "\n"
        }.joined()
    }

    private static func cut(_ cell: String) -> String {
        // Bytes are counted first, because they are quickly counted.
        guard cell.utf8.count > widest, cell.count > widest else { return cell }
        return cell.prefix(widest - 1) + "…"
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
