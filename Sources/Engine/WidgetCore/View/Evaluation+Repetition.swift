internal import Predicates

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
                Diagnostic(
                    .warning, Diagnostic.Code(error), "\(error.sentence) in a value that is passed", at: node.place,
                    hint: error.hint))
            return nil
        }
    }

    /// The children of all items, or those for an empty list.
    mutating func repeated(
        _ repetition: Repetition, of id: NodeID, _ outer: Value, _ item: ItemScope?, depth: Int
    ) -> [ViewNode] {
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
        if items.values.isEmpty { return instead(run) }
        var views: [ViewNode] = []
        views.reserveCapacity(items.values.count * repetition.template.count)
        for place in items.values.indices {
            if isExhausted() { break }
            appendRow(place, of: items, run, to: &views)
        }
        return views
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
            Diagnostic(
                .warning, Diagnostic.Code(error), "\(error.sentence) in `\(repetition.items.source)`",
                at: repetition.place, hint: error.hint))
    }

    mutating func complain(about items: RepeatedItems, _ repetition: Repetition) {
        if items.isCut {
            report(
                Diagnostic(
                    .error, .rowBudget, "There are more than \(budget.rowCount) items", at: repetition.place,
                    hint: "the first \(budget.rowCount) are shown"))
        }
        if !items.turns.isEmpty {
            report(
                Diagnostic(
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
    /// The row of a list that has rows as its children, counted within a section. A section begins with its header.
    func authoredRows(of list: ViewKey) -> [[ViewKey]] {
        guard let place = store.place(ofScreen: list.screen),
            let scope = ScreenScope(program, store, screen: place, environment, meter: meter)
        else { return [] }
        var evaluation = Evaluation(scope, store, budget, EvaluationCache())
        // A list whose item is gone has no rows.
        let inner = try? scope.scope(of: list.node, item: list.item)
        guard
            let view = evaluation.node(
                list.node, inner.map { .object($0) } ?? .object(scope), item: inner, depth: 1)
        else { return [] }
        var sections: [[ViewKey]] = [[]]
        for child in view.children {
            if child.kind == .sectionHeader {
                if sections.count > 1 || !sections[0].isEmpty { sections.append([]) } else { sections = [[]] }
            }
            if child.kind == .row { sections[sections.count - 1].append(child.key) }
        }
        return sections
    }
}
