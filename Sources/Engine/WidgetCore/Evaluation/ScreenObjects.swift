internal import WidgetPredicates

/// An element with its current properties, as expressions see it.
final class ElementObject: PredicateObject {
    private let id: NodeID
    private let screen: ScreenScope
    private let item: ItemScope?

    init(_ id: NodeID, in screen: ScreenScope, item: ItemScope?) {
        self.id = id
        self.screen = screen
        self.item = item
    }

    func value(forKey key: String) -> Value? {
        guard key != "self", key != "SELF", let node = screen.node(id) else { return nil }
        let vocabulary = screen.program.vocabulary
        if let fact = vocabulary.facts[key], let known = value(of: fact, node) { return known }
        let meaning = vocabulary.meaning(of: key, for: node.kind)
        let value = property(meaning.property)
        return meaning.isInverse ? .boolean(!value.truth) : value
    }

    private func property(_ name: PropertyName) -> Value { PropertyReader.value(name, of: id, item: item, in: screen) }

    /// `nil` if the element has no such fact, so that the name may be that of a property.
    private func value(of fact: Vocabulary.Fact, _ node: NodePlan) -> Value? {
        switch fact {
        case .element: return .object(self)
        case .property(let name): return property(name)
        case .attachments(let prefix):
            return screen.scene.node(id).map { .object(AttachedValues($0, prefix: prefix, isOutermost: true)) }
        case .fieldName: return node.fieldName.map { .string($0) } ?? .null
        case .fieldValue: return PropertyReader.fieldValue(of: id, item: item, in: screen)
        case .mediaContainer:
            return media?.container.map { .object(ElementObject($0, in: screen, item: item)) }
        case .uploadAnswer:
            return media == nil ? nil : PropertyReader.value(.uploadResult, of: id, item: nil, in: screen)
        case .hasMedia: return .boolean(!picked.isNull)
        // A picture is only bytes; a film also has a name.
        case .hasFilm: return .boolean(!picked.member("fileName").isNull)
        }
    }

    private var media: MediaForm? { screen.scene.node(id)?.form?.media }

    private var picked: Value { PropertyReader.value(.value, of: id, item: nil, in: screen) }
}

/// An element's properties whose names share a prefix, and the element's name.
final class AttachedValues: PredicateObject {
    private let node: Node
    private let prefix: String
    private let isOutermost: Bool

    init(_ node: Node, prefix: String, isOutermost: Bool) {
        self.node = node
        self.prefix = prefix
        self.isOutermost = isOutermost
    }

    func value(forKey key: String) -> Value? {
        if key == "self" || key == "SELF" { return nil }
        if isOutermost, key == "identifier" { return node.identifier.map { .string($0) } ?? .null }
        if let value = node[PropertyName(prefix + key)]?.literal { return value }
        let inner = "\(prefix)\(key)."
        return node.properties.contains { $0.name.name.hasPrefix(inner) }
            ? .object(AttachedValues(node, prefix: inner, isOutermost: false)) : .null
    }
}

/// A source as expressions see it.
final class SourceObject: PredicateObject {
    private let source: Source
    private let state: SourceState
    private let screen: ScreenScope

    init?(_ id: String, in screen: ScreenScope) {
        guard let source = screen.source(id) else { return nil }
        self.source = source
        state = screen.screen.sources[id] ?? SourceState()
        self.screen = screen
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "value": return chained
        case "items": return .array(all)
        case "isEmpty", "empty": return .boolean(item(0).isNull)
        case "first": return item(0)
        case "last": return item(state.items.count - 1)
        case "totalCount", "count": return .integer(Int64(state.items.count))
        case "searchString": return .string(state.search)
        case "masterObject": return screen.current(state.master)
        case "description": return .string(source.id)
        default: return key == "self" || key == "SELF" ? nil : .null
        }
    }

    func item(_ place: Int) -> Value {
        switch state.items {
        case .records(let ids):
            guard ids.indices.contains(place) else { return .null }
            return RecordObject(ids[place], in: screen.records, log: screen.log).map { .object($0) } ?? .null
        case .values(let values):
            return values.indices.contains(place) ? screen.current(values[place]) : .null
        }
    }

    /// Computed in full on every access.
    private var all: [Value] {
        guard let meter = screen.meter else { return (0..<state.items.count).map { item($0) } }
        meter.spend(Meter.item * state.items.count)
        return meter.isEmpty ? [] : (0..<state.items.count).map { item($0) }
    }

    private var chained: Value {
        guard let chain = source.chain, !source.showsChain else { return .array(all) }
        if let selection = chain.selection {
            return switch selection {
            case .first: item(0)
            case .last: item(state.items.count - 1)
            case .count: .integer(Int64(state.items.count))
            }
        }
        // A chain was checked when it was read. A failure now is a value that does not fit, which gives no value.
        return (try? chain.compiled.value(for: .array(all), environment: screen.context.predicates)) ?? .null
    }
}

/// An action as expressions see it: its progress, and its argument.
final class ActionObject: PredicateObject {
    private let id: String
    private let screen: ScreenScope

    init(_ id: String, in screen: ScreenScope) {
        self.id = id
        self.screen = screen
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "status": return screen.screen.actions[id].map { .object(StatusObject($0)) } ?? .null
        case "pickedNumber":
            let forms = screen.action(id)?.sender.flatMap { screen.scene.node($0)?.pickerForms } ?? []
            return .integer(
                Int64(
                    forms.count { form in
                        screen.meter?.spend(Meter.item)
                        guard let container = screen.scene.node(form)?.form?.media?.container else { return false }
                        return !PropertyReader.value(.value, of: container, item: nil, in: screen).isNull
                    }))
        case "actionName": return screen.action(id)?.name.map { .string($0) } ?? .null
        case "content": return content
        case "isSearching", "searching": return .boolean(!(screen.screen.searching[id] ?? "").isEmpty)
        case "searchString": return .string(screen.screen.searching[id] ?? "")
        default: return key == "self" || key == "SELF" ? nil : .null
        }
    }

    /// The current content of its form; else the last argument, or the argument that it would get.
    private var content: Value {
        guard let action = screen.action(id) else { return .null }
        if let form = action.form.flatMap({ screen.scene.node($0)?.form }) {
            let reader = FormInput(form, screen)
            return reader.faults.isEmpty ? reader.value : .null
        }
        if let given = screen.screen.arguments[id] { return screen.current(given) }
        guard let argument = action.argument, let deeper = screen.deeper else { return .null }
        return (try? argument.value(.object(deeper), deeper.context)) ?? .null
    }
}

/// The progress of an action, as expressions see it.
final class StatusObject: PredicateObject {
    private let state: StatusState

    init(_ state: StatusState) {
        self.state = state
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "inProgress", "isInProgress": .boolean(state.isInProgress)
        case "isSuccess", "success": .boolean(state.isSuccess)
        case "isFailure", "failure": .boolean(state.isFailure)
        case "error": state.error.map { .string($0) } ?? .null
        case "progress": state.progress.map { .double($0) } ?? .null
        default: key == "self" || key == "SELF" ? nil : .null
        }
    }
}

/// Reads the current property of a node: the typed or assigned value, else the result of its expression.
enum PropertyReader {
    static func value(
        _ property: PropertyName, of id: NodeID, item: ItemScope?, in screen: ScreenScope
    ) -> Value {
        if let slot = slot(property, of: id, item: item?.key, in: screen) { return slot }
        guard let plan = screen.node(id)?[property] else { return .null }
        if let literal = plan.literal { return literal }
        guard let deeper = screen.deeper else {
            screen.meter?.noteCircle(at: id)
            return .null
        }
        screen.meter?.spend(Meter.binding)
        if screen.meter?.isEmpty ?? false { return .null }
        let scope: Value = if let item { .object(item.within(deeper)) } else { .object(deeper) }
        // The view reports the fault of the property; here it just has no value.
        return (try? plan.expression.value(scope, item?.context ?? deeper.context)) ?? .null
    }

    /// An element's value for a form; an empty text area has none.
    static func fieldValue(of id: NodeID, item: ItemScope?, in screen: ScreenScope) -> Value {
        guard let node = screen.scene.node(id) else { return .null }
        let row = node.kind.row
        let value = value(row.value.property, of: id, item: item, in: screen)
        if let media = node.form?.media {
            guard let container = media.container,
                !PropertyReader.value(.value, of: container, item: nil, in: screen).isNull
            else { return .null }
            return PropertyReader.value(.uploadResult, of: id, item: nil, in: screen).member(at: media.resultKeyPath)
        }
        if case .lines = row.typing, case .string("") = value { return .null }
        return value
    }

    static func slot(_ property: PropertyName, of id: NodeID, item: ItemKey?, in screen: ScreenScope) -> Value? {
        if screen.screen.slots.isEmpty { return nil }
        return screen.screen.slots[SlotKey(id, property, item: item)].map { screen.current($0) }
    }
}
