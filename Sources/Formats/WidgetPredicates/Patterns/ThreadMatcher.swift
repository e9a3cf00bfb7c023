/// Runs a program with all of its threads in parallel. Each instruction has at most one thread for each scalar, so the
/// time is linear in both.
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

    /// True if the program matches the whole text.
    static func matches(_ program: PatternProgram, _ text: String, fuel: inout Int) throws(PatternError) -> Bool {
        var matcher = ThreadMatcher(program, fuel)
        // The fuel is charged even if the match fails.
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

/// A place between two scalars of a subject, and the conditions that hold there.
struct SubjectPlace {
    var previous: UInt32?
    var next: UInt32?
    /// True if `next` and the rest of the text are one line break.
    var isBeforeLastBreak = false
    /// True if the last scalar, marks not counted, belongs to a word.
    var followsWord = false

    var conditions: PatternCondition {
        var conditions: PatternCondition = []
        if previous == nil { conditions.formUnion([.textStart, .lineStart]) }
        if next == nil { conditions.formUnion([.textEnd, .lastLineEnd, .lineEnd]) }
        let splitsBreak = previous == 0x0D && next == 0x0A
        if let next, !splitsBreak {
            if let previous, Self.isBreak(previous) { conditions.insert(.lineStart) }
            if Self.isBreak(next) {
                conditions.insert(.lineEnd)
                if isBeforeLastBreak { conditions.insert(.lastLineEnd) }
            }
        }
        if next != 0x0A { conditions.insert(.beforeNoLineFeed) }
        conditions.insert(isWordEdge ? .wordEdge : .noWordEdge)
        return conditions
    }

    private var isWordEdge: Bool {
        guard let next else { return followsWord }
        // Marks belong to the character before them.
        return !Self.isExtending(next) && Self.isWord(next) != followsWord
    }

    static func isBreak(_ scalar: UInt32) -> Bool {
        scalar < 0x80 ? scalar &- 0x0A < 4 : ScalarSet.verticals.contains(scalar)
    }

    /// `\w`, which every place next to a `\b` asks for.
    private static func isWord(_ scalar: UInt32) -> Bool {
        guard scalar < 0x80 else { return ScalarSet.words.contains(scalar) }
        return (scalar | 0x20) &- 0x61 < 26 || scalar &- 0x30 < 10 || scalar == 0x5F
    }

    static func isExtending(_ scalar: UInt32) -> Bool {
        guard scalar >= 0x80, let properties = Unicode.Scalar(scalar)?.properties else { return false }
        return properties.isGraphemeExtend || properties.generalCategory == .format
    }

    /// Moves past `next`; the caller sets the scalar that follows.
    mutating func advance() {
        if let next, !Self.isExtending(next) { followsWord = Self.isWord(next) }
        previous = next
    }
}
