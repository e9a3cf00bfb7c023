internal import WidgetPredicates

/// The steps of an element that comes and goes.
package final class Lifecycle: Sendable {
    package let appear: [Step]
    /// For the first time that it comes on its screen.
    package let once: [Step]
    package let disappear: [Step]

    package init(appear: [Step] = [], once: [Step] = [], disappear: [Step] = []) {
        (self.appear, self.once, self.disappear) = (appear, once, disappear)
    }
}

/// An element that is shown, and the item that it is made for.
struct MountedElement: Sendable {
    var key: SlotKey
    var item: Value

    /// The name of no property, which makes a key of an element.
    static let property: PropertyName = "mounted"

    /// The key of an element in another scene: that of the same name; of those without one, that at the same place.
    static func key(_ old: SlotKey, from before: Scene, to scene: Scene) -> SlotKey? {
        if old.item != nil { return SlotKey(old, from: before, to: scene) }
        if let name = before.node(old.node)?.identifier {
            guard case .node(let id)? = scene.names[name], scene.node(id)?.lifecycle != nil else { return nil }
            return SlotKey(id, old.property)
        }
        let (nameless, others) = (before.namelessLives, scene.namelessLives)
        guard nameless.count == others.count, let place = nameless.firstIndex(of: old.node) else { return nil }
        return SlotKey(others[place], old.property)
    }
}

extension Scene {
    fileprivate var namelessLives: [NodeID] {
        nodes.indices.filter { nodes[$0].lifecycle != nil && nodes[$0].identifier == nil }
    }

    /// The last values of observations that another program has as well.
    func observed(from before: Scene, _ values: [Int: Value]) -> [Int: Value] {
        func names(_ scene: Scene) -> [(place: Int, name: String)] {
            var counts: [String: Int] = [:]
            var names: [(place: Int, name: String)] = []
            for (place, observation) in scene.observations.enumerated() {
                guard let name = observation.name else { continue }
                counts[name, default: 0] += 1
                names.append((place, "\(name) \(counts[name, default: 0])"))
            }
            return names
        }
        if values.isEmpty { return [:] }
        let old = Dictionary(names(before).map { ($0.name, $0.place) }) { first, _ in first }
        var kept: [Int: Value] = [:]
        for (place, name) in names(self) { kept[place] = old[name].flatMap { values[$0] } }
        return kept
    }
}

/// Looks for the elements with steps for coming and going that are shown. It visits no others.
private struct MountSearch {
    let scope: ScreenScope
    let living: Set<NodeID>
    let rowCount: Int
    let depth: Int
    var found: [MountedElement] = []

    mutating func visit(_ id: NodeID, _ outer: ItemScope?, depth: Int) {
        guard living.contains(id), depth > 0, !(scope.meter?.isEmpty ?? false), let node = scope.node(id) else {
            return
        }
        scope.meter?.spend(Meter.node)
        var item = outer
        if !node.locals.isEmpty {
            scope.meter?.spend(Meter.binding + node.locals.count * Meter.item)
            // The view reports a value that cannot be passed.
            guard let inner = try? ItemScope(scope, locals: node.locals, in: outer) else { return }
            item = inner
        }
        if PropertyReader.value(.hidden, of: id, item: item, in: scope).truth { return }
        if scope.scene.node(id)?.lifecycle != nil {
            found.append(
                MountedElement(
                    key: SlotKey(id, MountedElement.property, item: item?.key), item: item?.content.kept ?? .null))
        }
        for child in node.children {
            guard let repetition = scope.node(child)?.repetition else {
                visit(child, item, depth: depth - 1)
                continue
            }
            guard living.contains(child), !PropertyReader.value(.hidden, of: child, item: item, in: scope).truth else {
                continue
            }
            repeated(repetition, child, item, depth: depth - 1)
        }
    }

    private mutating func repeated(_ repetition: Repetition, _ id: NodeID, _ outer: ItemScope?, depth: Int) {
        let around: Value = outer.map { .object($0) } ?? .object(scope)
        guard
            let items = try? RepeatedItems(
                repetition, of: id, in: around, outer?.context ?? scope.context, outer: outer?.key, limit: rowCount)
        else { return }
        if items.values.isEmpty {
            for child in repetition.empty { visit(child, outer, depth: depth) }
        }
        for place in items.values.indices where !(scope.meter?.isEmpty ?? false) {
            scope.meter?.spend(Meter.row)
            let inner = ItemScope(scope, content: items.values[place], key: items.key(place), repetition, in: outer)
            for child in repetition.template { visit(child, inner, depth: depth) }
        }
    }
}

extension Reducer {
    /// Runs the steps of the elements on the visible screen that have come or gone since the last time.
    mutating func mount() {
        guard let screen = store.screens.last, let plan = program.plans[screen.scene],
            !plan.living.isEmpty || !screen.mounted.isEmpty, let scope = scope(StepFrame(screen: screen.number))
        else { return }
        var search = MountSearch(scope: scope, living: plan.living, rowCount: budget.rowCount, depth: budget.depth)
        search.visit(scope.scene.root, nil, depth: budget.depth)
        // Elements that were not visited are not gone.
        if meter.isEmpty { return }
        let isOpening = !screen.isMounted || !hasPersonalCause
        if !screen.isMounted { set(screen.number) { $0.isMounted = true } }
        let (before, now) = (Set(screen.mounted.map { $0.key }), Set(search.found.map { $0.key }))
        if before == now { return }
        let found = search.found
        set(screen.number) { $0.mounted = found }
        // The last steps that are pushed run first.
        for element in found.reversed() where !before.contains(element.key) {
            guard let lifecycle = scope.scene.node(element.key.node)?.lifecycle else { continue }
            var frame = frame(of: element, screen.number, plan)
            frame.isOpening = isOpening
            push(lifecycle.appear, frame)
            guard !lifecycle.once.isEmpty, screen.known.count < budget.rowCount, !screen.known.contains(element.key)
            else { continue }
            set(screen.number) { $0.known.insert(element.key) }
            push(lifecycle.once, frame)
        }
        leave(screen.mounted.filter { !now.contains($0.key) }, screen.number, plan)
    }

    private mutating func leave(_ elements: [MountedElement], _ number: Int, _ plan: ScenePlan) {
        for element in elements.reversed() {
            push(
                scene(number)?.node(element.key.node)?.lifecycle?.disappear ?? [], frame(of: element, number, plan))
        }
    }

    private func frame(of element: MountedElement, _ number: Int, _ plan: ScenePlan) -> StepFrame {
        var frame = StepFrame(screen: number, sender: element.key.node)
        if plan.hasLocalScopes { frame.scopeNode = element.key.node }
        frame.item = element.key.item
        frame.argument = element.item
        return frame
    }

    /// Runs the last steps of the elements on screens that are about to be closed, while the screens are still there.
    mutating func depart(_ closing: [Screen]) {
        guard !isDeparting, closing.contains(where: { !$0.mounted.isEmpty }) else { return }
        isDeparting = true
        let waiting = pending
        pending = []
        for screen in closing {
            guard let plan = program.plans[screen.scene] else { continue }
            set(screen.number) { $0.mounted = [] }
            leave(screen.mounted, screen.number, plan)
        }
        let hasEnded = work()
        pending = hasEnded ? waiting : []
        isDeparting = false
    }
}
