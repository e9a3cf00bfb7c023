internal import WidgetCore
internal import WidgetNib

/// The views behind the content of rows. A row has them under keys or outlets, and not always among its subviews.
extension SceneSkeleton {
    private static let keys = ["UIBackgroundView", "UISelectedBackgroundView"]
    private static let outletNames: Set<String> = ["backgroundView", "selectedBackgroundView"]

    /// Returns the destinations of such outlets, by their sources.
    static func grounds(_ interface: NibInterface) -> [Int: [NibElement]] {
        let outlets = interface.outlets.filter { outletNames.contains($0.name) }
        return Dictionary(grouping: outlets) { $0.source.index }.mapValues { $0.map { $0.destination } }
    }

    /// Adds the views behind a row that are not among its subviews, as its first children: they are painted first.
    mutating func addGrounds(of row: NibElement, _ id: NodeID, interface: Int) {
        // Interfaces may nest rows behind rows without end.
        guard nodes[id].kind == .row, !isAddingGrounds else { return }
        isAddingGrounds = true
        defer { isAddingGrounds = false }
        let views = Self.keys.compactMap { row.element($0) } + (interfaces[interface].grounds[row.index] ?? [])
        for view in views where view.proxyName == nil && interfaces[interface].nodes[view.index] == nil {
            let ground = add(view, interface: interface, parent: id, prototype: nodes[id].prototype)
            guard nodes.indices.contains(ground) else { return }
            nodes[id].children.insert(ground, at: 0)
        }
    }
}
