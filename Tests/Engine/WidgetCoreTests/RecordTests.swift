import Testing
import WidgetCore
import WidgetPredicates

/// Goal: documents become records as the model says. Method: the rules of the mapping, one by one.
@Suite struct `Records` {
    @Test func `Records are distinguished by their identity, and keep the fields that a document omits`() throws {
        var table = try SampleModel.table([SampleModel.item("1", "one", group: "G")])
        table = try SampleModel.table([SampleModel.object(["id": .string("1"), "name": .string("uno")])], in: table)
        #expect(table.count == 1)
        let record = try #require(RecordObject(0, in: table))
        #expect(record.value(forKey: "name")?.shown == "uno" && record.value(forKey: "groupTitle")?.shown == "G")
        #expect(record.objectID == "1")
    }

    @Test func `A record that is twice in one document is one record`() throws {
        #expect(try SampleModel.table([SampleModel.item("1", "a"), SampleModel.item("1", "b")]).count == 1)
    }

    @Test func `Records with an identity of several parts are distinguished by each of them`() throws {
        let model = EntityModel([
            EntityModel.Entity(
                "Pair",
                properties: [
                    .attribute(.init("one", .string, jsonKeyPath: ["one"])),
                    .attribute(.init("other", .string, jsonKeyPath: ["other"])),
                    .attribute(.init("note", .string, jsonKeyPath: ["note"])),
                ], identity: ["one", "other"])
        ])
        var mapper = RecordMapper(
            RecordEdit(RecordTable(model: model)), transformers: Transformers(), environment: Environment())
        let pairs = [("a", "bc"), ("ab", "c"), ("", "abc"), ("a1:b", "c"), ("a", "b1:c"), ("a", "bc")]
        for (place, pair) in pairs.enumerated() {
            let element = SampleModel.object([
                "one": .string(pair.0), "other": .string(pair.1), "note": .string("\(place)"),
            ])
            _ = try mapper.store([element], as: "Pair")
        }
        #expect(mapper.edit.table.count == 5)
        #expect(RecordObject(0, in: mapper.edit.table)?.value(forKey: "note")?.shown == "5")
        // An element that lacks a part of the identity becomes a new record each time.
        _ = try mapper.store(
            Array(repeating: SampleModel.object(["one": .string("a")]), count: 2), as: "Pair")
        #expect(mapper.edit.table.count == 7)
    }

    @Test func `Records are made of a bare identity, without the rest`() throws {
        let table = try SampleModel.table([.string("7")])
        #expect(RecordObject(0, in: table)?.value(forKey: "identifier")?.shown == "7")
    }

    @Test func `Fields are empty where a document says null`() throws {
        var table = try SampleModel.table([SampleModel.item("1", "one")])
        table = try SampleModel.table([SampleModel.object(["id": .string("1"), "name": .null])], in: table)
        #expect(RecordObject(0, in: table)?.value(forKey: "name")?.isNull ?? false)
    }

    @Test(arguments: [
        SampleModel.object(["id": .string("1"), "rank": .string("first")]),
        SampleModel.object(["id": .string("1"), "category": .array([])]), .integer(5),
    ])
    func `Records are refused where a value is of another kind`(element: Value) {
        #expect(throws: RecordMapper.Failure.self) {
            _ = try SampleModel.table([SampleModel.item("0", "fine"), element])
        }
    }

    @Test func `Records point back at records that point at them, until those stop`() throws {
        let table = try SampleModel.table([
            SampleModel.item("1", "a", category: "c"), SampleModel.item("2", "b", category: "c"),
        ])
        let category = try #require(table.all.first { table.model.entities[$0.entity].name == "Category" })
        func items(_ table: RecordTable) -> Int {
            RecordObject(category.id, in: table)?.value(forKey: "items")?.elements?.count ?? -1
        }
        #expect(items(table) == 2)
        var edit = RecordEdit(table)
        let isFirstGone = edit.delete(0)
        #expect(isFirstGone)
        #expect(items(edit.table) == 1)
        let isSecondGone = edit.delete(category.id)
        let left = edit.table
        #expect(isSecondGone && left.count == 1)
        #expect(left.all.allSatisfy { RecordObject($0.id, in: left)?.value(forKey: "category")?.isNull ?? false })
    }

    @Test func `Records answer to Boolean names with and without is`() throws {
        let table = try SampleModel.table([SampleModel.item("1", "a")])
        let record = try #require(RecordObject(0, in: table))
        #expect(record.value(forKey: "hidden") != nil && record.value(forKey: "isHidden") != nil)
        #expect(record.entity.slot("hidden") == record.entity.slot("isHidden"))
    }

    @Test func `The difference of two versions is the changed records`() throws {
        let table = try SampleModel.table((0..<1_000).map { SampleModel.item("\($0)", "n\($0)") })
        var edit = RecordEdit(table)
        let slot = try #require(table.model["Item"]?.slot("name"))
        edit.set(slot, of: 400, to: .string("other"))
        #expect(edit.table.changes(since: table) == [400])
        #expect(table.changes(since: table).isEmpty)
    }

    @Test(arguments: [1, 40, 400]) func `A query that is updated gives the same as a new one`(seed: Int) throws {
        var table = try SampleModel.table((0..<300).map { SampleModel.item("\($0)", "n\(($0 * 7919) % 311)") })
        let query = RecordQuery(
            entity: "Item", predicate: try CompiledPredicate("name != 'n5' AND rank == nil"),
            sort: [try RecordQuery.SortKey("name")])
        var ids = try QueryRun(query, .init(), table, .init()).all()
        for round in 0..<40 {
            var edit = RecordEdit(table)
            let id = (round * seed * 31) % 300
            switch round % 4 {
            case 0: edit.set(1, of: id, to: .string("n\(round * 13 % 311)"))
            case 1: edit.set(3, of: id, to: round % 8 == 1 ? .integer(1) : .null)
            case 2: _ = edit.delete(id)
            default: _ = edit.insert(0)
            }
            let old = table
            table = edit.table
            let run = try QueryRun(query, .init(), table, .init())
            let updated = try run.updated(ids, from: old, changes: table.changes(since: old))
            ids = try #require(updated)
            #expect(ids == (try run.all()))
        }
    }

    @Test(arguments: [127, 8_192 * 128 - 1, 2_147_483_646, 1 << 50])
    func `Records are found by every number that they may be stored under`(id: Int) throws {
        let before = try SampleModel.table([SampleModel.item("1", "a")])
        var edit = RecordEdit(before)
        edit.restore(Record(id: id, new: 0, of: SampleModel.model))
        let inserted = edit.insert(0)
        let table = edit.table
        #expect(inserted.id == id + 1)
        #expect(table.all.map(\.id) == [0, id, id + 1] && table.changes(since: before) == [id, id + 1])
        #expect(table.changes(since: table).isEmpty && before.changes(since: table) == [id, id + 1])
        var other = RecordEdit(table)
        let isGone = other.delete(id)
        #expect(isGone && other.table[id] == nil && other.table.count == 2)
    }

    @Test func `Records are distinguished in every kind that they inherit from`() throws {
        let name = EntityModel.Property.attribute(.init("name", .string, jsonKeyPath: ["name"]))
        let model = EntityModel([
            EntityModel.Entity("Root", properties: [name], identity: ["name"]),
            EntityModel.Entity("Middle", parent: "Root"), EntityModel.Entity("Leaf", parent: "Middle"),
            EntityModel.Entity("Other", parent: "Root"),
        ])
        var mapper = RecordMapper(
            RecordEdit(RecordTable(model: model)), transformers: Transformers(), environment: Environment())
        var found: [RecordID] = []
        for entity in ["Root", "Middle", "Other", "Leaf", "Root", "Middle", "Leaf", "Other"] {
            found += try mapper.store([SampleModel.object(["name": .string("one")])], as: entity)
        }
        // The first record of each line of entities is found by its parents, too.
        #expect(mapper.edit.table.count == 4 && Set(found).count == 4)
    }

    @Test func `Records cost the work of an index for each kind that they inherit from`() throws {
        let name = EntityModel.Property.attribute(.init("name", .string, jsonKeyPath: ["name"]))
        let line = (0..<40).map {
            EntityModel.Entity(
                "E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)", properties: $0 == 0 ? [name] : [], identity: ["name"])
        }
        func steps(asking kinds: Range<Int>) throws -> Int {
            let meter = Meter(1_000_000)
            var mapper = RecordMapper(
                RecordEdit(RecordTable(model: EntityModel(line))), transformers: Transformers(),
                environment: Environment(), meter: meter)
            for kind in kinds { _ = try mapper.store([SampleModel.object(["name": .string("x")])], as: "E\(kind)") }
            let before = meter.left
            _ = try mapper.store((0..<100).map { SampleModel.object(["name": .string("\($0)")]) }, as: "E39")
            return before - meter.left
        }
        #expect(try steps(asking: 0..<40) > steps(asking: 39..<40) + 100 * 39)
    }

    /// Entries that are deleted with their keeper, a keeper that is deleted with each of them, and a record that a
    /// relationship protects.
    private static func keeper(of count: Int) throws -> RecordTable {
        let model = EntityModel([
            EntityModel.Entity(
                "Entry",
                properties: [
                    .relationship(.init("keeper", to: "Keeper", inverse: "entries", deleteRule: .cascade)),
                    .relationship(.init("held", to: "Holder", deleteRule: .deny)),
                ]),
            EntityModel.Entity(
                "Keeper",
                properties: [
                    .relationship(
                        .init("entries", to: "Entry", inverse: "keeper", isToMany: true, deleteRule: .cascade))
                ]), EntityModel.Entity("Holder"),
        ])
        var edit = RecordEdit(RecordTable(model: model))
        let keeper = edit.insert(1).id
        let holder = edit.insert(2).id
        for number in 0..<count {
            let entry = edit.insert(0).id
            edit.link(0, of: entry, to: [keeper])
            if number == count / 2 { edit.link(1, of: entry, to: [holder]) }
        }
        return edit.table
    }

    @Test func `Records that cannot be deleted are visited once, not for each that would take them along`() throws {
        let count = 1_000
        let table = try Self.keeper(of: count)
        var edit = RecordEdit(table)
        let entries = table.ids(of: 0)
        let denied = edit.delete(entries)
        #expect(denied == entries && edit.table.count == count + 2)
        #expect(edit.lookCount < 5 * count)
        // Without the protected record, all are deleted.
        let isHolderGone = edit.delete(1)
        #expect(isHolderGone)
        let left = edit.delete(entries)
        #expect(left.isEmpty && edit.table.count == 0)
    }
}

/// Goal: the weight of all records is bounded, and known without visiting all of them. Method: records with many
/// fields, and with long texts.
@Suite struct `The records' budget` {
    private static func model(fields: Int) -> EntityModel {
        let fields = (0..<fields).map { EntityModel.Attribute("a\($0)", .any, jsonKeyPath: ["a\($0)"]) }
        return EntityModel([EntityModel.Entity("Wide", properties: fields.map { .attribute($0) })])
    }

    private static func store(_ elements: [Value], in table: RecordTable) throws -> RecordTable {
        var mapper = RecordMapper(RecordEdit(table), transformers: Transformers(), environment: Environment())
        _ = try mapper.store(elements, as: "Wide")
        return mapper.edit.table
    }

    @Test func `The records' budget bounds records of many fields`() throws {
        var table = RecordTable(model: Self.model(fields: 1_000))
        let element = SampleModel.object(["a0": .integer(1)])
        var failure: RecordMapper.Failure?
        for _ in 0..<30 where failure == nil {
            do {
                table = try Self.store(Array(repeating: element, count: 100), in: table)
            } catch let error as RecordMapper.Failure {
                failure = error
            }
        }
        #expect(failure?.isBudget == true)
        #expect(table.count == 2_000 && table.weight == RecordTable.weightLimit)
    }

    @Test func `The records' budget counts a text for each record that has it`() throws {
        let table = try Self.store(
            Array(repeating: SampleModel.object(["a0": .integer(1)]), count: 500),
            in: RecordTable(model: Self.model(fields: 3)))
        var edit = RecordEdit(table)
        let text = Value.string(String(repeating: "x", count: 200_000))
        for id in 0..<100 { edit.set(0, of: id, to: text) }
        try edit.checkWeight()
        for id in 100..<500 { edit.set(0, of: id, to: text) }
        let failure = #expect(throws: RecordMapper.Failure.self) { try edit.checkWeight() }
        #expect(failure?.isBudget == true)
        // Deleted records no longer count.
        for id in 0..<450 { _ = edit.delete(id) }
        try edit.checkWeight()
    }

    @Test func `The records' budget has room for ordinary widgets`() throws {
        let text = Value.string(String(repeating: "x", count: 100))
        let members = (0..<20).map { ("a\($0)", text) }
        let elements = Array(repeating: Value.dictionary(PredicateDictionary(members)), count: 10_000)
        #expect(try Self.store(elements, in: RecordTable(model: Self.model(fields: 20))).count == 10_000)
    }

    @Test func `The records' budget is the same for every history of the records`() throws {
        var table = try SampleModel.table((0..<300).map { SampleModel.item("\($0)", "n\($0)", category: "c\($0 % 7)") })
        var edit = RecordEdit(table)
        for id in stride(from: 0, to: table.count, by: 3) { _ = edit.delete(id) }
        edit.set(1, of: 1, to: .string(String(repeating: "long", count: 100)))
        table = edit.table
        var anew = RecordEdit(RecordTable(model: table.model))
        for record in table.all { anew.restore(Record(id: record.id, entity: record.entity, fields: record.fields)) }
        #expect(anew.table.weight == table.weight && table.weight > table.count)
        var empty = RecordEdit(table)
        for record in table.all { _ = empty.delete(record.id) }
        #expect(empty.table.weight == 0)
    }

    @Test func `The records' budget refuses restored records beyond it, and does not reuse their numbers`() {
        var edit = RecordEdit(RecordTable(model: Self.model(fields: 10)), weightLimit: 25)
        let fields = Array(repeating: Record.Field.value(.null), count: 10)
        let isRestored = (0..<3).map { edit.restore(Record(id: $0, entity: 0, fields: fields)) }
        #expect(isRestored == [true, true, false])
        let next = edit.insert(0)
        #expect(next.id == 3)
    }
}

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
        let query = RecordQuery(
            entity: "Item", predicate: try predicate.map { try CompiledPredicate($0) },
            sort: try sort.map { try RecordQuery.SortKey($0) }, isAscending: isAscending)
        return names(try QueryRun(query, conditions, table, PredicateEnvironment()).all(), in: table)
    }
}
