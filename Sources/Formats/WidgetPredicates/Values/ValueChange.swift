internal import WidgetBytes

/// Comparing two versions of a value at a cost that does not depend on their size.
extension PredicateValue {
    /// The most weight that is compared where both do not share their storage.
    package static let comparedWeight = 256

    /// True if both certainly are identical. Large values that do not share their storage count as changed.
    ///
    /// - Parameter old: a value without objects.
    @inline(__always)
    package func isUnchanged(from old: PredicateValue, upTo weight: Int = comparedWeight) -> Bool {
        if case .dictionary(let first) = self, case .dictionary(let second) = old, first.isSame(as: second) {
            return true
        }
        return isEqualInContent(to: old, upTo: weight)
    }

    @inline(never)
    private func isEqualInContent(to old: PredicateValue, upTo weight: Int) -> Bool {
        switch (self, old) {
        case (.array(let first), .array(let second)), (.set(let first), .set(let second)):
            if first.span.isIdentical(to: second.span) { return true }
            guard first.count == second.count else { return false }
        case (.dictionary(let first), .dictionary(let second)):
            guard first.count == second.count, first.extent == second.extent else { return false }
        default: break
        }
        return self.weight(upTo: weight) != nil && isIdentical(to: old)
    }

    /// The number of values at the beginning that have not changed.
    ///
    /// - Parameter old: values without objects.
    package static func unchangedPrefix(of values: [PredicateValue], since old: [PredicateValue]) -> Int {
        let end = min(values.count, old.count)
        if values.count == old.count, values.span.isIdentical(to: old.span) { return end }
        var place = 0
        while place < end {
            // Most values are shared with those before, so that their bits are the same.
            place = SameBits.prefixCount(of: values, and: old, from: place)
            guard place < end, values[place].isUnchanged(from: old[place]) else { break }
            place += 1
        }
        return place
    }

    /// The number of values at the end that have not changed.
    ///
    /// - Parameters:
    ///   - old: values without objects.
    ///   - start: values at the beginning that do not count.
    package static func unchangedSuffix(
        of values: [PredicateValue], since old: [PredicateValue], after start: Int
    ) -> Int {
        let most = min(values.count, old.count) - start
        var count = SameBits.suffixCount(of: values, and: old, atMost: most)
        while count < most, values[values.count - 1 - count].isUnchanged(from: old[old.count - 1 - count]) {
            count += 1
        }
        return count
    }
}
