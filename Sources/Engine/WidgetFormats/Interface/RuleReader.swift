internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// Makes rules of constraints. Those of the editor alone are left out: of prototypes, and of guides' sizes and sides.
extension SceneSkeleton {
    /// A guide for what bars cover, in the view of a screen.
    struct Guide {
        var node: NodeID
        var isTop: Bool
    }

    private static let mostGuideRules = 16

    /// Notes a guide, and the constraints that hold it until there are bars.
    mutating func addGuide(_ element: NibElement, in node: NodeID, interface: Int) {
        let isTop = element.string("_UILayoutGuideIdentifier") == "_UIViewControllerTop"
        interfaces[interface].guides[element.index] = Guide(node: node, isTop: isTop)
        let rules = element.elements("_UILayoutGuideConstraintsToRemove", upTo: Self.mostGuideRules)
        interfaces[interface].guideRules.formUnion(rules.map { $0.index })
    }

    /// Adds the rules that constraints come to, and elements for constraints that have a name or get a value: these are
    /// elements, too, in every view.
    mutating func addConstraints() {
        for (owner, constraint, place) in constraints {
            let node = addConstraintNode(owner, constraint, place)
            guard !interfaces[place].guideRules.contains(constraint.element.index),
                ruled.insert(NibPlace(constraint.element)).inserted,
                let rule = rule(constraint, owner, place, node)
            else { continue }
            add(rule, place)
        }
        constraints = []
    }

    mutating func add(_ rule: LayoutRule, _ place: Int) {
        guard rules.count < limits.ruleCount else {
            let diagnostic = Finding(
                .error, .nodeBudget, "A screen has more than \(limits.ruleCount) constraints",
                at: Place(file: interfaces[place].file), hint: "the first ones hold")
            if diagnostics.last != diagnostic { diagnostics.append(diagnostic) }
            return
        }
        rules.append(rule)
    }

    private mutating func addConstraintNode(_ owner: NodeID, _ constraint: NibConstraint, _ place: Int) -> NodeID? {
        let own = interfaces[place].attributes[constraint.element.index] ?? []
        if let known = interfaces[place].nodes[constraint.element.index] { return known }
        guard !own.isEmpty else { return nil }
        var node = Node(.constraint, place: Place(file: interfaces[place].file, path: "constraint"))
        node.parent = owner
        node.prototype = nodes[owner].prototype
        node[.constant] = .literal(.double(constraint.constant))
        let id = nodes.count
        for attribute in own {
            let value = Self.value(attribute.value)
            let where_ = Place(file: interfaces[place].file, path: attribute.keyPath)
            switch attribute.keyPath {
            case WidgetKitVocabulary.identifier: node.identifier = value.string
            default: attributes.append((id, attribute.keyPath, value, where_))
            }
        }
        nodes.append(node)
        interfaces[place].nodes[constraint.element.index] = id
        return id
    }

    // MARK: - Rules

    private static let editorClasses: Set<String> = ["_UILayoutSupportConstraint", "NSIBPrototypingLayoutConstraint"]
    /// Between siblings, and to an edge of a container.
    private static let standardSpace = (siblings: 8.0, edge: 20.0)
    private static let priorities = 1.0...1000

    /// Returns `nil` for a rule of the editor, and for one about something that is not on the screen.
    func rule(_ constraint: NibConstraint, _ owner: NodeID, _ place: Int, _ node: NodeID?) -> LayoutRule? {
        guard !constraint.isPlaceholder, !Self.editorClasses.contains(constraint.element.className),
            var first = side(constraint.first, constraint.firstAttribute, place)
        else { return nil }
        var second: (item: LayoutRule.Item, attribute: LayoutRule.Attribute)?
        if let other = constraint.second {
            second = side(other, constraint.secondAttribute, place)
            guard second != nil else { return nil }
        }
        if let other = second {
            first.item = scrolled(first.item, first.attribute, with: other.item)
            second?.item = scrolled(other.item, other.attribute, with: first.item)
        }
        var constant = constraint.constant.harmless
        if constraint.symbolicConstant != nil, constant == 0, let other = second?.item {
            let areSiblings = nodes[first.item.node].parent == nodes[other.node].parent && first.item.node != other.node
            constant = areSiblings ? Self.standardSpace.siblings : Self.standardSpace.edge
        }
        return LayoutRule(
            first.item, first.attribute, LayoutRule.Relation(rawValue: constraint.relation.rawValue) ?? .equal,
            to: second?.item, second?.attribute, multiplier: constraint.multiplier.harmless, constant: constant,
            priority: constraint.priority.isNaN
                ? LayoutRule.required : Float(constraint.priority.limited(to: Self.priorities)),
            owner: owner, node: node, identifier: constraint.identifier,
            variations: interfaces[place].variations[constraint.element.index] ?? [])
    }

    /// Attributes of margins, and those that they are within the margins.
    private static let marginAttributes: [UInt8: LayoutRule.Attribute] = [
        13: .left, 14: .right, 15: .top, 16: .bottom, 17: .leading, 18: .trailing, 19: .centerX, 20: .centerY,
    ]

    private func side(
        _ element: NibElement, _ number: Int, _ place: Int
    ) -> (item: LayoutRule.Item, attribute: LayoutRule.Attribute)? {
        guard let number = UInt8(exactly: number) else { return nil }
        let isMargin = Self.marginAttributes.keys.contains(number)
        let attribute = Self.marginAttributes[number] ?? LayoutRule.Attribute(rawValue: number)
        guard let attribute else { return nil }
        if let guide = interfaces[place].guides[element.index] { return Self.edge(of: guide, attribute) }
        if element.className.hasSuffix("LayoutGuide") { return area(element, attribute, place) }
        guard let node = interfaces[place].nodes[element.index], nodes[node].kind != .constraint else { return nil }
        return (LayoutRule.Item(node, isMargin ? .margins : .bounds), attribute)
    }

    /// The edge of a guide where content begins. The other one is the screen's; the sides and the size are the editor's.
    private static func edge(
        of guide: Guide, _ attribute: LayoutRule.Attribute
    ) -> (item: LayoutRule.Item, attribute: LayoutRule.Attribute)? {
        switch (guide.isTop, attribute) {
        case (true, .bottom): (LayoutRule.Item(guide.node, .topGuide), .bottom)
        case (false, .top): (LayoutRule.Item(guide.node, .bottomGuide), .top)
        case (true, .top), (false, .bottom): (LayoutRule.Item(guide.node), attribute)
        default: nil
        }
    }

    private static let areas: [String: LayoutRule.Area] = [
        "UIViewSafeAreaLayoutGuide": .safeArea, "UIViewLayoutMarginsGuide": .margins,
        "UIViewReadableContentGuide": .readable, "UIScrollView-contentLayoutGuide": .scrollContent,
        "UIScrollView-frameLayoutGuide": .scrollFrame, "UIViewKeyboardLayoutGuide": .safeArea,
    ]

    private func area(
        _ element: NibElement, _ attribute: LayoutRule.Attribute, _ place: Int
    ) -> (item: LayoutRule.Item, attribute: LayoutRule.Attribute)? {
        guard let owner = element.element("UILayoutGuideOwningView"), let node = interfaces[place].nodes[owner.index]
        else { return nil }
        let name = element.string("UILayoutGuideIdentifier") ?? ""
        // Without a keyboard, its guide is the edge below the safe area.
        let isKeyboard = name == "UIViewKeyboardLayoutGuide" && attribute == .top
        return (LayoutRule.Item(node, Self.areas[name] ?? .bounds), isKeyboard ? .bottom : attribute)
    }

    /// Views between a scroll view and one in it.
    private static let longestClimb = 64

    /// The part of a scroll view that a rule with something in it means: the edges of the content, or the size of what
    /// is visible.
    private func scrolled(
        _ item: LayoutRule.Item, _ attribute: LayoutRule.Attribute, with other: LayoutRule.Item
    ) -> LayoutRule.Item {
        guard item.area == .bounds, originals[item.node]?.element.baseClassName == "UIScrollView" else { return item }
        var inner = nodes[other.node].parent
        for _ in 0..<Self.longestClimb {
            guard let node = inner, node != item.node else { break }
            inner = nodes[node].parent
        }
        guard inner == item.node else { return item }
        switch attribute {
        case .width, .height, .centerX, .centerY: return LayoutRule.Item(item.node, .scrollFrame)
        case .left, .right, .top, .bottom, .leading, .trailing, .lastBaseline, .firstBaseline:
            return LayoutRule.Item(item.node, .scrollContent)
        }
    }
}
