internal import WidgetPredicates

/// Children that are made once for each item, and nodes that give names to values.
extension Evaluation {
    /// The scope within a node with local values; `nil` if one of them fails, when the node is not shown.
    mutating func localScope(of node: NodePlan, _ outer: ItemScope?) -> ItemScope? {
        do throws(PredicateError) {
            // What a document in a row shows may change without a change of the row's own inputs.
            if nesting > 0 { logs[nesting - 1].expires(at: scope.environment.now) }
            scope.meter?.spend(Meter.binding + node.locals.count * Meter.item)
            return try ItemScope(scope, locals: node.locals, in: outer)
        } catch {
            report(
                Finding(
                    .warning, Finding.Code(error), "\(error.sentence) in a value that is passed", at: node.place,
                    hint: error.hint))
            return nil
        }
    }

    /// The children of all items, or those for an empty list.
    mutating func repeated(
        _ repetition: Repetition, of id: NodeID, _ outer: Value, _ item: ItemScope?, depth: Int
    ) -> NodeList {
        if isExhausted() { return [] }
        var run = RepetitionRun(repetition, id, outer, item, depth: depth)
        // Rows within rows are reused with the row around them.
        if item?.key == nil, nesting == 0 { return reusedRows(&run) }
        if repetition.dependsOnClock { item?.log?.expires(at: scope.environment.now) }
        let items: RepeatedItems
        do throws(PredicateError) {
            items = try RepeatedItems(
                repetition, of: id, in: outer, item?.context ?? scope.context, outer: item?.key, limit: budget.rowCount)
        } catch {
            report(error, repetition)
            return []
        }
        complain(about: items, repetition)
        if items.values.isEmpty { return NodeList(instead(run)) }
        var views: [ViewNode] = []
        views.reserveCapacity(items.values.count * repetition.template.count)
        for place in items.values.indices {
            if isExhausted() { break }
            appendRow(place, of: items, run, to: &views)
        }
        return NodeList(views)
    }

    /// The nodes that are shown while there are no items.
    mutating func instead(_ run: RepetitionRun) -> [ViewNode] {
        var views: [ViewNode] = []
        for child in run.repetition.empty {
            if let view = node(child, run.outer, item: run.item, depth: run.depth + 1) { views.append(view) }
        }
        return views
    }

    /// Evaluates the nodes of one item.
    mutating func appendRow(_ place: Int, of items: RepeatedItems, _ run: RepetitionRun, to views: inout [ViewNode]) {
        scope.meter?.spend(Meter.row)
        let inner = ItemScope(
            scope, content: items.values[place], key: items.key(place), run.repetition, in: run.item,
            noting: run.noting)
        evaluatedRows += 1
        for child in run.repetition.template {
            if let view = node(child, .object(inner), item: inner, depth: run.depth + 1) { views.append(view) }
        }
    }

    mutating func report(_ error: PredicateError, _ repetition: Repetition) {
        report(
            Finding(
                .warning, Finding.Code(error), "\(error.sentence) in `\(repetition.items.source)`",
                at: repetition.place, hint: error.hint))
    }

    mutating func complain(about items: RepeatedItems, _ repetition: Repetition) {
        if items.isCut {
            report(
                Finding(
                    .error, .rowBudget, "There are more than \(budget.rowCount) items", at: repetition.place,
                    hint: "the first \(budget.rowCount) are shown"))
        }
        if !items.turns.isEmpty {
            report(
                Finding(
                    .warning, .duplicateIdentifier,
                    "\(items.turns.count) items have the key of another one in `\(repetition.key?.source ?? "")`",
                    at: repetition.place, hint: "what is typed into them may move to another"))
        }
    }
}

/// A repetition in the place where it is evaluated.
struct RepetitionRun {
    let repetition: Repetition
    let id: NodeID
    /// The scope around it.
    let outer: Value
    let item: ItemScope?
    let depth: Int
    /// The logs of rows that the next view may reuse.
    var noting: RowNoting?

    init(_ repetition: Repetition, _ id: NodeID, _ outer: Value, _ item: ItemScope?, depth: Int) {
        self.repetition = repetition
        self.id = id
        self.outer = outer
        self.item = item
        self.depth = depth
    }
}

extension Reducer {
    /// True for a row that is a child of a list which shows it now.
    func isShown(authoredRow key: ViewKey) -> Bool {
        guard let scene = program.scenes[store.screens.last?.scene ?? ""],
            let (list, repetitions) = scene.list(around: key.node),
            let place = store.place(ofScreen: key.screen),
            let scope = ScreenScope(program, store, screen: place, environment, meter: meter)
        else { return false }
        // The item of the list is the one around those of its rows.
        var item = key.item
        while let inner = item, repetitions.contains(inner.list) { item = inner.outer?.key }
        var evaluation = Evaluation(scope, store, budget, EvaluationCache())
        // A list whose item is gone has no rows.
        let around = try? scope.scope(of: list, item: item)
        let view = evaluation.node(list, around.map { .object($0) } ?? .object(scope), item: around, depth: 1)
        return view?.children.contains { $0.key == key } ?? false
    }
}

extension Scene {
    /// The list whose rows are its children, one of which is this node, and the repetitions between them.
    fileprivate func list(around row: NodeID) -> (list: NodeID, repetitions: Set<NodeID>)? {
        for (list, node) in nodes.enumerated() where node.list == nil && (node.kind == .list || node.kind == .grid) {
            var pending = node.children.map { (id: $0, around: Set<NodeID>()) }
            var seen: Set<NodeID> = []
            while let (id, around) = pending.popLast() {
                if id == row { return (list, around) }
                guard let repetition = self.node(id)?.repetition, seen.insert(id).inserted else { continue }
                pending += (repetition.template + repetition.empty).map { ($0, around.union([id])) }
            }
        }
        return nil
    }
}
