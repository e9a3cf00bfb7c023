/// Widths that a host has measured with its own fonts. What it has not measured has the width of the table.
package final class MeasuredTexts: TextMeasure {
    /// A face of the system's font. Other families are measured by the same table.
    package struct Face: Hashable, Sendable {
        package let size: Double
        package let weight: Int
        package let isItalic: Bool

        package init(size: Double, weight: Int, isItalic: Bool) {
            self.size = size
            self.weight = weight
            self.isItalic = isItalic
        }
    }

    /// The widths of words, blanks and whole texts, in points.
    private let widths: [Face: [String: Double]]
    private let table = TextMetrics()

    package init(_ widths: [Face: [String: Double]]) {
        self.widths = widths
    }

    /// The width of a text: its own, or that of its words and blanks together.
    package func width(of text: Substring, in font: ResolvedFont) -> Double {
        guard let known = widths[Face(size: font.size, weight: font.weight, isItalic: font.isItalic)] else {
            return table.width(of: text, in: font)
        }
        if let width = known[String(text)] { return width }
        var sum = 0.0
        var rest = text
        while let first = rest.first {
            let isBlank = first == " "
            let piece = rest.prefix { ($0 == " ") == isBlank }
            if isBlank, let blank = known[" "] {
                sum += blank * Double(piece.count)
            } else {
                sum += known[String(piece)] ?? table.width(of: piece, in: font)
            }
            rest = rest[piece.endIndex...]
        }
        return sum
    }
}
