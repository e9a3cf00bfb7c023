import Predicates
import Testing
import WidgetCore

/// Goal: what all records hold together is bounded, and known without looking at all of them. Method: records with many
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

    @Test func `bounds records of many fields`() throws {
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

    @Test func `counts a text for each record that has it`() throws {
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
        // And no longer when they are gone.
        for id in 0..<450 { _ = edit.delete(id) }
        try edit.checkWeight()
    }

    @Test func `has room for what widgets have`() throws {
        let text = Value.string(String(repeating: "x", count: 100))
        let members = (0..<20).map { ("a\($0)", text) }
        let elements = Array(repeating: Value.dictionary(PredicateDictionary(members)), count: 10_000)
        #expect(try Self.store(elements, in: RecordTable(model: Self.model(fields: 20))).count == 10_000)
    }

    @Test func `is the same however records came to be what they are`() throws {
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

    @Test func `refuses what is put back beyond it, and gives its number to no other`() {
        var edit = RecordEdit(RecordTable(model: Self.model(fields: 10)), weightLimit: 25)
        let fields = Array(repeating: Record.Field.value(.null), count: 10)
        let isRestored = (0..<3).map { edit.restore(Record(id: $0, entity: 0, fields: fields)) }
        #expect(isRestored == [true, true, false])
        let next = edit.insert(0)
        #expect(next.id == 3)
    }
}
