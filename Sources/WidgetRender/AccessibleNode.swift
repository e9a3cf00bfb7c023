internal import Predicates
package import WidgetCore

/// What a node is to whoever uses it: a role, a name and a value. All printers print this, so they say the same.
package struct AccessibleNode: Sendable {
    package var key: ViewKey
    package var id: String?
    package var role: String
    package var name: String?
    package var value: String?
    /// In the order of their names.
    package var states: [String]
    package var actions: [String]
    package var children: [AccessibleNode]
    package var frame: Frame?
    package var kind: NodeKind

    /// Boxes that say nothing themselves give way to what is in them. Views are no deeper than their budget.
    package init(_ node: ViewNode) {
        key = node.key
        id = node.identifier
        kind = node.kind
        role = AccessibleNode.role(of: node)
        name = AccessibleNode.name(of: node)
        value = AccessibleNode.value(of: node)
        states = AccessibleNode.states(of: node)
        actions = node.events.map(\.rawValue)
        frame = node.frame
        children = []
        children.reserveCapacity(node.children.count)
        for child in ReadingOrder.sorted(node.children) { AccessibleNode.show(child, in: &children) }
        // What can be acted on can be called something.
        if id == nil, !actions.isEmpty, name?.isEmpty ?? true { id = key.description }
    }

    private static func show(_ node: ViewNode, in list: inout [AccessibleNode]) {
        let accessible = AccessibleNode(node)
        let isPlain = accessible.role == "group" && node.identifier == nil && node.events.isEmpty
        if isPlain {
            for child in accessible.children { list.append(child.moved(by: node.frame)) }
        } else if accessible.role != "text" || !(accessible.name?.isEmpty ?? true) || node.identifier != nil {
            list.append(accessible)
        }
    }

    private func moved(by frame: Frame?) -> AccessibleNode {
        guard let outer = frame, let own = self.frame else { return self }
        var moved = self
        moved.frame = Frame(x: own.x + outer.x, y: own.y + outer.y, width: own.width, height: own.height)
        return moved
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

    private static let roles: [NodeKind: String] = [
        .screen: "main", .bar: "banner", .barTitle: "heading", .label: "text", .button: "button", .image: "img",
        .textField: "textbox", .textArea: "textbox", .searchField: "searchbox", .list: "list", .grid: "list",
        .row: "listitem", .activity: "progressbar", .progress: "progressbar", .toggle: "switch", .slider: "slider",
        .stepper: "spinbutton", .segments: "radiogroup", .datePicker: "textbox", .pageControl: "slider",
        .form: "form", .web: "document",
    ]

    private static func role(of node: ViewNode) -> String { roles[node.kind] ?? "group" }

    private static func name(of node: ViewNode) -> String? {
        if let name = node[.accessibleName]?.shown, !name.isEmpty { return name }
        switch node.kind {
        case .label, .button, .barTitle:
            let text = node.text(.text)
            return text.isEmpty && node.kind != .label ? node[.image]?.shown : text
        case .image: return imageName(node)
        case .textField, .textArea, .searchField: return node[.placeholder]?.shown
        case .activity: return "Loading"
        default: return nil
        }
    }

    /// Pictures from the network are called what their addresses end with.
    private static func imageName(_ node: ViewNode) -> String {
        // One from the network takes the place of any other.
        let known = [node.text(.imageURL), node.text(.image), node.text(.placeholderImage)]
        let text = known.first { !$0.isEmpty } ?? ""
        guard text.hasPrefix("http") else { return text.isEmpty ? "no image" : text }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        // `https:`, nothing, the host, and then names: an address in which one is missing was filled in from nothing.
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard let last = parts.last, !parts.contains(where: \.isEmpty), !path.contains("$") else { return "no image" }
        return String(last)
    }

    private static func value(of node: ViewNode) -> String? {
        switch node.kind {
        case .textField, .textArea, .searchField: return node.text(.text)
        case .toggle: return node.isTrue(.value) ? "on" : "off"
        case .progress, .slider, .stepper, .datePicker, .pageControl:
            return node[.value]?.shown
        case .segments:
            guard let titles = node[.titles]?.elements, let index = node[.value]?.number,
                let place = Int(exactly: index), titles.indices.contains(place)
            else { return node[.value]?.shown }
            return titles[place].shown
        default: return nil
        }
    }

    private static func states(of node: ViewNode) -> [String] {
        if node.properties.isEmpty, node.kind != .activity { return [] }
        var states: [String] = []
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

/// The order in which a person reads: from top to bottom, and within a line from left to right. What lies over
/// something else comes where it was written.
enum ReadingOrder {
    private static let sortedCount = 200

    static func sorted(_ nodes: [ViewNode]) -> [ViewNode] {
        guard nodes.count > 1, nodes.count <= sortedCount, nodes.contains(where: { $0.frame != nil }) else {
            return nodes
        }
        var sorted: [ViewNode] = []
        for node in nodes {
            var place = sorted.count
            while place > 0, isBefore(node, sorted[place - 1]) { place -= 1 }
            sorted.insert(node, at: place)
        }
        return sorted
    }

    private static func isBefore(_ first: ViewNode, _ second: ViewNode) -> Bool {
        guard let one = first.frame, let other = second.frame else { return false }
        if isSameLine(one, other) { return one.x + one.width <= other.x + 1 }
        return one.y + one.height <= other.y + min(one.height, other.height) / 2 && one.y < other.y
    }

    static func isSameLine(_ one: Frame, _ other: Frame) -> Bool {
        let overlap = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        return overlap > min(one.height, other.height) / 2
    }
}
