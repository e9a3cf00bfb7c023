internal import Predicates

extension Reducer {
    mutating func accept(_ event: Event) {
        switch event {
        case .start: if store.screens.isEmpty { show(program.initial, content: .null, from: nil) }
        case .tap(let key): tap(key)
        case .input(let key, let value): input(key, value)
        case .submit(let key): submit(key)
        case .select(let key, let section, let row): select(key, section, row)
        case .deleteRow(let key, let section, let row): delete(key, section, row)
        case .scroll(let key, let toEnd): scroll(key, toEnd: toEnd)
        case .refresh(let key): send(.refresh, to: key)
        case .pick(let key, let media): pick(key, media)
        case .back: goBack()
        case .link(let url): effects.append(.open(url))
        case .time: turnTimers()
        case .response(let number, let outcome): finish(number, outcome)
        case .progress(let number, let fraction): progress(number, fraction)
        case .setting(let name, let value):
            store.defaults[name] = value.kept
            effects.append(.settings)
        case .signal(let name, let phase, let error):
            pending.append(.signal(Signal(name: name, phase: phase, error: error)))
        }
    }

    /// The frame of what happens at an element, or why nothing can.
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
        if let item = key.item {
            frame.item = item
            frame.content = content(of: item, scene, screen)
            frame.prototype = node.prototype ?? key.node
        }
        return (node, frame)
    }

    private func content(of item: ItemKey, _ scene: Scene, _ screen: Screen) -> Value {
        if item.isRecord { return RecordObject(item.number, in: store.records).map { .object($0) } ?? .null }
        guard let list = scene.node(item.list)?.list,
            case .values(let values) = state(of: list, screen).items, values.indices.contains(item.number)
        else { return .null }
        return values[item.number]
    }

    func state(of list: ListTemplate, _ screen: Screen) -> SourceState {
        let isSearching = list.searchAction.map { !(screen.searching[$0] ?? "").isEmpty } ?? false
        let name = isSearching ? list.searchSource ?? list.source : list.source
        return name.flatMap { screen.sources[$0] } ?? SourceState()
    }

    private mutating func isDisabled(_ node: Node, _ frame: StepFrame, _ property: PropertyName) -> Bool {
        current(property, frame).truth
    }

    /// What a property of the element that a frame is about is at the moment.
    private func current(_ property: PropertyName, _ frame: StepFrame) -> Value {
        guard let scope = scope(frame), let id = frame.sender else { return .null }
        let item = frame.content.map {
            ItemScope(scope, content: $0, key: frame.item, prototype: frame.prototype ?? id, log: nil)
        }
        return PropertyReader.value(property, of: id, item: item, in: scope)
    }

    // MARK: - Touch

    private mutating func tap(_ key: ViewKey) {
        switch key.node {
        case ViewKey.back: return goBack()
        case ViewKey.alertButton:
            store.alerts.removeAll { $0.number == key.screen }
            return
        case ViewKey.searchCancel: return endEditing(key.screen)
        default: break
        }
        guard let (node, frame) = frame(of: key) else { return }
        if isDisabled(node, frame, .disabled) {
            refusal = "the element is disabled"
            return
        }
        if node.kind == .toggle {
            return input(key, .boolean(!current(.value, frame).truth))
        }
        if let item = key.item, node.events[.tap] == nil { return choose(item, frame) }
        if node.kind == .textField || node.kind == .textArea || node.kind == .searchField {
            set(frame.screen) { $0.focus = key.node }
        }
        guard let steps = node.events[.tap] else {
            if node.kind != .textField, node.kind != .textArea, node.kind != .searchField {
                refusal = "nothing happens when the element is tapped"
            }
            return
        }
        push(steps, frame)
    }

    /// What a person can give a value.
    private static let controls: Set<NodeKind> = [
        .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .datePicker, .pageControl,
    ]

    private mutating func input(_ key: ViewKey, _ value: Value) {
        guard case (let node, var frame)? = frame(of: key) else { return }
        if isDisabled(node, frame, .disabled) || isDisabled(node, frame, .readOnly) {
            refusal = "the element cannot be changed now"
            return
        }
        guard Reducer.controls.contains(node.kind) || node.events[.change] != nil else {
            refusal = "the element has no value that could be changed"
            return
        }
        let property = program.vocabulary.values[node.kind] ?? .value
        guard let value = fitting(value, to: key.node, node, frame) else {
            refusal = "\(value.shown.isEmpty ? "nothing" : value.shown) is no value for a \(node.kind.name)"
            return
        }
        set(frame.screen) { screen in
            screen.slots[SlotKey(key.node, property, item: key.item)] = value
            screen.missing.remove(key.node)
            if [.textField, .textArea, .searchField].contains(node.kind) { screen.focus = key.node }
        }
        frame.argument = value
        push(node.events[.change] ?? [], frame)
    }

    /// What the element makes of a value, or `nil` when it ignores it.
    func fitting(_ value: Value, to id: NodeID, _ node: Node, _ frame: StepFrame) -> Value? {
        guard let scope = scope(frame) else { return nil }
        return ControlValue.fitting(value, node.kind) { PropertyReader.value($0, of: id, item: nil, in: scope) }
    }

    private mutating func submit(_ key: ViewKey) {
        guard case (let node, var frame)? = frame(of: key), let scope = scope(frame) else { return }
        let property = program.vocabulary.values[node.kind] ?? .value
        frame.argument = PropertyReader.value(property, of: key.node, item: nil, in: scope)
        guard let steps = node.events[.submit] else {
            refusal = "nothing happens when the element is submitted"
            return
        }
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
        let items = state(of: list, screen).items
        frame.argument = item(of: items, toEnd ? items.count - 1 : 0)
        push(steps, frame)
    }

    func item(of items: SourceState.Items, _ place: Int) -> Value {
        switch items {
        case .records(let ids):
            ids.indices.contains(place)
                ? RecordObject(ids[place], in: store.records).map { .object($0) } ?? .null : .null
        case .values(let values): values.indices.contains(place) ? values[place] : .null
        }
    }

    // MARK: - Rows

    private mutating func rowItem(_ key: ViewKey, _ section: Int, _ row: Int) -> ItemKey? {
        guard let (node, _) = frame(of: key), let screen = store.screens.last else { return nil }
        guard let list = node.list else {
            refusal = "the element has no rows"
            return nil
        }
        let state = state(of: list, screen)
        let start = state.sections.indices.contains(section) ? state.sections[section].start : section == 0 ? 0 : -1
        let count = state.sections.indices.contains(section) ? state.sections[section].count : state.items.count
        guard start >= 0, row >= 0, row < count else {
            refusal =
                "the list has no row \(row)" + (section > 0 ? " in section \(section)" : "") + ", but \(count) rows"
            return nil
        }
        switch state.items {
        case .records(let ids): return ItemKey(list: key.node, number: ids[start + row], isRecord: true)
        case .values: return ItemKey(list: key.node, number: start + row, isRecord: false)
        }
    }

    private mutating func select(_ key: ViewKey, _ section: Int, _ row: Int) {
        guard let item = rowItem(key, section, row), let (_, frame) = frame(of: key) else { return }
        choose(item, frame)
    }

    private mutating func choose(_ item: ItemKey, _ frame: StepFrame) {
        guard let scene = scene(frame.screen), let screen = store.screens.last, let list = scene.node(item.list)?.list
        else { return }
        let content = content(of: item, scene, screen)
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
        guard let prototype = prototype(of: list, content, frame) else { return }
        var frame = frame
        (frame.item, frame.content, frame.prototype) = (item, content, prototype)
        push(scene.node(prototype)?.events[.select] ?? [], frame)
    }

    private mutating func prototype(of list: ListTemplate, _ content: Value, _ frame: StepFrame) -> NodeID? {
        var frame = frame
        frame.content = content
        frame.prototype = nil
        let isSearching =
            list.searchAction.map { id in
                store.screens.last.map { !($0.searching[id] ?? "").isEmpty } ?? false
            } ?? false
        if let choice = isSearching ? list.searchChoice ?? list.choice : list.choice,
            let prototype = list.prototypes[value(choice, frame).shown]
        {
            return prototype
        }
        let name = (isSearching ? list.searchPrototype : nil) ?? list.prototype
        return list.prototype(named: name)
    }

    private mutating func delete(_ key: ViewKey, _ section: Int, _ row: Int) {
        // A row may be named itself, in place of its list and where it stands in it.
        let list = key.item.map { ViewKey(screen: key.screen, node: $0.list) } ?? key
        guard let item = key.item ?? rowItem(key, section, row), case (let node, var frame)? = frame(of: list),
            let scene = scene(frame.screen),
            let screen = store.screens.last
        else { return }
        let content = content(of: item, scene, screen)
        guard node.list?.allowsDeletion ?? false, content.recordID != nil, content.member("isMine").truth else {
            refusal = "only own records can be deleted here"
            return
        }
        frame.content = content
        frame.argument = content
        push(node.events[.delete] ?? [.delete(.literal(content))], frame)
    }

    mutating func set(_ number: Int, _ change: (inout Screen) -> Void) {
        guard let place = store.place(ofScreen: number) else { return }
        change(&store.screens[place])
    }

    mutating func endEditing(_ number: Int) {
        guard let place = store.place(ofScreen: number), let focus = store.screens[place].focus else { return }
        store.screens[place].focus = nil
        push(scene(number)?.node(focus)?.events[.cancel] ?? [], StepFrame(screen: number, sender: focus))
    }

    // MARK: - Time

    private mutating func turnTimers() {
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
                push(steps, frame)
            case .response(let request, let outcome): finish(request, outcome)
            case .resend(let request): resend(request)
            }
        }
    }
}
