/// Runs a small program with the set of its states in one word, for at most 63 letters. A scalar takes a few
/// operations and no memory.
///
/// Bit 0 is where a match begins, the others are letters, in order. Programs with more letters, or with conditions
/// anywhere but at their ends, are for `ThreadMatcher`.
struct BitMatcher: Sendable {
    private let program: PatternProgram
    /// The letter of each bit from the second on.
    private let letters: [Int]
    /// For each bit, the letters that may come next.
    private var followers: [UInt64] = []
    /// For each scalar below U+0080, the letters that take it.
    private var takers: [UInt64]
    /// After which letters the text may end.
    private var ends: UInt64 = 0

    private static let mostInstructions = 512

    init?(_ program: PatternProgram) {
        self.program = program
        guard program.instructions.count <= Self.mostInstructions else { return nil }
        var letters: [Int] = []
        var starts = [0]
        var bits: [Int: Int] = [:]
        for (place, instruction) in program.instructions.enumerated() {
            if case .letter(let letter) = instruction {
                letters.append(letter)
                starts.append(place + 1)
                bits[place] = letters.count
            }
        }
        guard letters.count < 64 else { return nil }
        self.letters = letters
        takers = (0..<0x80).map { scalar in
            letters.indices.reduce(0) { program.takes(letters[$1], scalar) ? $0 | 1 << UInt64($1 + 1) : $0 }
        }
        for (bit, start) in starts.enumerated() {
            guard let reach = Self.reach(from: start, of: program, bits, isStart: bit == 0) else { return nil }
            followers.append(reach.letters)
            if reach.isEnd { ends |= 1 << UInt64(bit) }
        }
    }

    /// The letters that can follow a place, and true if the text may end there; `nil` if that depends on a condition.
    private static func reach(
        from start: Int, of program: PatternProgram, _ bits: [Int: Int], isStart: Bool
    ) -> (letters: UInt64, isEnd: Bool)? {
        var letters: UInt64 = 0
        var isEnd = false
        // A place may be reached free of conditions, or only where the text ends.
        var reachedFreely: Set<Int> = []
        var reachedAtEnd: Set<Int> = []
        var stack = [(start, false)]
        while let (place, isAtEnd) = stack.popLast() {
            if reachedFreely.contains(place) || isAtEnd && reachedAtEnd.contains(place) { continue }
            if isAtEnd { reachedAtEnd.insert(place) } else { reachedFreely.insert(place) }
            switch program.instructions[place] {
            case .letter: if !isAtEnd { letters |= 1 << UInt64(bits[place] ?? 0) }
            case .accept: isEnd = true
            case .jump(let target): stack.append((target, isAtEnd))
            case .fork(let one, let other): stack += [(one, isAtEnd), (other, isAtEnd)]
            case .condition(.textStart): if isStart { stack.append((place + 1, isAtEnd)) }
            case .condition(.textEnd): stack.append((place + 1, true))
            // Before a last line break too, but only if the program can still take that.
            case .condition(.lastLineEnd) where program.endsBehind(place): stack.append((place + 1, true))
            case .condition: return nil
            }
        }
        return (letters, isEnd)
    }

    /// True if the pattern matches the whole text; `nil` if a scalar of the text needs a `ThreadMatcher`.
    func matches(_ text: String, fuel: inout Int) throws(PatternError) -> Bool? {
        let bytes = text.utf8.span
        var current: UInt64 = 1
        var position = 0
        var steps = fuel
        // Beyond ASCII, the last scalar is cached, with the tested letters and the letters that match it.
        var (last, asked, taken): (UInt32, UInt64, UInt64) = (0, 0, 0)
        while position < bytes.count {
            var next: UInt64 = 0
            var left = current
            while left != 0 {
                next |= followers[left.trailingZeroBitCount]
                left &= left &- 1
                steps -= 1
            }
            let byte = bytes[position]
            if byte < 0x80 {
                position += 1
                next &= takers[Int(byte)]
            } else {
                let scalar = UTF8Scalars.next(bytes, &position)
                if scalar != last {
                    if program.hasFoldedLetters, CaseVariants.foldedAlone(scalar, isTurkic: program.isTurkic) == nil {
                        return nil
                    }
                    (last, asked, taken) = (scalar, 0, 0)
                }
                if next & ~asked != 0 {
                    taken |= filtered(next & ~asked, scalar, &steps)
                    asked |= next
                }
                next &= taken
            }
            current = next
            if next == 0 || steps < 0 { break }
        }
        fuel = steps
        if steps < 0 { throw PatternError(.outOfFuel, 0) }
        return current & ends != 0
    }

    /// The subset of the letters that takes the scalar.
    private func filtered(_ candidates: UInt64, _ scalar: UInt32, _ steps: inout Int) -> UInt64 {
        var kept: UInt64 = 0
        var left = candidates
        while left != 0 {
            let bit = left.trailingZeroBitCount
            left &= left &- 1
            steps -= program.letters[letters[bit - 1]].weight
            if program.takes(letters[bit - 1], scalar) { kept |= 1 << UInt64(bit) }
        }
        return kept
    }
}
