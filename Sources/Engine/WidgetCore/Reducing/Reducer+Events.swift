internal import WidgetContract
internal import WidgetPredicates

extension Reducer {
    mutating func accept(_ event: Event) {
        switch event {
        case .start: if store.screens.isEmpty { show(program.initial, content: store.parameters, from: nil) }
        case .tap(let key): tap(key)
        case .input(let key, let value): input(key, value)
        case .submit(let key): submit(key)
        case .select(let row): select(row)
        case .deleteRow(let row): delete(row)
        case .scroll(let key, let toEnd): scroll(key, toEnd: toEnd)
        case .refresh(let key): send(.refresh, to: key)
        case .pick(let key, let media): pick(key, media)
        case .back: if let screen = store.screens.last { goBack(from: screen.number) }
        case .link(let url): effects.append(.open(url))
        case .arrive(let entry, let content): arrive(at: entry, about: content)
        case .reveal(let list, let item): reveal(item, in: list)
        case .replaced(let asksAgain): resume(asksAgain: asksAgain)
        case .continued(let moved): resume(moved: Set(moved))
        case .update: update()
        case .time: turnTimers()
        case .response(let number, let outcome): finish(number, outcome)
        case .progress(let number, let fraction): progress(number, fraction)
        case .setting(let name, let value):
            store.defaults[name] = value.kept
            effects.append(.settings)
        case .cached(let changes): recall(changes)
        case .abandon(let requests, let reason): giveUp(requests, reason)
        case .perform(let steps, let screen, let isOpening):
            perform(steps, onScreen: screen, isOpening: isOpening)
        case .signal(let name, let phase, let error):
            pending.append(.signal(Signal(name: name, phase: phase, error: error)))
        }
    }

    /// The frame of an event at an element, or the reason that it cannot happen.
    mutating func frame(of key: ViewKey) -> (Node, StepFrame)? {
        guard let screen = store.screens.last, screen.number == key.screen, let scene = program.scenes[screen.scene],
            let node = scene.node(key.node)
        else {
            refusal = "the element is not on the screen"
            return nil
        }
        guard store.alerts.isEmpty else {
            refusal = "an alert is in front of the screen: \"\(store.alerts[0].title)\""
            return nil
        }
        var frame = StepFrame(screen: key.screen, sender: key.node)
        if program.plans[scene.name]?.hasLocalScopes ?? false { frame.scopeNode = key.node }
        if let item = key.item, scene.node(item.list)?.repetition != nil {
            frame.item = item
        } else if let item = key.item {
            frame.item = item
            frame.content = item.content(scene, screen, in: store.records)
            frame.prototype = node.prototype ?? key.node
        }
        return (node, frame)
    }

    /// The current property of a frame's element.
    private func current(_ property: PropertyName, _ frame: StepFrame) -> Value {
        guard let scope = scope(frame), let id = frame.sender else { return .null }
        return PropertyReader.value(property, of: id, item: itemScope(frame, scope, id), in: scope)
    }

    private func itemScope(_ frame: StepFrame, _ scope: ScreenScope, _ node: NodeID) -> ItemScope? {
        if let anchor = frame.scopeNode, let inner = try? scope.scope(of: anchor, item: frame.item) { return inner }
        return frame.content.map {
            ItemScope(scope, content: $0, key: frame.item, prototype: frame.prototype ?? node, log: nil)
        }
    }

    // MARK: - Touch

    private mutating func tap(_ key: ViewKey) {
        switch key.node {
        case ViewKey.back: return goBack(at: key)
        case ViewKey.alertButton: return answer(key)
        case ViewKey.searchCancel: return endEditing(key.screen)
        default: break
        }
        if let place = ViewKey.tabPlace(key.node) { return choose(tab: place, on: key.screen) }
        guard let (node, frame) = frame(of: key) else { return }
        if current(.disabled, frame).truth {
            refusal = "the element is disabled"
            return
        }
        if isLocked(node) { return leadElsewhere(node, frame) }
        if node.kind == .toggle {
            return input(key, .boolean(!current(.value, frame).truth))
        }
        if let item = key.item, node.events[.tap] == nil, scene(key.screen)?.node(item.list)?.repetition == nil {
            return choose(item, frame)
        }
        let takesFocus = node.kind.row.holdsTypedText
        if takesFocus { moveFocus(to: key) }
        guard let steps = node.events[.tap] else {
            if !takesFocus { refusal = "nothing happens when the element is tapped" }
            return
        }
        push(steps, frame)
    }

    /// Touches *Back*, which a screen that is not in front any longer does not have.
    private mutating func goBack(at key: ViewKey) {
        guard store.screens.last?.number == key.screen else {
            refusal = "the element is not on the screen"
            return
        }
        goBack(from: key.screen)
    }

    private static let locked = "the host lets people change nothing in widgets"

    /// True for a control in a host without input.
    private func isLocked(_ node: Node) -> Bool {
        node.kind.row.isControl && !environment.abilities.contains(.input)
    }

    /// Does what a touch leads to where nothing can be changed.
    private mutating func leadElsewhere(_ node: Node, _ frame: StepFrame) {
        let steps = node.instead.isEmpty ? scene(frame.screen)?.instead ?? [] : node.instead
        if steps.isEmpty { refusal = Reducer.locked }
        push(steps, frame)
    }

    private mutating func input(_ key: ViewKey, _ value: Value) {
        guard case (let node, var frame)? = frame(of: key) else { return }
        if current(.disabled, frame).truth || current(.readOnly, frame).truth {
            refusal = "the element cannot be changed now"
            return
        }
        guard !isLocked(node) else {
            refusal = Reducer.locked
            return
        }
        guard node.kind.row.isControl || node.events[.change] != nil else {
            refusal = "the element has no value that could be changed"
            return
        }
        let row = node.kind.row
        guard let value = fitting(value, to: key.node, node, frame) else {
            let expected = row.value.expectation { current($0, frame) }.map { "; write \($0)" } ?? ""
            refusal = "\(value.shown.isEmpty ? "nothing" : value.shown) is not a value for a \(row.name)\(expected)"
            return
        }
        if let state = node.state {
            setState(state, value.kept, frame, at: node.place)
        } else {
            set(frame.screen) { $0.slots[SlotKey(key.node, row.value.property, item: key.item)] = value }
        }
        frame.argument = value
        push(node.events[.change] ?? [], frame)
        if row.holdsTypedText { moveFocus(to: key) }
    }

    /// The value that the element keeps of a given one, or `nil` if it ignores it.
    func fitting(_ value: Value, to id: NodeID, _ node: Node, _ frame: StepFrame) -> Value? {
        guard let scope = scope(frame) else { return nil }
        return node.kind.row.value.fitting(value, LocalClock(environment)) {
            PropertyReader.value($0, of: id, item: nil, in: scope)
        }
    }

    private mutating func submit(_ key: ViewKey) {
        guard case (let node, var frame)? = frame(of: key), let scope = scope(frame) else { return }
        if let form = node.form, !form.submit.isEmpty { return submit(form: key.node, frame) }
        let item = frame.scopeNode == nil ? nil : itemScope(frame, scope, key.node)
        frame.argument = PropertyReader.value(node.kind.row.value.property, of: key.node, item: item, in: scope)
        let ends = node.events[.endEditing]
        guard node.events[.submit] != nil || ends != nil else {
            refusal = "nothing happens when the element is submitted"
            return
        }
        if let ends {
            // The return key ends the typing.
            set(frame.screen) { screen in (screen.focus, screen.focusItem) = (nil, nil) }
            push(ends, frame)
        }
        push(node.events[.submit] ?? [], frame)
    }

    /// Moves the keyboard focus, and runs the steps of the field that loses it and of the one that gets it.
    private mutating func moveFocus(to key: ViewKey) {
        guard let place = store.place(ofScreen: key.screen) else { return }
        let (node, item) = (store.screens[place].focus, store.screens[place].focusItem)
        guard node != key.node || item != key.item else { return }
        set(key.screen) { screen in (screen.focus, screen.focusItem) = (key.node, key.item) }
        // The last steps that are pushed run first.
        pushEditing(.beginEditing, key)
        if let node { pushEditing(.endEditing, ViewKey(screen: key.screen, node: node, item: item)) }
    }

    private mutating func pushEditing(_ event: NodeEvent, _ key: ViewKey) {
        guard let steps = scene(key.screen)?.node(key.node)?.events[event], case (let node, var frame)? = frame(of: key)
        else { return }
        frame.argument = current(node.kind.row.value.property, frame)
        push(steps, frame)
    }

    private mutating func send(_ event: NodeEvent, to key: ViewKey) {
        guard let (node, frame) = frame(of: key) else { return }
        guard let steps = node.events[event] else {
            refusal = "the element knows no \(event.rawValue)"
            return
        }
        push(steps, frame)
    }

    private mutating func scroll(_ key: ViewKey, toEnd: Bool) {
        guard case (let node, var frame)? = frame(of: key) else { return }
        // Scrolling always works; only some lists do something at their ends.
        guard let list = node.list, let steps = node.events[toEnd ? .scrollEnd : .scrollStart],
            let screen = store.screens.last
        else { return }
        let items = ShownList(list, in: screen).state.items
        frame.argument = items.item(toEnd ? items.count - 1 : 0, in: store.records)
        push(steps, frame)
    }

    // MARK: - Rows

    private static let missingRow = "the row is not in the list any longer"

    /// The list of a row that is made for an item of a source; `nil` for other elements.
    private func sourceList(of row: ViewKey) -> (ViewKey, ListTemplate, ItemKey)? {
        guard let item = row.item, let list = scene(row.screen)?.node(item.list)?.list else { return nil }
        return (ViewKey(screen: row.screen, node: item.list, item: item.outer?.key), list, item)
    }

    /// The frame of a list and the item of one of its rows, if the row is there now. The event is refused if not.
    private mutating func frame(
        ofRow row: ViewKey, of list: ViewKey, _ template: ListTemplate, _ item: ItemKey
    ) -> StepFrame? {
        guard frame(of: row) != nil, let (_, frame) = frame(of: list), let scene = scene(row.screen),
            let screen = store.screens.last
        else { return nil }
        guard item.turn >= 0 else {
            refusal = Reducer.noRow
            return nil
        }
        let shown = ShownList(template, in: screen)
        guard item.turn < template.repetitions, shown.state.items.contains(item),
            prototype(of: shown, item.content(scene, screen, in: store.records), frame) == row.node
        else {
            refusal = template.prototypes.values.contains(row.node) ? Reducer.missingRow : Reducer.noRow
            return nil
        }
        return frame
    }

    private static let noRow = "the element is not a row of a list"

    /// The node and the frame of a row that its list has as a child, if the row is there now. The event is refused if not.
    private mutating func frame(ofAuthoredRow row: ViewKey) -> (Node, StepFrame)? {
        guard let (node, frame) = frame(of: row) else { return nil }
        guard node.kind == .row else {
            refusal = Reducer.noRow
            return nil
        }
        guard isShown(authoredRow: row) else {
            refusal = Reducer.missingRow
            return nil
        }
        return (node, frame)
    }

    private mutating func select(_ row: ViewKey) {
        guard let (list, template, item) = sourceList(of: row) else {
            if frame(ofAuthoredRow: row) != nil { tap(row) }
            return
        }
        if let frame = frame(ofRow: row, of: list, template, item) { choose(item, frame) }
    }

    private mutating func choose(_ item: ItemKey, _ frame: StepFrame) {
        guard let scene = scene(frame.screen), let screen = store.screens.last, let list = scene.node(item.list)?.list
        else { return }
        guard ShownList(list, in: screen).state.items.contains(item) else {
            refusal = Reducer.missingRow
            return
        }
        let content = item.content(scene, screen, in: store.records)
        if list.collectsSelection {
            set(frame.screen) { screen in
                var chosen = screen.selection[item.list] ?? []
                let isChosen = chosen.contains { $0.isIdentical(to: content) }
                if isChosen { chosen.removeAll { $0.isIdentical(to: content) } }
                if !list.selectsSeveral { chosen = [] }
                screen.selection[item.list] = isChosen ? chosen : chosen + [content]
            }
        } else {
            set(frame.screen) { $0.touched[item.list] = content }
        }
        guard let prototype = prototype(of: ShownList(list, in: screen), content, frame) else { return }
        var frame = frame
        (frame.item, frame.content, frame.prototype) = (item, content, prototype)
        push(scene.node(prototype)?.events[.select] ?? [], frame)
    }

    private mutating func prototype(of list: ShownList, _ content: Value, _ frame: StepFrame) -> NodeID? {
        var frame = frame
        frame.content = content
        frame.prototype = nil
        return list.prototype(chosen: list.choice.map { value($0, frame).shown })
    }

    private mutating func delete(_ row: ViewKey) {
        guard let (key, template, item) = sourceList(of: row) else { return deleteAuthored(row) }
        guard var frame = frame(ofRow: row, of: key, template, item), let scene = scene(row.screen),
            let screen = store.screens.last
        else { return }
        let content = item.content(scene, screen, in: store.records)
        frame.content = content
        frame.argument = content
        guard content.recordID != nil, let mayDelete = template.rules.mayDelete, value(mayDelete, frame).truth else {
            refusal = template.rules.deletionRefusal
            return
        }
        push(scene.node(key.node)?.events[.delete] ?? [.delete(.literal(content))], frame)
    }

    /// Runs the steps that a row which is a child of its list has for its deletion.
    private mutating func deleteAuthored(_ row: ViewKey) {
        guard let (node, frame) = frame(ofAuthoredRow: row) else { return }
        guard let steps = node.events[.delete] else {
            refusal = RowRules().deletionRefusal
            return
        }
        push(steps, frame)
    }

    mutating func set(_ number: Int, _ change: (inout Screen) -> Void) {
        guard let place = store.place(ofScreen: number) else { return }
        change(&store.screens[place])
    }

    mutating func endEditing(_ number: Int) {
        guard let place = store.place(ofScreen: number), let focus = store.screens[place].focus else { return }
        let item = store.screens[place].focusItem
        (store.screens[place].focus, store.screens[place].focusItem) = (nil, nil)
        pushEditing(.endEditing, ViewKey(screen: number, node: focus, item: item))
        push(scene(number)?.node(focus)?.events[.cancel] ?? [], StepFrame(screen: number, sender: focus))
    }

    // MARK: - Another program

    /// Continues the open screens with another program, the lowest first.
    private mutating func resume(asksAgain: Bool) {
        isAskingAgain = asksAgain
        for screen in store.screens.reversed() {
            guard let scene = scene(screen.number) else { continue }
            let steps = asksAgain ? scene.onLoad : scene.onLoad.filter { $0.isRepeating }
            // Data that the program before did not have, or asked otherwise, are missing.
            let data = scene.data.filter { $0.isAutomatic && (asksAgain || screen.data[$0.id]?.value == nil) }
            push(steps + data.map { .ask($0.id) }, StepFrame(screen: screen.number, isOpening: true))
        }
    }

    /// Continues the open screens with other documents.
    private mutating func resume(moved: Set<Int>) {
        for screen in store.screens.reversed() {
            guard let scene = scene(screen.number) else { continue }
            let steps = moved.contains(screen.number) ? scene.onLoad.filter { $0.isRepeating } : []
            let data = scene.data.filter { $0.isAutomatic && screen.data[$0.id] == nil }
            push(steps + data.map { .ask($0.id) }, StepFrame(screen: screen.number, isOpening: true))
        }
    }

    private mutating func update() {
        isAskingAgain = true
        isUpdating = true
        for screen in store.screens.reversed() {
            guard let scene = scene(screen.number) else { continue }
            let asking = scene.onLoad.filter { if case .perform = $0 { true } else { false } }
            let data = scene.data.filter { $0.isAutomatic }.map { Step.ask($0.id) }
            push(asking + data, StepFrame(screen: screen.number, isOpening: true))
        }
    }

    // MARK: - Time

    private mutating func turnTimers() {
        store.cache.expire(at: environment.now)
        let due = store.timers.filter { $0.due <= environment.now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        store.timers.removeAll { $0.due <= environment.now }
        for timer in due.reversed() {
            switch timer.purpose {
            case .steps(let steps, let frame, let name, let every):
                guard timer.screen.map({ store.place(ofScreen: $0) != nil }) ?? true else { continue }
                if let every {
                    var next = timer
                    next.due = max(timer.due + every, environment.now + budget.shortestInterval)
                    store.timers.append(next)
                }
                note(.timer, name)
                if !frame.isOpening { hasPersonalCause = true }
                push(steps, frame)
            case .response(let request, let outcome): finish(request, outcome)
            case .resend(let request): resend(request)
            }
        }
    }
}
