import Files
import Predicates
import Testing
import WidgetCore
import WidgetRunning

/// Goal: whatever a record or a setting can have is the same after it was kept, and what a later model does not know is
/// passed over. Method: one record with an attribute of each kind.
@Suite struct `What a host keeps` {
    static func model(_ name: String = "Thing", without missing: String = "") -> EntityModel {
        let kinds: [(String, EntityModel.Attribute.Kind)] = [
            ("integer", .integer), ("real", .real), ("decimal", .decimal), ("string", .string), ("boolean", .boolean),
            ("date", .date), ("data", .data), ("any", .any), ("empty", .string),
        ]
        let attributes = kinds.filter { $0.0 != missing }.map { EntityModel.Property.attribute(.init($0.0, $0.1)) }
        return EntityModel([
            EntityModel.Entity(
                name,
                properties: attributes + [
                    .relationship(.init("parts", to: name, inverse: "whole", isToMany: true)),
                    .relationship(.init("whole", to: name, inverse: "parts")),
                ])
        ])
    }

    static let values: [(String, Value)] = [
        ("integer", .integer(-7)), ("real", .double(0.1)),
        ("decimal", DecimalNumber("1.10").map { .decimal($0) } ?? .null),
        ("string", .string("a \"b\"\n\u{0}")), ("boolean", .boolean(true)), ("date", .date(551_217_600.25)),
        ("data", .data([0, 1, 255])),
        (
            "any",
            .dictionary(
                PredicateDictionary([("date", .date(5)), ("list", .array([.double(2), .string("x"), .null]))]))
        ),
    ]

    static func store(_ path: String) throws -> (Store, [RecordID]) {
        let model = model()
        var edit = RecordEdit(RecordTable(model: model))
        let entity = try #require(model["Thing"])
        let ids = (0..<3).map { _ in edit.insert(0).id }
        for (name, value) in values { edit.set(try #require(entity.slot(name)), of: ids[0], to: value) }
        edit.link(try #require(entity.slot("parts")), of: ids[0], to: [ids[2], ids[1]])
        var store = Store(records: edit.table)
        for (name, value) in values { store.defaults[name] = value }
        try RecordStore(path: path).save(Set(ids), of: store, settings: true)
        return (store, ids)
    }

    @Test func `is every kind of value, and what leads where`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/a.sqlite"
        let (store, ids) = try Self.store(path)
        let kept = try RecordStore(path: path).load(model: Self.model())
        for id in ids {
            let (before, after) = (try #require(store.records[id]), try #require(kept.records[id]))
            #expect(after.isIdentical(to: before), "\(after)")
        }
        for (name, value) in Self.values {
            #expect(kept.defaults[name]?.isIdentical(to: value) ?? false, "the setting \(name)")
        }
    }

    @Test func `is gone when it was deleted`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/a.sqlite"
        let (store, ids) = try Self.store(path)
        var edit = RecordEdit(store.records)
        let isGone = edit.delete(ids[1])
        #expect(isGone)
        try RecordStore(path: path).save([ids[0], ids[1]], of: Store(records: edit.table), settings: false)
        let kept = try RecordStore(path: path).load(model: Self.model())
        #expect(kept.records.all.map(\.id) == [ids[0], ids[2]] && kept.defaults.count == Self.values.count)
    }

    @Test func `is what a later model still knows`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/a.sqlite"
        let (_, ids) = try Self.store(path)
        let less = Self.model(without: "string")
        let kept = try RecordStore(path: path).load(model: less)
        let record = try #require(RecordObject(ids[0], in: kept.records))
        #expect(record.value(forKey: "string")?.isNull ?? false)
        #expect(record.value(forKey: "integer")?.shown == "-7")
        let other = try RecordStore(path: path).load(model: Self.model("Other"))
        #expect(other.records.count == 0 && other.defaults.count == Self.values.count)
        var edit = RecordEdit(RecordTable(model: Self.model("Other")))
        edit.restore(Record(id: 900, new: 0, of: edit.model))
        try RecordStore(path: path).save([900], of: Store(records: edit.table), settings: false)
        let both = try RecordStore(path: path).load(model: Self.model("Other"))
        #expect(both.records.all.map(\.id) == [900], "one that is not known keeps no other back")
    }
}
