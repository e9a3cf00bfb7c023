import Testing
import WidgetCore
import WidgetPredicates

/// Goal: records follow their model's rules about documents and deletions. Method: models of two or three entities,
/// each with one rule.
@Suite struct `A model` {
    static func object(_ members: KeyValuePairs<String, Value>) -> Value {
        .dictionary(PredicateDictionary(members.map { ($0.key, $0.value) }))
    }

    static func text(_ name: String, isOptional: Bool = true, initial: Value = .null) -> EntityModel.Property {
        .attribute(.init(name, .string, isOptional: isOptional, initial: initial, jsonKeyPath: [name]))
    }

    static func stored(
        _ elements: [Value], as name: String, in model: EntityModel, _ table: RecordTable? = nil
    ) throws -> (ids: [RecordID], table: RecordTable) {
        var mapper = RecordMapper(
            RecordEdit(table ?? RecordTable(model: model)), transformers: Transformers(), environment: Environment())
        let ids = try mapper.store(elements, as: name)
        return (ids, mapper.edit.table)
    }

    // MARK: - Documents

    @Test func `A model's transformer may say which kind of record an element is`() throws {
        let model = EntityModel([
            EntityModel.Entity("Animal", properties: [Self.text("name")], identity: ["name"], mapper: "toString"),
            EntityModel.Entity("Dog", parent: "Animal"), EntityModel.Entity("Stone", properties: [Self.text("name")]),
        ])
        let (ids, table) = try Self.stored([.string("Dog"), .string("Stone"), .string("?")], as: "Animal", in: model)
        let kinds = ids.compactMap { RecordObject($0, in: table)?.entity.name }
        #expect(kinds == ["Dog", "Animal", "Animal"], "only kinds that inherit are taken")
    }

    @Test func `A model's transformer may change an element before it is read`() throws {
        let model = EntityModel([
            EntityModel.Entity(
                "Note", properties: [Self.text("name")], identity: ["name"], dictionaryTransformer: "toString"),
            EntityModel.Entity(
                "Lost", properties: [Self.text("name")], identity: ["name"], dictionaryTransformer: "nothing"),
        ])
        let document = Self.object(["name": .string("x")])
        let (ids, table) = try Self.stored([document], as: "Note", in: model)
        let record = try #require(RecordObject(ids[0], in: table))
        #expect(record.value(forKey: "name")?.shown == document.shown)
        #expect(throws: RecordMapper.Failure.self) { _ = try Self.stored([document], as: "Lost", in: model) }
    }

    @Test func `A model gives a record's initial values, and its mandatory ones`() throws {
        let model = EntityModel([
            EntityModel.Entity(
                "Item",
                properties: [
                    Self.text("id"), Self.text("name", isOptional: false, initial: .string("new")), Self.text("more"),
                ],
                identity: ["id"]),
            EntityModel.Entity("Plain", properties: [Self.text("name", initial: .string("new"))]),
            EntityModel.Entity(
                "Part",
                properties: [
                    Self.text("id"),
                    .relationship(.init("whole", to: "Item", isOptional: false, jsonKeyPath: ["whole"])),
                ],
                identity: ["id"]),
            EntityModel.Entity("Idea", isAbstract: true, properties: [Self.text("id")], identity: ["id"]),
        ])
        func name(_ element: Value, _ entity: String) throws -> Value? {
            let (ids, table) = try Self.stored([element], as: entity, in: model)
            return ids.first.flatMap { RecordObject($0, in: table)?.value(forKey: "name") }
        }
        #expect(try name(Self.object(["id": .string("1")]), "Item")?.shown == "new")
        #expect(try name(Self.object([:]), "Plain")?.isNull ?? false, "without an identity what is left out is nothing")
        for (element, entity) in [
            (Self.object(["id": .string("1"), "name": .null]), "Item"), (Self.object(["id": .string("1")]), "Part"),
            (Self.object(["id": .string("1"), "whole": .null]), "Part"), (Self.object(["id": .string("1")]), "Idea"),
            (Self.object(["id": .string("1"), "whole": .boolean(true)]), "Part"),
        ] {
            #expect(throws: RecordMapper.Failure.self, "\(entity) \(element.shown)") { _ = try name(element, entity) }
        }
        let part = Self.object(["id": .string("1"), "whole": .string("w")])
        #expect(
            try Self.stored([part, .null, part], as: "Part", in: model).ids.count == 2,
            "null among others is passed over")
    }

    @Test func `A relationship ends where a document says null`() throws {
        let model = EntityModel([
            EntityModel.Entity(
                "Item",
                properties: [
                    Self.text("id"), .relationship(.init("box", to: "Box", inverse: "items", jsonKeyPath: ["box"])),
                ], identity: ["id"]),
            EntityModel.Entity(
                "Box",
                properties: [
                    Self.text("id"),
                    .relationship(.init("items", to: "Item", inverse: "box", isToMany: true, jsonKeyPath: ["items"])),
                ], identity: ["id"]),
        ])
        let (ids, table) = try Self.stored(
            [Self.object(["id": .string("1"), "box": .string("b")])], as: "Item", in: model)
        let (_, later) = try Self.stored(
            [Self.object(["id": .string("1"), "box": .null])], as: "Item", in: model, table)
        let item = try #require(RecordObject(ids[0], in: later))
        #expect(item.value(forKey: "box")?.isNull ?? false)
        let box = try #require(later.all.first { later.model.entities[$0.entity].name == "Box" })
        #expect(RecordObject(box.id, in: later)?.value(forKey: "items")?.elements?.isEmpty ?? false)
    }

    // MARK: - Deletion

    @Test(arguments: [
        (EntityModel.Relationship.DeleteRule.none, true, 1), (.nullify, true, 1), (.cascade, true, 0),
        (.deny, false, 2),
    ]) func `A model says which records a deletion takes with it`(
        rule: EntityModel.Relationship.DeleteRule, goes: Bool, left: Int
    ) throws {
        let model = EntityModel([
            EntityModel.Entity(
                "Box",
                properties: [
                    Self.text("id"),
                    .relationship(
                        .init(
                            "items", to: "Item", inverse: "box", isToMany: true, deleteRule: rule,
                            jsonKeyPath: ["items"])),
                ],
                identity: ["id"]),
            EntityModel.Entity(
                "Item", properties: [Self.text("id"), .relationship(.init("box", to: "Box", inverse: "items"))],
                identity: ["id"]),
        ])
        let (ids, table) = try Self.stored(
            [Self.object(["id": .string("b"), "items": .array([.string("1")])])], as: "Box", in: model)
        #expect(table.count == 2)
        var edit = RecordEdit(table)
        #expect(edit.delete(ids[0]) == goes && edit.table.count == left)
        if rule == .deny {
            let item = try #require(table.all.first { $0.id != ids[0] })
            #expect(edit.delete(item.id) && edit.delete(ids[0]), "an empty one goes")
        }
    }

    @Test func `A model keeps both sides of one to one the same`() throws {
        let model = EntityModel(
            [
                EntityModel.Entity(
                    "Key",
                    properties: [
                        Self.text("id"),
                        .relationship(.init("lock", to: "Lock", inverse: "key", jsonKeyPath: ["lock"])),
                    ], identity: ["id"]),
                EntityModel.Entity(
                    "Lock", properties: [Self.text("id"), .relationship(.init("key", to: "Key", inverse: "lock"))],
                    identity: ["id"]),
            ], facts: ["objectId": .identity])
        func key(_ id: String) -> Value { Self.object(["id": .string(id), "lock": .string("l")]) }
        let (ids, table) = try Self.stored([key("1"), key("2")], as: "Key", in: model)
        let locks = ids.map { RecordObject($0, in: table)?.value(forKey: "lock")?.member("objectId").shown }
        #expect(locks == ["", "l"], "a lock has one key, and the first has none any more")
    }

    @Test func `A model's transformers convert values of a document, and refuse those they cannot`() throws {
        func model(_ transformer: String) -> EntityModel {
            EntityModel([
                EntityModel.Entity(
                    "Item",
                    properties: [
                        .attribute(.init("n", .integer, jsonKeyPath: ["n"], transformer: transformer)),
                        .attribute(.init("flag", .boolean, jsonKeyPath: ["flag"])),
                    ])
            ])
        }
        let (ids, table) = try Self.stored(
            [Self.object(["n": .string("12"), "flag": .integer(1)]), Self.object(["n": .null, "flag": .integer(0)])],
            as: "Item", in: model("strToInt"))
        let records = ids.compactMap { RecordObject($0, in: table) }
        #expect(records.map { $0.value(forKey: "n")?.shown } == ["12", ""])
        #expect(records.map { $0.value(forKey: "flag")?.truth } == [true, false])
        for (transformer, text) in [("strToInt", "x"), ("nothing", "1")] {
            #expect(throws: RecordMapper.Failure.self) {
                _ = try Self.stored([Self.object(["n": .string(text)])], as: "Item", in: model(transformer))
            }
        }
    }
}
