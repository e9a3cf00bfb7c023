internal import WidgetPredicates

/// Changes of lists, and steps that lead out of a screen or a component.
extension Reducer {
    /// Changes a list that is a state or a part of one. A value that is not a list stays as it is.
    mutating func edit(_ edit: ListEdit, _ frame: StepFrame) {
        guard let spot = spot(edit.state, frame, at: edit.origin) else { return }
        var items: [Value]
        switch spot.value {
        case .array(let elements), .set(let elements): items = elements
        case .null: items = []
        default:
            report(
                .warning, .badValue, "\(edit.state) is \(spot.value.kindName), and has to be a list", at: edit.origin,
                hint: "it stays as it is")
            return
        }
        meter.spend(Meter.item * items.count)
        // The size of a state is known, and that of its next value follows from the items that are changed.
        var extent = spot.parts.isEmpty ? self.extent(of: edit.state.state, frame) : nil
        let value = edit.value.map { self.value($0, frame).kept } ?? .null
        switch edit.operation {
        case .append:
            items.append(value)
            extent = nil
        case .remove:
            extent = nil
            let places = self.places(of: edit, in: items, frame)
            items = items.enumerated().filter { !places.contains($0.offset) }.map { $0.element }
        case .update:
            let places = places(of: edit, in: items, frame)
            // Each of them gets all members.
            let (count, isTooMuch) = places.count.multipliedReportingOverflow(by: ValueExtent(of: value).weight)
            guard !isTooMuch, count <= budget.valueCount else { return refuse(edit) }
            meter.spend(Meter.item * count)
            for place in places {
                let next = edit.merges ? Reducer.merged(items[place], value) : value
                extent = extent?.replacing(ValueExtent(of: items[place]), with: ValueExtent(of: next))
                items[place] = next
            }
        }
        let list = Value.array(items)
        let isTooLarge =
            extent.map { $0.count > budget.valueCount || $0.depth > budget.valueDepth }
            ?? list.isLarger(depth: budget.valueDepth, count: budget.valueCount)
        if isTooLarge { return refuse(edit) }
        replace(spot, with: list, frame, at: edit.origin, extent: extent)
    }

    /// The size of a state that a step has changed; `nil` if it is not known.
    private func extent(of state: String, _ frame: StepFrame) -> ValueExtent? {
        store.place(ofScreen: frame.screen).flatMap { store.screens[$0].stateExtents[state] }
    }

    private mutating func refuse(_ edit: ListEdit) {
        report(
            .error, .countBudget, "\(edit.state) would have more than \(budget.valueCount) values", at: edit.origin,
            hint: "it stays as it is")
    }

    private mutating func places(of edit: ListEdit, in items: [Value], _ frame: StepFrame) -> Set<Int> {
        if let place = edit.place {
            let number = value(place, frame).number.flatMap { Int(exactly: $0) } ?? -1
            return items.indices.contains(number) ? [number] : []
        }
        guard let match = edit.match else { return [] }
        // As texts, so that an identifier that is a number finds one that was typed.
        let wanted = value(match, frame)
        return Set(
            items.indices.filter { place in
                let found = edit.key.isEmpty ? items[place] : items[place].member(at: edit.key)
                if found.isIdentical(to: wanted) { return true }
                guard let text = found.text else { return false }
                return text == wanted.text
            })
    }

    private static func merged(_ item: Value, _ members: Value) -> Value {
        guard case .dictionary(let old) = item, case .dictionary(let new) = members else { return members }
        let kept = zip(old.keys, old.values).filter { new[$0.0] == nil }
        return .dictionary(PredicateDictionary(kept.map { ($0.0, $0.1) } + zip(new.keys, new.values).map { ($0, $1) }))
    }

    /// Leaves a screen with a result, which the steps of the one that has shown it get as their argument.
    mutating func leave(with result: Value, isDismissal: Bool, _ frame: StepFrame) {
        guard let place = store.place(ofScreen: frame.screen) else { return }
        let screen = store.screens[place]
        if isDismissal { dismiss(screen.number) } else { goBack(from: screen.number) }
        guard store.place(ofScreen: screen.number) == nil, let opener = screen.opener else { return }
        var opening = opener.frame
        guard store.place(ofScreen: opening.screen) != nil else { return }
        // The result is as much a person's act as the leaving.
        (opening.argument, opening.isOpening) = (result.kept, frame.isOpening)
        push(opener.result, opening)
    }

    /// Focuses the element of that name.
    mutating func focus(on name: String, _ frame: StepFrame) {
        let scene = scene(frame.screen)
        // A state may have the name of its field.
        let named: NodeID? = if case .node(let node)? = scene?.names[name] { node } else { nil }
        guard let node = named ?? scene?.nodes.firstIndex(where: { $0.identifier == name }) else {
            report(.warning, .unknownIdentifier, "No element is called \(name.excerpt)")
            return
        }
        set(frame.screen) { $0.focus = node }
    }
}

/// The steps of a screen that wait for the result of the one it has shown.
struct ScreenOpener: Sendable {
    var frame: StepFrame
    var result: [Step]
}
