internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// The parts of a screen that are not ordinary views: its bar and its composite fields.
extension SceneSkeleton {
    // MARK: - The bar

    mutating func readBar() {
        guard let item = controller.navigationItem else { return }
        var bar = Node(.bar, place: Place(file: interfaces[0].file, path: "UINavigationItem"))
        let id = nodes.count
        nodes.append(bar)
        if let view = item.element("UITitleView") {
            let title = nodes.count
            nodes.append(Node(.barTitle, place: Place(file: interfaces[0].file, path: "UITitleView")))
            nodes[title].children = [add(view, interface: 0, parent: title)]
            bar.children.append(title)
        }
        for (single, several, side) in [
            ("UILeftBarButtonItem", "UILeftBarButtonItems", -1.0),
            ("UIRightBarButtonItem", "UIRightBarButtonItems", 1.0),
        ] {
            var items = item.elements(several)
            if items.isEmpty { items = item.element(single).map { [$0] } ?? [] }
            for element in items {
                let button = add(element, interface: 0, parent: id)
                if let view = element.element("UICustomView") {
                    nodes[button].kind = .box
                    nodes[button].children = [add(view, interface: 0, parent: button)]
                }
                nodes[button].frame = Frame(x: side, y: 0, width: 0, height: 0)
                bar.children.append(button)
            }
        }
        nodes[id].children = bar.children
        self.bar = id
    }

    /// System items that are room between others.
    private static let spaces: Set<Int> = [5, 6]

    /// The items of the screen in the toolbar of its stack.
    mutating func readToolbar() {
        let items = controller.element.elements("UIToolbarItems", upTo: limits.partCount)
            .filter { item in !(item.integer("UISystemItem").map(Self.spaces.contains) ?? false) }
        guard !items.isEmpty else { return }
        let id = nodes.count
        nodes.append(Node(.bar, place: Place(file: interfaces[0].file, path: "UIToolbarItems")))
        for element in items {
            let button = add(element, interface: 0, parent: id)
            guard nodes.indices.contains(button) else { break }
            if let view = element.element("UICustomView") {
                nodes[button].kind = .box
                nodes[button].children = [add(view, interface: 0, parent: button)]
            }
            nodes[button].frame = nil
            nodes[id].children.append(button)
        }
        toolbar = id
    }

    var title: String? {
        let title =
            controller.navigationItem.flatMap { translations.text("UITitle", of: $0) }
            ?? translations.text("UITitle", of: controller.element) ?? controller.title
        return title.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True if the screen has a class of the host, which may have more members than the framework's.
    var isHostClass: Bool { hostClassName != nil }

    /// The name of the screen's class, if it is a class of the host.
    var hostClassName: String? {
        guard let name = controller.element.customClassName else { return nil }
        return FrameworkClasses.controllers.contains(name) ? nil : name
    }

    // MARK: - Fields made of parts

    /// Joins a field with its clear button and its placeholder text. The name and the value are those of the inner
    /// field; the parts show themselves when they are needed.
    mutating func joinTextInputs(_ added: Range<Int>) {
        let parts = Dictionary(grouping: outlets[added]) { $0.node }
        // The inner field that takes the bindings and attributes of each outer view.
        var inside: [NodeID: NodeID] = [:]
        for place in added where outlets[place].name == "textInput" {
            guard case .node(let inner) = outlets[place].target, nodes[outlets[place].node].isTextInput,
                inside[outlets[place].node] == nil
            else { continue }
            let outer = outlets[place].node
            inside[outer] = inner
            let name = nodes[outer].identifier ?? nodes[inner].identifier ?? "textInput \(outer)"
            nodes[outer].kind = .box
            nodes[outer].identifier = nil
            nodes[outer].properties.removeAll { $0.name == .text || $0.name == .placeholder }
            nodes[inner].identifier = name
            if nodes[inner].fieldName == nil { nodes[inner].fieldName = nodes[outer].fieldName }
            nodes[outer].fieldName = nil
            for outlet in parts[outer] ?? [] {
                guard case .node(let part) = outlet.target else { continue }
                switch outlet.name {
                case "clearButton":
                    nodes[part][.hidden] = condition("%K == nil OR %K == \"\"", name)
                    clearings.append((button: part, field: inner))
                case "placeholder": nodes[part][.hidden] = condition("%K != nil AND %K != \"\"", name)
                default: continue
                }
            }
        }
        if inside.isEmpty { return }
        bindings = bindings.map { (inside[$0.node] ?? $0.node, $0.value) }
        attributes = attributes.map { (inside[$0.node] ?? $0.node, $0.name, $0.value, $0.place) }
    }

    private func condition(_ format: String, _ name: String) -> Expression? {
        let argument = Value.string("\(name).text")
        guard let predicate = try? CompiledPredicate(format, arguments: [argument, argument]) else { return nil }
        return Expression(.scope, [.truth(predicate)], source: format)
    }
}

extension Node {
    /// True for a node that was made of a `TextInputView`.
    fileprivate var isTextInput: Bool { place?.path == "TextInputView" }
}
