package import WidgetContract
internal import WidgetPredicates

/// A node that a person can see, hear or touch, with all expressions evaluated. Nodes never change, so that views can
/// share equal ones.
package final class ViewNode: Sendable {
    package let key: ViewKey
    package let kind: NodeKind
    package let identifier: String?
    package let properties: [ViewProperty]
    package let children: NodeList
    package let events: [NodeEvent]
    package let frame: Frame?

    package convenience init(
        _ key: ViewKey, _ kind: NodeKind, identifier: String? = nil, properties: [ViewProperty] = [],
        children: [ViewNode] = [], events: [NodeEvent] = [], frame: Frame? = nil
    ) {
        self.init(
            key, kind, identifier: identifier, properties: properties, sharing: NodeList(children), events: events,
            frame: frame)
    }

    /// - Parameter children: the list of another node, or one that shares parts with it.
    package init(
        _ key: ViewKey, _ kind: NodeKind, identifier: String? = nil, properties: [ViewProperty] = [],
        sharing children: NodeList, events: [NodeEvent] = [], frame: Frame? = nil
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
    package func texts(_ name: PropertyName) -> [String] { (self[name]?.elements ?? []).map { $0.shown } }

    /// The same node with one more event.
    func with(_ event: NodeEvent) -> ViewNode {
        if events.contains(event) { return self }
        let wanted = Set(events).union([event])
        return ViewNode(
            key, kind, identifier: identifier, properties: properties, sharing: children,
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
    package var diagnostics: [Finding]
    /// The limit that this evaluation has reached, so that parts are missing; `nil` for a whole view.
    package var shortage: Finding?
    /// The age and state of the data that it shows, where its host says so.
    package var data: DataStatus?
    /// The constants of rules that are not, or no longer, what their author wrote, by the nodes of the rules.
    package var constants: [ViewKey: Double] = [:]
    /// The sections of lists whose sources have several, by the lists. Not all of them have headers.
    package var sections: [NodeID: [SourceState.Section]] = [:]
    /// The scene whose bar of tabs it shows; `nil` without tabs.
    package var tabScene: String?
    /// False while the widget has nothing to show, and hosts hide it.
    package var isVisible = true
    /// The margins around the widget: those that it wants, or else those that its host proposes.
    package var insets = Insets.zero
    /// The pictures of the network that its host fetches for it, by their addresses.
    package var pictures: [String: NetworkPicture] = [:]

    /// The language and region that it was evaluated for; empty for English.
    package var locale = ""

    /// The words of the system in that language.
    package var words: SystemWords { SystemWords(locale) }

    package init(
        screen: String, title: String, root: ViewNode, alerts: [Notice] = [], diagnostics: [Finding] = []
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
