internal import WidgetBytes

/// The entries of a `FoldedText` one by one and without memory, for texts with their marks in canonical order, which
/// nearly all are. Other texts set `isUndecided`.
///
/// The place of a mark is certain only after the next letter.
struct FoldedScan {
    private(set) var isUndecided: Bool
    private let ignoresCase: Bool
    private let ignoresDiacritics: Bool
    private var position = 0
    /// The next entry of a scalar that folds to several; they end at `end`.
    private var part = 0
    private var end = 0
    private var base: UInt32 = .max
    private var lastClass: UInt32 = 0

    init(_ comparison: TextComparison) {
        isUndecided = comparison.isNormalized || comparison.locale != .root
        ignoresCase = comparison.ignoresCase
        ignoresDiacritics = comparison.ignoresDiacritics
    }

    /// The next entry; `nil` at the end, or once the scan is undecided.
    @inline(__always)
    mutating func next(_ bytes: Span<UInt8>) -> UInt32? {
        if part == end, position < bytes.count, bytes[position] < 0x80, !isUndecided {
            let byte = UInt32(bytes[position])
            position += 1
            return ascii(byte)
        }
        return nextBeyondASCII(bytes)
    }

    private mutating func nextBeyondASCII(_ bytes: Span<UInt8>) -> UInt32? {
        while !isUndecided {
            if part == end {
                guard position < bytes.count else { return nil }
                let scalar = UTF8Scalars.next(bytes, &position)
                if scalar < 0x80 { return ascii(scalar) }
                if ignoresCase, ignoresDiacritics, scalar < FoldTable.plainLetterCount {
                    let plain = FoldTable.plainLetters[Int(bounded: scalar)]
                    if plain != 0 { return letter(plain) }
                }
                let parts = ignoresCase ? FoldTable.caseless.range(of: scalar) : FoldTable.canonical.range(of: scalar)
                if parts.isEmpty {
                    isUndecided =
                        scalar &- Hangul.firstSyllable < Hangul.syllableCount || Hangul.isJoined(scalar)
                    return isUndecided ? nil : letter(scalar)
                }
                (part, end) = (parts.lowerBound, parts.upperBound)
            }
            let entry = ignoresCase ? FoldTable.caseless[part] : FoldTable.canonical[part]
            part += 1
            if entry & FoldTable.mark == 0 {
                // Most letters with marks are one letter and one mark.
                if part + 1 == end, dropsMarks(of: entry & FoldTable.scalar), isMark(part) { part = end }
                return letter(entry)
            }
            if dropsMarks(of: base) { continue }
            let kind = entry >> 24
            // A mark that folds to a letter looks like a letter, but still is a mark.
            isUndecided = kind != 0 && kind < lastClass || entry & FoldTable.scalar == FoldTable.foldedMark
            lastClass = kind
            return isUndecided ? nil : entry
        }
        return nil
    }

    @inline(__always)
    private func dropsMarks(of base: UInt32) -> Bool { ignoresDiacritics && base < FoldedText.accented }

    @inline(__always)
    private func isMark(_ part: Int) -> Bool {
        (ignoresCase ? FoldTable.caseless[part] : FoldTable.canonical[part]) & FoldTable.mark != 0
    }

    @inline(__always)
    private mutating func ascii(_ byte: UInt32) -> UInt32 {
        letter(ignoresCase && byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }

    @inline(__always)
    private mutating func letter(_ entry: UInt32) -> UInt32 {
        base = entry & FoldTable.scalar
        lastClass = 0
        return entry
    }

    /// Skips ASCII letters up to this one, in either case if `caseBit` is set.
    @inline(__always)
    mutating func skip(_ bytes: Span<UInt8>, to letter: UInt8, caseBit: UInt8) {
        guard part == end else { return }
        var place = position
        while place < bytes.count {
            let byte = bytes[place]
            if byte >= 0x80 || byte | caseBit == letter { break }
            place += 1
        }
        guard place > position else { return }
        position = place
        _ = ascii(UInt32(bytes[place - 1]))
    }
}

/// A text that others are searched for, folded once.
final class FoldedPart: Sendable {
    private let text: String
    private let comparison: TextComparison
    /// True if comparing bytes can decide.
    private let isPlain: Bool
    let byteCount: Int
    private let entries: [UInt32]
    /// For each prefix of the text, the length of its longest border: the failure function of the search.
    private let borders: [Int]
    /// The first letter's byte; for a letter beyond ASCII, a byte that occurs in no text.
    private let head: UInt8
    /// The bit that differs between the first letter and its other case; 0 if it has no case.
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

    /// One step of the search of Knuth, Morris and Pratt: the matched length after one more entry.
    @inline(__always)
    private static func advanced(_ length: Int, _ entries: [UInt32], _ borders: [Int], by entry: UInt32) -> Int {
        var length = length
        while length > 0, (entry ^ entries[length]) & FoldTable.scalar != 0 { length = borders[length - 1] }
        return (entry ^ entries[length]) & FoldTable.scalar == 0 ? length + 1 : length
    }

    /// True if the text contains this one, from one character boundary to another: "é" contains "e" only with `[d]`.
    func isPart(of whole: String) -> Bool {
        if isPlain, let answer = PlainText(comparison).contains(whole.utf8.span, text.utf8.span) { return answer }
        return isFound(in: whole)
    }

    /// The same by scalars, if comparing bytes did not decide.
    func isFound(in text: String) -> Bool {
        guard let first = entries.first else { return true }
        // A match of any other part begins at a character boundary.
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
