/// The entries of a `FoldedText` one by one and without memory, for texts whose marks come in order, as they nearly
/// always do. Of other texts nothing can be said here: `isUndecided`.
///
/// A mark is sure to be where it was given only when a letter has come after it.
struct FoldedScan {
    private(set) var isUndecided: Bool
    private let ignoresCase: Bool
    private let ignoresDiacritics: Bool
    private var position = 0
    /// What is left of a scalar that stands for several.
    private var part = 0
    private var end = 0
    private var base: UInt32 = .max
    private var lastClass: UInt32 = 0

    init(_ comparison: TextComparison) {
        isUndecided = comparison.isNormalized || comparison.locale != .root
        ignoresCase = comparison.ignoresCase
        ignoresDiacritics = comparison.ignoresDiacritics
    }

    /// The next entry; nil at the end, or where nothing can be said any more.
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
                    let plain = FoldTable.plainLetters[Int(scalar)]
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
            // A mark that became a letter looks like one, and is none.
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

    /// Leaves out letters of ASCII other than this one, which they may be but for the bit that tells capitals.
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
