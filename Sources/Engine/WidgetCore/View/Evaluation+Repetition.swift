internal import Predicates

/// Children that are made once for each item, and nodes that give names to values.
extension Evaluation {
    /// The scope within a node with local values; `nil` if one of them fails, when the node is not shown.
    mutating func localScope(of node: NodePlan, _ outer: ItemScope?) -> ItemScope? {
        do throws(PredicateError) {
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
        let items: RepeatedItems
        do throws(PredicateError) {
            items = try RepeatedItems(
                repetition, of: id, in: outer, item?.context ?? scope.context, outer: item?.key, limit: budget.rowCount)
        } catch {
            report(
                Diagnostic(
                    .warning, Diagnostic.Code(error), "\(error.sentence) in `\(repetition.items.source)`",
                    at: repetition.place, hint: error.hint))
            return []
        }
        complain(about: items, repetition)
        var views: [ViewNode] = []
        if items.values.isEmpty {
            for child in repetition.empty {
                if let view = node(child, outer, item: item, depth: depth + 1) { views.append(view) }
            }
            return views
        }
        views.reserveCapacity(items.values.count * repetition.template.count)
        for (content, key) in zip(items.values, items.keys) {
            if isExhausted() { break }
            scope.meter?.spend(Meter.row)
            let inner = ItemScope(scope, content: content, key: key, repetition, in: item)
            evaluatedRows += 1
            for child in repetition.template {
                if let view = node(child, .object(inner), item: inner, depth: depth + 1) { views.append(view) }
            }
        }
        return views
    }

    private mutating func complain(about items: RepeatedItems, _ repetition: Repetition) {
        if items.isCut {
            report(
                Diagnostic(
                    .error, .rowBudget, "There are more than \(budget.rowCount) items", at: repetition.place,
                    hint: "the first \(budget.rowCount) are shown"))
        }
        if items.duplicateCount > 0 {
            report(
                Diagnostic(
                    .warning, .duplicateIdentifier,
                    "\(items.duplicateCount) items have the key of another one in `\(repetition.key?.source ?? "")`",
                    at: repetition.place, hint: "what is typed into them may move to another"))
        }
    }
}

extension Reducer {
    /// The row of a list that has rows as its children, counted within a section. A section begins with its header.
    func authoredRow(_ list: ViewKey, section: Int, row: Int) -> ViewKey? {
        guard section >= 0, row >= 0, let place = store.place(ofScreen: list.screen),
            let scope = ScreenScope(program, store, screen: place, environment, meter: meter)
        else { return nil }
        var evaluation = Evaluation(scope, store, budget, EvaluationCache())
        // A list whose item is gone has no rows.
        let inner = try? scope.scope(of: list.node, item: list.item)
        guard
            let view = evaluation.node(
                list.node, inner.map { .object($0) } ?? .object(scope), item: inner, depth: 1)
        else { return nil }
        var sections: [[ViewKey]] = [[]]
        for child in view.children {
            if child.kind == .sectionHeader {
                if sections.count > 1 || !sections[0].isEmpty { sections.append([]) } else { sections = [[]] }
            }
            if child.kind == .row { sections[sections.count - 1].append(child.key) }
        }
        guard sections.indices.contains(section), sections[section].indices.contains(row) else { return nil }
        return sections[section][row]
    }
}
