/// Parts of paths, found by bytes: a character that joins the one beside it must not hide a slash or a dot.
extension StringProtocol where UTF8View: BidirectionalCollection {
    /// What stands behind the last slash.
    var lastPathComponent: SubSequence {
        utf8.lastIndex(of: 0x2F).map { self[utf8.index(after: $0)...] } ?? self[startIndex...]
    }

    /// What stands behind the last dot, in lower case; `nil` without a dot.
    var nameExtension: String? {
        utf8.lastIndex(of: 0x2E).map { self[utf8.index(after: $0)...].lowercased() }
    }
}
