internal import WidgetPredicates

/// Brings the answers of sources up to date.
struct SourceAnswer {
    let source: Source
    let screen: ScreenScope

    /// - Returns: the source's state, and true if the answer has changed.
    func updated(_ state: SourceState, isForced: Bool) throws(PredicateError) -> (SourceState, isDifferent: Bool) {
        var state = state
        var master = state.master
        if let expression = source.master { master = try expression.value(.object(screen), screen.context) }
        let conditions = QueryConditions(
            filter: state.filter ?? source.filter, search: state.search, masterKeyPath: source.masterKeyPath,
            master: screen.current(master))
        let isSame = state.isFetched && !isForced && (state.conditions?.isSame(as: conditions) ?? false)
        let changes = state.table.map { screen.records.changes(since: $0) }
        if isSame, changes?.isEmpty ?? false { return (state, false) }
        let old = state.items
        if case .query(let query) = source.kind, !source.showsChain {
            let run = try QueryRun(query, conditions, screen.records, screen.context.predicates)
            var ids: [RecordID]?
            if isSame, let changes, let table = state.table, case .records(let known) = old {
                ids = try run.updated(known, from: table, changes: changes)
            }
            let answer: [RecordID]
            if let ids { answer = ids } else { answer = try run.all() }
            state.items = .records(answer)
            state.sections = try sections(answer, query)
        } else {
            let values = try bounded(try self.values(conditions, isReset: state.isReset)).map { $0.kept }
            state.items = .values(values)
            state.sections = values.isEmpty ? [] : [SourceState.Section(start: 0, count: values.count, name: "")]
        }
        let isDifferent = differs(old, state.items, changes) || !state.isFetched
        if isDifferent { state.revision += 1 }
        state.table = screen.records
        state.conditions = conditions
        state.conditions?.master = conditions.master.kept
        state.isFetched = true
        return (state, isDifferent)
    }

    /// True if the items are others, or one of them has changed.
    private func differs(_ old: SourceState.Items, _ new: SourceState.Items, _ changes: [RecordID]?) -> Bool {
        switch (old, new) {
        case (.records(let before), .records(let after)):
            if before != after { return true }
            guard let changes, !changes.isEmpty else { return false }
            if changes.count < 8 { return changes.contains { after.contains($0) } }
            let changed = Set(changes)
            return after.contains { changed.contains($0) }
        case (.values(let before), .values(let after)):
            return before.count != after.count || !zip(before, after).allSatisfy { $0.isIdentical(to: $1) }
                || !(changes?.isEmpty ?? true) && after.contains { $0.recordID != nil }
        default: return true
        }
    }

    private func values(_ conditions: QueryConditions, isReset: Bool) throws(PredicateError) -> [Value] {
        let context = screen.context.predicates
        var values: [Value]
        switch source.kind {
        case .items(let items): values = isReset ? [] : items
        case .collection(let keyPath):
            let expression = try CompiledExpression("%K", arguments: [.string(keyPath)])
            values = try expression.value(for: conditions.master, environment: context).elements ?? []
        case .query(let query):
            let ids = try QueryRun(query, conditions, screen.records, context).all()
            context.meter?.spend(Meter.item * ids.count)
            values = ids.compactMap { RecordObject($0, in: screen.records).map { .object($0) } }
            return try chained(values, context)
        }
        let bindings = try conditions.filters ? conditions.filter?.bind(["input": .string(conditions.search)]) : nil
        var kept: [(keys: [Value], place: Int)] = []
        for (place, value) in values.enumerated() {
            try QueryRun.spend(Meter.item, context)
            if let predicate = source.predicate, !(try predicate.holds(for: value, environment: context)) { continue }
            if conditions.filters, let filter = conditions.filter,
                !(try filter.holds(for: value, bindings, environment: context))
            {
                continue
            }
            var keys: [Value] = []
            for key in source.sort { keys.append(try key.expression.value(for: value, environment: context)) }
            kept.append((keys, place))
        }
        kept.sort { first, second in
            for (left, right) in zip(first.keys, second.keys) {
                let difference = ValueOrder.compare(left, right)
                if difference != 0 { return (difference < 0) == source.isAscending }
            }
            return first.place < second.place
        }
        values = kept.map { values[$0.place] }
        return source.showsChain ? try chained(values, context) : values
    }

    /// Items within the limits of a value. They are traversed often, so their size is bounded.
    private func bounded(_ values: [Value]) throws(PredicateError) -> [Value] {
        let context = screen.context.predicates
        guard let weight = Value.array(values).weight(upTo: context.meter?.left ?? .max) else {
            throw QueryRun.exhausted(context)
        }
        try QueryRun.spend(weight, context)
        return values
    }

    /// The items that a chain computes; a single value becomes a list of one.
    private func chained(_ values: [Value], _ context: PredicateEnvironment) throws(PredicateError) -> [Value] {
        guard let chain = source.chain else { return values }
        let result = try chain.compiled.value(for: .array(values), environment: context)
        return result.isNull ? [] : result.elements ?? [result]
    }

    private func sections(_ ids: [RecordID], _ query: RecordQuery) throws(PredicateError) -> [SourceState.Section] {
        guard let grouping = query.grouping else {
            return [SourceState.Section(start: 0, count: ids.count, name: "")]
        }
        var sections: [SourceState.Section] = []
        for (place, id) in ids.enumerated() {
            try QueryRun.spend(Meter.item, screen.context.predicates)
            let object = RecordObject(id, in: screen.records).map { Value.object($0) } ?? .null
            let name = try grouping.expression.value(for: object, environment: screen.context.predicates).shown
            if sections.last?.name == name {
                sections[sections.count - 1].count += 1
            } else {
                sections.append(SourceState.Section(start: place, count: 1, name: name))
            }
        }
        return sections
    }
}

/// A list as a screen shows it. While it is searching it shows another source, with other prototypes.
struct ShownList {
    let template: ListTemplate
    let isSearching: Bool
    /// The answer of the shown source.
    let state: SourceState

    init(_ template: ListTemplate, in screen: Screen) {
        self.template = template
        isSearching = template.searchAction.map { !(screen.searching[$0] ?? "").isEmpty } ?? false
        let source = isSearching ? template.searchSource ?? template.source : template.source
        state = source.flatMap { screen.sources[$0] } ?? SourceState()
    }

    /// The expression that chooses a row's prototype by its content.
    var choice: Expression? { isSearching ? template.searchChoice ?? template.choice : template.choice }

    /// - Parameter chosen: the result of `choice`.
    func prototype(chosen: String?) -> NodeID? {
        if let chosen, let prototype = template.prototypes[chosen] { return prototype }
        return template.prototype(named: (isSearching ? template.searchPrototype : nil) ?? template.prototype)
    }
}

extension SourceState.Items {
    /// True for the key of one of them, whichever its turn is.
    func contains(_ item: ItemKey) -> Bool {
        switch self {
        case .records(let ids): item.isRecord && ids.contains(item.number)
        case .values(let values): !item.isRecord && values.indices.contains(item.number)
        }
    }

    /// One item, with its record's current fields; `.null` if it does not exist.
    func item(_ place: Int, in records: RecordTable) -> Value {
        switch self {
        case .records(let ids): ids.indices.contains(place) ? RecordObject.value(ids[place], in: records) : .null
        case .values(let values): values.indices.contains(place) ? values[place] : .null
        }
    }

    /// The key of the item at a place, in the first repetition of a list.
    func key(_ place: Int, of list: NodeID) -> ItemKey {
        guard case .records(let ids) = self, ids.indices.contains(place) else {
            return ItemKey(list: list, number: place, isRecord: false)
        }
        return ItemKey(list: list, number: ids[place], isRecord: true)
    }
}

extension Store {
    /// The first item of a list on the visible screen that has a value at a key path; texts are compared.
    package func item(
        of list: String, having value: Value, at keyPath: [String], in program: Program, _ environment: Environment,
        budget: Budget = Budget()
    ) -> RevealedItem? {
        guard let screen = visible, let text = value.text, let scene = program.scenes[screen.scene],
            let id = scene.list(list)
        else { return nil }
        guard let template = scene.node(id)?.list else {
            return ScreenScope(
                program, self, screen: screens.count - 1, environment, meter: Meter(budget)
            )?.item(of: scene.repetitions(in: id), having: text, at: keyPath, limit: budget.rowCount)
        }
        let items = ShownList(template, in: screen).state.items
        return (0..<items.count).first { items.item($0, in: records).member(at: keyPath).text == text }
            .map { .row($0) }
    }
}

extension ItemKey {
    /// The item's current value.
    func content(_ scene: Scene, _ screen: Screen, in records: RecordTable) -> Value {
        if isRecord { return RecordObject.value(number, in: records) }
        guard let list = scene.node(list)?.list else { return .null }
        guard case .values = ShownList(list, in: screen).state.items else { return .null }
        return ShownList(list, in: screen).state.items.item(number, in: records)
    }
}

extension RecordObject {
    /// A record, or `.null` if it was deleted.
    static func value(_ id: RecordID, in table: RecordTable) -> Value {
        RecordObject(id, in: table).map { .object($0) } ?? .null
    }
}

/// Cached answers, by request. When the cache is full, the entry that expires first is evicted.
struct AnswerCache: Sendable {
    private struct Entry: Sendable {
        var body: Value
        var weight: Int
        var until: Double
    }

    /// The reason that an answer was not cached, or another one was evicted.
    enum Shortage { case tooHeavy, full }

    private var entries: [String: Entry] = [:]

    var count: Int { entries.count }

    func answer(to request: ServiceRequest, at now: Double) -> Value? {
        guard !entries.isEmpty, let entry = entries[AnswerCache.name(of: request)], entry.until > now else {
            return nil
        }
        return entry.body
    }

    /// Caches an answer, unless it came from the cache: using it does not extend its time.
    mutating func keep(
        _ body: Value, to request: ServiceRequest, at now: Double, until: Double, _ budget: Budget
    ) -> Shortage? {
        entries = entries.filter { $0.value.until > now }
        let name = AnswerCache.name(of: request)
        guard entries[name] == nil else { return nil }
        guard let weight = body.weight(upTo: budget.cachedAnswerWeight) else { return .tooHeavy }
        var shortage: Shortage?
        while entries.count >= budget.cachedAnswerCount
            || entries.values.reduce(weight, { $0 + $1.weight }) > budget.cachedAnswerWeight,
            let oldest = entries.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) })
        {
            entries[oldest.key] = nil
            shortage = .full
        }
        entries[name] = Entry(body: body, weight: weight, until: until)
        return shortage
    }

    /// The cache key of a request. It includes the headers, so that users do not share answers.
    private static func name(of request: ServiceRequest) -> String {
        let fields = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        let body = String(decoding: request.body, as: UTF8.self)
        return "\(request.method) \(request.url)\n\(fields)\n\n\(body)"
    }
}
