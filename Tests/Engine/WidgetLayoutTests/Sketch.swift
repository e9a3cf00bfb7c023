import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetLayout

/// A screen made by hand: nodes with looks, and rules between them.
struct Sketch {
    var nodes: [Node] = []
    var rules: [LayoutRule] = []
    var texts: [NodeID: String] = [:]
    /// Nodes that are not shown.
    var hidden: Set<NodeID> = []
    /// The prototype of each row, and the texts in it by node.
    var rows: [NodeID: [(prototype: NodeID, texts: [NodeID: String])]] = [:]
    /// Rows that are chosen, by their numbers.
    var chosen: Set<Int> = []
    var navigationBar: BarGeometry?
    var tabBar: BarGeometry?
    var toolbar: BarGeometry?
    var edges = ScreenEdges()
    var images: [String: ImageInfo] = [:]

    static let root: NodeID = 0

    init(width: Double = 375, height: Double = 667) {
        add(.box, frame: Frame(x: 0, y: 0, width: width, height: height))
    }

    /// The parts of a look that a test sets.
    struct Parts {
        var geometry = Geometry()
        var appearance = Appearance()
        var list: ListGeometry?
        var stack: StackGeometry?
        var scrolling: Scrolling?
    }

    /// - Parameter springs: `nil` for a node that rules place.
    @discardableResult
    mutating func add(
        _ kind: NodeKind, in parent: NodeID? = nil, text: String? = nil, frame: Frame? = nil, springs: Springs? = nil,
        _ change: (inout Parts) -> Void = { _ in }
    ) -> NodeID {
        let id = nodes.count
        let outer = parent ?? (id == 0 ? nil : Sketch.root)
        var parts = Parts()
        parts.geometry.springs = springs
        if let outer, let own = nodes[outer].frame {
            parts.geometry.design = Size(width: own.width, height: own.height)
        }
        change(&parts)
        var node = Node(kind, identifier: "n\(id)")
        node.parent = outer
        node.frame = frame
        node.look = Look(
            geometry: parts.geometry, appearance: parts.appearance, list: parts.list, stack: parts.stack,
            scrolling: parts.scrolling)
        nodes.append(node)
        if let outer { nodes[outer].children.append(id) }
        texts[id] = text
        return id
    }

    mutating func replaceStack(_ node: NodeID, _ change: (inout StackGeometry) -> Void) {
        guard let look = nodes[node].look, var stack = look.stack else { return }
        change(&stack)
        nodes[node].look = Look(
            geometry: look.geometry, appearance: look.appearance, list: look.list, stack: stack,
            scrolling: look.scrolling)
    }

    mutating func rule(
        _ first: NodeID, _ attribute: LayoutRule.Attribute, _ relation: LayoutRule.Relation = .equal,
        _ second: NodeID? = nil, _ other: LayoutRule.Attribute? = nil, times multiplier: Double = 1,
        plus constant: Double = 0, at priority: Float = 1_000, area: LayoutRule.Area = .bounds,
        variations: [RuleVariation] = []
    ) {
        rules.append(
            LayoutRule(
                LayoutRule.Item(first), attribute, relation, to: second.map { LayoutRule.Item($0, area) },
                second == nil ? nil : other ?? attribute, multiplier: multiplier, constant: constant,
                priority: priority, owner: Sketch.root, variations: variations))
    }

    /// Pins all edges to another node's.
    mutating func pin(_ node: NodeID, to other: NodeID, by distance: Double = 0) {
        rule(node, .leading, .equal, other, plus: distance)
        rule(node, .trailing, .equal, other, plus: -distance)
        rule(node, .top, .equal, other, plus: distance)
        rule(node, .bottom, .equal, other, plus: -distance)
    }

    // MARK: - Results

    var program: Program {
        var scene = Scene("s", nodes: nodes)
        scene.rules = rules
        scene.navigationBar = navigationBar
        (scene.tabBar, scene.toolbar) = (tabBar, toolbar)
        scene.edges = edges
        return Program(identifier: "p", scenes: [scene], entries: [:], initial: "s", images: images)
    }

    var view: View {
        var children: [ViewNode] = []
        if navigationBar != nil {
            let title = ViewNode(
                ViewKey(screen: 1, node: ViewKey.barTitle), .barTitle,
                properties: [ViewProperty(.text, .string("Title"))])
            children.append(ViewNode(ViewKey(screen: 1, node: ViewKey.bar), .bar, children: [title]))
        }
        children.append(viewNode(Sketch.root, item: nil, texts: texts))
        return View(
            screen: "s", title: "", root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: children))
    }

    private func viewNode(
        _ id: NodeID, item: ItemKey?, texts: [NodeID: String], isChosen: Bool = false
    ) -> ViewNode {
        let node = nodes[id]
        let prototypes = Set(rows[id]?.map(\.prototype) ?? [])
        var children = node.children.filter { !hidden.contains($0) && !prototypes.contains($0) }.map {
            viewNode($0, item: item, texts: texts)
        }
        for (place, row) in (rows[id] ?? []).enumerated() {
            let key = ItemKey(list: id, number: place, isRecord: false)
            children.append(
                viewNode(row.prototype, item: key, texts: row.texts, isChosen: chosen.contains(place)))
        }
        let property: PropertyName = node.kind == .image ? .image : .text
        return ViewNode(
            ViewKey(screen: 1, node: id, item: item), node.kind, identifier: node.identifier,
            properties: (texts[id].map { [ViewProperty(property, .string($0))] } ?? [])
                + (isChosen ? [ViewProperty(.selected, .boolean(true))] : []), children: children,
            frame: node.frame)
    }

    /// - Parameter size: of the screen, without a status bar.
    func placed(
        _ width: Double = 375, _ height: Double = 667, direction: Viewport.Direction = .leftToRight,
        top: Double = 0, measure: any TextMeasure = EqualWidths(), budget: LayoutBudget = LayoutBudget()
    ) -> PlacedScreen {
        let viewport = Viewport(
            size: Size(width: width, height: height), safeArea: Insets(top: top, leading: 0, bottom: 0, trailing: 0),
            direction: direction)
        return ScreenLayout(program, viewport, measure: measure, budget: budget).placed(view)
    }
}

/// A measure with characters of ten points each, so that tests can add up.
final class EqualWidths: TextMeasure {
    func width(of text: Substring, in font: ResolvedFont) -> Double { Double(text.count) * 10 }
}

extension PlacedScreen {
    /// The frame of a node on the screen, as four numbers.
    func frame(_ node: NodeID) -> [Double] {
        guard let frame = self[node: node]?.frame else { return [] }
        return [frame.x, frame.y, frame.width, frame.height].map { ($0 * 1_000).rounded() / 1_000 }
    }

    var codes: [Finding.Code] { findings.map(\.code) }
}
