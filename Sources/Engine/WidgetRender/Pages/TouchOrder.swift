internal import WidgetCore

/// The texts and pictures that let touches through, as those of the system do: a field below its placeholder gets them.
/// Others do not, so that a reader can select them.
enum TouchOrder {
    /// Texts and pictures that take no taps, and lie over a control that was painted before them.
    static func overControls(_ scene: Scene) -> Set<NodeID> {
        let holders = holders(of: scene)
        var found: Set<NodeID> = []
        for node in scene.nodes where node.children.count > 1 && node.look?.stack == nil {
            var below: [Frame?] = []
            for child in node.children {
                guard let part = scene.node(child) else { continue }
                if letsThrough(part) {
                    if below.contains(where: { overlap($0, part.frame) }) { found.insert(child) }
                } else if holders.contains(child), below.count < controlCount {
                    below.append(part.frame)
                }
            }
        }
        return found
    }

    /// Controls of one container that are looked at.
    private static let controlCount = 64

    private static func letsThrough(_ node: Node) -> Bool {
        (node.kind == .label || node.kind == .image) && node.events[.tap] == nil
    }

    /// Controls, and nodes that hold one.
    private static func holders(of scene: Scene) -> Set<NodeID> {
        var holders: Set<NodeID> = []
        for (id, node) in scene.nodes.enumerated()
        where node.kind.row.isControl || node.kind == .button || node.events[.tap] != nil {
            var next: NodeID? = id
            while let id = next, holders.insert(id).inserted { next = scene.node(id)?.parent }
        }
        return holders
    }

    /// True for frames with a common part, and where one is not known.
    private static func overlap(_ one: Frame?, _ other: Frame?) -> Bool {
        guard let one, let other else { return true }
        return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height
            && other.y < one.y + one.height
    }
}
