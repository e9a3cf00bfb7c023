/// Case, as patterns look at it: scalar by scalar, without decomposing.
enum CaseVariants {
    /// The scalars that fold to the same, by what they fold to.
    private static let unfoldings: [[UInt32]: [UInt32]] = {
        var unfoldings: [[UInt32]: [UInt32]] = [:]
        for (scalar, folded) in FoldTable.foldings { unfoldings[folded, default: []].append(scalar) }
        return unfoldings
    }()

    /// What the scalar folds to: itself, another, or several.
    static func folded(_ scalar: UInt32, isTurkic: Bool) -> [UInt32] {
        if isTurkic, scalar == 0x49 { return [0x131] }
        if isTurkic, scalar == 0x130 { return [0x69] }
        if scalar < 0x80 { return [scalar &- 0x41 < 26 ? scalar | 0x20 : scalar] }
        let range = FoldTable.folding.range(of: scalar)
        return range.isEmpty ? [scalar] : range.map { FoldTable.folding[$0] & FoldTable.scalar }
    }

    /// The one scalar that this one folds to, or nil where it is several.
    @inline(__always)
    static func foldedAlone(_ scalar: UInt32, isTurkic: Bool) -> UInt32? {
        if scalar < 0x80 {
            if isTurkic, scalar == 0x49 { return 0x131 }
            return scalar &- 0x41 < 26 ? scalar | 0x20 : scalar
        }
        if isTurkic, scalar == 0x130 { return 0x69 }
        let range = FoldTable.folding.range(of: scalar)
        if range.isEmpty { return scalar }
        return range.count == 1 ? FoldTable.folding[range.lowerBound] & FoldTable.scalar : nil
    }

    /// Whether the set has the scalar or one that differs from it by case alone.
    static func contains(_ set: ScalarSet, _ scalar: UInt32, isTurkic: Bool) -> Bool {
        if set.contains(scalar) { return true }
        let folded = folded(scalar, isTurkic: isTurkic)
        if folded.count == 1, folded[0] != scalar, set.contains(folded[0]) { return true }
        if isTurkic, folded == [0x69] || folded == [0x131] { return set.contains(folded == [0x69] ? 0x130 : 0x49) }
        return (unfoldings[folded] ?? []).contains { $0 != scalar && set.contains($0) }
    }
}
