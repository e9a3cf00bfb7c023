/// A place between two scalars of a subject, and what holds there.
struct SubjectPlace {
    var previous: UInt32?
    var next: UInt32?
    /// Whether `next` and all behind it are one line break.
    var isBeforeLastBreak = false
    /// Whether the last scalar that is no mark belongs to a word.
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

    /// Moves behind `next`; what follows is for the caller to say.
    mutating func advance() {
        if let next, !Self.isExtending(next) { followsWord = Self.isWord(next) }
        previous = next
    }
}
