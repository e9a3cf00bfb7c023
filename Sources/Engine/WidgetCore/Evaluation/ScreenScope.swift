internal import WidgetPredicates

/// All that expressions of one screen can see at one moment.
package final class ScreenScope: PredicateObject {
    private let moment: ScreenMoment
    /// The number of nested bindings around this one.
    private let depth: Int

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

    /// The scope of a binding that another one reads; `nil` at the limit of nested bindings.
    var deeper: ScreenScope? { depth < moment.bindingDepth ? ScreenScope(deeperThan: self) : nil }

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

    /// True if some nodes have items or local values around them.
    var hasLocalScopes: Bool { moment.plan.hasLocalScopes }

    func node(_ id: NodeID) -> NodePlan? { moment.plan.node(id) }

    func source(_ id: String) -> Source? { moment.plan.sources[id] }

    func action(_ id: String) -> Action? { moment.plan.actions[id] }

    func dataSource(_ id: String) -> DataSource? { moment.plan.data[id] }

    func context(_ log: ReadLog?) -> ExpressionContext {
        guard let log else { return context }
        return ExpressionContext(environment, program.transformers, log: log, meter: meter)
    }

    /// A stored value, with the current versions of its records.
    ///
    /// - Parameter extent: that of the value, if it is known.
    func current(_ value: Value, _ extent: ValueExtent? = nil) -> Value {
        switch value {
        case .array, .set, .dictionary: break
        default: return value.moved(to: records, log: log)
        }
        // Traversing a collection costs the number of its parts, each time.
        let left = meter?.left ?? .max
        let known = extent.flatMap { $0.weight < ValueExtent.endless ? $0.weight : nil }
        guard let weight = known.map({ $0 <= left ? $0 : nil }) ?? value.weight(upTo: left) else {
            meter?.spend(.max)
            return .null
        }
        meter?.spend(weight)
        // Without records nothing moves, and looking for them costs as much again.
        return program.model.entities.isEmpty ? value : value.moved(to: records, log: log)
    }

    /// The value of a name as it is stored, at no cost; `nil` for one that leads to an object, which may answer
    /// differently at another moment.
    func stored(_ key: String) -> Value? {
        if let extra = extras[key] { return extra }
        if let named = scene.names[key] {
            return switch named {
            case .node, .source, .action, .status, .dataStatus: nil
            case .data(let id): data(id)
            case .state(let id): screen.states[id] ?? scene.states[id] ?? .null
            case .parameter(let name): storedParameter(name)
            }
        }
        return switch key {
        case "cache": nil
        case "content": screen.content
        case "title": screen.title
        case "environment": environment.value
        case "defaults": .dictionary(settings)
        default: .null
        }
    }

    private func storedParameter(_ name: String) -> Value? {
        if case .object = screen.content { return nil }
        let given = screen.content.member(name)
        return given.isNull ? scene.parameters[name] ?? .null : given
    }

    /// An unknown name has no value; `widget inspect` reports it beforehand.
    package func value(forKey key: String) -> Value? {
        if let extra = extras[key] { return extra }
        if let named = scene.names[key] {
            return switch named {
            case .node(let id): .object(ElementObject(id, in: self, item: nil))
            case .source(let id): SourceObject(id, in: self).map { .object($0) } ?? .null
            case .action(let id): .object(ActionObject(id, in: self))
            case .status(let id): .object(StatusObject(screen.statuses[id] ?? StatusState()))
            case .state(let id): state(id)
            case .parameter(let name): parameter(name)
            case .data(let id): data(id)
            case .dataStatus(let id): status(ofData: id)
            }
        }
        return common(key) ?? (key == "SELF" || key == "self" ? nil : .null)
    }

    private func state(_ name: String) -> Value {
        screen.states[name].map { current($0, screen.stateExtents[name]) } ?? scene.states[name] ?? .null
    }

    private func parameter(_ name: String) -> Value {
        let given = current(screen.content).member(name)
        return given.isNull ? scene.parameters[name] ?? .null : given
    }

    /// The declared values of the widget's cache; `nil` in a widget that declares none.
    private var cache: Value? {
        scene.cached.isEmpty ? nil : .object(CacheObject(moment.cache, scene.cached, now: environment.now))
    }

    /// The values that rows can see as well.
    func common(_ key: String) -> Value? {
        switch key {
        case "content": return current(screen.content)
        case "title": return screen.title
        case "environment": return environment.value
        case "cache": return cache
        case "defaults":
            log?.read("defaults")
            return .dictionary(settings)
        default: return nil
        }
    }
}

/// The inputs that do not change while expressions of a screen are evaluated.
private final class ScreenMoment: Sendable {
    let program: Program
    let scene: Scene
    let plan: ScenePlan
    let screen: Screen
    let records: RecordTable
    let settings: PredicateDictionary
    let cache: CacheMemory
    let environment: Environment
    let log: ReadLog?
    /// The values that an event adds, by name.
    let extras: [String: Value]
    /// The fuel that all expressions share.
    let meter: Meter?
    let bindingDepth: Int
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
        cache = store.cache
        self.environment = environment
        self.log = log
        self.extras = extras
        self.meter = meter
        bindingDepth = meter?.bindingDepth ?? Budget().bindingDepth
        context = ExpressionContext(environment, program.transformers, log: log, meter: meter)
    }
}

/// The scope of expressions within one row: its parts, its item, and the user's settings.
final class ItemScope: PredicateObject {
    let screen: ScreenScope
    let content: Value
    let key: ItemKey?
    let prototype: NodeID
    let log: ReadLog?
    let context: ExpressionContext
    /// Names of a scene with local values; `nil` in rows, which see little of their screen.
    private let locals: Locals?

    /// The names that a node adds to those around it.
    private struct Locals {
        var names: [(String, Value)]
        /// False where `content` is that of the scope around this one.
        var hasContent: Bool
        var outer: ItemScope?
        /// Notes the names that are read of the scope around this one.
        var reads: SurroundingReads?
    }

    /// The scope of one item of a repetition.
    ///
    /// - Parameter noting: the logs of a row that the next view may reuse.
    init(
        _ screen: ScreenScope, content: Value, key: ItemKey, _ repetition: Repetition, in outer: ItemScope?,
        noting: RowNoting? = nil
    ) {
        self.screen = screen
        self.content = content
        self.key = key
        prototype = -1
        log = noting?.log ?? outer?.log
        context = noting?.context ?? outer?.context ?? screen.context
        locals = Locals(
            names: repetition.name.map { [($0, content)] } ?? [], hasContent: true, outer: outer, reads: noting?.reads)
    }

    /// The scope within a node with local values. Each is evaluated in the scope around the node.
    init(_ screen: ScreenScope, locals: [LocalValue], in outer: ItemScope?) throws(PredicateError) {
        self.screen = screen
        content = outer?.content ?? .null
        key = outer?.key
        prototype = -1
        log = outer?.log
        context = outer?.context ?? screen.context
        let around: Value = outer.map { .object($0) } ?? .object(screen)
        var names: [(String, Value)] = []
        for local in locals {
            if local.dependsOnClock { outer?.log?.expires(at: screen.environment.now) }
            names.append((local.name, try local.expression.value(around, outer?.context ?? screen.context)))
        }
        self.locals = Locals(names: names, hasContent: false, outer: outer)
    }

    init(_ screen: ScreenScope, content: Value, key: ItemKey?, prototype: NodeID, log: ReadLog?) {
        locals = nil
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
        locals = other.locals.map { locals in
            Locals(
                names: locals.names, hasContent: locals.hasContent,
                outer: locals.outer.map { ItemScope($0, in: screen) }, reads: locals.reads)
        }
    }

    /// The same row, for a nested binding.
    func within(_ screen: ScreenScope) -> ItemScope { ItemScope(self, in: screen) }

    func value(forKey key: String) -> Value? {
        if let locals { return value(forKey: key, locals) }
        if let id = screen.node(prototype)?.names?[key] {
            return .object(ElementObject(id, in: screen, item: self))
        }
        if key == "content" { return content }
        if let extra = screen.extras[key] { return extra }
        if key == "defaults" { log?.read(key) }
        // Others change the cache too, so a row that reads it is evaluated each time.
        if key == "cache" { log?.expires(at: screen.environment.now) }
        // A row does not see what its screen names, but for states, which documents in its views have.
        if case .state? = screen.scene.names[key] {
            // Its changes are not noted, so such a row is evaluated each time.
            log?.expires(at: screen.environment.now)
            return screen.value(forKey: key)
        }
        return screen.common(key) ?? (key == "SELF" || key == "self" ? nil : .null)
    }

    /// The items of the repetitions and rows around it, the outermost first.
    var items: [(name: String, value: Value)] {
        var items: [(name: String, value: Value)] = []
        var next: ItemScope? = self
        while let scope = next {
            guard let locals = scope.locals else {
                items.append(("content", scope.content))
                break
            }
            if locals.hasContent {
                items.append((locals.names.first?.0 ?? "content", screen.current(scope.content)))
            }
            next = locals.outer
        }
        return items.reversed()
    }

    /// A name of this scope, or else of those around it.
    private func value(forKey key: String, _ locals: Locals) -> Value? {
        for (name, value) in locals.names where name == key { return screen.current(value) }
        if locals.hasContent, key == "content" { return screen.current(content) }
        if key != "SELF", key != "self" { locals.reads?.note(key) }
        guard let outer = locals.outer else { return screen.value(forKey: key) }
        return outer.value(forKey: key)
    }

    /// As ``ScreenScope/stored(_:)``.
    func stored(_ key: String) -> Value? {
        guard let locals else { return nil }
        for (name, value) in locals.names where name == key { return value }
        if locals.hasContent, key == "content" { return content }
        return locals.outer.map { $0.stored(key) } ?? screen.stored(key)
    }
}
