/// A pattern as instructions for a machine with many threads and no memory of where they came from.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        /// Takes a scalar, if it is such a letter, and goes on behind itself.
        case letter(Int)
        case condition(PatternCondition)
        case jump(Int)
        /// Goes on at both.
        case fork(Int, Int)
        case accept
    }

    private(set) var instructions: [Instruction] = []
    /// What the instructions' letters count.
    let letters: [PatternLetter]
    /// For each letter the scalars below U+0080 it takes.
    private let plain: [ASCIISet]
    /// Whether some letter is met one folded scalar at a time.
    let hasFoldedLetters: Bool
    let isTurkic: Bool
    private let offset: Int

    /// `offset` is the place that is named when the pattern turns out too large: its end.
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
            // Nothing, however often it is repeated, is nothing.
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

    /// Whether nothing but the program's end can come after the instruction.
    func endsBehind(_ place: Int) -> Bool {
        instructions[(place + 1)...].allSatisfy {
            switch $0 {
            case .accept, .condition: true
            case .jump(let target): target > place
            case .letter, .fork: false
            }
        }
    }

    /// Whether the letter takes the scalar as it stands in the subject.
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
