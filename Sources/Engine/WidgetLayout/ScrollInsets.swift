package import WidgetCore

/// Bars over content that scrolls: it begins below them, and scrolls on under them.
extension Scene {
    /// The first node of the screen that scrolls, as its author arranged them; rows of lists are no parts of it.
    package var firstScrolling: NodeID? {
        var seen: Set<NodeID> = []
        var pending = [root]
        while let id = pending.popLast() {
            guard let node = node(id), seen.insert(id).inserted else { continue }
            if node.look?.scrolling != nil { return id }
            if node.kind == .list || node.kind == .grid { continue }
            pending.append(contentsOf: node.children.reversed())
        }
        return nil
    }

    /// True if a node's content begins beside the bars that cover the node.
    ///
    /// - Parameters:
    ///   - isFirst: true for the first node of the screen that scrolls. The screen insets this one even if it is too short
    ///     to scroll.
    ///   - adjusts: true if the screen does so at all.
    func insetsContent(of node: NodeID, isFirst: Bool, adjusts: Bool) -> Bool {
        guard let authored = self.node(node), let scrolling = authored.look?.scrolling else { return false }
        switch scrolling.adjustment {
        case .never: return false
        case .always: return true
        case .scrollableAxes: return scrolling.bouncesAlways
        case .automatic:
            let isList = authored.kind == .list || authored.kind == .grid
            return scrolling.bouncesAlways || adjusts && (isFirst || isList)
        }
    }
}
