internal import Bytes

/// The beginning of a list of names, for people, with a mark where there are more.
package struct NameList: CustomStringConvertible {
    package static let shownCount = 20
    private let shown: String
    private let moreCount: Int

    package init(_ names: some Collection<String>) {
        shown = names.prefix(NameList.shownCount).joined(separator: ", ")
        moreCount = names.count - NameList.shownCount
    }

    package var description: String { shown + (moreCount > 0 ? ", …" : "") }

    /// The same, with the number of those that are not in it.
    package var counted: String { shown + (moreCount > 0 ? " and \(moreCount) more" : "") }
}

extension String {
    /// The whole text, or its beginning with a mark where it has more bytes than these.
    package func shortened(toByteCount count: Int) -> String {
        guard utf8.count > count else { return self }
        // An index within a letter stands for the letter's beginning.
        return self[..<utf8.index(startIndex, offsetBy: count)] + "…"
    }

    /// Bytes of a name or a value within a sentence: authored ones may be long, and there are thousands of rows.
    package static let excerptByteCount = 200

    /// The beginning of a name or a value, as sentences have it: with characters that are not shown as escapes.
    package var excerpt: String { ShownText.plain(shortened(toByteCount: String.excerptByteCount)) }
}
