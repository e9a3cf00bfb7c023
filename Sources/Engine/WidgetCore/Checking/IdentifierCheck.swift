internal import WidgetBytes

/// Finds elements of a screen that have one name, though both are shown.
package enum IdentifierCheck {
    /// The most findings.
    private static let most = 100

    package static func diagnostics(_ scenes: [Scene]) -> [Finding] {
        var found: [Finding] = []
        for scene in scenes where found.count < most {
            var known: [Key: NodeID] = [:]
            for (id, node) in scene.nodes.enumerated() where found.count < most {
                guard let name = node.identifier, !name.isEmpty else { continue }
                let key = Key(name: name, row: node.prototype)
                guard let first = known[key] else {
                    known[key] = id
                    continue
                }
                guard scene.nodes[first].place != node.place, areTogether(first, id, scene) else { continue }
                let other = scene.nodes[first].place.map { $0.line > 0 ? "the other is at \($0)" : nil } ?? nil
                found.append(
                    Finding(
                        .warning, .duplicateIdentifier,
                        "Two elements of \(scene.name.excerpt) are called \(name.excerpt), and the first is meant",
                        at: node.place, hint: (other.map { "\($0); " } ?? "") + "give one of them another name"))
            }
        }
        return found
    }

    private struct Key: Hashable {
        var name: String
        var row: NodeID?
    }

    /// True if nothing decides that one of two elements is shown in place of the other.
    private static func areTogether(_ first: NodeID, _ second: NodeID, _ scene: Scene) -> Bool {
        let around = Set(chain(first, scene))
        guard let common = chain(second, scene).first(where: { around.contains($0) }) else { return false }
        return isCertain(first, below: common, scene) && isCertain(second, below: common, scene)
    }

    /// A node and all nodes around it.
    private static func chain(_ id: NodeID, _ scene: Scene) -> [NodeID] {
        var chain: [NodeID] = []
        var next: NodeID? = id
        while let id = next, chain.count <= scene.nodes.count {
            chain.append(id)
            next = scene.node(id)?.parent
        }
        return chain
    }

    private static func isCertain(_ id: NodeID, below common: NodeID, _ scene: Scene) -> Bool {
        for part in chain(id, scene) {
            if part == common { return true }
            guard let node = scene.node(part) else { return false }
            if node[.hidden] != nil { return false }
            if let parent = node.parent, scene.node(parent)?.repetition?.empty.contains(part) ?? false { return false }
        }
        return false
    }
}
