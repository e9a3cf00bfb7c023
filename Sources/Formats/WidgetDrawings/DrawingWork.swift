/// The steps that reading a drawing may still take.
///
/// A few bytes can ask for the same part any number of times, so every repetition is counted here.
struct DrawingWork {
    private var left: Int
    private let limits: DrawingLimits

    init(_ limits: DrawingLimits) {
        (left, self.limits) = (limits.work, limits)
    }

    /// Counts steps that are about to be taken, and refuses them if they are too many.
    mutating func spend(_ steps: Int) throws(DrawingError) {
        guard steps <= left else { throw DrawingError(.work, of: limits) }
        left -= max(steps, 0)
    }
}

extension [UInt8] {
    /// The first place of an ASCII word, which ends before the end; `nil` if it is not there.
    func place(of word: String, from start: Int, to end: Int = .max) -> Int? {
        let word = Array(word.utf8)
        let last = Swift.min(end, count) - word.count
        guard start >= 0, start <= last else { return nil }
        return (start...last).first { place in
            self[place] == word[0] && word.indices.allSatisfy { self[place + $0] == word[$0] }
        }
    }
}
