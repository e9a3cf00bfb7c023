package import JSONText

/// The description of a widget: its kind or its parts, and everything that modifiers say of it.
public struct WidgetElement {
    package indirect enum Subject {
        /// A kind of documents.
        case kind(String)
        case composite(any WidgetView)
        /// Its children, without anything around them.
        case group
        /// Its children, for each item of a list.
        case repeated(ListRepetition)
        /// Its children while a condition holds.
        case conditional(Operand)
    }

    package var subject: Subject
    /// Properties, styles and events in the order of the modifiers; the last of a name wins.
    package var payload: [(name: String, value: Operand)] = []
    /// Properties that are more than values.
    package var parts: [(name: String, write: (SceneWriter) -> JSONValue)] = []
    package var style: [(name: String, value: Operand)] = []
    package var events: [(name: String, actions: [WidgetAction])] = []
    /// The values whose changes it watches.
    package var changes: [ValueChange] = []
    /// The styles of the theme that it takes, before its own.
    package var styleNames: [String] = []
    package var children: [any Widget] = []
    package var slots: [(name: String, widgets: [any Widget])] = []
    package var condition: Operand?
    package var id: String?
    /// The identity of its states in a list, in place of its number.
    package var identity: String?
    package var screen = ScreenTraits()
    /// The line of the widget in a list of widgets.
    var place: SourcePlace?
    /// Changes of the context for the children, from the first modifier to the last.
    package var contextChanges: [(inout WidgetContext) -> Void] = []

    package init(_ subject: Subject, _ children: [any Widget] = []) {
        self.subject = subject
        self.children = children
    }

    package static func kind(_ name: String, _ children: [any Widget] = []) -> WidgetElement {
        WidgetElement(.kind(name), children)
    }

    /// The kind, with the text or the identifier by which the author knows the element.
    func subjectText(_ kind: String) -> String {
        for name in ["text", "title", "label", "placeholder"] {
            guard case .literal(let value)? = payload.last(where: { $0.name == name })?.value.form,
                let text = value.string
            else { continue }
            return "the \(kind) \"\(text)\""
        }
        return id.map { "the \(kind) \($0)" } ?? "a \(kind)"
    }

    /// True for a screen whose widgets only lie one above the other, as those in a list do in a document.
    var isList: Bool {
        guard case .kind("vstack") = subject else { return false }
        let children = WidgetElement.filled(children)
        if children.count == 1, case .repeated = children[0].element.subject { return false }
        return payload.isEmpty && style.isEmpty && events.isEmpty && slots.isEmpty && id == nil && condition == nil
            && styleNames.isEmpty && changes.isEmpty && parts.isEmpty && identity == nil
    }

    /// Widgets without those that an `if` has left out.
    static func filled(_ widgets: [any Widget]) -> [any Widget] {
        widgets.filter { widget in
            guard case .group = widget.element.subject else { return true }
            return !widget.element.children.isEmpty
        }
    }

    /// Adds what modifiers of a composite say to the element that it is made of.
    func adding(to inner: WidgetElement) -> WidgetElement {
        var inner = inner
        inner.payload += payload
        inner.parts += parts
        inner.style += style
        inner.styleNames += styleNames
        inner.changes += changes
        inner.events += events
        inner.slots += slots
        inner.contextChanges = contextChanges + inner.contextChanges
        inner.id = id ?? inner.id
        inner.place = inner.place ?? place
        inner.screen.add(screen)
        if let condition {
            inner.condition =
                inner.condition.map {
                    .expression([.condition($0), .word(" AND "), .condition(condition)], isCondition: true)
                } ?? condition
        }
        return inner
    }
}

/// The list whose items an element repeats its children for.
package struct ListRepetition {
    let list: Operand
    let item: ItemName
    /// The member that is different for each item.
    let key: [String]?
}

/// The name of the items of a list.
final class ItemName: NamedValue {
    let wanted: String

    init(of type: Any.Type) {
        let name = "\(type)"
        let letters = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let first = letters.first.map { $0.lowercased() } ?? ""
        let wanted = first + letters.dropFirst()
        self.wanted = ExpressionText.isName(wanted) && wanted.count == name.count ? wanted : "item"
    }

    init(_ wanted: String) { self.wanted = wanted }

    func name(in writer: SceneWriter) -> String { writer.itemName(self) }
}

/// The statements of a widget about the screen that it is.
package struct ScreenTraits {
    var title: Operand?
    var hasBar: Bool?
    /// Further members of the scene, such as `modes`.
    var members: [(name: String, value: Operand)] = []
    var events: [(name: String, actions: [WidgetAction])] = []
    var links: [(name: String, write: (SceneWriter) -> JSONValue)] = []

    mutating func add(_ outer: ScreenTraits) {
        title = outer.title ?? title
        hasBar = outer.hasBar ?? hasBar
        members += outer.members
        events += outer.events
        links += outer.links
    }
}

/// The place of something in a source file.
package struct SourcePlace: Hashable, Sendable {
    package let file: String
    package let line: Int

    package init(_ file: String, _ line: Int) {
        self.file = file
        self.line = line
    }
}
