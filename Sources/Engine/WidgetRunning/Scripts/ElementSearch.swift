package import WidgetCore

/// Finds the element with a name: an identifier, one with its screen before it, or an accessible name.
package struct ElementSearch {
    private let view: View
    private let nodes: [AccessibleNode]

    package init(_ view: View) {
        self.view = view
        var nodes: [AccessibleNode] = []
        var pending = [AccessibleNode(view.root)]
        while let node = pending.popLast() {
            nodes.append(node)
            pending.append(contentsOf: node.children.reversed())
        }
        self.nodes = nodes
    }

    /// - Parameters:
    ///   - name: may end in `#2` for the second of several elements of a name.
    ///   - action: the wanted action; of several elements of a name, one that has it is chosen.
    package func key(_ name: String, for action: NodeEvent? = nil) -> ViewKey? {
        if let alert = view.alerts.last {
            if let button = alert.buttons.first(where: { $0.title == name }) { return button.key }
        }
        let byKey = nodes.filter { $0.key.description == name }
        // A screen may be called as its tab is.
        let groups = matches(name).filter { !$0.isEmpty }
        let named = groups.first { !ElementSearch.able($0, for: action).isEmpty } ?? groups.first ?? byKey
        return (ElementSearch.able(named, for: action).first ?? named.first)?.key ?? counted(name, for: action)
    }

    /// The row at a place of the list of a name. For a deletion, the name may be that of the row or of a part of it.
    package func row(
        _ row: Int, inSection section: Int = 0, of name: String, for action: NodeEvent? = nil
    ) -> CountedRow {
        guard let key = key(name, for: action) else { return .missing(missing(name)) }
        if action == .delete, let kind = view.node(key)?.kind, kind != .list, kind != .grid,
            let own = view.row(around: key)
        {
            return .row(own)
        }
        return view.row(row, inSection: section, of: key)
    }

    /// The sentence about a name that no element has.
    func missing(_ name: String) -> String { "the screen has no \(name); it has \(names.joined(separator: ", "))" }

    /// The elements with an identifier, and those with an accessible name, in reading order.
    private func matches(_ name: String) -> [[AccessibleNode]] {
        var id = name
        if let slash = name.firstIndex(of: "/"), name[..<slash] == view.screen {
            id = String(name[name.index(after: slash)...])
        }
        return [
            nodes.filter { $0.id == id }, nodes.filter { $0.name == name },
            name == ElementSearch.listName ? nodes.filter { $0.role == name } : [],
        ]
    }

    /// The name of lists without names: an author seldom gives one to a screen's only list.
    private static let listName = "list"

    private static func able(_ nodes: [AccessibleNode], for action: NodeEvent?) -> [AccessibleNode] {
        guard let action else { return nodes }
        return nodes.filter { $0.actions.contains(action.rawValue) }
    }

    /// The element that a name with `#2` behind it means, among those that have the action.
    private func counted(_ name: String, for action: NodeEvent?) -> ViewKey? {
        guard let mark = name.lastIndex(of: "#"), mark > name.startIndex,
            let number = Int(name[name.index(after: mark)...]), number > 0
        else {
            return nil
        }
        let found = matches(String(name[..<mark])).map { ElementSearch.able($0, for: action) }.first { !$0.isEmpty }
        return found.flatMap { $0.indices.contains(number - 1) ? $0[number - 1].key : nil }
    }

    /// The name that a script can use for an element: its identifier or its accessible name, with its place among
    /// several of that name, or else its key.
    package func name(of key: ViewKey, for action: NodeEvent? = nil) -> String {
        if let button = view.alerts.last?.buttons.first(where: { $0.key == key }) { return button.title }
        guard let node = nodes.first(where: { $0.key == key }) else { return key.description }
        for name in [node.id, node.name, node.role == ElementSearch.listName ? node.role : nil] {
            guard let name, !name.isEmpty, name != key.description, name.utf8.count <= ElementSearch.nameByteCount
            else { continue }
            if self.key(name, for: action) == key { return name }
            let several = matches(name).map { ElementSearch.able($0, for: action) }.first { !$0.isEmpty } ?? []
            guard let place = several.firstIndex(where: { $0.key == key }) else { continue }
            let counted = "\(name)#\(place + 1)"
            if self.key(counted, for: action) == key { return counted }
        }
        return key.description
    }

    /// Longer names are not used for elements.
    private static let nameByteCount = 200

    /// The elements that can be touched: their names and their keys.
    package var touchable: [(name: String, key: ViewKey)] {
        let wanted: Set<String> = ["tap", "select", "change"]
        return nodes.filter { !wanted.isDisjoint(with: $0.actions) }.map { node in
            let texts = node.children.compactMap { $0.name }.filter { !$0.isEmpty }
            return (
                node.role == "listitem" ? texts.prefix(3).joined(separator: " ") : node.id ?? node.name ?? "", node.key
            )
        } + view.alerts.flatMap { $0.buttons.map { ($0.title, $0.key) } }
    }

    /// The names of all elements, each once.
    package var names: [String] {
        var seen: Set<String> = []
        return nodes.lazy.filter { !$0.actions.isEmpty || $0.id != nil }.compactMap { $0.id ?? $0.name }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
