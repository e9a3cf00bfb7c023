internal import WidgetCore

/// Plans lists and grids, and the parts of rows that the system lays out.
struct ListPlanner {
    let scene: Scene
    let children: [NodeID]

    init(_ scene: Scene, _ children: [NodeID]) {
        self.scene = scene
        self.children = children
    }

    /// Headers and footers keep their heights and take the width; rows are as high as their content.
    func plan() -> ContainerPlanner.Planned {
        var boxes: [NodeID: PlannedBox] = [:]
        for child in children {
            let node = scene.nodes[child]
            switch node.look?.geometry.role {
            case .background, .selectedBackground: boxes[child] = PlannedBox(.filling, .filling)
            case .header, .footer:
                let height = Affine(Affine.bounded(node.frame?.height ?? 0))
                boxes[child] = PlannedBox(.filling, Extent(.start(.zero), .fixed(height)), .item(FlowItem()))
            case .content, .accessory, .contentView, nil: continue
            }
        }
        var planned = PlannedContainer(form: .list)
        planned.arrangement = children.map { .node($0) }
        return ContainerPlanner.Planned(container: planned, boxes: boxes)
    }

    /// The views of a bar's title keep their sizes.
    func planTitle() -> ContainerPlanner.Planned {
        var planned = PlannedContainer(form: .list)
        planned.arrangement = children.map { .node($0) }
        var boxes: [NodeID: PlannedBox] = [:]
        for child in children {
            guard let frame = scene.nodes[child].frame else { continue }
            boxes[child] = PlannedBox(
                Extent(.start(.zero), .fixed(Affine(Affine.bounded(frame.width)))),
                Extent(.center(.zero), .fixed(Affine(Affine.bounded(frame.height)))), .item(FlowItem()))
        }
        return ContainerPlanner.Planned(container: planned, boxes: boxes)
    }

    /// Children with a part to play, apart from those that the author arranged.
    struct Parts {
        var ordinary: [NodeID] = []
        var boxes: [NodeID: PlannedBox] = [:]
        /// Painted before the others, and after them.
        var before: [NodeID] = []
        var behind: [NodeID] = []
    }

    static func parts(_ children: [NodeID], _ scene: Scene) -> Parts {
        var parts = Parts()
        var contents: [NodeID] = []
        for child in children {
            let node = scene.nodes[child]
            switch node.look?.geometry.role {
            case .background, .selectedBackground:
                parts.boxes[child] = PlannedBox(.filling, .filling)
                parts.before.append(child)
            case .contentView:
                let around = node.parent.flatMap { scene.node($0)?.kind == .row ? $0 : nil }
                let row = around ?? node.prototype ?? child
                let room = Affine(Affine.bounded(scene.accessoryWidth(ofRow: row)))
                var box = PlannedBox(Extent(.both(.zero, room), .fill), .filling, .cell)
                box.y.isTied = true
                box.x.isTied = true
                parts.boxes[child] = box
                contents.append(child)
            case .accessory:
                let frame = node.frame ?? Frame(x: 0, y: 0, width: 0, height: 0)
                parts.boxes[child] = PlannedBox(
                    Extent(.end(Affine(SystemMeasures.separatorInset)), .fixed(Affine(Affine.bounded(frame.width)))),
                    Extent(.center(.zero), .fixed(Affine(Affine.bounded(frame.height)))))
                parts.behind.append(child)
            case .content, .header, .footer, nil: parts.ordinary.append(child)
            }
        }
        parts.before += contents
        return parts
    }
}
