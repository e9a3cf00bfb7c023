/// A set of scalars, as `[…]`, `\d` or `\p{…}` name one.
indirect enum ScalarSet: Sendable {
    /// In order, apart from each other.
    case ranges([ClosedRange<UInt32>])
    case having(ScalarProperty)
    case complement(ScalarSet)
    /// And what differs from a member by case alone.
    case caseless(ScalarSet, isTurkic: Bool)
    case union([ScalarSet])
    case intersection([ScalarSet])

    /// A scalar is in the set. As deep as the pattern is nested, which has a limit.
    func contains(_ scalar: UInt32) -> Bool {
        switch self {
        case .ranges(let ranges): Self.contains(scalar, in: ranges)
        case .having(let property): property.holds(scalar)
        case .complement(let other): !other.contains(scalar)
        case .caseless(let set, let isTurkic): CaseVariants.contains(set, scalar, isTurkic: isTurkic)
        case .union(let parts): parts.contains { $0.contains(scalar) }
        case .intersection(let parts): parts.allSatisfy { $0.contains(scalar) }
        }
    }

    /// How many steps asking takes.
    var weight: Int {
        switch self {
        case .ranges, .having: 1
        case .complement(let other): other.weight + 1
        case .caseless(let other, _): 4 * other.weight
        case .union(let parts), .intersection(let parts): parts.reduce(1) { $0 + $1.weight }
        }
    }

    /// What is in both. A chain of them stays one level deep.
    func intersecting(_ other: ScalarSet) -> ScalarSet {
        if case .intersection(let parts) = self { return .intersection(parts + [other]) }
        return .intersection([self, other])
    }

    func subtracting(_ other: ScalarSet) -> ScalarSet { intersecting(.complement(other)) }

    private static func contains(_ scalar: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    /// Ranges in any order, which may overlap.
    init(_ unsorted: [ClosedRange<UInt32>]) {
        var ranges: [ClosedRange<UInt32>] = []
        for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound &+ 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        self = .ranges(ranges)
    }
}

extension ScalarSet {
    /// `\h`.
    static let blanks = union([.ranges([9...9]), .having(.categories([.spaceSeparator]))])
    /// `\v`, and what `\R` takes one by one.
    static let verticals = ranges([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])
    /// `\s`.
    static let spaces = having(.binary { $0.isWhitespace })
    /// `\d`.
    static let digits = having(.categories([.decimalNumber]))
    /// `\w`.
    static let words = union([
        .having(.binary { $0.isAlphabetic }),
        .having(
            .categories([.nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation])),
        .ranges([0x200C...0x200D]),
    ])
    /// `.` with the flag s.
    static let everything = ranges([0...0x10_FFFF])
    /// `.` without it.
    static let withinLine = complement(verticals)
}
