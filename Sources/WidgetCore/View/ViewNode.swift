/// What a person can see, hear or touch: a node with no expressions left. Nodes are made once and never change, so
/// that views share what is the same in them.
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

/// What tells a node of a view from the others, now and after the next event.
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

    package var description: String {
        guard let item else { return "\(screen).\(node)" }
        return "\(screen).\(node)@\(item.list)\(item.isRecord ? "r" : "v")\(item.number)"
            + (item.turn > 0 ? ".\(item.turn)" : "")
    }
}

/// All that is seen at one moment.
package struct View: Sendable {
    package struct Notice: Equatable, Sendable {
        package var key: ViewKey
        package var title: String
        package var message: String
        package var button: String

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
