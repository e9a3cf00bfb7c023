/// `[d]` for patterns: scalar by scalar, so that `.` still takes one of them.
enum AccentStripping {
    /// The letter without its accents, or nil for a mark of its own. Which letters have accents: `FoldedText`.
    static func stripped(_ scalar: UInt32) -> UInt32? {
        if scalar < 0x80 { return scalar }
        let range = FoldTable.canonical.range(of: scalar)
        guard !range.isEmpty else { return scalar }
        let first = FoldTable.canonical[range.lowerBound]
        if first & FoldTable.mark != 0 { return range.count == 1 && first & FoldTable.scalar == scalar ? nil : scalar }
        return first < FoldedText.accented ? first & FoldTable.scalar : scalar
    }

    /// The text without accents; marks stay where the letter before them keeps its own.
    static func stripped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var base: UInt32 = .max
        for scalar in text.unicodeScalars {
            if let kept = stripped(scalar.value) {
                base = kept
                result.append(Unicode.Scalar(kept) ?? scalar)
            } else if base >= FoldedText.accented {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
