import Database
import Files
import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: nothing kept is lost: not what is deep, odd, unknown or damaged, and not what could not be kept at once.
/// Method: stores written by hand, and read again.
@Suite(.timeLimit(.minutes(20))) struct `What is kept` {
    private static let model = EntityModel([
        EntityModel.Entity(
            "Entry",
            properties: [
                .attribute(.init("title", .string)), .attribute(.init("anything", .any)),
            ])
    ])

    /// A dictionary in a dictionary, so often.
    private static func nested(_ depth: Int) -> Value {
        (0..<depth).reduce(Value.double(1.5)) { value, _ in .dictionary(PredicateDictionary([("a", value)])) }
    }

    private static func store(_ settings: [String: Value], records: [[Record.Field]] = []) -> Store {
        var edit = RecordEdit(RecordTable(model: model))
        for (id, fields) in records.enumerated() { edit.restore(Record(id: id, entity: 0, fields: fields)) }
        var store = Store(records: edit.table)
        store.defaults = settings
        return store
    }

    private static func kept(_ store: Store) throws -> Store {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        try RecordStore(path: path).save(Set(store.records.all.map(\.id)), of: store, settings: true)
        return try RecordStore(path: path).load(model: model)
    }

    @Test(arguments: [1, 31, 32, 63, 80]) func `may be as deep as values may`(depth: Int) throws {
        let deep = Self.nested(depth)
        let store = Self.store(["a": deep], records: [[.value(.string("one")), .value(deep)]])
        let kept = try Self.kept(store)
        #expect(kept.defaults["a"]?.isIdentical(to: deep) == true)
        #expect(kept.records[0]?.isIdentical(to: try #require(store.records[0])) == true)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan]) func `may be no finite number`(number: Double) throws {
        let kept = try Self.kept(Self.store(["real": .double(number), "date": .date(number)])).defaults
        guard case .double(let real) = kept["real"], case .date(let date) = kept["date"] else {
            Issue.record("\(kept)")
            return
        }
        #expect(real.description == number.description && date.description == number.description)
    }

    /// A store with good and bad things in it.
    private static func mixed(_ path: String) throws {
        let entry = [Record.Field.value(.string("one")), .value(.null)]
        let good = store(["good": .integer(1), "bad": .integer(2)], records: [entry, entry, entry])
        try RecordStore(path: path).save([0, 1, 2], of: good, settings: true)
        let connection = try DatabaseConnection(opening: path, for: .writing)
        try connection.script("UPDATE setting SET value = '{\"members\":' WHERE name = 'bad';")
        try connection.script("UPDATE record SET fields = '[' WHERE id = 1;")
        try connection.script("INSERT INTO record VALUES (40, 'Elsewhere', '{}'), (-7, 'Entry', '{}');")
    }

    @Test func `and cannot be read stays where it is, and the rest goes on`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        try Self.mixed(path)
        do {
            let keeper = try RecordStore(path: path)
            let (store, diagnostics) = try keeper.read(model: Self.model)
            #expect(store.records.all.map(\.id) == [0, 2] && store.defaults.keys.sorted() == ["good"])
            #expect(diagnostics.map(\.code) == [.storing, .storing])
            #expect(diagnostics.allSatisfy { $0.hint?.contains(path) == true })
            // What is new takes the place of nothing.
            var edit = RecordEdit(store.records)
            let new = edit.insert(0)
            #expect(new.id == 41)
            var next = store
            next.records = edit.table
            next.defaults["other"] = .boolean(true)
            try keeper.save([new.id], of: next, settings: true)
        }
        let connection = try DatabaseConnection(opening: path, for: .reading)
        let ids = try connection.all("SELECT id FROM record ORDER BY id", []) { row throws(DatabaseError) in
            try row.integer(0)
        }
        let names = try connection.all("SELECT name FROM setting ORDER BY name", []) { row throws(DatabaseError) in
            try row.text(0)
        }
        #expect(ids == [-7, 0, 1, 2, 40, 41] && names == ["bad", "good", "other"])
    }

    @Test func `belongs to one at a time, and the second is told who has it`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let first = try RecordStore(path: path)
        let error = #expect(throws: WidgetError.self) { _ = try RecordStore(path: path) }
        #expect(error == .storeInUse(path: path, holder: "process \(ProcessNumber.current)"))
        withExtendedLifetime(first) {}
    }

    @Test func `and could not be kept is kept later`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let instance = try SampleBundle.widget("HarbourLog").instance
        let widget = RunningWidget(instance, network: DeniedNetwork(), keeper: try RecordStore(path: path))
        let obstacle = try DatabaseConnection(opening: path, for: .writing)
        try obstacle.script("CREATE TRIGGER no BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'not now'); END;")
        await widget.send(.setting("one", .integer(1)))
        #expect(await widget.snapshot().warning?.contains("not now") == true)
        try obstacle.script("DROP TRIGGER no;")
        await widget.send(.setting("two", .integer(2)))
        #expect(await widget.snapshot().warning == nil)
        await widget.stop()
        let kept = try RecordStore(path: path).load(model: instance.program.model)
        #expect(kept.defaults.keys.sorted() == ["one", "two"])
    }

    @Test func `A script keeps what could not be saved, and saves it the next time`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let instance = try SampleBundle.widget("HarbourLog").instance
        let keeper = try RecordStore(path: path)
        var run = ScriptRun(instance, network: DeniedNetwork(), keeper: keeper) { ViewText().text($0) }
        try await run.play(.empty)
        let obstacle = try DatabaseConnection(opening: path, for: .writing)
        try obstacle.script("CREATE TRIGGER no BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'not now'); END;")
        #expect(throws: WidgetError.self) { try run.save() }
        try obstacle.script("DROP TRIGGER no;")
        try run.save()
        let kept = try keeper.load(model: instance.program.model)
        #expect(kept.records.count > 0 && kept.records.count == run.instance.store.records.count)
    }

    @Test func `is written once`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let widget = try SampleBundle.widget("HarbourLog")
        widget.send(.setting("one", .integer(1)))
        try widget.save(to: path)
        #expect(!widget.driver.hasUnsavedSettings && widget.driver.unsaved.isEmpty)
        try DatabaseConnection(opening: path, for: .writing).script("DELETE FROM setting;")
        try widget.save(to: path)
        #expect(try RecordStore(path: path).load(model: widget.program.model).defaults.isEmpty)
    }

    @Test func `is for no widget from elsewhere that calls itself the same`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let own = StoreOrigin(registry: "https://widgets.example", bundle: "com.example.One")
        let other = StoreOrigin(path: "/there/One.zip")
        try RecordStore(path: path).claim(for: StoreOrigin(path: "/here/One.zip"))
        // What was built again, or moved.
        try RecordStore(path: path).claim(for: other)
        try RecordStore(path: path).claim(for: own)
        try RecordStore(path: path).claim(for: own)
        #expect(throws: WidgetError.storeOfAnother(path: path, origin: own)) {
            try RecordStore(path: path).claim(for: other)
        }
        let namesake = StoreOrigin(registry: "https://other.example", bundle: "com.example.One")
        #expect(throws: WidgetError.storeOfAnother(path: path, origin: own)) {
            try RecordStore(path: path).claim(for: namesake)
        }
        try RecordStore(path: path).claim(for: other, isTakenOver: true)
        try RecordStore(path: path).claim(for: namesake)
    }
}
