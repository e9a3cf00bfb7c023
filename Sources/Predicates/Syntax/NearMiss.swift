/// What was probably meant by a word that means nothing.
enum NearMiss {
    /// The most bytes of a word that are compared; every candidate is shorter.
    private static let longestWord = 40

    /// The candidate that is at most two typing errors away, short words one.
    static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased().utf8.prefix(longestWord))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(typed, Array(candidate.lowercased().utf8))
            let allowed = min(typed.count, candidate.utf8.count) > 4 ? 2 : 1
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        guard abs(first.count - second.count) <= 2 else { return .max }
        var beforeLast = [Int](repeating: 0, count: second.count + 1)
        var last = Array(0...second.count)
        for (row, byte) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(last[column + 1], current[column]) + 1
                cost = min(cost, last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
