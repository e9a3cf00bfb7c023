internal import WidgetPredicates

/// Rows that the next evaluation can reuse, with the inputs that they read.
package struct EvaluationCache: Sendable {
    struct List: Sendable {
        var table: RecordTable
        var ids: [RecordID]
        var rows: NodeList
        /// Rows by the records they looked at, besides the one that each is about.
        var readers: [RecordID: [Int]]
        var expiries: [Double]
        var earliestExpiry: Double
        var now: Double
        var settings: PredicateDictionary
        var selection: [Value]
        var isSearching: Bool
    }

    struct ListKey: Hashable, Sendable {
        var screen: Int
        var node: NodeID
    }

    var lists: [ListKey: List] = [:]
    /// The rows of the repetitions of this view. Those that it does not show are forgotten.
    var rows: [ListKey: RepeatedRows] = [:]
    private var lastRows: [ListKey: RepeatedRows] = [:]
    private var facts: ViewFacts?
    /// The elements that have lost or got the keyboard focus since the last view.
    private(set) var movedMarks: [NodeID] = []
    /// The outermost items of repetitions in which something was typed since the last view.
    private(set) var editedItems: [ItemKey] = []
    /// The number of rows that the last evaluation could not reuse.
    package var reevaluatedRows = 0

    package init() {}

    /// The number of rows that the next view may reuse.
    package var rowCount: Int {
        lists.values.reduce(0) { $0 + $1.rows.count } + rows.values.reduce(0) { $0 + $1.rows.count }
    }

    /// Leaves an empty one.
    mutating func taken() -> EvaluationCache {
        let cache = self
        self = EvaluationCache()
        return cache
    }

    /// Begins a view.
    mutating func begin(_ facts: ViewFacts) {
        (lastRows, rows) = (rows, [:])
        (movedMarks, editedItems) = ([], [])
        if let before = self.facts, facts.allowsRows(of: before), let edited = facts.editedItems(since: before) {
            movedMarks = facts.movedMarks(since: before)
            editedItems = edited
        } else {
            lastRows = [:]
        }
        self.facts = facts
    }

    /// The rows that the last view had there, once.
    mutating func takeRows(_ key: ListKey) -> RepeatedRows? { lastRows.removeValue(forKey: key) }

    /// Ends a view, and forgets what it has not shown.
    mutating func end(_ evaluatedRows: Int, _ screens: [Screen]) {
        reevaluatedRows = evaluatedRows
        lastRows = [:]
        for key in lists.keys where !screens.contains(where: { $0.number == key.screen }) { lists[key] = nil }
    }

    /// The indexes of records in a list.
    fileprivate static func places(of records: [RecordID], in ids: [RecordID]) -> [Int] {
        if records.count < 8 { return records.compactMap { ids.firstIndex(of: $0) } }
        let wanted = Set(records)
        return ids.indices.filter { wanted.contains(ids[$0]) }
    }
}

extension Evaluation {
    mutating func rows(of shown: ShownList, _ id: NodeID, depth: Int) -> NodeList {
        let (list, state) = (shown.template, shown.state)
        var total = state.items.count
        if list.repetitions > 1 { total = total.multipliedReportingOverflow(by: list.repetitions).partialValue }
        if total > budget.rowCount || total < 0 {
            report(
                Finding(
                    .error, .rowBudget, "The list has more than \(budget.rowCount) rows", at: scene.node(id)?.place,
                    hint: "the first \(budget.rowCount) are shown"))
            total = budget.rowCount
        }
        if nesting > 0 {
            // A list in a row may change without a change of the row's own inputs.
            logs[nesting - 1].expires(at: scope.environment.now)
        }
        // Rows within rows are evaluated each time: cached ones would be free of charge, and multiply.
        if nesting == 0, case .records(let ids) = state.items, list.repetitions == 1, list.header == nil,
            list.footer == nil,
            total == ids.count, !scope.screen.slots.keys.contains(where: { $0.item?.list == id })
        {
            return cachedRows(of: shown, id, ids, depth: depth)
        }
        var rows: [ViewNode] = []
        rows.reserveCapacity(total)
        let sections = list.repetitions == 1 ? state.sections : []
        var starts = Dictionary(sections.map { ($0.start, $0) }) { first, _ in first }
        let ends = Dictionary(sections.map { ($0.start + $0.count - 1, $0) }) { first, _ in first }
        for place in 0..<total {
            if isExhausted() { break }
            if let section = starts.removeValue(forKey: place), let header = list.header,
                let node = extra(header, state, section, id, turn: ItemKey.headerTurn, depth: depth)
            {
                rows.append(node)
            }
            let count = state.items.count
            rows.append(contentsOf: row(of: shown, id, place % count, turn: place / count, depth: depth)?.node)
            if let footer = list.footer, let section = ends[place],
                let node = extra(footer, state, section, id, turn: ItemKey.footerTurn, depth: depth)
            {
                rows.append(node)
            }
        }
        return NodeList(rows)
    }

    /// A section's header or footer is about its first item.
    private mutating func extra(
        _ prototype: NodeID, _ state: SourceState, _ section: SourceState.Section, _ list: NodeID, turn: Int, depth: Int
    ) -> ViewNode? {
        // A list in a header is one within a row as well.
        if logs.count == nesting { logs.append(ReadLog()) }
        nesting += 1
        defer { nesting -= 1 }
        let (content, key) = content(of: state, section.start, list, turn: turn, log: nil)
        let item = ItemScope(scope, content: content, key: key, prototype: prototype, log: nil)
        return node(prototype, .object(item), item: item, depth: depth + 1)
    }

    private func content(
        of state: SourceState, _ place: Int, _ list: NodeID, turn: Int, log: ReadLog?
    ) -> (Value, ItemKey) {
        switch state.items {
        case .records(let ids):
            let content = RecordObject(ids[place], in: scope.records, log: log).map { Value.object($0) } ?? .null
            return (content, ItemKey(list: list, number: ids[place], isRecord: true, turn: turn))
        case .values(let values):
            return (
                scope.current(values[place]).moved(to: scope.records, log: log),
                ItemKey(list: list, number: place, isRecord: false, turn: turn)
            )
        }
    }

    private mutating func row(
        of shown: ShownList, _ id: NodeID, _ place: Int, turn: Int, depth: Int
    ) -> (node: ViewNode, reads: ReadLog.Reads)? {
        if logs.count == nesting { logs.append(ReadLog()) }
        let log = logs[nesting]
        log.forget()
        nesting += 1
        defer { nesting -= 1 }
        scope.meter?.spend(Meter.row)
        let (content, key) = content(of: shown.state, place, id, turn: turn, log: log)
        if case .records(let ids) = shown.state.items { log.read(ids[place]) }
        evaluatedRows += 1
        guard let prototype = prototype(of: shown, content, log) else {
            // Once for each list: its names are many, and so are its rows.
            guard unprepared.insert(id).inserted else { return nil }
            report(
                Finding(
                    .error, .unknownIdentifier, "No prototype for the rows of this list", at: scene.node(id)?.place,
                    hint: "it has \(NameList(shown.template.prototypes.keys.sorted()))"))
            return nil
        }
        let item = ItemScope(scope, content: content, key: key, prototype: prototype, log: log)
        guard var view = node(prototype, .object(item), item: item, depth: depth + 1) else { return nil }
        if content.recordID != nil, let mayDelete = shown.template.rules.mayDelete,
            value(mayDelete, .object(item), log: log).truth
        {
            view = view.with(.delete)
        }
        return (view, log.summary)
    }

    private mutating func prototype(of list: ShownList, _ content: Value, _ log: ReadLog) -> NodeID? {
        guard let choice = list.choice else { return list.prototype(chosen: nil) }
        let scope = RowChoiceScope(self.scope, content: content, log: log)
        return list.prototype(chosen: value(choice, .object(scope), log: log).shown)
    }

    /// The cached rows, with those evaluated again whose inputs have changed.
    private mutating func cachedRows(
        of list: ShownList, _ id: NodeID, _ ids: [RecordID], depth: Int
    ) -> NodeList {
        let key = EvaluationCache.ListKey(screen: scope.screen.number, node: id)
        let selection = scope.screen.chosen(in: id)
        // Taken out, so that it is changed in place.
        guard var known = cache.lists.removeValue(forKey: key), isValid(known, list, selection) else {
            return freshRows(of: list, id, ids, key, selection, depth: depth, reusing: nil)
        }
        var affected: Set<Int> = []
        let changes = scope.records.changes(since: known.table)
        for record in changes { affected.formUnion(known.readers[record] ?? []) }
        affected.formUnion(EvaluationCache.places(of: changes, in: known.ids))
        let now = scope.environment.now
        if now >= known.earliestExpiry || now < known.now {
            for place in known.expiries.indices where now >= known.expiries[place] || now < known.now {
                if known.expiries[place] < .infinity { affected.insert(place) }
            }
        }
        guard known.ids == ids, affected.count <= ids.count / 4 else {
            return freshRows(of: list, id, ids, key, selection, depth: depth, reusing: (known, affected))
        }
        for place in affected.sorted() {
            guard let (node, reads) = row(of: list, id, place, turn: 0, depth: depth) else {
                return freshRows(of: list, id, ids, key, selection, depth: depth, reusing: nil)
            }
            known.rows.replace(at: place, with: node)
            known.expiries[place] = reads.validUntil
            for record in reads.records where record != ids[place] {
                if !(known.readers[record]?.contains(place) ?? false) {
                    known.readers[record, default: []].append(place)
                }
            }
        }
        known.table = scope.records
        known.now = now
        if !affected.isEmpty { known.earliestExpiry = known.expiries.min() ?? .infinity }
        let rows = known.rows
        cache.lists[key] = known
        return rows
    }

    private func isValid(_ known: EvaluationCache.List, _ list: ShownList, _ selection: [Value]) -> Bool {
        guard known.isSearching == list.isSearching, known.selection.count == selection.count else { return false }
        return zip(known.selection, selection).allSatisfy { $0.isIdentical(to: $1) }
            && Value.dictionary(known.settings).isIdentical(to: .dictionary(scope.settings))
    }

    private mutating func freshRows(
        of list: ShownList, _ id: NodeID, _ ids: [RecordID],
        _ key: EvaluationCache.ListKey, _ selection: [Value], depth: Int,
        reusing known: (list: EvaluationCache.List, affected: Set<Int>)?
    ) -> NodeList {
        var old: [RecordID: Int] = [:]
        var reads: [Int: [RecordID]] = [:]
        if let known {
            for (place, id) in known.list.ids.enumerated() where !known.affected.contains(place) { old[id] = place }
            for (record, places) in known.list.readers {
                for place in places { reads[place, default: []].append(record) }
            }
        }
        var fresh = EvaluationCache.List(
            table: scope.records, ids: ids, rows: [], readers: [:], expiries: [], earliestExpiry: .infinity,
            now: scope.environment.now, settings: scope.settings, selection: selection, isSearching: list.isSearching)
        var rows: [ViewNode] = []
        rows.reserveCapacity(ids.count)
        var isComplete = true
        for (place, record) in ids.enumerated() {
            if isExhausted() { isComplete = false }
            if !isComplete { break }
            if let known, let before = old[record] {
                rows.append(known.list.rows[before])
                fresh.expiries.append(known.list.expiries[before])
                scope.meter?.spend(1)
                for record in reads[before] ?? [] { fresh.readers[record, default: []].append(place) }
            } else if let (node, reads) = row(of: list, id, place, turn: 0, depth: depth) {
                rows.append(node)
                fresh.expiries.append(reads.validUntil)
                for other in reads.records where other != record { fresh.readers[other, default: []].append(place) }
            } else {
                // A row that cannot be shown leaves no gap, and the next evaluation tries again.
                isComplete = false
                for place in (place + 1)..<max(ids.count, place + 1) {
                    if isExhausted() { break }
                    if let (node, _) = row(of: list, id, place, turn: 0, depth: depth) {
                        rows.append(node)
                    }
                }
            }
        }
        fresh.rows = NodeList(rows)
        fresh.earliestExpiry = fresh.expiries.min() ?? .infinity
        if isComplete { cache.lists[key] = fresh }
        return fresh.rows
    }
}

/// The scope of the expression that chooses a row's prototype: the whole screen, with the item as content.
private final class RowChoiceScope: PredicateObject {
    private let screen: ScreenScope
    private let content: Value
    private let log: ReadLog

    init(_ screen: ScreenScope, content: Value, log: ReadLog) {
        self.screen = screen
        self.content = content
        self.log = log
    }

    func value(forKey key: String) -> Value? {
        if key == "content" { return content }
        // The rest of the screen may change with every event.
        log.expires(at: key == "defaults" ? .infinity : screen.environment.now)
        return screen.value(forKey: key)
    }
}

extension Array where Element == ViewNode {
    fileprivate mutating func append(contentsOf node: ViewNode?) {
        if let node { append(node) }
    }
}
