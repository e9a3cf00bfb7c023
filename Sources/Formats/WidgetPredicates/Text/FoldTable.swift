internal import WidgetBytes

/// The folding of scalars for comparing texts, looked up in two steps.
///
/// An entry of a folded text is one number: the scalar, two flags, and the scalar's combining class in the top byte.
struct FoldTable: Sendable {
    /// Set in an entry that is a combining mark.
    static let mark: UInt32 = 1 << 21
    /// Set in an entry that continues the character before it without being a mark: the later letters of Hangul.
    static let joined: UInt32 = 1 << 22
    static let scalar: UInt32 = 0x1F_FFFF
    /// The folding of U+0345, the only mark that folds to a letter.
    static let foldedMark: UInt32 = 0x3B9

    /// True if the entry does not begin a character.
    @inline(__always)
    static func continuesCharacter(_ entry: UInt32) -> Bool { entry & (mark | joined) != 0 }

    /// Canonical decomposition alone.
    static let canonical = FoldTable(decomposes: true, foldings: [:])
    /// Canonical decomposition and full case folding.
    static let caseless = FoldTable(decomposes: true, foldings: Self.foldings)
    /// Full case folding alone.
    static let folding = FoldTable(decomposes: false, foldings: Self.foldings)

    /// The foldings of scalars that are not decomposed first.
    static let foldings: [UInt32: [UInt32]] = {
        var numbers = PackedNumbers(FoldTableData.foldings)
        var foldings: [UInt32: [UInt32]] = [:]
        var scalar = 0
        while let gap = numbers.next(), let count = numbers.next() {
            scalar += gap
            foldings[UInt32(scalar)] = (0..<count).map { _ in UInt32(scalar + (numbers.nextSigned() ?? 0)) }
        }
        return foldings
    }()

    /// The first scalars beyond ASCII without case and accents, where that is one letter; else 0. Nearly every letter
    /// that Latin scripts add to ASCII is in here, so one lookup is enough for it.
    static let plainLetters: [UInt32] = (0..<FoldTable.plainLetterCount).map { scalar in
        let entries = caseless.range(of: scalar).map { caseless[$0] }
        guard let letter = entries.first, letter & mark == 0, letter & Self.scalar < FoldedText.accented,
            entries.dropFirst().allSatisfy({ $0 & mark != 0 })
        else { return 0 }
        return letter
    }
    static let plainLetterCount: UInt32 = 0x250

    /// The scalars' high bits to a block of `slots`.
    private var blocks: [UInt16]
    /// For each scalar of a block, where in `entries` its count is; 0 for a scalar that stays as it is.
    private var slots: [UInt16]
    /// Counts, each followed by as many entries.
    private var entries: [UInt32]

    private static let blockSize = 128

    private init(decomposes: Bool, foldings: [UInt32: [UInt32]]) {
        blocks = Array(repeating: 0, count: 0x11_0000 / Self.blockSize)
        slots = Array(repeating: 0, count: Self.blockSize)
        entries = [0]
        let marks = Self.marks()
        var known: Set<UInt32> = []
        let entriesOf = { (parts: [UInt32]) -> [UInt32] in
            parts.flatMap { part in
                let kind = marks[part] ?? 0
                guard let folded = foldings[part] else { return [part | kind] }
                // The mark that folds to a letter, U+0345, is still ordered and dropped as a mark.
                return folded.map { $0 | (marks[$0] ?? kind) }
            }
        }
        var numbers = PackedNumbers(decomposes ? FoldTableData.decompositions : "")
        var scalar = 0
        var before = [0, 0, 0, 0]
        while let gap = numbers.next(), let count = numbers.next() {
            scalar += gap
            let parts = (0..<min(count, before.count)).map { place in
                before[place] += numbers.nextSigned() ?? 0
                return UInt32(before[place])
            }
            known.insert(UInt32(scalar))
            add(UInt32(scalar), entriesOf(parts))
        }
        for scalar in Set(marks.keys).union(foldings.keys).subtracting(known).sorted() {
            add(scalar, entriesOf([scalar]))
        }
    }

    /// Each mark with its flag and class, as they stand in an entry.
    private static func marks() -> [UInt32: UInt32] {
        var marks: [UInt32: UInt32] = [:]
        var numbers = PackedNumbers(FoldTableData.marks)
        var scalar = 0
        while let gap = numbers.next(), let count = numbers.next(), let kind = numbers.next() {
            scalar += gap
            for _ in 0..<count {
                marks[UInt32(scalar)] = Self.mark | UInt32(kind) << 24
                scalar += 1
            }
        }
        return marks
    }

    private mutating func add(_ scalar: UInt32, _ parts: [UInt32]) {
        let block = Int(bounded: scalar) / Self.blockSize
        if blocks[block] == 0 {
            blocks[block] = UInt16(slots.count / Self.blockSize)
            slots += Array(repeating: 0, count: Self.blockSize)
        }
        slots[Int(blocks[block]) * Self.blockSize + Int(bounded: scalar) % Self.blockSize] = UInt16(entries.count)
        entries.append(UInt32(parts.count))
        entries += parts
    }

    /// The range of the scalar's entries; empty if the scalar does not change.
    @inline(__always)
    func range(of scalar: UInt32) -> Range<Int> {
        let slot = slots[
            Int(blocks[Int(bounded: scalar) / Self.blockSize]) * Self.blockSize + Int(bounded: scalar) % Self.blockSize]
        guard slot != 0 else { return 0..<0 }
        return Int(slot) + 1..<Int(slot) + 1 + Int(bounded: entries[Int(slot)])
    }

    subscript(_ position: Int) -> UInt32 { entries[position] }
}

/// Numbers as Tests/Oracles/unicode_tables.py packs them: digits of base 32, the lowest first, written with the
/// letters from `0` to `o`; a digit of 32 or more is followed by another. Anything else between numbers is skipped.
struct PackedNumbers {
    private let letters: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        letters = Array(text.utf8)
    }

    /// The next number, or nil at the end.
    mutating func next() -> Int? {
        var number = 0
        var shift = 0
        while position < letters.count {
            let letter = letters[position]
            position += 1
            guard (UInt8(ascii: "0")...UInt8(ascii: "o")).contains(letter) else { continue }
            let digit = Int(letter) - 48
            number |= (digit & 31) << shift
            shift += 5
            if digit < 32 || shift > 40 { return number }
        }
        return nil
    }

    /// The next number, which may be negative.
    mutating func nextSigned() -> Int? {
        next().map { $0 & 1 == 0 ? $0 / 2 : -($0 + 1) / 2 }
    }
}
