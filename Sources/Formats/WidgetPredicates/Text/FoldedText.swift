/// A text as it is compared: decomposed, marks in canonical order, case and accents dropped as the options say.
///
/// Entries come from `FoldTable`. Folding takes time linear in the text, and at most four entries for a scalar.
struct FoldedText {
    private(set) var entries: [UInt32] = []
    private let comparison: TextComparison
    /// The letter that marks now belong to; `nil` for leading marks.
    private var base: UInt32 = .max
    /// The start of the marks that are not ordered yet.
    private var run = 0

    /// The most marks that are sorted at once; text of any language has far fewer on a letter.
    private static let longestRun = 32
    /// Bases below this lose their marks: Roman, Greek, Cyrillic.
    static let accented: UInt32 = 0x510

    init(_ text: String, _ comparison: TextComparison) {
        self.comparison = comparison
        let bytes = text.utf8.span
        entries.reserveCapacity(bytes.count)
        if comparison.isNormalized {
            var position = 0
            while position < bytes.count { entries.append(UTF8Scalars.next(bytes, &position)) }
        } else {
            fold(bytes)
        }
    }

    /// True if a character begins here.
    func isEdge(_ place: Int) -> Bool {
        place == 0 || place == entries.count || !FoldTable.continuesCharacter(entries[place])
    }

    /// True if the part is at this place, from one character boundary to another.
    func has(_ part: [UInt32], at start: Int) -> Bool {
        guard start >= 0, entries.count - start >= part.count else { return false }
        for place in part.indices where (entries[start + place] ^ part[place]) & FoldTable.scalar != 0 { return false }
        return isEdge(start) && isEdge(start + part.count)
    }

    private mutating func fold(_ bytes: Span<UInt8>) {
        let table = comparison.ignoresCase ? FoldTable.caseless : FoldTable.canonical
        let isTurkic = comparison.ignoresCase && comparison.locale == .turkic
        var position = 0
        while position < bytes.count {
            if !isTurkic { appendASCII(bytes, &position) }
            guard position < bytes.count else { return }
            let scalar = UTF8Scalars.next(bytes, &position)
            if isTurkic, scalar == 0x49 || scalar == 0x130 {
                appendTurkicI(isDotted: scalar == 0x130, bytes, &position)
            } else if scalar < 0x80 {
                append(comparison.ignoresCase && scalar &- 0x41 < 26 ? scalar | 0x20 : scalar)
            } else if scalar &- Hangul.firstSyllable < Hangul.syllableCount {
                let letters = Hangul.letters(of: scalar)
                append(letters.0)
                append(letters.1)
                if letters.2 != 0 { append(letters.2) }
            } else if Hangul.isJoined(scalar) {
                append(scalar | FoldTable.joined)
            } else {
                let range = table.range(of: scalar)
                if range.isEmpty {
                    append(scalar)
                } else {
                    for place in range { append(table[place]) }
                }
            }
        }
    }

    /// Appends the run of ASCII letters at this place.
    @inline(__always)
    private mutating func appendASCII(_ bytes: Span<UInt8>, _ position: inout Int) {
        let start = position
        while position < bytes.count, bytes[position] < 0x80 {
            let byte = UInt32(bytes[position])
            entries.append(comparison.ignoresCase && byte &- 0x41 < 26 ? byte | 0x20 : byte)
            position += 1
        }
        guard position > start, let last = entries.last else { return }
        base = last
        run = entries.count
    }

    /// I folds to ı, and İ to i; İ may come as an I with a dot on it.
    private mutating func appendTurkicI(isDotted: Bool, _ bytes: Span<UInt8>, _ position: inout Int) {
        var isDotted = isDotted
        if !isDotted, position < bytes.count {
            var next = position
            if UTF8Scalars.next(bytes, &next) == Self.dotAbove {
                position = next
                isDotted = true
            }
        }
        append(isDotted ? 0x69 : 0x131)
    }

    private static let dotAbove: UInt32 = 0x307

    @inline(__always)
    private mutating func append(_ entry: UInt32) {
        if entry & FoldTable.mark == 0 {
            base = entry & FoldTable.scalar
            entries.append(entry)
            run = entries.count
        } else {
            appendMark(entry)
        }
    }

    private mutating func appendMark(_ entry: UInt32) {
        if comparison.ignoresDiacritics, base < Self.accented { return }
        if comparison.ignoresCase, comparison.locale == .lithuanian, entry & FoldTable.scalar == Self.dotAbove,
            base == 0x69 || base == 0x6A
        {
            return
        }
        entries.append(entry)
        let kind = entry >> 24
        guard kind != 0, entries.count - run <= Self.longestRun else {
            run = entries.count
            return
        }
        var place = entries.count - 1
        while place > run, entries[place - 1] >> 24 > kind {
            entries.swapAt(place, place - 1)
            place -= 1
        }
    }
}

/// The syllables of Korean, which decompose by arithmetic.
enum Hangul {
    static let firstSyllable: UInt32 = 0xAC00
    static let syllableCount: UInt32 = 11_172

    /// The two or three letters of a syllable as entries; the third is 0 where there are two.
    static func letters(of syllable: UInt32) -> (UInt32, UInt32, UInt32) {
        let index = syllable - firstSyllable
        let last = index % 28
        return (
            0x1100 + index / 588, (0x1161 + index % 588 / 28) | FoldTable.joined,
            last == 0 ? 0 : (0x11A7 + last) | FoldTable.joined
        )
    }

    /// True for a vowel or a final consonant, which continue a syllable.
    static func isJoined(_ scalar: UInt32) -> Bool {
        scalar &- 0x1160 < 0xA0 || scalar &- 0xD7B0 < 0x50
    }
}

/// The limit on combining marks on one letter.
///
/// Wherever the standard library compares or hashes a text it sorts the marks of each letter by insertion: 20,000 of
/// them on one letter cost seconds, and a MiB of them hours. Texts of any language have a handful, and Unicode's
/// stream-safe format (UAX #15) allows 30. What is read from outside is refused when it has more than this.
package enum MarkRun {
    package static let longest = 256

    package static func isTooLong(in text: String) -> Bool { offsetOfTooLong(in: text.utf8.span) != nil }

    /// The offset of the first mark over the limit.
    static func offsetOfTooLong(in bytes: Span<UInt8>) -> Int? {
        // A mark has two bytes at least.
        guard bytes.count > 2 * longest else { return nil }
        var count = 0
        var position = 0
        while position < bytes.count {
            // Combining marks begin at U+0300.
            if bytes[position] < 0xCC {
                count = 0
                position += 1
                while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
                continue
            }
            let start = position
            guard let scalar = Unicode.Scalar(UTF8Scalars.next(bytes, &position)),
                scalar.properties.canonicalCombiningClass != .notReordered
            else {
                count = 0
                continue
            }
            count += 1
            if count > longest { return start }
        }
        return nil
    }
}
