internal import Predicates

/// All that expressions of one screen can see at one moment.
package final class ScreenScope: PredicateObject {
    private let moment: ScreenMoment
    /// How many bindings have led to this one.
    let depth: Int

    /// Bindings that read each other end here.
    static let deepest = 12

    package init?(
        _ program: Program, _ store: Store, screen place: Int, _ environment: Environment, log: ReadLog? = nil,
        extras: [String: Value] = [:], meter: Meter? = nil
    ) {
        guard
            let moment = ScreenMoment(program, store, place, environment, log: log, extras: extras, meter: meter)
        else { return nil }
        self.moment = moment
        depth = 0
    }

    private init(deeperThan other: ScreenScope) {
        moment = other.moment
        depth = other.depth + 1
    }

    var deeper: ScreenScope? { depth < ScreenScope.deepest ? ScreenScope(deeperThan: self) : nil }

    var program: Program { moment.program }
    var scene: Scene { moment.scene }
    var screen: Screen { moment.screen }
    var records: RecordTable { moment.records }
    var environment: Environment { moment.environment }
    var log: ReadLog? { moment.log }
    var extras: [String: Value] { moment.extras }
    var meter: Meter? { moment.meter }
    /// The user's settings.
    var settings: PredicateDictionary { moment.settings }
    var context: ExpressionContext { moment.context }

    func node(_ id: NodeID) -> NodePlan? { moment.plan.node(id) }

    func source(_ id: String) -> Source? { moment.plan.sources[id] }

    func action(_ id: String) -> Action? { moment.plan.actions[id] }

    func context(_ log: ReadLog?) -> ExpressionContext {
        guard let log else { return context }
        return ExpressionContext(environment, program.transformers, log: log, meter: meter)
    }

    /// A value that was kept, with its records as they are now.
    func current(_ value: Value) -> Value {
        guard value.elements != nil else { return value.moved(to: records, log: log) }
        // Looking through a collection costs what is in it, each time.
        guard let weight = value.weight(upTo: meter?.left ?? .max) else {
            meter?.spend(.max)
            return .null
        }
        meter?.spend(weight)
        return value.moved(to: records, log: log)
    }

    /// An unknown name has no value; whoever looks through a bundle is told of it before.
    package func value(forKey key: String) -> Value? {
        if let extra = extras[key] { return extra }
        if let named = scene.names[key] {
            return switch named {
            case .node(let id): .object(ElementObject(id, in: self, item: nil))
            case .source(let id): SourceObject(id, in: self).map { .object($0) } ?? .null
            case .action(let id): .object(ActionObject(id, in: self))
            case .status(let id): .object(StatusObject(screen.statuses[id] ?? StatusState()))
            }
        }
        return common(key) ?? (key == "SELF" || key == "self" ? nil : .null)
    }

    /// What rows can see as well.
    func common(_ key: String) -> Value? {
        switch key {
        case "content": return current(screen.content)
        case "title": return screen.title
        case "defaults":
            log?.read("defaults")
            return .dictionary(settings)
        default: return nil
        }
    }
}

/// What does not change while expressions of a screen are evaluated.
private final class ScreenMoment: Sendable {
    let program: Program
    let scene: Scene
    let plan: ScenePlan
    let screen: Screen
    let records: RecordTable
    let settings: PredicateDictionary
    let environment: Environment
    let log: ReadLog?
    /// What an event brings along, under these names.
    let extras: [String: Value]
    /// What all expressions may still use together.
    let meter: Meter?
    let context: ExpressionContext

    init?(
        _ program: Program, _ store: Store, _ place: Int, _ environment: Environment, log: ReadLog?,
        extras: [String: Value], meter: Meter?
    ) {
        guard store.screens.indices.contains(place), let scene = program.scenes[store.screens[place].scene],
            let plan = program.plans[scene.name]
        else { return nil }
        self.program = program
        self.scene = scene
        self.plan = plan
        screen = store.screens[place]
        records = store.records
        settings = store.settings
        self.environment = environment
        self.log = log
        self.extras = extras
        self.meter = meter
        context = ExpressionContext(environment, program.transformers, log: log, meter: meter)
    }
}

/// What expressions within one row can see: its parts, its item, and the user's settings.
final class ItemScope: PredicateObject {
    let screen: ScreenScope
    let content: Value
    let key: ItemKey?
    let prototype: NodeID
    let log: ReadLog?
    let context: ExpressionContext

    init(_ screen: ScreenScope, content: Value, key: ItemKey?, prototype: NodeID, log: ReadLog?) {
        self.screen = screen
        self.content = content
        self.key = key
        self.prototype = prototype
        self.log = log
        context = screen.context(log)
    }

    private init(_ other: ItemScope, in screen: ScreenScope) {
        self.screen = screen
        content = other.content
        key = other.key
        prototype = other.prototype
        log = other.log
        context = other.context
    }

    /// The same row, as a binding sees it that another has led to.
    func within(_ screen: ScreenScope) -> ItemScope { ItemScope(self, in: screen) }

    func value(forKey key: String) -> Value? {
        if let id = screen.node(prototype)?.names?[key] {
            return .object(ElementObject(id, in: screen, item: self))
        }
        if key == "content" { return content }
        if let extra = screen.extras[key] { return extra }
        if key == "defaults" { log?.read(key) }
        return screen.common(key) ?? (key == "SELF" || key == "self" ? nil : .null)
    }
}

/// An element, with the properties it has at the moment.
final class ElementObject: PredicateObject {
    fileprivate let id: NodeID
    fileprivate let screen: ScreenScope
    fileprivate let item: ItemScope?

    init(_ id: NodeID, in screen: ScreenScope, item: ItemScope?) {
        self.id = id
        self.screen = screen
        self.item = item
    }

    /// What no property is called.
    private static let special: Set<String> = [
        "self", "SELF", "refreshControl", "wx", "wx_fieldName", "wx_fieldValue", "uploadContainer", "hasMedia",
        "isMovie", "result",
    ]

    func value(forKey key: String) -> Value? {
        guard let node = screen.node(id) else { return nil }
        if ElementObject.special.contains(key) {
            switch key {
            case "self", "SELF": return nil
            case "refreshControl": return .object(self)
            case "wx": return screen.scene.node(id).map { .object(AssistantObject($0)) }
            case "wx_fieldName": return node.fieldName.map { .string($0) } ?? .null
            case "wx_fieldValue": return PropertyReader.fieldValue(of: id, item: item, in: screen)
            default: if let known = mediaValue(key) { return known }
            }
        }
        var meaning = screen.program.vocabulary.meaning(of: key, for: node.kind)
        if key == "isRefreshing" { meaning = Vocabulary.Meaning("refreshing") }
        let value = PropertyReader.value(meaning.property, of: id, item: item, in: screen)
        return meaning.isInverse ? .boolean(!value.truth) : value
    }
}

extension ElementObject {
    /// What forms that take media, and the containers in them, know of it.
    private func mediaValue(_ key: String) -> Value? {
        let media = screen.scene.node(id)?.form?.media
        switch key {
        case "uploadContainer":
            return media?.container.map { .object(ElementObject($0, in: screen, item: item)) }
        case "hasMedia": return .boolean(!PropertyReader.value(.value, of: id, item: nil, in: screen).isNull)
        case "isMovie":
            return .boolean(!PropertyReader.value(.value, of: id, item: nil, in: screen).member("fileName").isNull)
        case "result" where media != nil:
            return PropertyReader.value(.uploadResult, of: id, item: nil, in: screen)
        default: return nil
        }
    }
}

/// What the framework has attached to an element: `wx.identifier`, and whatever else was set under `wx`.
final class AssistantObject: PredicateObject {
    private let node: Node
    private let prefix: String

    init(_ node: Node, prefix: String = "wx.") {
        self.node = node
        self.prefix = prefix
    }

    func value(forKey key: String) -> Value? {
        if key == "self" || key == "SELF" { return nil }
        if prefix == "wx.", key == "identifier" { return node.identifier.map { .string($0) } ?? .null }
        if let value = node[PropertyName(prefix + key)]?.literal { return value }
        let inner = "\(prefix)\(key)."
        return node.properties.contains { $0.name.name.hasPrefix(inner) }
            ? .object(AssistantObject(node, prefix: inner)) : .null
    }
}

/// What a property of a node is at the moment: what was typed or assigned, else what its expression gives.
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
        // Whoever shows the property says what is wrong with it; here it only has no value.
        return (try? plan.expression.value(scope, item?.context ?? deeper.context)) ?? .null
    }

    /// What a form takes from an element: nothing from a text area that is empty.
    static func fieldValue(of id: NodeID, item: ItemScope?, in screen: ScreenScope) -> Value {
        guard let node = screen.scene.node(id) else { return .null }
        let value = value(screen.program.vocabulary.values[node.kind] ?? .value, of: id, item: item, in: screen)
        if let media = node.form?.media {
            guard let container = media.container,
                !PropertyReader.value(.value, of: container, item: nil, in: screen).isNull
            else { return .null }
            return PropertyReader.value(.uploadResult, of: id, item: nil, in: screen).member(at: media.resultKeyPath)
        }
        if node.kind == .textArea, case .string("") = value { return .null }
        return value
    }

    static func slot(_ property: PropertyName, of id: NodeID, item: ItemKey?, in screen: ScreenScope) -> Value? {
        if screen.screen.slots.isEmpty { return nil }
        return screen.screen.slots[SlotKey(id, property, item: item)].map { screen.current($0) }
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

    /// Each time it is asked for, all of it is made.
    private var all: [Value] {
        guard let meter = screen.meter else { return (0..<state.items.count).map { item($0) } }
        meter.spend(Meter.item * state.items.count)
        return meter.isEmpty ? [] : (0..<state.items.count).map { item($0) }
    }

    private var chained: Value {
        guard let chain = source.chain, !source.showsChain else { return .array(all) }
        if chain.links.count == 1, let selection = chain.selection {
            return switch selection {
            case .first: item(0)
            case .last: item(state.items.count - 1)
            case .count: .integer(Int64(state.items.count))
            }
        }
        // A chain was checked when it was read; what fails now is a value that does not fit, and gives nothing.
        return (try? chain.compiled.value(for: .array(all), environment: screen.context.predicates)) ?? .null
    }
}

/// An action as expressions see it: how far it is, and what it would be given.
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

    /// What is in its form now; else what it was given last, or would be given.
    private var content: Value {
        guard let action = screen.action(id) else { return .null }
        if let form = action.form.flatMap({ screen.scene.node($0)?.form }) {
            let reader = FormReader(form, screen)
            return reader.missing.isEmpty ? reader.value : .null
        }
        if let given = screen.screen.arguments[id] { return screen.current(given) }
        guard let argument = action.argument, let deeper = screen.deeper else { return .null }
        return (try? argument.value(.object(deeper), deeper.context)) ?? .null
    }
}

/// How far something is.
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
