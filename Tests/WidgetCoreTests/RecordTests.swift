import Predicates
import Testing
import WidgetCore

/// Goal: documents become records as the model says. Method: the rules of the mapping, one by one.
@Suite struct `Records` {
    @Test func `are told apart by their identity, and keep what a document leaves out`() throws {
        var table = try SampleModel.table([SampleModel.item("1", "one", group: "G")])
        table = try SampleModel.table([SampleModel.object(["id": .string("1"), "name": .string("uno")])], in: table)
        #expect(table.count == 1)
        let record = try #require(RecordObject(0, in: table))
        #expect(record.value(forKey: "name")?.shown == "uno" && record.value(forKey: "groupTitle")?.shown == "G")
        #expect(record.objectID == "1")
    }

    @Test func `twice in one document are one record`() throws {
        #expect(try SampleModel.table([SampleModel.item("1", "a"), SampleModel.item("1", "b")]).count == 1)
    }

    @Test func `of an identity of several parts are told apart by each of them`() throws {
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
        // What lacks a part is a record of its own, each time.
        _ = try mapper.store(
            Array(repeating: SampleModel.object(["one": .string("a")]), count: 2), as: "Pair")
        #expect(mapper.edit.table.count == 7)
    }

    @Test func `of a bare identity are made without the rest`() throws {
        let table = try SampleModel.table([.string("7")])
        #expect(RecordObject(0, in: table)?.value(forKey: "identifier")?.shown == "7")
    }

    @Test func `are empty where a document says null`() throws {
        var table = try SampleModel.table([SampleModel.item("1", "one")])
        table = try SampleModel.table([SampleModel.object(["id": .string("1"), "name": .null])], in: table)
        #expect(RecordObject(0, in: table)?.value(forKey: "name")?.isNull ?? false)
    }

    @Test(arguments: [
        SampleModel.object(["id": .string("1"), "rank": .string("first")]),
        SampleModel.object(["id": .string("1"), "category": .array([])]), .integer(5),
    ])
    func `are refused where a value is of another kind`(element: Value) {
        #expect(throws: RecordMapper.Failure.self) {
            _ = try SampleModel.table([SampleModel.item("0", "fine"), element])
        }
    }

    @Test func `point back at what points at them, and let go again`() throws {
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

    @Test func `answer to Boolean names with and without is`() throws {
        let table = try SampleModel.table([SampleModel.item("1", "a")])
        let record = try #require(RecordObject(0, in: table))
        #expect(record.value(forKey: "hidden") != nil && record.value(forKey: "isHidden") != nil)
        #expect(record.entity.slot("hidden") == record.entity.slot("isHidden"))
    }

    @Test func `differ between two versions where they were changed`() throws {
        let table = try SampleModel.table((0..<1_000).map { SampleModel.item("\($0)", "n\($0)") })
        var edit = RecordEdit(table)
        let slot = try #require(table.model["Item"]?.slot("name"))
        edit.set(slot, of: 400, to: .string("other"))
        #expect(edit.table.changes(since: table) == [400])
        #expect(table.changes(since: table).isEmpty)
    }

    @Test(arguments: [1, 40, 400]) func `answer a query anew as they would from the start`(seed: Int) throws {
        var table = try SampleModel.table((0..<300).map { SampleModel.item("\($0)", "n\(($0 * 7919) % 311)") })
        let query = Query(
            entity: "Item", predicate: try CompiledPredicate("name != 'n5' AND rank == nil"),
            sort: [try Query.SortKey("name")])
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
    func `are found by whatever number they were kept under`(id: Int) throws {
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

    @Test func `are told apart in every kind that they inherit from`() throws {
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
        // The first of each line is found again by those above it.
        #expect(mapper.edit.table.count == 4 && Set(found).count == 4)
    }

    @Test func `cost what it takes to be found by each kind that they inherit from`() throws {
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

    /// Entries that go with their keeper, the keeper with each of them, and one that something must not lose.
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

    @Test func `that may not go are not looked through again for each that would take them along`() throws {
        let count = 1_000
        let table = try Self.keeper(of: count)
        var edit = RecordEdit(table)
        let entries = table.ids(of: 0)
        let denied = edit.delete(entries)
        #expect(denied == entries && edit.table.count == count + 2)
        #expect(edit.lookCount < 5 * count)
        // Without the one that holds it, all go.
        let isHolderGone = edit.delete(1)
        #expect(isHolderGone)
        let left = edit.delete(entries)
        #expect(left.isEmpty && edit.table.count == 0)
    }
}
