/// The characters of a pattern, with `\Q…\E` taken out and, under the flag x, white space and comments.
struct PatternReader {
    struct Character {
        var scalar: UInt32
        /// True between `\Q` and `\E`, where all characters are literal.
        var isQuoted: Bool
        /// The offset of its first byte, in bytes of UTF-8.
        var offset: Int

        func `is`(_ letter: Unicode.Scalar) -> Bool { !isQuoted && scalar == letter.value }
    }

    private let scalars: [UInt32]
    private let offsets: [Int]
    private var position = 0
    private var isQuoting = false
    /// The flag x.
    var skipsSpace = false

    init(_ text: String) {
        let bytes = text.utf8.span
        var scalars: [UInt32] = []
        var offsets: [Int] = []
        var place = 0
        while place < bytes.count {
            offsets.append(place)
            scalars.append(UTF8Scalars.next(bytes, &place))
        }
        offsets.append(place)
        self.scalars = scalars
        self.offsets = offsets
    }

    /// The offset of the next raw character.
    var offset: Int { offsets[position] }

    /// The next character that is not ignored.
    mutating func peek() -> Character? {
        while position < scalars.count {
            let scalar = scalars[position]
            if isQuoting {
                guard scalar == 0x5C, raw(1) == 0x45 else {
                    return Character(scalar: scalar, isQuoted: true, offset: offset)
                }
                isQuoting = false
                position += 2
            } else if scalar == 0x5C, raw(1) == 0x51 {
                isQuoting = true
                position += 2
            } else if skipsSpace, scalar == 0x23 {
                while position < scalars.count, !ScalarSet.verticals.contains(scalars[position]) { position += 1 }
            } else if skipsSpace, ScalarSet.spaces.contains(scalar) {
                position += 1
            } else {
                return Character(scalar: scalar, isQuoted: false, offset: offset)
            }
        }
        return nil
    }

    mutating func next() -> Character? {
        let character = peek()
        if character != nil { position += 1 }
        return character
    }

    /// Skips the next character if it is this one and has a special meaning.
    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard let character = peek(), character.is(letter) else { return false }
        position += 1
        return true
    }

    /// The raw character so many places ahead.
    func raw(_ ahead: Int = 0) -> UInt32? {
        position + ahead < scalars.count ? scalars[position + ahead] : nil
    }

    mutating func nextRaw() -> UInt32? {
        let scalar = raw()
        if scalar != nil { position += 1 }
        return scalar
    }

    /// The most characters of a property's name, with its braces.
    private static let longestName = 100

    /// The text up to the letter, which is skipped; `nil` if the letter does not follow within a name's length.
    mutating func name(until letter: Unicode.Scalar) -> String? {
        var name = ""
        var ahead = 0
        while let scalar = raw(ahead), ahead < PatternReader.longestName {
            if scalar == letter.value {
                position += ahead + 1
                return name
            }
            if let scalar = Unicode.Scalar(scalar) { name.unicodeScalars.append(scalar) }
            ahead += 1
        }
        return nil
    }
}
