/// The answer to a search for a row by its place.
package enum CountedRow: Sendable {
    /// The key of the row.
    case row(ViewKey)
    /// The reason why no row is there.
    case missing(String)
}

/// Rows by their places, as people and scripts count them. Events name them by their keys, which do not change when other
/// rows come and go.
extension View {
    /// The row at a place of a list, counted from zero.
    ///
    /// A section begins with its header, or where the list's source says so. The rows of a list that repeats itself are
    /// counted once.
    package func row(_ row: Int, inSection section: Int = 0, of list: ViewKey) -> CountedRow {
        guard let node = node(list) else { return .missing("the element is not on the screen") }
        guard node.hasRows else { return .missing("the element has no rows") }
        let sections = countedRows(of: node)
        guard sections.indices.contains(section) else {
            return .missing("the list has no section \(section), but \(sections.count) sections")
        }
        let rows = sections[section]
        guard rows.indices.contains(row) else {
            let place = section > 0 ? " in section \(section)" : ""
            return .missing("the list has no row \(row)\(place), but \(rows.count) rows")
        }
        return .row(rows[row])
    }

    /// The place of a row in its list; `nil` for an element that is not a row of a list.
    package func place(ofRow key: ViewKey) -> (list: ViewKey, section: Int, row: Int)? {
        guard let (row, list) = rowAndList(around: key), row == key else { return nil }
        // Others repeat the first one, with the same item.
        var first = key
        if first.item?.list == list.key.node { first.item?.turn = 0 }
        for (section, rows) in countedRows(of: list).enumerated() {
            if let place = rows.firstIndex(of: first) { return (list.key, section, place) }
        }
        return nil
    }

    /// The innermost row of a list that an element is, or is in.
    package func row(around key: ViewKey) -> ViewKey? { rowAndList(around: key)?.row }

    private func rowAndList(around key: ViewKey) -> (row: ViewKey, list: ViewNode)? {
        var pending: [(node: ViewNode, row: (ViewKey, ViewNode)?)] = [(root, nil)]
        while let (node, row) = pending.popLast() {
            if node.key == key { return row }
            let hasRows = node.hasRows
            for child in node.children.reversed() {
                pending.append((child, hasRows && node.isRow(child) ? (child.key, node) : row))
            }
        }
        return nil
    }

    /// The rows of each section.
    private func countedRows(of list: ViewNode) -> [[ViewKey]] {
        var sections: [[ViewKey]] = [[]]
        var all: [ViewKey] = []
        // A section without rows, whose header is there, is one as well.
        var hasBegun = false
        for child in list.children {
            if list.isHeader(child), hasBegun { sections.append([]) }
            if list.isHeader(child) { hasBegun = true }
            guard list.isRow(child), child.key.item?.list != list.key.node || child.key.item?.turn == 0 else {
                continue
            }
            sections[sections.count - 1].append(child.key)
            all.append(child.key)
            hasBegun = true
        }
        // A list without headers has sections too.
        guard let known = self.sections[list.key.node], known.reduce(0, { $0 + $1.count }) == all.count else {
            return sections
        }
        return known.map { Array(all.dropFirst($0.start).prefix($0.count)) }
    }
}

extension ViewNode {
    fileprivate var hasRows: Bool { kind == .list || kind == .grid || children.contains { isItem($0) } }

    /// True for a child that is made for an item of the list's source, as its rows, headers and footers are.
    private func isItem(_ child: ViewNode) -> Bool { child.key.item?.list == key.node }

    fileprivate func isRow(_ child: ViewNode) -> Bool {
        if isItem(child), let turn = child.key.item?.turn { return turn >= 0 }
        return child.kind == .row
    }

    fileprivate func isHeader(_ child: ViewNode) -> Bool {
        isItem(child) ? child.key.item?.turn == ItemKey.headerTurn : child.kind == .sectionHeader
    }
}
