package import WidgetContract
package import WidgetPredicates

/// Makes a view of a scene and a store. It is pure: equal inputs give equal views, with or without a cache.
package struct Evaluator: Sendable {
    package let program: Program
    package var budget: Budget

    package init(_ program: Program, budget: Budget = Budget()) {
        self.program = program
        self.budget = budget
    }

    package func view(
        of store: Store, _ environment: Environment, cache: inout EvaluationCache
    ) -> View {
        guard let place = store.screens.indices.last,
            let scope = ScreenScope(
                program, store, screen: place, environment,
                meter: Meter(budget))
        else {
            cache = EvaluationCache()
            let key = ViewKey(screen: 0, node: 0)
            return View(screen: "", title: "", root: ViewNode(key, .screen), diagnostics: program.diagnostics)
        }
        // Taken out, so that it is changed in place.
        var evaluation = Evaluation(scope, store, budget, cache.taken())
        let root = evaluation.screen()
        cache = evaluation.cache
        cache.end(evaluation.evaluatedRows, store.screens)
        let notices = store.alerts.map(View.Notice.init)
        var view = View(
            screen: scope.scene.identifier ?? scope.scene.name, title: evaluation.title, root: root, alerts: notices,
            diagnostics: evaluation.diagnostics.all)
        view.locale = environment.locale
        view.constants = evaluation.constants()
        view.sections = evaluation.sections
        view.tabScene = evaluation.shownTabs?.scene
        view.shortage = view.diagnostics.first { $0.severity == .error && $0.code.isLimitOfViews }
        addTerms(to: &view, store, environment)
        return view
    }

    /// The value of an expression of the whole widget, which sees its first screen, with the present view's budget.
    /// Before the first screen is there, it has no value.
    package func value(
        of expression: TermExpression, _ store: Store, _ environment: Environment,
        extras: [String: Value] = [:]
    ) throws(PredicateError) -> Value {
        guard
            let scope = ScreenScope(
                program, store, screen: store.first.flatMap { store.place(ofScreen: $0.number) } ?? 0, environment,
                extras: extras, meter: Meter(budget))
        else { return .null }
        return try expression.value(for: .object(scope), environment: scope.context.predicates)
    }

    package func view(of store: Store, _ environment: Environment) -> View {
        var cache = EvaluationCache()
        return view(of: store, environment, cache: &cache)
    }
}

/// One evaluation, with its remaining budget.
struct Evaluation {
    let scope: ScreenScope
    let store: Store
    let budget: Budget
    private let words: SystemWords
    var cache: EvaluationCache
    private(set) var diagnostics: FindingList
    /// The number of reports so far, those that were made before among them.
    private(set) var reportCount = 0
    private var nodeCount = 0
    private var byteCount = 0
    private var isOver = false
    private var hasReportedSpending = false
    /// The pictures that are reported as missing: each once, because a list may name one in every row.
    private var missingImages: Set<String> = []
    private static let missingImageCount = 20
    /// The typed and assigned values, by their element.
    private let given: [SlotOwner: [ViewProperty]]
    private var hiddenByRows: [NodeID: Bool] = [:]
    private(set) var sections: [NodeID: [SourceState.Section]] = [:]
    /// One for each list that lies in a row of another.
    var logs: [ReadLog] = []
    var nesting = 0
    /// Lists that have no prototype for some row.
    var unprepared: Set<NodeID> = []

    private struct SlotOwner: Hashable {
        var node: NodeID
        var item: ItemKey?
    }

    var title = ""
    var evaluatedRows = 0

    init(_ scope: ScreenScope, _ store: Store, _ budget: Budget, _ cache: EvaluationCache) {
        self.scope = scope
        self.store = store
        self.budget = budget
        self.cache = cache
        words = SystemWords(scope.environment.locale)
        diagnostics = FindingList(upTo: budget.diagnosticCount)
        given = Dictionary(grouping: scope.screen.slots) { SlotOwner(node: $0.key.node, item: $0.key.item) }
            .mapValues { slots in
                slots.map { ViewProperty($0.key.property, $0.value) }.sorted { $0.name.name < $1.name.name }
            }
    }

    var scene: Scene { scope.scene }

    mutating func report(_ diagnostic: Finding) {
        reportCount += 1
        diagnostics.add(diagnostic)
    }

    // MARK: - The screen

    mutating func screen() -> ViewNode {
        for (id, node) in scene.nodes.enumerated() {
            guard let list = node.list else { continue }
            let state = ShownList(list, in: scope.screen).state
            for empty in list.emptyViews { hiddenByRows[empty] = state.items.count > 0 }
            if list.repetitions == 1, state.sections.count > 1 { sections[id] = state.sections }
        }
        cache.begin(ViewFacts(scope, hidden: hiddenByRows, budget))
        title = screenTitle()
        var children: [ViewNode] = []
        if scope.screen.hasBar, scope.screen.focus.flatMap({ scene.node($0) })?.kind != .searchField,
            let bar = navigationBar()
        {
            children.append(bar)
        }
        if let root = node(scene.root, .object(scope), item: nil, depth: 1) { children.append(root) }
        if let toolbar = toolbar() { children.append(toolbar) }
        if let tabs = tabs() { children.append(tabs) }
        if let id = scope.meter?.circularNode { reportCircle(at: id) }
        return ViewNode(
            ViewKey(screen: scope.screen.number, node: -10), .screen, identifier: scene.identifier,
            properties: [ViewProperty(.text, .string(title))], children: children)
    }

    /// The constants of rules that bindings or steps have set. Rules in rows are those that steps have set.
    fileprivate func constants() -> [ViewKey: Double] {
        let screen = scope.screen
        var constants: [ViewKey: Double] = [:]
        for (id, node) in scene.nodes.enumerated() where node.kind == .constraint && node[.constant]?.literal == nil {
            let value = PropertyReader.value(.constant, of: id, item: nil, in: scope)
            constants[ViewKey(screen: screen.number, node: id)] = value.number
        }
        for (key, value) in screen.slots where key.property == .constant {
            guard scene.node(key.node)?.kind == .constraint else { continue }
            constants[ViewKey(screen: screen.number, node: key.node, item: key.item)] = value.number
        }
        return constants
    }

    private mutating func reportCircle(at id: NodeID) {
        let node = scene.node(id)
        report(
            Finding(
                .error, .bindingCycle, "The value of \(node?.identifier ?? "an element") leads back to itself",
                at: node?.place, hint: "elements that read each other have no value to begin with"))
    }

    private mutating func screenTitle() -> String {
        if !scope.screen.title.isNull { return scope.screen.title.shown }
        let own = scene.title.map { value($0, .object(scope)).shown } ?? ""
        if !own.isEmpty { return own }
        // A title view says what the screen is called.
        guard let bar = scene.bar.flatMap({ scene.node($0) }) else { return "" }
        var pending = bar.children.filter { scene.node($0)?.kind == .barTitle }
        while let id = pending.popLast() {
            guard let node = scene.node(id) else { continue }
            if node.kind == .label {
                let text = PropertyReader.value(.text, of: id, item: nil, in: scope).shown
                if !text.isEmpty { return text }
            }
            pending.append(contentsOf: node.children.reversed())
        }
        return ""
    }

    private mutating func navigationBar() -> ViewNode? {
        let screen = scope.screen
        var children: [ViewNode] = []
        if store.screen(below: screen)?.level == screen.level {
            children.append(
                ViewNode(
                    ViewKey(screen: screen.number, node: ViewKey.back), .button,
                    properties: [ViewProperty(.text, .string(words[.back]))], events: [.tap]))
        }
        let authored = scene.bar.flatMap { node($0, .object(scope), item: nil, depth: 1) }?.children ?? []
        children += authored.filter { $0.kind != .barTitle && $0.frame.map { $0.x < 0 } ?? false }
        let heading = authored.first { $0.kind == .barTitle }
        children.append(
            ViewNode(
                heading?.key ?? ViewKey(screen: screen.number, node: ViewKey.barTitle), .barTitle,
                properties: [ViewProperty(.text, .string(title))],
                children: heading.map(Evaluation.pictures) ?? []))
        children += authored.filter { $0.kind != .barTitle && !($0.frame.map { $0.x < 0 } ?? false) }
        return ViewNode(ViewKey(screen: screen.number, node: ViewKey.bar), .bar, children: children)
    }

    /// The toolbar below the screen, with the screen's items.
    private mutating func toolbar() -> ViewNode? {
        guard scope.screen.hasBar, let bar = scene.toolbar, !bar.isHidden,
            let items = scene.toolbarItems.flatMap({ node($0, .object(scope), item: nil, depth: 1) })?.children
        else { return nil }
        return ViewNode(ViewKey(screen: scope.screen.number, node: ViewKey.toolbar), .bar, sharing: items)
    }

    /// The pictures of a title view, next to the title itself.
    private static func pictures(_ title: ViewNode) -> [ViewNode] {
        var found: [ViewNode] = []
        var pending = [title]
        while let node = pending.popLast() {
            if node.kind == .image || node.kind == .button { found.append(node) }
            pending.append(contentsOf: node.children.reversed())
        }
        return found
    }

    // MARK: - The budget

    /// The share of the limits that is spent.
    var spent: RepeatedRows.Cost {
        RepeatedRows.Cost(fuel: Int.max - (scope.meter?.left ?? .max), nodes: nodeCount, bytes: byteCount)
    }

    /// Takes the share of rows that are reused; does nothing if the limits do not suffice for all of it.
    mutating func take(_ cost: RepeatedRows.Cost) -> Bool {
        guard cost.fuel < scope.meter?.left ?? .max, nodeCount + cost.nodes <= budget.nodeCount,
            byteCount + cost.bytes <= budget.byteCount
        else { return false }
        scope.meter?.spend(cost.fuel)
        nodeCount += cost.nodes
        byteCount += cost.bytes
        return true
    }

    // MARK: - Nodes

    /// `nil` for a node that is hidden or beyond the budget.
    mutating func node(
        _ id: NodeID, _ scope: Value, item: ItemScope?, depth: Int
    ) -> ViewNode? {
        guard let node = self.scope.node(id), !isOver, spend(node, depth) else { return nil }
        var (scope, item) = (scope, item)
        if !node.locals.isEmpty {
            guard let inner = localScope(of: node, item) else { return nil }
            (scope, item) = (.object(inner), inner)
        }
        if let isHidden = hiddenByRows[id] {
            if isHidden { return nil }
        } else if property(.hidden, of: node, node.hidden, scope, item)?.truth ?? false {
            return nil
        }
        if let alpha = property(.alpha, of: node, node.alpha, scope, item)?.number, alpha < 0.01 { return nil }
        var properties: [ViewProperty] = []
        properties.reserveCapacity(node.properties.count)
        for (name, expression) in node.properties {
            guard let value = property(name, of: node, expression, scope, item), !value.isNull else { continue }
            properties.append(ViewProperty(name, shortened(value, at: expression.expression.place ?? node.place)))
        }
        addState(of: node, item, to: &properties)
        if node.kind == .image || node.kind == .button { checkImage(of: node, properties) }
        if node.kind == .activity, properties.first(where: { $0.name == .hidesWhenStopped })?.value.truth ?? true,
            !(properties.first { $0.name == .active }?.value.truth ?? false)
        {
            return nil
        }
        // A row repeats what its author named once.
        byteCount += node.identifier?.utf8.count ?? 0
        if byteCount > budget.byteCount {
            exceed(.byteBudget, "The screen says more than \(budget.byteCount) bytes", node)
        }
        var children = GrowingNodes()
        for child in node.children {
            if let fragment = self.scope.node(child), let repetition = fragment.repetition {
                if property(.hidden, of: fragment, fragment.hidden, scope, item)?.truth ?? false { continue }
                children.append(repeated(repetition, of: child, scope, item, depth: depth))
                continue
            }
            guard let view = self.node(child, scope, item: item, depth: depth + 1) else { continue }
            children.append(view)
        }
        if let list = node.list {
            let rows = rows(of: ShownList(list, in: self.scope.screen), id, depth: depth)
            children.place(rows)
        }
        if node.kind == .searchField, self.scope.screen.focus == id {
            children.append(
                ViewNode(
                    ViewKey(screen: self.scope.screen.number, node: ViewKey.searchCancel), .button,
                    properties: [ViewProperty(.text, .string(words[.cancel]))], events: [.tap]))
        }
        let events = self.scope.environment.abilities.contains(.input) ? node.events : locked(node, &properties)
        return ViewNode(
            ViewKey(screen: self.scope.screen.number, node: id, item: item?.key), node.kind,
            identifier: node.identifier, properties: properties, sharing: children.list, events: events,
            frame: node.frame)
    }

    /// A text, cut to the limit of shown texts.
    private mutating func shortened(_ value: Value, at place: Place?) -> Value {
        guard case .string(let text) = value else {
            for element in value.elements ?? [] { byteCount += element.string?.utf8.count ?? 0 }
            return value
        }
        byteCount += min(text.utf8.count, budget.textByteCount)
        guard text.utf8.count > budget.textByteCount else { return value }
        reportLongText(at: place)
        return .string(text.shortened(toByteCount: budget.textByteCount))
    }

    private mutating func reportLongText(at place: Place?) {
        report(
            Finding(
                .error, .byteBudget, "A text is longer than \(budget.textByteCount) bytes", at: place,
                hint: "its beginning is shown"))
    }

    /// Reports a picture that the bundle does not have: the name is misspelled, or the file was forgotten.
    private mutating func checkImage(of node: NodePlan, _ properties: [ViewProperty]) {
        guard let images = scope.program.images,
            let name = properties.first(where: { $0.name == .image })?.value.string, !images.hasPicture(name)
        else { return }
        reportCount += 1
        guard missingImages.count < Evaluation.missingImageCount, missingImages.insert(name).inserted,
            let fault = Finding.missingPicture(
                name, among: images, at: node[.image]?.expression.place ?? node.place)
        else { return }
        report(fault)
    }

    private mutating func addState(of node: NodePlan, _ item: ItemScope?, to properties: inout [ViewProperty]) {
        let (screen, id) = (scope.screen, node.id)
        if !given.isEmpty, let given = given[SlotOwner(node: id, item: item?.key)] {
            // Values of properties that the author did not write.
            let more = given.filter { $0.name != .hidden && node[$0.name] == nil && !$0.value.isNull }
            if !more.isEmpty {
                properties = (properties + more).sorted { $0.name.name < $1.name.name }
            }
        }
        if !screen.refused.isEmpty { reportCount += 1 }
        if let refused = screen.refused[id], let form = scene.node(refused.form)?.form,
            let fault = FormInput(form, scope).fault(of: id, isMandatory: refused.isMandatory)
        {
            properties.append(ViewProperty(.invalid, .boolean(true)))
            properties.append(ViewProperty(.fault, .string(fault.message)))
            byteCount += fault.message.utf8.count
        }
        if node.isSelected, !properties.contains(where: { $0.name == .selected }) {
            properties.append(ViewProperty(.selected, .boolean(true)))
        }
        if !words.isEnglish { words.addName(of: node.kind, to: &properties) }
        if let isChecked = node.isChecked { properties.append(ViewProperty(.checked, .boolean(isChecked))) }
        if node.kind == .datePicker { addText(ofDate: &properties) }
        if screen.focus == id { properties.append(ViewProperty(.focused, .boolean(true))) }
        if let item, node.prototype == nil || node.kind == .row, id == item.prototype || isTemplate(id, of: item),
            let list = item.key?.list,
            screen.chosen(in: list).contains(where: { $0.isIdentical(to: item.content) })
        {
            properties.append(ViewProperty(.selected, .boolean(true)))
        }
    }

    /// Adds the text of a date picker's value, in its mode and the widget's time zone.
    private func addText(ofDate properties: inout [ViewProperty]) {
        func value(_ name: PropertyName) -> Value? { properties.first { $0.name == name }?.value }
        let clock = LocalClock(scope.environment)
        guard let text = value(.value).flatMap({ DateMode(value(.dateMode)).text(of: $0, clock) }) else { return }
        properties.append(ViewProperty(.dateText, .string(text)))
    }

    private mutating func spend(_ node: NodePlan, _ depth: Int) -> Bool {
        nodeCount += 1
        scope.meter?.spend(Meter.node + node.properties.count)
        if depth > budget.depth {
            report(
                Finding(
                    .error, .depthBudget, "Nodes lie more than \(budget.depth) deep in each other", at: node.place))
            return false
        }
        if nodeCount > budget.nodeCount {
            exceed(.nodeBudget, "The screen has more than \(budget.nodeCount) nodes", node)
            return false
        }
        if nodeCount % 64 == 0, budget.isTimeOver() {
            exceed(.timeBudget, "The screen takes longer than it may", node)
            return false
        }
        return true
    }

    private mutating func exceed(_ code: Finding.Code, _ message: String, _ node: NodePlan) {
        isOver = true
        report(Finding(.error, code, message, at: node.place, hint: "what came before is shown"))
    }

    /// True if no more rows may be evaluated.
    mutating func isExhausted() -> Bool { isOver || isSpent() }

    /// True if expressions have used up their shared fuel. From then on they have no value.
    private mutating func isSpent() -> Bool {
        guard let meter = scope.meter, meter.isEmpty else { return false }
        if !hasReportedSpending {
            hasReportedSpending = true
            report(
                Finding(
                    .error, .expressionBudget, "The screen takes more than \(budget.fuel) steps to evaluate",
                    hint: "what came before is shown"))
        }
        return true
    }

    private mutating func property(
        _ name: PropertyName, of node: NodePlan, _ expression: ExpressionPlan?, _ scope: Value, _ item: ItemScope?
    ) -> Value? {
        if !given.isEmpty, let slot = PropertyReader.slot(name, of: node.id, item: item?.key, in: self.scope) {
            return slot
        }
        guard let expression else { return nil }
        if let literal = expression.literal { return literal }
        return value(expression.expression, dependsOnClock: expression.dependsOnClock, scope, item)
    }

    mutating func value(_ expression: Expression, _ scope: Value, log: ReadLog? = nil) -> Value {
        if let literal = expression.literal { return literal }
        return value(
            expression, dependsOnClock: expression.dependsOnClock, scope, self.scope.context(log), log)
    }

    private mutating func value(
        _ expression: Expression, dependsOnClock: Bool, _ scope: Value, _ item: ItemScope?
    ) -> Value {
        value(expression, dependsOnClock: dependsOnClock, scope, item?.context ?? self.scope.context, item?.log)
    }

    /// The value of an expression. A failed one has no value, and reports why once.
    private mutating func value(
        _ expression: Expression, dependsOnClock: Bool, _ scope: Value, _ context: ExpressionContext, _ log: ReadLog?
    ) -> Value {
        if dependsOnClock { log?.expires(at: self.scope.environment.now) }
        if isSpent() { return Evaluation.substitute(for: expression) }
        do throws(PredicateError) {
            let value = try expression.value(scope, context)
            if self.scope.meter?.takeLongText() ?? false { reportLongText(at: expression.place) }
            return value
        } catch {
            if !isSpent() {
                report(
                    Finding(
                        .warning, Finding.Code(error), "\(error.sentence) in `\(expression.source)`",
                        at: expression.place, hint: error.hint))
            }
            return Evaluation.substitute(for: expression)
        }
    }

    /// The placeholder that is shown for a failed expression, which has no value.
    private static func substitute(for expression: Expression) -> Value {
        expression.steps.reduce(Value.null) { value, step in
            if case .placeholder(let placeholder) = step { placeholder } else { value }
        }
    }
}
