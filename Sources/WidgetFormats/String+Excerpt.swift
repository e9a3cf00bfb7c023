internal import Bytes

extension String {
    private static let longestExcerpt = 200

    /// Its beginning, for people: what is authored may be long, and is told for each of thousands of rows.
    var excerpt: String {
        guard utf8.count > String.longestExcerpt else { return ShownText.plain(self) }
        // An index within a letter stands for the letter's beginning.
        return ShownText.plain(self[..<utf8.index(startIndex, offsetBy: String.longestExcerpt)]) + "…"
    }
}
