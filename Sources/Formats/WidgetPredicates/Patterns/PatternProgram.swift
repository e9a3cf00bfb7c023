/// A pattern as instructions for a machine with many threads, which do not store their paths.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        /// Takes one scalar that matches the letter, then continues with the next instruction.
        case letter(Int)
        case condition(PatternCondition)
        case jump(Int)
        /// Continues at both places.
        case fork(Int, Int)
        case accept
    }

    private(set) var instructions: [Instruction] = []
    /// The letters; instructions hold indexes of this array.
    let letters: [PatternLetter]
    /// For each letter the scalars below U+0080 it takes.
    private let plain: [ASCIISet]
    /// True if some letter is compared with one folded scalar at a time.
    let hasFoldedLetters: Bool
    let isTurkic: Bool
    private let offset: Int

    /// - Parameter offset: the place of the error for a pattern that is too large: its end.
    init(
        _ node: PatternNode, _ letters: [PatternLetter], isTurkic: Bool, offset: Int
    ) throws(PatternError) {
        self.letters = letters
        plain = letters.map { letter in ASCIISet { letter.takes($0, isTurkic: isTurkic) } }
        hasFoldedLetters = letters.contains { if case .folded = $0 { true } else { false } }
        self.isTurkic = isTurkic
        self.offset = offset
        try add(node)
        try emit(.accept)
    }

    private mutating func emit(_ instruction: Instruction) throws(PatternError) {
        instructions.append(instruction)
        guard instructions.count <= PatternLimits.instructions else { throw PatternError(.tooLarge, offset) }
    }

    /// As deep as groups are nested, which has a limit.
    private mutating func add(_ node: PatternNode) throws(PatternError) {
        switch node {
        case .empty: break
        case .letter(let letter): try emit(.letter(letter))
        case .condition(let condition): try emit(.condition(condition))
        case .sequence(let parts):
            for part in parts { try add(part) }
        case .choice(let branches): try add(branches)
        case .repeated(let part, let least, let most): try add(part, least, most)
        }
    }

    private mutating func add(_ branches: [PatternNode]) throws(PatternError) {
        var exits: [Int] = []
        for (place, branch) in branches.enumerated() {
            guard place < branches.count - 1 else {
                try add(branch)
                break
            }
            let fork = instructions.count
            try emit(.fork(fork + 1, 0))
            try add(branch)
            exits.append(instructions.count)
            try emit(.jump(0))
            instructions[fork] = .fork(fork + 1, instructions.count)
        }
        for exit in exits { instructions[exit] = .jump(instructions.count) }
    }

    private mutating func add(_ part: PatternNode, _ least: Int, _ most: Int?) throws(PatternError) {
        for _ in 0..<least {
            let start = instructions.count
            try add(part)
            // A repetition of an empty pattern is empty.
            if instructions.count == start { return }
        }
        guard let most else {
            let fork = instructions.count
            try emit(.fork(fork + 1, 0))
            try add(part)
            try emit(.jump(fork))
            instructions[fork] = .fork(fork + 1, instructions.count)
            return
        }
        var forks: [Int] = []
        for _ in least..<max(least, most) {
            forks.append(instructions.count)
            try emit(.fork(instructions.count + 1, 0))
            let start = instructions.count
            try add(part)
            if instructions.count == start { break }
        }
        for fork in forks { instructions[fork] = .fork(fork + 1, instructions.count) }
    }

    /// True if only the program's end can follow the instruction.
    func endsBehind(_ place: Int) -> Bool {
        instructions[(place + 1)...].allSatisfy {
            switch $0 {
            case .accept, .condition: true
            case .jump(let target): target > place
            case .letter, .fork: false
            }
        }
    }

    /// True if the letter takes the subject's scalar unfolded.
    @inline(__always)
    func takes(_ letter: Int, _ scalar: UInt32) -> Bool {
        scalar < 0x80 ? plain[letter].contains(scalar) : letters[letter].takes(scalar, isTurkic: isTurkic)
    }
}

/// Which of the scalars below U+0080.
struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ contains: (UInt32) -> Bool) {
        for scalar in UInt32(0)..<64 {
            if contains(scalar) { low |= 1 << UInt64(scalar) }
            if contains(scalar + 64) { high |= 1 << UInt64(scalar) }
        }
    }

    @inline(__always)
    func contains(_ scalar: UInt32) -> Bool {
        (scalar < 64 ? low : high) & 1 << UInt64(scalar & 63) != 0
    }
}

/// A pattern as it is written, with escapes and flags resolved.
indirect enum PatternNode: Sendable {
    case empty
    /// A letter by its number in the pattern.
    case letter(Int)
    case condition(PatternCondition)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// `most` is `nil` for an unbounded repetition.
    case repeated(PatternNode, least: Int, most: Int?)
}

/// A test for one scalar of the subject.
enum PatternLetter: Sendable {
    case exactly(UInt32)
    /// A folded scalar. Scalars that fold to several are compared one by one.
    case folded(UInt32)
    case oneOf(ScalarSet)

    /// True if it takes the subject's scalar unfolded.
    func takes(_ scalar: UInt32, isTurkic: Bool) -> Bool {
        switch self {
        case .exactly(let other): scalar == other
        case .folded(let other): CaseVariants.foldedAlone(scalar, isTurkic: isTurkic) == other
        case .oneOf(let set): set.contains(scalar)
        }
    }

    /// True if it takes this piece of a scalar that folds to several.
    func takes(piece: UInt32) -> Bool {
        if case .folded(let other) = self { return piece == other }
        return false
    }

    /// The steps that one test costs, above U+007F.
    var weight: Int {
        switch self {
        case .exactly, .folded: 1
        case .oneOf(let set): set.weight
        }
    }
}

/// Conditions on the boundary between two scalars.
struct PatternCondition: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// `\A`, and `^` without the flag m.
    static let textStart = PatternCondition(rawValue: 1)
    /// `\z`.
    static let textEnd = PatternCondition(rawValue: 2)
    /// `\Z`, and `$` without the flag m: the end, or before a line break that ends the text.
    static let lastLineEnd = PatternCondition(rawValue: 4)
    static let lineStart = PatternCondition(rawValue: 8)
    static let lineEnd = PatternCondition(rawValue: 16)
    static let wordEdge = PatternCondition(rawValue: 32)
    static let noWordEdge = PatternCondition(rawValue: 64)
    /// No line feed follows: `\R` never splits a carriage return from its line feed.
    static let beforeNoLineFeed = PatternCondition(rawValue: 128)
}
