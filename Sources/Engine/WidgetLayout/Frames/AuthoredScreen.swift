internal import WidgetCore

/// A scene as its author drew it, with the texts of its interface, one row of each prototype, and one item of each
/// repetition: what layout makes of its rules before the widget runs.
struct AuthoredScreen {
    /// The scene, in which elements whose content is known only later are as large as they were drawn.
    private(set) var scene: Scene
    private(set) var view: View

    /// - Parameter isEmpty: true if repetitions have no items, and show what their author has for that.
    init(_ scene: Scene, isEmpty: Bool = false) {
        self.scene = scene
        for id in scene.nodes.indices where AuthoredScreen.isUnknown(scene.nodes[id]) {
            guard let frame = scene.nodes[id].frame, frame.isUsable, let look = scene.nodes[id].look else { continue }
            var geometry = look.geometry
            geometry.intrinsicSize = PartialSize(
                width: geometry.intrinsicSize?.width ?? frame.width,
                height: geometry.intrinsicSize?.height ?? frame.height)
            self.scene.nodes[id].look = Look(
                geometry: geometry, appearance: look.appearance, list: look.list, stack: look.stack,
                scrolling: look.scrolling, typing: look.typing, accessibility: look.accessibility, button: look.button,
                bar: look.bar)
        }
        var children: [ViewNode] = []
        if let bar = scene.navigationBar, !bar.isHidden {
            children.append(ViewNode(ViewKey(screen: 1, node: ViewKey.bar), .bar))
        }
        if let root = AuthoredScreen.root(of: scene, isEmpty) { children.append(root) }
        if let toolbar = scene.toolbar, !toolbar.isHidden {
            children.append(ViewNode(ViewKey(screen: 1, node: ViewKey.toolbar), .bar))
        }
        // Only a stack of screens can push one without the tabs.
        let hidesTabs = scene.edges.hidesBottomBar && scene.navigationBar != nil
        if let tabs = scene.tabBar, !tabs.isHidden, !hidesTabs {
            children.append(ViewNode(ViewKey(screen: 1, node: ViewKey.tabs), .tabs))
        }
        view = View(
            screen: scene.identifier ?? scene.name, title: "",
            root: ViewNode(ViewKey(screen: 1, node: AuthoredScreen.screen), .screen, children: children))
    }

    /// The key of the whole, in views of running widgets too.
    private static let screen = -10

    /// True for texts and pictures that a running widget supplies.
    private static func isUnknown(_ node: Node) -> Bool {
        switch node.kind {
        case .label, .native, .button: node[.text].map { $0.literal == nil } ?? false
        case .image: node[.image]?.literal == nil
        case .box, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .picker, .datePicker,
            .pageControl, .activity, .progress, .web, .list, .grid, .row, .sectionHeader, .sectionFooter, .bar,
            .barTitle, .tabs, .tab, .form, .screen, .constraint, .unknown:
            false
        }
    }

    private struct Visit {
        var node: NodeID
        var item: ItemKey?
        /// True once the children are made.
        var isOver: Bool
    }

    /// The nodes from the root of a scene on, without recursion; each is in the view once. What is repeated takes the place
    /// of its repetition.
    private static func root(of scene: Scene, _ isEmpty: Bool) -> ViewNode? {
        var isSeen = Array(repeating: false, count: scene.nodes.count)
        var made: [NodeID: [ViewNode]] = [:]
        var pending = [Visit(node: scene.root, item: nil, isOver: false)]
        while let visit = pending.popLast() {
            guard let node = scene.node(visit.node) else { continue }
            let parts = parts(of: visit.node, node, in: visit.item, isEmpty)
            if visit.isOver {
                let inner = parts.flatMap { made.removeValue(forKey: $0.node) ?? [] }
                guard node.repetition == nil else {
                    made[visit.node] = inner
                    continue
                }
                made[visit.node] = [
                    ViewNode(
                        ViewKey(screen: 1, node: visit.node, item: visit.item), node.kind,
                        identifier: node.identifier, properties: properties(of: node), children: inner,
                        frame: node.frame)
                ]
                continue
            }
            guard !isSeen[visit.node], node[.hidden]?.literal?.truth != true, node.kind != .constraint else { continue }
            isSeen[visit.node] = true
            pending.append(Visit(node: visit.node, item: visit.item, isOver: true))
            for part in parts.reversed() {
                pending.append(Visit(node: part.node, item: part.item ?? visit.item, isOver: false))
            }
        }
        return made[scene.root]?.first
    }

    /// The children of a node, then a row of each prototype of a list.
    private static func parts(
        of id: NodeID, _ node: Node, in outer: ItemKey?, _ isEmpty: Bool
    ) -> [(node: NodeID, item: ItemKey?)] {
        if let repetition = node.repetition {
            if isEmpty, !repetition.empty.isEmpty { return repetition.empty.map { ($0, nil) } }
            let item = ItemKey(list: id, number: 0, isRecord: false, outer: outer)
            return repetition.template.map { ($0, item) }
        }
        guard let list = node.list else { return node.children.map { ($0, nil) } }
        let prototypes = Set(list.prototypes.values).union([list.header, list.footer].compactMap { $0 })
        var parts: [(node: NodeID, item: ItemKey?)] = []
        for child in node.children where !prototypes.contains(child) { parts.append((child, nil)) }
        for (place, prototype) in prototypes.sorted().enumerated() {
            parts.append((prototype, ItemKey(list: id, number: place, isRecord: false)))
        }
        return parts
    }

    private static func properties(of node: Node) -> [ViewProperty] {
        node.properties.compactMap { property in
            property.expression.literal.map { ViewProperty(property.name, $0) }
        }
    }
}

extension Scene {
    /// The ways in which its repetitions are looked at: with items, and as empty ones if some of them shows something instead.
    var authoredStates: [Bool] {
        nodes.contains { !($0.repetition?.empty ?? []).isEmpty } ? [false, true] : [false]
    }
}
