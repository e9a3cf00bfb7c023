internal import WidgetBytes
package import WidgetPredicates

/// Which records a source shows, and in what order.
package struct RecordQuery: Sendable {
    package struct SortKey: Sendable {
        package var path: String
        let expression: CompiledExpression
        /// True if the key reads attributes of the record only.
        let isOwn: Bool

        package init(_ path: String) throws(PredicateError) {
            self.path = path
            expression = try CompiledExpression("%K", arguments: [.string(path)])
            isOwn = !path.contains(".")
        }
    }

    package var entity: String
    package var predicate: CompiledPredicate?
    package var sort: [SortKey]
    package var isAscending: Bool
    package var grouping: SortKey?
    package var limit: Int?

    package init(
        entity: String, predicate: CompiledPredicate? = nil, sort: [SortKey] = [], isAscending: Bool = true,
        grouping: SortKey? = nil, limit: Int? = nil
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.isAscending = isAscending
        self.grouping = grouping
        self.limit = limit
    }

    /// The parts of the order; groups come first.
    var order: [SortKey] { (grouping.map { [$0] } ?? []) + sort }

    /// True if the query reads only attributes of each record, so that an unchanged record keeps its place and need not
    /// be evaluated again.
    func looksAtRecordsAlone(_ model: EntityModel) -> Bool {
        order.allSatisfy { $0.isOwn } && (predicate?.tree).map { RecordQuery.looksAtRecordAlone($0, model) } ?? true
    }

    static func looksAtRecordAlone(_ tree: SyntaxTree, _ model: EntityModel) -> Bool {
        tree.nodes.allSatisfy { node in
            switch node.kind {
            case .keyPath(base: nil, let path):
                if path.components.count == 1, case .key(let key) = path.components[0] {
                    let fact = model.facts[key]
                    return fact != .owner && fact != .isOwn
                }
                return false
            case .subject, .subquery, .keyPath, .index, .place, .call: return false
            case .function(let function, _): return !["now", "random"].contains { function.rawValue.hasPrefix($0) }
            default: return true
            }
        }
    }
}

/// The changing conditions of a query: the search text, and the master object.
package struct QueryConditions: Sendable {
    package var filter: CompiledPredicate?
    package var search: String
    package var masterKeyPath: String?
    package var master: Value

    package init(
        filter: CompiledPredicate? = nil, search: String = "", masterKeyPath: String? = nil, master: Value = .null
    ) {
        self.filter = filter
        self.search = search
        self.masterKeyPath = masterKeyPath
        self.master = master
    }

    package func isSame(as other: QueryConditions) -> Bool {
        search == other.search && masterKeyPath == other.masterKeyPath && master.isIdentical(to: other.master)
            && filter?.tree == other.filter?.tree
    }

    var filters: Bool { filter != nil && !search.isEmpty }
    var hasMaster: Bool { masterKeyPath != nil && !master.isNull }
}

/// The evaluation of a query against one table. It updates the answer of an earlier version if that is cheaper than
/// evaluating all records again.
package struct QueryRun {
    let query: RecordQuery
    let conditions: QueryConditions
    let table: RecordTable
    let environment: PredicateEnvironment
    private let bindings: PredicateBindings?
    private let master: CompiledPredicate?

    package init(
        _ query: RecordQuery, _ conditions: QueryConditions, _ table: RecordTable, _ environment: PredicateEnvironment
    ) throws(PredicateError) {
        self.query = query
        self.conditions = conditions
        self.table = table
        self.environment = environment
        bindings = try conditions.filters ? conditions.filter?.bind(["input": .string(conditions.search)]) : nil
        master =
            try conditions.hasMaster
            ? CompiledPredicate(
                "%K == %@", arguments: [.string(conditions.masterKeyPath ?? ""), conditions.master.moved(to: table)])
            : nil
    }

    package func holds(_ object: Value) throws(PredicateError) -> Bool {
        if let predicate = query.predicate, !(try predicate.holds(for: object, environment: environment)) {
            return false
        }
        if let master, !(try master.holds(for: object, environment: environment)) { return false }
        if conditions.filters, let filter = conditions.filter {
            return try filter.holds(for: object, bindings, environment: environment)
        }
        return true
    }

    /// All matching records of the entity, in their order.
    package func all() throws(PredicateError) -> [RecordID] {
        guard let entity = table.model.place(of: query.entity) else { return [] }
        var ids: [RecordID] = []
        // Scans all records.
        var keys: [Value] = []
        let order = query.order.map { $0.expression }
        for id in table.ids(of: entity) {
            try QueryRun.spend(Meter.item * (1 + order.count), environment)
            guard let object = RecordObject(id, in: table).map({ Value.object($0) }), try holds(object) else {
                continue
            }
            ids.append(id)
            for expression in order { keys.append(try expression.value(for: object, environment: environment)) }
        }
        guard !order.isEmpty else { return limited(ids) }
        // Half of a sort's comparisons, as most are between keys that differ at once.
        let turns = (Int.bitWidth - ids.count.leadingZeroBitCount) / 2
        let texts = keys.reduce(0) { sum, key in if case .string(let text) = key { sum + text.utf8.count } else { sum }
        }
        try QueryRun.spend((ids.count + texts / 32) * turns, environment)
        // Equal ones stay in the order in which they came.
        let places = ids.indices.sorted { first, second in
            for key in order.indices {
                let difference = ValueOrder.compare(keys[first * order.count + key], keys[second * order.count + key])
                if difference != 0 { return (difference < 0) == query.isAscending }
            }
            return first < second
        }
        return limited(places.map { ids[$0] })
    }

    /// Charges for work outside of expressions.
    static func spend(_ steps: Int, _ environment: PredicateEnvironment) throws(PredicateError) {
        guard let meter = environment.meter else { return }
        meter.spend(steps)
        if meter.left == 0 { throw exhausted(environment) }
    }

    static func exhausted(_ environment: PredicateEnvironment) -> PredicateError {
        environment.meter?.spend(.max)
        return PredicateError(
            .fuelLimit, at: SourceSpan(from: 0, to: 0), "Answering takes more steps than it may")
    }

    private func limited(_ ids: [RecordID]) -> [RecordID] {
        query.limit.map { Array(ids.prefix(max(0, $0))) } ?? ids
    }

    private func keys(of object: Value) throws(PredicateError) -> [Value] {
        var keys: [Value] = []
        for part in query.order { keys.append(try part.expression.value(for: object, environment: environment)) }
        return keys
    }

    private func compare(_ first: [Value], _ second: [Value]) -> Int {
        for (left, right) in zip(first, second) {
            let difference = ValueOrder.compare(left, right)
            if difference != 0 { return query.isAscending ? difference : -difference }
        }
        return 0
    }

    /// The answer after some records changed, or `nil` if all records have to be evaluated again.
    package func updated(
        _ ids: [RecordID], from old: RecordTable, changes: [RecordID]
    ) throws(PredicateError) -> [RecordID]? {
        guard query.looksAtRecordsAlone(table.model), !conditions.hasMaster, query.limit == nil,
            conditions.filter.map({ RecordQuery.looksAtRecordAlone($0.tree, table.model) }) ?? true,
            changes.count < 64, let entity = table.model.place(of: query.entity)
        else { return nil }
        let family = table.model.family(of: entity)
        var result = ids
        for id in changes {
            let before = old[id].map { family.contains($0.entity) } ?? false
            let after = table[id].map { family.contains($0.entity) } ?? false
            guard before || after else { continue }
            let object = after ? RecordObject(id, in: table).map { Value.object($0) } : nil
            let previous = before ? RecordObject(id, in: old).map { Value.object($0) } : nil
            let isIn = try object.map { (object) throws(PredicateError) in try holds(object) } ?? false
            let wasIn = try previous.map { (object) throws(PredicateError) in try holds(object) } ?? false
            if isIn, wasIn, let object, let previous, compare(try keys(of: object), try keys(of: previous)) == 0 {
                continue
            }
            if wasIn, let place = result.firstIndex(of: id) { result.remove(at: place) }
            if isIn, let object { result.insert(id, at: try place(of: object, id, in: result)) }
        }
        return result
    }

    /// The index of a record among sorted ones.
    private func place(of object: Value, _ id: RecordID, in ids: [RecordID]) throws(PredicateError) -> Int {
        let own = try keys(of: object)
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            let other = RecordObject(ids[middle], in: table).map { Value.object($0) } ?? .null
            let difference = compare(try keys(of: other), own)
            if difference < 0 || difference == 0 && ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The order that lists are sorted by: nothing first, then numbers, dates and texts among themselves.
enum ValueOrder {
    static func compare(_ first: Value, _ second: Value) -> Int {
        switch (first, second) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.string(let left), .string(let right)): TextComparison().compare(left, right)
        case (.date(let left), .date(let right)): left < right ? -1 : left == right ? 0 : 1
        default:
            if rank(first) != rank(second) { rank(first) - rank(second) } else { numbers(first, second) }
        }
    }

    private static func numbers(_ first: Value, _ second: Value) -> Int {
        guard let left = first.number, let right = second.number else { return 0 }
        return left < right ? -1 : left == right ? 0 : 1
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .boolean, .integer, .double, .decimal: 1
        case .date: 2
        case .string: 3
        default: 4
        }
    }
}

/// The inputs that an evaluation has read. Its result is valid until one of them changes.
package final class ReadLog: Sendable {
    package struct Reads: Sendable {
        /// Each once.
        package private(set) var records: [RecordID] = []
        /// The same as a set, once there are so many that scanning the array is slower.
        private var known: Set<RecordID> = []
        /// The names that were read outside of the item.
        package fileprivate(set) var names: Set<String> = []
        /// The first moment at which the clock alone would change the result.
        package fileprivate(set) var validUntil: Double = .infinity

        private static let scannedCount = 16

        fileprivate mutating func add(_ record: RecordID) {
            if records.count < Reads.scannedCount {
                if !records.contains(record) { records.append(record) }
                return
            }
            if known.isEmpty { known = Set(records) }
            if known.insert(record).inserted { records.append(record) }
        }
    }

    private let reads = Guarded(Reads())

    package init() {}

    package func read(_ record: RecordID) { reads.withLock { $0.add(record) } }

    package func read(_ name: String) { reads.withLock { _ = $0.names.insert(name) } }

    package func expires(at moment: Double) { reads.withLock { $0.validUntil = min($0.validUntil, moment) } }

    package var summary: Reads { reads.withLock { $0 } }

    /// Begins anew.
    func forget() { reads.withLock { $0 = Reads() } }
}
