/// Searches of texts within texts. The standard library has them in `_StringProcessing`, which is not there for
/// WebAssembly; these have the same names and compare characters as it does.
extension StringProtocol {
    package func contains(_ other: some StringProtocol) -> Bool { firstRange(of: other) != nil }

    package func firstRange(of other: some StringProtocol) -> Range<Index>? {
        var start = startIndex
        guard let first = other.first else { return start..<start }
        while start < endIndex {
            if self[start] == first, let end = end(of: other, at: start) { return start..<end }
            start = index(after: start)
        }
        return nil
    }

    /// The end of a text that begins here; `nil` if another one does.
    private func end(of other: some StringProtocol, at start: Index) -> Index? {
        var place = start
        for character in other {
            guard place < endIndex, self[place] == character else { return nil }
            place = index(after: place)
        }
        return place
    }

    /// The ranges in which a text occurs, none of which overlaps another.
    package func ranges(of other: some StringProtocol) -> [Range<Index>] {
        var found: [Range<Index>] = []
        guard let first = other.first else { return found }
        var start = startIndex
        while start < endIndex {
            if self[start] == first, let end = end(of: other, at: start) {
                found.append(start..<end)
                start = end
            } else {
                start = index(after: start)
            }
        }
        return found
    }

    package func replacing(_ other: some StringProtocol, with new: some StringProtocol) -> String {
        var result = ""
        var rest = startIndex
        for range in ranges(of: other) {
            result += self[rest..<range.lowerBound]
            result += new
            rest = range.upperBound
        }
        return result + self[rest...]
    }

    package func split(
        separator: some StringProtocol, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        var parts: [SubSequence] = []
        var start = startIndex
        for range in ranges(of: separator) {
            if parts.count == maxSplits { break }
            if start < range.lowerBound || !omittingEmptySubsequences { parts.append(self[start..<range.lowerBound]) }
            start = range.upperBound
        }
        if start < endIndex || !omittingEmptySubsequences { parts.append(self[start...]) }
        return parts
    }
}

extension DefaultStringInterpolation {
    /// Embedded Swift has no names of cases and members at run time, and would print a remark in the place of the value. So a
    /// value that does not describe itself cannot be printed: it has a name that is written out.
    @available(*, unavailable, message: "print a name of it that is written out")
    package mutating func appendInterpolation<Value>(_ value: Value) {}
}

extension String {
    package mutating func replace(_ other: some StringProtocol, with new: some StringProtocol) {
        self = replacing(other, with: new)
    }
}
