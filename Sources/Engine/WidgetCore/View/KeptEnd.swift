extension ViewNode {
    /// True for a list whose end stays in sight.
    package var keepsEnd: Bool { kind == .list && text(.keeps) == "end" }
}

extension View {
    /// True if a list of the screen keeps its end in sight.
    package var keepsEnd: Bool {
        var isFound = false
        visit { node in
            isFound = node.keepsEnd
            return !isFound
        }
        return isFound
    }
}

/// The rows of a long list before those that a page shows, of a list whose end stays in sight.
package struct EarlierRows {
    /// The rows that are still to be left out.
    private var count: Int
    /// The header of the section of the first row that is shown, once all before it were left out.
    package var header: ViewNode?

    package init(count: Int) { self.count = count }

    /// True for an element that is left out: a row, or a part of a section none of whose rows is shown.
    package mutating func takes(_ child: ViewNode, isRow: Bool) -> Bool {
        guard count > 0 else { return false }
        if isRow { count -= 1 } else { header = child.kind == .sectionHeader ? child : nil }
        return true
    }
}
