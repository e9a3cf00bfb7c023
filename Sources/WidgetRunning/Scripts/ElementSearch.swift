package import WidgetCore

/// Finds the element that a name stands for: an identifier, one with its screen before it, or an accessible name.
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

    /// - Parameter action: the action to be done; of several elements of a name, one that has it.
    package func key(_ name: String, for action: NodeEvent? = nil) -> ViewKey? {
        if let alert = view.alerts.last {
            if alert.button == name { return alert.key }
        }
        var id = name
        if let slash = name.firstIndex(of: "/"), name[..<slash] == view.screen {
            id = String(name[name.index(after: slash)...])
        }
        let byKey = nodes.filter { $0.key.description == name }
        for matches in [nodes.filter { $0.id == id }, nodes.filter { $0.name == name }, byKey] where !matches.isEmpty {
            if let action, let able = matches.first(where: { $0.actions.contains(action.rawValue) }) { return able.key }
            return matches.first?.key
        }
        return nil
    }

    /// The elements that can be touched: their names and their keys.
    package var touchable: [(name: String, key: ViewKey)] {
        let wanted: Set<String> = ["tap", "select", "change"]
        return nodes.filter { !wanted.isDisjoint(with: $0.actions) }.map { node in
            let texts = node.children.compactMap(\.name).filter { !$0.isEmpty }
            return (
                node.role == "listitem" ? texts.prefix(3).joined(separator: " ") : node.id ?? node.name ?? "", node.key
            )
        } + view.alerts.map { ($0.button, $0.key) }
    }

    /// The names that there are, each once.
    package var names: [String] {
        var seen: Set<String> = []
        return nodes.lazy.filter { !$0.actions.isEmpty || $0.id != nil }.compactMap { $0.id ?? $0.name }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
