import Testing
import WidgetPredicates

@testable import WidgetCore

/// Goal: a widget that gets another program keeps all of its state for which the program has a place. Method: two
/// programs of two screens each, of which the second lacks something.
@Suite struct `Another program` {
    static func program(
        kind: EntityModel.Attribute.Kind = .string, field: String = "field", screens: [String] = ["one", "two"]
    ) throws -> Program {
        let model = EntityModel([
            EntityModel.Entity(
                "Item",
                properties: [.attribute(.init("name", .string)), .attribute(.init("more", kind, initial: .null))])
        ])
        let scenes = screens.map { name in
            var scene = Scene(name, nodes: [Node(.box), Node(.textField, identifier: field), Node(.textField)])
            scene.nodes[0].children = [1, 2]
            scene.names[field] = .node(1)
            scene.sources = [Source("items", .items([.string("a"), .string("b")]))]
            scene.names["items"] = .source("items")
            return scene
        }
        let entries = screens.map { ($0, Program.Entry(scene: $0, isNavigation: true)) }
        return Program(
            identifier: "test", scenes: scenes, entries: Dictionary(entries) { first, _ in first }, initial: "one",
            model: model, vocabulary: Vocabulary())
    }

    /// Two open screens, with a record, a setting, a search and a text.
    static func store(_ program: Program) throws -> Store {
        var edit = RecordEdit(RecordTable(model: program.model))
        let id = edit.insert(0).id
        for slot in 0..<2 { edit.set(slot, of: id, to: .string("value \(slot)")) }
        var store = Store(records: edit.table)
        store.defaults["mine"] = .boolean(true)
        store = Reducer.reduce(.start, store, in: program, Environment()).store
        var second = Screen(number: 50, scene: "two", level: 1, hasBar: true)
        second.sources["items"] = SourceState()
        store.screens.append(second)
        let record = try #require(RecordObject(id, in: store.records))
        for place in store.screens.indices {
            store.screens[place].content = .object(record)
            store.screens[place].slots[SlotKey(1, .text)] = .string("typed")
            store.screens[place].slots[SlotKey(2, .text)] = .string("without a name")
            store.screens[place].searching["find"] = "gull"
            store.screens[place].sources["items", default: SourceState()].search = "b"
            store.screens[place].sources["items", default: SourceState()].filter = try CompiledPredicate(
                "SELF == $input")
        }
        return store
    }

    @Test func `Another program keeps records, settings, screens, typed values and search texts`() throws {
        let (old, new) = (try Self.program(), try Self.program())
        let moved = try Self.store(old).moved(from: old, to: new)
        #expect(moved.defaults["mine"]?.truth ?? false)
        #expect(moved.screens.map(\.scene) == ["one", "two"] && moved.screens.map(\.level) == [0, 1])
        for screen in moved.screens {
            #expect(
                screen.content.member("name").shown == "value 0" && screen.content.member("more").shown == "value 1")
            #expect(screen.slots.count == 1 && screen.slots[SlotKey(1, .text)]?.shown == "typed")
            #expect(screen.searching == ["find": "gull"])
        }
        let gone = Reducer.reduce(.time, moved, in: new, Environment()).store
        #expect(gone.screens.allSatisfy { $0.sources["items"]?.items.count == 1 }, "what is searched for stays so")
    }

    @Test func `Another program keeps no value of another kind, no text of another field and no screen that is gone`()
        throws
    {
        let old = try Self.program()
        let store = try Self.store(old)
        let other = try store.moved(from: old, to: Self.program(kind: .integer, field: "renamed"))
        #expect(other.screens[0].content.member("name").shown == "value 0")
        #expect(other.screens[0].content.member("more").isNull && other.screens[0].slots.isEmpty)
        let less = try store.moved(from: old, to: Self.program(screens: ["one"]))
        #expect(less.screens.map(\.scene) == ["one"])
        let none = try store.moved(from: old, to: Self.program(screens: ["two"]))
        #expect(none.screens.isEmpty, "screens above one that is gone would have nothing to return to")
    }
}
