package import Predicates

/// Which records a source shows, and in what order.
package struct Query: Sendable {
    package struct SortKey: Sendable {
        package var path: String
        let expression: CompiledExpression
        /// Whether only the record itself decides.
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

    /// Whether records are judged by their own attributes alone, so that one that has not changed need not be asked
    /// again.
    func looksAtRecordsAlone(_ model: EntityModel) -> Bool {
        order.allSatisfy(\.isOwn) && (predicate?.tree).map { Query.looksAtRecordAlone($0, model) } ?? true
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

/// Conditions that come with the moment: what is searched for, and what the records must belong to.
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
