internal import WidgetContract
internal import WidgetPredicates

/// Links to elsewhere, and from there.
extension Reducer {
    /// Has the host open an address.
    mutating func open(_ address: String) {
        guard environment.abilities.contains(.links) else {
            unsent = "the host opens no links"
            return
        }
        note(.action, "open \(address)")
        effects.append(.open(address))
    }

    /// Opens the address of a pattern, unless a part has no value or one of another type.
    mutating func open(_ pattern: LinkPattern, _ parts: Value) {
        do throws(LinkError) {
            open(try pattern.address { parts.member($0) })
        } catch {
            unsent = "\(error)"
        }
    }

    /// Shows a screen about something. One that is open with the same content comes to the front; another one lies above the
    /// screen in front, with a way back to that.
    mutating func arrive(at name: String, about content: Value) {
        guard let entry = program.entries[name], let scene = program.scenes[entry.scene] else {
            refusal = "the widget has no screen \(name.excerpt)"
            return
        }
        store.alerts = []
        if store.screens.isEmpty { show(program.initial, content: .null, from: nil) }
        let wanted = scene.takesContent ? content.kept : .null
        let isShown = bringForward(
            { $0.scene == scene.name && (wanted.isNull || $0.content.isIdentical(to: wanted)) }, scene: scene.name,
            content: wanted)
        if isShown { return }
        show(name, content: content, from: store.screens.last.map { StepFrame(screen: $0.number) }, isArrival: true)
    }

    /// Chooses the first item of a list whose member has the text of a value, if there is one.
    mutating func reveal(_ value: Value, at keyPath: [String], of list: String, _ frame: StepFrame) {
        guard let scene = scene(frame.screen), let id = scene.list(list), let scope = scope(frame),
            frame.screen == store.screens.last?.number,
            let item = scope.item(
                of: scene.repetitions(in: id), having: value.text ?? value.shown, at: keyPath, limit: budget.rowCount)
        else { return }
        reveal(item, in: list)
    }

    /// Chooses an item of a list, as a touch does, without what a touch leads to.
    mutating func reveal(_ item: RevealedItem, in list: String) {
        guard let screen = store.screens.last, let scene = scene(screen.number), let id = scene.list(list) else {
            refusal = "the screen has no list \(list.excerpt)"
            return
        }
        guard case .row(let item) = item, let template = scene.node(id)?.list else {
            if case .repeated(let item, let content) = item {
                set(screen.number) { $0.touched[item.list] = content }
                bringIntoSight(item, on: screen.number)
            }
            return
        }
        let items = ShownList(template, in: screen).state.items
        guard 0..<items.count ~= item else {
            refusal = "the list \(list.excerpt) has no item \(item)"
            return
        }
        let content = items.item(item, in: store.records)
        set(screen.number) { screen in
            if template.collectsSelection { screen.selection[id] = [content] } else { screen.touched[id] = content }
        }
        bringIntoSight(items.key(item, of: id), on: screen.number)
    }

    private mutating func bringIntoSight(_ item: ItemKey, on screen: Int) {
        store.revealCount += 1
        let place = RevealedPlace(number: store.revealCount, item: item)
        set(screen) { $0.revealed = place }
    }
}
