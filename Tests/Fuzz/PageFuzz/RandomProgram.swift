import WidgetCore
import WidgetLayout
import WidgetPredicates
import WidgetRender

/// A program of one scene with a view of it, both as hostile as an input likes: any looks, rules, kinds and texts. Only what
/// front ends promise holds: nodes form a tree, and an element of a view has its node's key.
struct RandomProgram {
    let program: Program
    let view: View

    private static let mostNodes = 40
    private static let mostRules = 90

    private static let kinds: [NodeKind] = [
        .box, .box, .box, .label, .label, .button, .image, .textField, .textArea, .searchField, .toggle, .slider,
        .stepper,
        .segments, .picker, .datePicker, .pageControl, .activity, .progress, .web, .list, .grid, .row, .sectionHeader,
        .sectionFooter, .form,
    ]

    init(_ choices: inout Choices) {
        var nodes: [Node] = []
        let count = 2 + choices.roll(RandomProgram.mostNodes)
        for id in 0..<count {
            let parent = id == 0 ? nil : choices.chance(2) ? max(0, id - 1 - choices.roll(4)) : choices.roll(id)
            let kind: NodeKind =
                id == 0 ? .box : choices.chance(20) ? .unknown(choices.text()) : choices.pick(RandomProgram.kinds)
            var node = Node(kind, identifier: choices.maybe(3) { $0.text() })
            node.parent = parent
            if !choices.chance(7) { node.frame = RandomLook.frame(&choices) }
            if !choices.chance(12) { node.look = RandomLook.look(&choices, id) }
            if choices.chance(3) { node[.text] = .literal(.string(choices.text())) }
            if choices.chance(9) { node[.hidden] = .literal(.boolean(choices.chance(2))) }
            nodes.append(node)
            if let parent { nodes[parent].children.append(id) }
        }
        RandomProgram.makeLists(&nodes, &choices)
        var scene = Scene("scene", nodes: nodes)
        if choices.chance(6) { scene.name = choices.text() }
        scene.identifier = choices.maybe(4) { $0.text() }
        for _ in 0..<choices.roll(RandomProgram.mostRules) { scene.rules.append(RandomLook.rule(&choices, count)) }
        if choices.chance(2) { scene.navigationBar = RandomLook.bar(&choices) }
        scene.edges.extendsUnderTopBar = choices.chance(2)
        scene.edges.extendsUnderOpaqueBars = choices.chance(2)
        scene.edges.adjustsScrollInsets = choices.chance(2)
        var images: [String: ImageInfo] = [:]
        for _ in 0..<choices.roll(4) { images[choices.text()] = RandomLook.image(&choices) }
        program = Program(
            identifier: choices.chance(3) ? choices.text() : "org.example", scenes: [scene], entries: [:],
            initial: scene.name, images: images)
        view = RandomView(scene).view(&choices)
    }

    /// Rows become prototypes of the list that they lie in.
    private static func makeLists(_ nodes: inout [Node], _ choices: inout Choices) {
        for id in nodes.indices where nodes[id].kind == .list || nodes[id].kind == .grid {
            var list = ListTemplate()
            for child in nodes[id].children {
                switch nodes[child].kind {
                case .row: list.prototypes["\(child)"] = child
                case .sectionHeader: list.header = child
                case .sectionFooter: list.footer = child
                default: if choices.chance(4) { list.emptyViews.append(child) }
                }
            }
            nodes[id].list = list
        }
    }
}

/// The view of a scene, with properties that no evaluator checked.
private struct RandomView {
    private let scene: Scene
    private static let mostRows = 4

    init(_ scene: Scene) {
        self.scene = scene
    }

    func view(_ choices: inout Choices) -> View {
        var children = [element(scene.root, nil, &choices)]
        if scene.navigationBar != nil || choices.chance(4) { children.append(bar(&choices)) }
        let root = ViewNode(
            ViewKey(screen: 1, node: -10), .screen, identifier: choices.maybe(3) { $0.text() }, children: children)
        var view = View(screen: scene.identifier ?? scene.name, title: choices.text(), root: root)
        for number in 0..<choices.roll(8) / 6 {
            let key = ViewKey(screen: 1, node: ViewKey.alertButton - 100 * number)
            view.alerts.append(
                View.Notice(key: key, title: choices.text(), message: choices.text(), button: choices.text()))
        }
        for _ in 0..<choices.roll(4) {
            let item = choices.maybe(2) { ItemKey(list: $0.roll(20), number: $0.roll(4), isRecord: $0.chance(2)) }
            view.constants[ViewKey(screen: 1, node: choices.roll(scene.nodes.count), item: item)] = choices.length()
        }
        return view
    }

    private func bar(_ choices: inout Choices) -> ViewNode {
        func key(_ node: Int) -> ViewKey { ViewKey(screen: 1, node: node) }
        var items = [ViewNode(key(ViewKey.barTitle), .barTitle, properties: properties(&choices))]
        if choices.chance(2) {
            items.append(ViewNode(key(ViewKey.back), .button, properties: properties(&choices), events: [.tap]))
        }
        return ViewNode(key(ViewKey.bar), .bar, properties: properties(&choices), children: items)
    }

    /// The depth of the tree is less than the number of nodes.
    private func element(_ id: NodeID, _ item: ItemKey?, _ choices: inout Choices) -> ViewNode {
        let node = scene.nodes[id]
        var children: [ViewNode] = []
        for child in node.children {
            if let list = node.list, list.prototypes.values.contains(child) {
                // Rows of rows would be without end.
                for number in 0..<(item == nil ? choices.roll(RandomView.mostRows) : 1) {
                    let key = item ?? ItemKey(list: id, number: number, isRecord: true, turn: choices.roll(3) - 1)
                    children.append(element(child, key, &choices))
                }
            } else if !choices.chance(12) {
                children.append(element(child, item, &choices))
            }
        }
        return ViewNode(
            ViewKey(screen: 1, node: id, item: item), node.kind, identifier: node.identifier,
            properties: properties(&choices), children: children,
            events: choices.chance(2) ? [] : NodeEvent.allCases.filter { _ in choices.chance(3) }, frame: node.frame)
    }

    private static let names: [PropertyName] = [
        .text, .text, .text, .placeholder, .image, .imageURL, .placeholderImage, .accessibleName, .value, .value,
        .minimum,
        .maximum, .step, .titles, .isSecure, .pageCount, .active, .refreshing, .selectsSeveral, .disabled, .readOnly,
        .isProminent, .alpha, .focused, .invalid, .fault, .selected, .constant,
    ]

    private func properties(_ choices: inout Choices) -> [ViewProperty] {
        var properties: [ViewProperty] = []
        for _ in 0..<choices.roll(7) {
            let name = choices.pick(RandomView.names)
            guard !properties.contains(where: { $0.name == name }) else { continue }
            properties.append(ViewProperty(name, name == .text ? .string(choices.text()) : value(&choices)))
        }
        return properties
    }

    private func value(_ choices: inout Choices) -> Value {
        switch choices.roll(8) {
        case 0: .boolean(true)
        case 1: .double(choices.length())
        case 2: .integer(choices.pick([0, 1, 2, -1, 1_000_000, .max, .min]))
        case 3: .date(choices.length() * choices.pick([1, 1e6, 1e12]))
        case 4: .array((0..<choices.roll(5)).map { _ in .string(choices.text()) })
        case 5: .data([0, 255, 60])
        default: .string(choices.text())
        }
    }
}
