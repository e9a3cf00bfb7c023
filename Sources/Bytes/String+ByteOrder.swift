extension String {
    /// Where the text stands beside another in the order of their UTF-8 bytes: negative before it, 0 in its place.
    ///
    /// Byte for byte: comparing strings would also equate different spellings of one character.
    package func byteOrder(_ other: String) -> Int {
        let (left, right) = (utf8.span, other.utf8.span)
        let count = min(left.count, right.count)
        var index = 0
        while index < count {
            if left[index] != right[index] { return left[index] < right[index] ? -1 : 1 }
            index += 1
        }
        return left.count - right.count
    }

    /// Whether the two are the same bytes.
    package func hasBytes(of other: String) -> Bool {
        utf8.count == other.utf8.count && byteOrder(other) == 0
    }
}
