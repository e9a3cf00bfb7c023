internal import WidgetPredicates

/// Changes of states and of their parts.
extension Reducer {
    /// A value within a state, with the values around it.
    struct StateSpot {
        /// A part at the moment of a change.
        enum Part {
            case member(String)
            case item(Int)
        }

        let path: StatePath
        var parts: [Part] = []
        /// The values that have the parts, the state first.
        var around: [Value] = []
        var value: Value
    }

    /// Gives a state, or a part of one, a value.
    mutating func setState(_ path: StatePath, _ value: Value, _ frame: StepFrame, at origin: Place? = nil) {
        guard !path.parts.isEmpty else { return setState(path.state, value, of: frame.screen, at: origin) }
        if let spot = spot(path, frame, at: origin) { replace(spot, with: value, frame, at: origin) }
    }

    /// The value at a path. A part that is not there is reported, unless it is a member that can be added.
    mutating func spot(_ path: StatePath, _ frame: StepFrame, at origin: Place?) -> StateSpot? {
        guard let scene = scene(frame.screen), let place = store.place(ofScreen: frame.screen) else { return nil }
        let screen = store.screens[place]
        let whole = screen.states[path.state] ?? scene.states[path.state] ?? .null
        var spot = StateSpot(path: path, value: whole)
        guard !path.parts.isEmpty else { return spot }
        // The values around the part are copied, and their extents are computed.
        meter.spend((screen.stateExtents[path.state] ?? ValueExtent(of: whole)).weight)
        for (count, written) in path.parts.enumerated() {
            let part: StateSpot.Part
            switch written {
            case .member(let key): part = .member(key)
            case .item(let list):
                guard let place = itemPlace(in: list, frame) else {
                    report(
                        .warning, .badValue, "\(path.prefix(count)) has the item no longer", at: origin,
                        hint: "nothing is changed")
                    return nil
                }
                part = .item(place)
            }
            guard let inner = spot.value.part(part) else {
                report(
                    .warning, .badValue,
                    "\(path.prefix(count)) is \(spot.value.kindName), and has to be \(part.owner)", at: origin,
                    hint: "it stays as it is")
                return nil
            }
            spot.parts.append(part)
            spot.around.append(spot.value)
            spot.value = inner
        }
        return spot
    }

    /// Puts another value into the place of one. A part that has the value already leaves its state untouched.
    ///
    /// - Parameter extent: that of the value, if it is known.
    mutating func replace(
        _ spot: StateSpot, with value: Value, _ frame: StepFrame, at origin: Place?, extent: ValueExtent? = nil
    ) {
        guard !spot.parts.isEmpty else {
            return setState(spot.path.state, value, of: frame.screen, at: origin, extent: extent)
        }
        if value.isUnchanged(from: spot.value) { return }
        var whole = value
        for (around, part) in zip(spot.around, spot.parts).reversed() { whole = around.replacing(part, with: whole) }
        guard !whole.isLarger(depth: budget.valueDepth, count: budget.valueCount) else {
            report(
                .error, .countBudget,
                "\(spot.path.state) would have more than \(budget.valueCount) values, or values more than \(budget.valueDepth) deep in each other",
                at: origin, hint: "it stays as it is")
            return
        }
        setState(spot.path.state, whole, of: frame.screen, at: origin)
    }

    /// The place of the item that a step is about, among those of a repetition.
    private func itemPlace(in list: NodeID, _ frame: StepFrame) -> Int? {
        var next = frame.item
        while let key = next, key.list != list { next = key.outer?.key }
        guard let key = next, let scope = scope(frame), let repetition = scope.scene.node(list)?.repetition else {
            return nil
        }
        do throws(PredicateError) {
            let around = try scope.scope(of: list, item: key.outer?.key)
            let items = try RepeatedItems(
                repetition, of: list, in: around.map { .object($0) } ?? .object(scope), scope.context,
                outer: around?.key, limit: .max)
            return items.place(of: key)
        } catch {
            return nil
        }
    }

    /// Gives a state a value, unless all states of the open screens together would be too large: values that are used
    /// again could grow with every event.
    private mutating func setState(
        _ name: String, _ value: Value, of number: Int, at origin: Place?, extent: ValueExtent? = nil
    ) {
        let extent = extent ?? ValueExtent(of: value)
        let weight = extent.weight
        let before = store.place(ofScreen: number).flatMap { store.screens[$0].stateExtents[name]?.weight } ?? 0
        let all = store.screens.reduce(0) { $1.stateExtents.values.reduce($0) { $0 + $1.weight } }
        guard weight <= before || all - before + weight <= budget.stateWeight else {
            report(
                .error, .byteBudget, "The states would come to more than \(budget.stateWeight * 16) bytes", at: origin,
                hint: "\(name.excerpt) stays as it is")
            return
        }
        set(number) { screen in
            screen.states[name] = value
            screen.stateExtents[name] = extent
        }
        guard let setting = scene(number)?.persisted[name] else { return }
        store.defaults[setting] = value
        // All settings are sorted again.
        meter.spend(Meter.item * store.settings.keys.count + store.settings.extent.weight)
        effects.append(.settings)
    }
}

extension Reducer.StateSpot.Part {
    /// The kind of value that has such a part, for messages.
    fileprivate var owner: String {
        switch self {
        case .member: "a record"
        case .item: "a list"
        }
    }
}

extension PredicateValue {
    /// The value of a part; `nil` if the value cannot have it. Nothing becomes a record when it gets a member.
    fileprivate func part(_ part: Reducer.StateSpot.Part) -> Value? {
        switch (self, part) {
        case (.dictionary(let members), .member(let key)): members[key] ?? .null
        case (.null, .member): .null
        case (.array(let items), .item(let place)), (.set(let items), .item(let place)):
            items.indices.contains(place) ? items[place] : nil
        default: nil
        }
    }

    /// The value with another part in the place of one that it can have.
    fileprivate func replacing(_ part: Reducer.StateSpot.Part, with value: Value) -> Value {
        switch (self, part) {
        case (.dictionary(let members), .member(let key)): return .dictionary(members.setting(key, to: value))
        case (.array(var items), .item(let place)), (.set(var items), .item(let place)):
            if items.indices.contains(place) { items[place] = value }
            return .array(items)
        case (_, .member(let key)): return .dictionary(PredicateDictionary([(key, value)]))
        default: return self
        }
    }
}
