/// Finds the known name that a misspelt one was most likely meant to be.
package enum NearestName {
    /// Longer names are not compared; nobody misspells a paragraph, and the work grows with the square.
    static let lengthLimit = 64

    /// The closest of `names`, or `nil` if none is close: at most a third of the longer name may differ.
    ///
    /// Upper and lower case count as the same; among equally close names the first wins.
    package static func of(_ name: String, in names: some Sequence<String>) -> String? {
        let wanted = folded(name)
        guard !wanted.isEmpty, wanted.count <= lengthLimit else { return nil }
        var nearest: (name: String, distance: Int)?
        for candidate in names {
            let known = folded(candidate)
            guard known.count <= lengthLimit else { continue }
            let limit = min(max(wanted.count, known.count) / 3, nearest.map { $0.distance - 1 } ?? Int.max)
            guard let distance = distance(wanted, known, limit: max(limit, 0)) else { continue }
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (candidate, distance) }
        }
        return nearest?.name
    }

    /// How many insertions, deletions, substitutions and swaps of neighbours lead from one to the other;
    /// `nil` if more than `limit`.
    static func distance(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int? {
        guard abs(first.count - second.count) <= limit else { return nil }
        // Three rows of the table are alive: a swap looks two rows back.
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let isSame = first[row] == second[column]
                var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            if let least = current.min(), least > limit { return nil }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[second.count] <= limit ? previous[second.count] : nil
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
    }
}
