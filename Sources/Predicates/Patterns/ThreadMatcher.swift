/// Runs a program with all its threads side by side: at most one thread for each instruction and scalar, so that time is
/// linear in both and nothing is tried twice.
struct ThreadMatcher {
    private let program: PatternProgram
    private var threads: [Int] = []
    private var following: [Int] = []
    /// When each instruction was last reached.
    private var reached: [Int]
    private var stack: [Int] = []
    private var time = 0
    private var steps: Int
    private let hasConditions: Bool

    /// Whether the program takes the whole text.
    static func matches(_ program: PatternProgram, _ text: String, fuel: inout Int) throws(PatternError) -> Bool {
        var matcher = ThreadMatcher(program, fuel)
        // However it ends: what was spent on a pattern that never came to an end was spent all the same.
        defer { fuel = matcher.steps }
        return try matcher.run(text.utf8.span)
    }

    private init(_ program: PatternProgram, _ fuel: Int) {
        self.program = program
        reached = Array(repeating: 0, count: program.instructions.count)
        steps = fuel
        hasConditions = program.instructions.contains { if case .condition = $0 { true } else { false } }
    }

    private mutating func run(_ bytes: Span<UInt8>) throws(PatternError) -> Bool {
        var place = SubjectPlace()
        var position = 0
        threads = [0]
        while position < bytes.count {
            let scalar = UTF8Scalars.next(bytes, &position)
            if hasConditions {
                place.next = scalar
                let isBreak = SubjectPlace.isBreak(scalar)
                place.isBeforeLastBreak =
                    isBreak
                    && (position == bytes.count
                        || scalar == 0x0D && position + 1 == bytes.count && bytes[position] == 0x0A)
            }
            try spread(hasConditions ? place.conditions : [])
            step(scalar)
            if threads.isEmpty { return false }
            if hasConditions { place.advance() }
        }
        place.next = nil
        try spread(place.conditions)
        return threads.contains { if case .accept = program.instructions[$0] { true } else { false } }
    }

    /// Follows jumps, forks and conditions from every thread, to instructions that take a scalar or accept.
    private mutating func spread(_ conditions: PatternCondition) throws(PatternError) {
        time += 1
        following.removeAll(keepingCapacity: true)
        stack.removeAll(keepingCapacity: true)
        for thread in threads.reversed() { stack.append(thread) }
        while let place = stack.popLast() {
            if reached[place] == time { continue }
            reached[place] = time
            steps -= 1
            switch program.instructions[place] {
            case .letter, .accept: following.append(place)
            case .condition(let condition): if conditions.isSuperset(of: condition) { stack.append(place + 1) }
            case .jump(let target): stack.append(target)
            case .fork(let one, let other):
                stack.append(other)
                stack.append(one)
            }
        }
        swap(&threads, &following)
        if steps < 0 { throw PatternError(.outOfFuel, 0) }
    }

    /// Lets each thread take the scalar or end.
    private mutating func step(_ scalar: UInt32) {
        following.removeAll(keepingCapacity: true)
        for thread in threads {
            if case .letter(let letter) = program.instructions[thread] {
                if scalar >= 0x80 { steps -= program.letters[letter].weight }
                if program.takes(letter, scalar) { following.append(thread + 1) }
            }
        }
        if scalar >= 0x80, program.hasFoldedLetters { stepThroughPieces(of: scalar) }
        swap(&threads, &following)
    }

    /// A scalar that folds to several, such as ß, may also be taken piece by piece by folded letters.
    private mutating func stepThroughPieces(of scalar: UInt32) {
        let pieces = CaseVariants.folded(scalar, isTurkic: program.isTurkic)
        guard pieces.count > 1 else { return }
        var inside = threads
        for (index, piece) in pieces.enumerated() {
            if index > 0 { inside = spreadInside(inside) }
            inside = inside.compactMap { thread in
                guard case .letter(let letter) = program.instructions[thread],
                    program.letters[letter].takes(piece: piece)
                else { return nil }
                return thread + 1
            }
        }
        following += inside
    }

    /// As `spread`, where no condition holds because no character begins or ends.
    private mutating func spreadInside(_ threads: [Int]) -> [Int] {
        time += 1
        var result: [Int] = []
        var stack = threads
        while let place = stack.popLast() {
            if reached[place] == time { continue }
            reached[place] = time
            steps -= 1
            switch program.instructions[place] {
            case .letter: result.append(place)
            case .accept, .condition: break
            case .jump(let target): stack.append(target)
            case .fork(let one, let other): stack += [other, one]
            }
        }
        return result
    }
}
