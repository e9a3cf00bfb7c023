import Predicates
import WidgetCore

/// The entities of the framework's own tests.
enum SampleModel {
    static let model = EntityModel([
        EntityModel.Entity(
            "Item",
            properties: [
                .attribute(.init("identifier", .string, jsonKeyPath: ["id"])),
                .attribute(.init("name", .string, jsonKeyPath: ["name"])),
                .attribute(.init("groupTitle", .string, jsonKeyPath: ["group"])),
                .attribute(.init("rank", .integer, jsonKeyPath: ["rank"])),
                .attribute(.init("isHidden", .boolean)),
                .relationship(.init("category", to: "Category", inverse: "items", jsonKeyPath: ["category"])),
            ], identity: ["identifier"]),
        EntityModel.Entity(
            "Category",
            properties: [
                .attribute(.init("title", .string, jsonKeyPath: ["title"])),
                .relationship(.init("items", to: "Item", inverse: "category", isToMany: true)),
            ], identity: ["title"]),
    ])

    static func object(_ members: KeyValuePairs<String, Value>) -> Value {
        .dictionary(PredicateDictionary(members.map { ($0.key, $0.value) }))
    }

    static func item(_ id: String, _ name: String, group: String? = nil, category: String? = nil) -> Value {
        var members: [(String, Value)] = [("id", .string(id)), ("name", .string(name))]
        if let group { members.append(("group", .string(group))) }
        if let category { members.append(("category", object(["title": .string(category)]))) }
        return .dictionary(PredicateDictionary(members))
    }

    static func table(_ items: [Value], in table: RecordTable = RecordTable(model: model)) throws -> RecordTable {
        var mapper = RecordMapper(RecordEdit(table), transformers: Transformers(), environment: Environment())
        _ = try mapper.store(items, as: "Item")
        return mapper.edit.table
    }

    static func names(_ ids: [RecordID], in table: RecordTable) -> [String] {
        ids.map { RecordObject($0, in: table)?.value(forKey: "name")?.shown ?? "" }
    }

    static func query(
        _ predicate: String? = nil, sort: [String] = [], isAscending: Bool = true,
        conditions: QueryConditions = .init(),
        in table: RecordTable
    ) throws -> [String] {
        let query = Query(
            entity: "Item", predicate: try predicate.map { try CompiledPredicate($0) },
            sort: try sort.map { try Query.SortKey($0) }, isAscending: isAscending)
        return names(try QueryRun(query, conditions, table, PredicateEnvironment()).all(), in: table)
    }
}
