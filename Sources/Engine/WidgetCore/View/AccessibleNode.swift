internal import WidgetPredicates

/// A node as its user perceives it: a role, a name and a value. All printers print these nodes, so they agree.
///
/// Made once and handed on, as views can have very many.
package final class AccessibleNode: Sendable {
    package let key: ViewKey
    package let id: String?
    package let role: String
    package let name: String?
    package let value: String?
    /// In the order of their names.
    package let states: [String]
    /// The reason why its value is invalid, as an error message of ARIA.
    package let fault: String?
    package let actions: [String]
    package let children: [AccessibleNode]
    package let frame: Frame?
    package let kind: NodeKind
    /// True if it is printed; false if only its children are.
    package let isPrinted: Bool
    /// The picture that it shows, if it is a picture or a button with one.
    package let picture: ShownPicture?
    /// The markup and the type of a native element.
    package let native: (html: String, type: String)?

    package convenience init(_ node: ViewNode) {
        self.init(node, node.kind.row, in: nil, AccessibleNode.children(of: node))
    }

    /// The node without its children, for printers that go through the view themselves.
    package convenience init(alone node: ViewNode) { self.init(node, node.kind.row, in: nil, []) }

    /// Boxes without content are replaced by their children. The budget bounds the depth of views.
    ///
    /// - Parameter outer: the origin of the replaced box.
    private init(_ node: ViewNode, _ row: ControlKind, in outer: Frame?, _ children: [AccessibleNode]) {
        key = node.key
        kind = node.kind
        role = row.traits.role
        isPrinted = row.traits.isPrinted
        let name = AccessibleNode.name(of: node, row.traits.label)
        self.name = name
        value = row.traits.hasValue ? AccessibleNode.value(of: node, row) : nil
        states = AccessibleNode.states(of: node)
        fault = node.isTrue(.invalid) ? node[.fault]?.shown : nil
        picture = [.image, .button].contains(node.kind) ? ShownPicture(node) : nil
        native = node.kind == .native ? (node.text(.html), node.text(.typeName)) : nil
        actions = node.events.isEmpty ? [] : node.events.map { $0.rawValue }
        frame = AccessibleNode.moved(node.frame, by: outer)
        self.children = children
        // A node with events needs a name.
        let isNameless = node.identifier == nil && !actions.isEmpty && (name?.isEmpty ?? true)
        id = isNameless ? node.key.description : node.identifier
    }

    private static func children(of node: ViewNode) -> [AccessibleNode] {
        guard !node.children.isEmpty else { return [] }
        var list: [AccessibleNode] = []
        list.reserveCapacity(node.children.count)
        for child in ReadingOrder.sorted(node.children) { show(child, in: nil, &list) }
        return list
    }

    private static func show(_ node: ViewNode, in outer: Frame?, _ list: inout [AccessibleNode]) {
        let row = node.kind.row
        if node.kind == .label, node.isTrue(.namesControl) { return }
        if !row.traits.isPrinted, row.traits.role == AccessibilityTraits.groupRole, node.identifier == nil,
            node.events.isEmpty, node[.fault] == nil
        {
            let frame = moved(node.frame, by: outer) ?? outer
            for child in ReadingOrder.sorted(node.children) { show(child, in: frame, &list) }
            return
        }
        let accessible = AccessibleNode(node, row, in: outer, children(of: node))
        if row.traits.label != .ownText || !(accessible.name?.isEmpty ?? true) || node.identifier != nil {
            list.append(accessible)
        }
    }

    private static func moved(_ frame: Frame?, by outer: Frame?) -> Frame? {
        guard let own = frame, let outer else { return frame }
        return Frame(x: own.x + outer.x, y: own.y + outer.y, width: own.width, height: own.height)
    }

    /// Role, name and value of every node, in order: what must be the same however a view is printed.
    package var sequence: [String] {
        var lines: [String] = []
        var pending = [self]
        while let node = pending.popLast() {
            lines.append([node.role, node.name ?? "", node.value ?? ""].joined(separator: "\t"))
            pending.append(contentsOf: node.children.reversed())
        }
        return lines
    }

    private static func name(of node: ViewNode, _ label: AccessibilityTraits.Label) -> String? {
        if let name = node[.accessibleName]?.shown, !name.isEmpty { return name }
        switch label {
        case .none: return nil
        case .ownText: return node.text(.text)
        case .textOrImage:
            let text = node.text(.text)
            return text.isEmpty && node[.image] != nil ? imageName(node) : text
        case .picture: return imageName(node)
        case .placeholder: return node[.placeholder]?.shown
        case .loading: return SystemWords.english[.loading]
        }
    }

    /// A secret text is not shown, but its length.
    private static func value(of node: ViewNode, _ row: ControlKind) -> String? {
        let value = row.value.spoken(node)
        return node.isTrue(.isSecure) ? value.map { String(repeating: "•", count: $0.count) } : value
    }

    /// The name of a picture that shows nothing, unless the view has it in another language.
    package static let noImage = SystemWords.english[.noImage]

    /// Pictures from the network are called what their addresses end with.
    private static func imageName(_ node: ViewNode) -> String {
        let text = ShownPicture.text(of: node)
        guard ShownPicture.isAddress(text) else { return text.isEmpty ? noImage : text }
        return ShownPicture.lastName(ofAddress: text) ?? noImage
    }

    private static func states(of node: ViewNode) -> [String] {
        if node.properties.isEmpty, node.kind != .activity { return [] }
        var states: [String] = []
        if node.isTrue(.checked) { states.append("checked") }
        if node.isTrue(.disabled) { states.append("disabled") }
        if node.isTrue(.focused) { states.append("focused") }
        if node.isTrue(.invalid) { states.append("invalid") }
        if node.isTrue(.readOnly) { states.append("readonly") }
        if node.isTrue(.selected) { states.append("selected") }
        if node.kind == .activity || node.isTrue(.refreshing) { states.insert("busy", at: 0) }
        if node.isTrue(.isProminent) { states.append("prominent") }
        return states
    }
}

/// The reading order: from top to bottom, and within a line from left to right. Overlapping nodes keep the order in
/// which they were written.
package enum ReadingOrder {
    /// Nodes of one box that are sorted; more keep the order in which they were written, as rows do.
    package static let sortedCount = 200

    package static func sorted(_ nodes: NodeList) -> NodeList {
        guard nodes.count > 1, nodes.count <= sortedCount, nodes.contains(where: { $0.frame != nil }) else {
            return nodes
        }
        var sorted: [ViewNode] = []
        for node in nodes {
            var place = sorted.count
            while place > 0, isBefore(node, sorted[place - 1]) { place -= 1 }
            sorted.insert(node, at: place)
        }
        return NodeList(sorted)
    }

    private static func isBefore(_ first: ViewNode, _ second: ViewNode) -> Bool {
        guard let one = first.frame, let other = second.frame else { return false }
        if isSameLine(one, other) { return one.x + one.width <= other.x + 1 }
        return one.y + one.height <= other.y + min(one.height, other.height) / 2 && one.y < other.y
    }

    package static func isSameLine(_ one: Frame, _ other: Frame) -> Bool {
        let overlap = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        return overlap > min(one.height, other.height) / 2
    }
}
