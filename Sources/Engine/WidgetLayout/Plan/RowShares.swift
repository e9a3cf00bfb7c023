internal import WidgetCore

/// Rows whose lengths are multiples of one another share the room between two places that are known.
extension EdgeSolver {
    /// Finds chains of children from a known start to a known end in which every open length is a multiple of one, and
    /// sets that one.
    mutating func shareRows() {
        var ties = LengthTies(count: length.count)
        var following: [Int: (child: Int, gap: Affine)] = [:]
        for (place, rule) in rules.enumerated() where isActive[place] {
            guard case .child(let other, let attribute) = rule.other, rule.multiplier != 0 else { continue }
            switch (rule.attribute, attribute) {
            case (.length, .length): ties.tie(rule.child, to: other, rule.multiplier, rule.constant)
            case (.start, .end):
                if rule.multiplier == 1 { following[other] = (rule.child, rule.constant) }
            case (.end, .start):
                if rule.multiplier == 1 { following[rule.child] = (other, -rule.constant) }
            default: continue
            }
        }
        guard ties.hasTies else { return }
        var seen = Array(repeating: false, count: length.count)
        for first in length.indices where isOpen(first) && start[first] != nil && !seen[first] {
            share(from: first, following, &ties, &seen)
        }
        follow()
    }

    private func isOpen(_ child: Int) -> Bool { length[child] == nil && !hugs[child] }

    private mutating func share(
        from first: Int, _ following: [Int: (child: Int, gap: Affine)], _ ties: inout LengthTies, _ seen: inout [Bool]
    ) {
        guard let start = start[first] else { return }
        var known = Affine.zero
        var factor = 0.0
        var leader: Int?
        var child = first
        while !seen[child] {
            seen[child] = true
            if let length = length[child] {
                known = known + length
            } else {
                let tie = ties.find(child)
                guard !hugs[child], leader == nil || leader == tie.leader else { return }
                leader = tie.leader
                factor += tie.factor
                known = known + tie.constant
            }
            if let end = end[child] {
                guard end.base == start.base, let leader, factor > 0 else { return }
                let room = end.offset - start.offset - known
                setLength(leader, (1 / factor) * room)
                return
            }
            guard let next = following[child] else { return }
            known = known + next.gap
            child = next.child
        }
    }
}

/// Lengths that are multiples of one another, as a forest of sets.
struct LengthTies {
    private var parent: [Int]
    /// The length of each by that of its parent.
    private var factor: [Double]
    private var constant: [Affine]
    private(set) var hasTies = false

    init(count: Int) {
        parent = Array(0..<count)
        factor = Array(repeating: 1, count: count)
        constant = Array(repeating: .zero, count: count)
    }

    /// The child that leads the set, and the length in terms of its length.
    mutating func find(_ child: Int) -> (leader: Int, factor: Double, constant: Affine) {
        var path: [Int] = []
        var leader = child
        while parent[leader] != leader {
            path.append(leader)
            leader = parent[leader]
        }
        // From the leader downwards, each entry becomes relative to the leader.
        var (above, distance) = (1.0, Affine.zero)
        for entry in path.reversed() {
            distance = factor[entry] * distance + constant[entry]
            above *= factor[entry]
            (parent[entry], factor[entry], constant[entry]) = (leader, Affine.bounded(above), distance)
        }
        return (leader, child == leader ? 1 : factor[child], child == leader ? .zero : constant[child])
    }

    /// Records `length(child) = multiplier × length(other) + constant`.
    mutating func tie(_ child: Int, to other: Int, _ multiplier: Double, _ distance: Affine) {
        let (one, two) = (find(child), find(other))
        guard one.leader != two.leader, one.factor != 0 else { return }
        hasTies = true
        // one.factor × L1 + one.constant = multiplier × (two.factor × L2 + two.constant) + distance
        parent[one.leader] = two.leader
        factor[one.leader] = Affine.bounded(multiplier * two.factor / one.factor)
        constant[one.leader] = (1 / one.factor) * (multiplier * two.constant + distance - one.constant)
    }
}
