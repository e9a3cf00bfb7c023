internal import Bytes
internal import Predicates
package import WidgetContract

/// A node that a person can see, hear or touch, with all expressions evaluated. Nodes never change, so that views can
/// share equal ones.
package final class ViewNode: Sendable {
    package let key: ViewKey
    package let kind: NodeKind
    package let identifier: String?
    package let properties: [ViewProperty]
    package let children: [ViewNode]
    package let events: [NodeEvent]
    package let frame: Frame?

    package init(
        _ key: ViewKey, _ kind: NodeKind, identifier: String? = nil, properties: [ViewProperty] = [],
        children: [ViewNode] = [], events: [NodeEvent] = [], frame: Frame? = nil
    ) {
        self.key = key
        self.kind = kind
        self.identifier = identifier
        self.properties = properties
        self.children = children
        self.events = events
        self.frame = frame
    }

    package subscript(_ name: PropertyName) -> Value? {
        properties.first { $0.name == name }?.value
    }

    package func text(_ name: PropertyName) -> String { self[name]?.shown ?? "" }

    package func isTrue(_ name: PropertyName) -> Bool { self[name]?.truth ?? false }

    package func number(_ name: PropertyName) -> Double? { self[name]?.number }

    /// The texts of a list of values.
    package func texts(_ name: PropertyName) -> [String] { (self[name]?.elements ?? []).map(\.shown) }

    /// The same node with one more event.
    func with(_ event: NodeEvent) -> ViewNode {
        if events.contains(event) { return self }
        let wanted = Set(events).union([event])
        return ViewNode(
            key, kind, identifier: identifier, properties: properties, children: children,
            events: NodeEvent.allCases.filter(wanted.contains), frame: frame)
    }

    func with(children: [ViewNode]) -> ViewNode {
        ViewNode(
            key, kind, identifier: identifier, properties: properties, children: children, events: events, frame: frame)
    }
}

package struct ViewProperty: Sendable {
    package var name: PropertyName
    package var value: Value

    package init(_ name: PropertyName, _ value: Value) {
        self.name = name
        self.value = value
    }
}

/// The identity of a node in a view, which is stable from event to event.
package struct ViewKey: Hashable, Sendable, CustomStringConvertible {
    package var screen: Int
    /// Of the scene; parts that no author wrote have negative numbers.
    package var node: NodeID
    package var item: ItemKey?

    package init(screen: Int, node: NodeID, item: ItemKey? = nil) {
        self.screen = screen
        self.node = node
        self.item = item
    }

    package static let back = -1
    package static let searchCancel = -2
    package static let alertButton = -3
    package static let bar = -4
    package static let barTitle = -5
    package static let toolbar = -6

    package var description: String {
        var text = "\(screen).\(node)"
        var next = item
        while let item = next {
            text += "@\(item.list)\(item.isRecord ? "r" : "v")\(item.number)" + (item.turn > 0 ? ".\(item.turn)" : "")
            next = item.outer?.key
        }
        return text
    }
}

/// A snapshot of the visible screen.
package struct View: Sendable {
    package struct Notice: Equatable, Sendable {
        package var key: ViewKey
        package var title: String
        package var message: String
        package var button: String
        /// Its buttons, the first among them; empty if that is its only one, which closes it.
        package var choices: [AlertButton] = []

        /// All of its buttons.
        package var buttons: [AlertButton] { choices.isEmpty ? [AlertButton(key: key, title: button)] : choices }

        package init(key: ViewKey, title: String, message: String, button: String) {
            self.key = key
            self.title = title
            self.message = message
            self.button = button
        }
    }

    package var screen: String
    package var title: String
    package var root: ViewNode
    package var alerts: [Notice]
    package var diagnostics: [Diagnostic]
    /// The limit that this evaluation has reached, so that parts are missing; `nil` for a whole view.
    package var shortage: Diagnostic?
    /// The age and state of the data that it shows, where its host says so.
    package var data: DataStatus?
    /// The constants of rules that are not, or no longer, what their author wrote, by the nodes of the rules.
    package var constants: [ViewKey: Double] = [:]
    /// False while the widget has nothing to show, and hosts hide it.
    package var isVisible = true
    /// The margins around the widget: those that it wants, or else those that its host proposes.
    package var insets = Insets.zero

    /// The sentence in place of a widget that is hidden, where its host shows it in spite of that.
    package static let hiddenNotice = "The widget has nothing to show."

    package init(
        screen: String, title: String, root: ViewNode, alerts: [Notice] = [], diagnostics: [Diagnostic] = []
    ) {
        self.screen = screen
        self.title = title
        self.root = root
        self.alerts = alerts
        self.diagnostics = diagnostics
    }

    /// Every node, each before what is in it.
    package func visit(_ body: (ViewNode) -> Bool) {
        var pending = [root]
        while let node = pending.popLast() {
            if !body(node) { return }
            pending.append(contentsOf: node.children.reversed())
        }
    }

    package func node(_ key: ViewKey) -> ViewNode? {
        var found: ViewNode?
        visit { node in
            if node.key == key { found = node }
            return found == nil
        }
        return found
    }
}

/// A change that turns one view into the next.
package enum Patch: Sendable {
    /// Changed values; `.null` for removed ones.
    case set(ViewKey, [ViewProperty])
    case replace(ViewKey, ViewNode)
    case remove(ViewKey)
    /// A new child, before another or at the end.
    case insert(ViewNode, into: ViewKey, before: ViewKey?)
    /// Everything is new.
    case whole(View)
    case alerts([View.Notice])
    case title(String)
}

extension View {
    /// The patches that make this view of an older one.
    package func difference(from old: View) -> [Patch] {
        guard screen == old.screen, root.key == old.root.key, root.kind == old.root.kind else { return [.whole(self)] }
        var patches: [Patch] = []
        if title != old.title { patches.append(.title(title)) }
        View.compare(old.root, root, &patches)
        if alerts != old.alerts { patches.append(.alerts(alerts)) }
        return patches
    }

    /// Views are no deeper than their budget, which bounds this.
    private static func compare(_ old: ViewNode, _ new: ViewNode, _ patches: inout [Patch]) {
        if old === new { return }
        guard old.kind == new.kind, old.identifier == new.identifier, old.events == new.events else {
            patches.append(.replace(old.key, new))
            return
        }
        let changes = changes(old.properties, new.properties)
        if !changes.isEmpty { patches.append(.set(new.key, changes)) }
        compareChildren(old, new, &patches)
    }

    private static func changes(_ old: [ViewProperty], _ new: [ViewProperty]) -> [ViewProperty] {
        var changes = new.filter { property in
            !old.contains { $0.name == property.name && $0.value.isIdentical(to: property.value) }
        }
        for property in old where !new.contains(where: { $0.name == property.name }) {
            changes.append(ViewProperty(property.name, .null))
        }
        return changes
    }

    private static func compareChildren(_ old: ViewNode, _ new: ViewNode, _ patches: inout [Patch]) {
        let (before, after) = (old.children, new.children)
        if before.count == after.count, before.span.isIdentical(to: after.span) { return }
        // Identical nodes need no comparison, and most rows of a long list are identical.
        var start = SameBits.prefixCount(of: before, and: after)
        while start < before.count, start < after.count {
            if before[start] !== after[start] {
                guard before[start].key == after[start].key else { break }
                compare(before[start], after[start], &patches)
            }
            start = SameBits.prefixCount(of: before, and: after, from: start + 1)
        }
        let shared = SameBits.suffixCount(
            of: before, and: after, atMost: min(before.count, after.count) - start)
        var (oldEnd, newEnd) = (before.count - shared, after.count - shared)
        while oldEnd > start, newEnd > start, before[oldEnd - 1].key == after[newEnd - 1].key {
            compare(before[oldEnd - 1], after[newEnd - 1], &patches)
            oldEnd -= 1
            newEnd -= 1
        }
        for place in start..<oldEnd { patches.append(.remove(before[place].key)) }
        for place in start..<newEnd {
            patches.append(.insert(after[place], into: new.key, before: newEnd < after.count ? after[newEnd].key : nil))
        }
    }
}
