internal import WidgetLayout

/// Lengths that change while a widget runs, because an element sets the constant of a rule.
extension PlannedBox {
    /// True if a part of the box's place or size does.
    var hasChangingLength: Bool {
        var lengths = [x, y].flatMap { $0.ownLengths }
        if case .item(let item) = placement { lengths += [item.gap, item.trailing] }
        return lengths.contains { !$0.terms.isEmpty }
    }
}

extension Extent {
    /// The lengths that the extent is made of.
    var ownLengths: [Affine] {
        var lengths = [startLimit, endLimit, endTie].compactMap { $0 }
        switch anchor {
        case .start(let length), .end(let length), .center(let length): lengths.append(length)
        case .both(let start, let end): lengths += [start, end]
        case .baseline: break
        }
        if case .fixed(let length) = self.length { lengths.append(length) }
        return lengths
    }
}
