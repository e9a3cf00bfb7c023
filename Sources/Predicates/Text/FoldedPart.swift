/// A text that others are searched for, folded once.
final class FoldedPart: Sendable {
    private let text: String
    private let comparison: TextComparison
    /// Whether comparing bytes may decide.
    private let isPlain: Bool
    let byteCount: Int
    private let entries: [UInt32]
    /// For each beginning of the text, how long a shorter beginning it ends with.
    private let borders: [Int]
    /// The byte of the first letter; of one beyond ASCII, a byte that is none.
    private let head: UInt8
    /// What makes a capital of it; 0 where there is none.
    private let caseBit: UInt8

    init(_ text: String, _ comparison: TextComparison) {
        self.text = text
        self.comparison = comparison
        isPlain = comparison.foldsASCIIAlone && text.utf8.allSatisfy { $0 < 0x80 }
        byteCount = text.utf8.count
        let entries = FoldedText(text, comparison).entries
        self.entries = entries
        var borders = [0]
        borders.reserveCapacity(entries.count)
        var length = 0
        for place in entries.indices.dropFirst() {
            length = Self.advanced(length, entries, borders, by: entries[place])
            borders.append(length)
        }
        self.borders = borders
        head = entries.first.flatMap { $0 < 0x80 ? UInt8($0) : nil } ?? 0xFF
        caseBit = comparison.ignoresCase && head &- 0x61 < 26 ? 0x20 : 0
    }

    /// The search of Knuth, Morris and Pratt: how much of the beginning has been seen after one more entry.
    @inline(__always)
    private static func advanced(_ length: Int, _ entries: [UInt32], _ borders: [Int], by entry: UInt32) -> Int {
        var length = length
        while length > 0, (entry ^ entries[length]) & FoldTable.scalar != 0 { length = borders[length - 1] }
        return (entry ^ entries[length]) & FoldTable.scalar == 0 ? length + 1 : length
    }

    /// Whether the text has this in it, beginning and ending where characters do: "e" is not in "é" unless `[d]` makes it
    /// so.
    func isPart(of whole: String) -> Bool {
        if isPlain, let answer = PlainText(comparison).contains(whole.utf8.span, text.utf8.span) { return answer }
        return isFound(in: whole)
    }

    /// The same where comparing bytes did not decide.
    func isFound(in text: String) -> Bool {
        guard let first = entries.first else { return true }
        // What is found of any other part begins where a character does.
        if !FoldTable.continuesCharacter(first), let answer = scanned(text.utf8.span) { return answer }
        return searched(FoldedText(text, comparison))
    }

    private func scanned(_ bytes: Span<UInt8>) -> Bool? {
        var scan = FoldedScan(comparison)
        var length = 0
        while true {
            if length == 0 { scan.skip(bytes, to: head, caseBit: caseBit) }
            guard let entry = scan.next(bytes) else { break }
            if length == entries.count {
                if !FoldTable.continuesCharacter(entry) { return true }
                length = borders[length - 1]
            }
            length = Self.advanced(length, entries, borders, by: entry)
        }
        return scan.isUndecided ? nil : length == entries.count
    }

    private func searched(_ whole: FoldedText) -> Bool {
        var length = 0
        for (place, entry) in whole.entries.enumerated() {
            length = Self.advanced(length, entries, borders, by: entry)
            if length == entries.count {
                if whole.isEdge(place + 1 - length), whole.isEdge(place + 1) { return true }
                length = borders[length - 1]
            }
        }
        return false
    }
}
