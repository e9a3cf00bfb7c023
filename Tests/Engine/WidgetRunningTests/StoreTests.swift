import FoundationEssentials
import Testing
import WidgetCore
import WidgetDatabase
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: no data is lost, even if it is deep, odd, unknown or damaged, or could not be saved at first.
/// Method: stores written by hand, and read again.
@Suite struct `What is kept` {
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

    @Test(arguments: [1, 31, 32, 63, 80]) func `A kept value may be as deep as values may`(depth: Int) throws {
        let deep = Self.nested(depth)
        let store = Self.store(["a": deep], records: [[.value(.string("one")), .value(deep)]])
        let kept = try Self.kept(store)
        #expect(kept.defaults["a"]?.isIdentical(to: deep) == true)
        #expect(kept.records[0]?.isIdentical(to: try #require(store.records[0])) == true)
    }

    @Test func `The files of a new store are for their user alone`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let store = try RecordStore(path: "\(scratch.path)/kept.sqlite")
        try store.save([], of: Self.store(["a": .integer(1)]), settings: true)
        let files = try Directory(opening: scratch.path).items(limit: 100) ?? []
        #expect(files.map(\.name).contains("kept.sqlite") && files.count >= 2)
        for file in files { #expect(file.status.mode & 0o077 == 0, "\(file.name)") }
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal", ".lock"])
    func `A link in place of a file of a store is refused, and nothing is written through it`(ending: String) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = try Directory(opening: scratch.path)
        try folder.replaceFile("other", with: [])
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/kept.sqlite\(ending)", withDestinationPath: "\(scratch.path)/other")
        do throws(WidgetError) {
            _ = try RecordStore(path: "\(scratch.path)/kept.sqlite")
            Issue.record("the link was followed")
        } catch {
            guard case .file(let fault) = error else { throw error }
            #expect(fault.isLink && "\(error)".contains("kept.sqlite\(ending)"), "\(error)")
        }
        #expect(try folder.status(of: "other").byteCount == 0)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan]) func `A kept number need not be finite`(number: Double) throws
    {
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

    @Test func `An unreadable record stays where it is, and the others are loaded`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        try Self.mixed(path)
        do {
            let records = try RecordStore(path: path)
            let (store, diagnostics) = try records.read(model: Self.model)
            #expect(store.records.all.map(\.id) == [0, 2] && store.defaults.keys.sorted() == ["good"])
            #expect(diagnostics.map(\.code) == [.storing, .storing])
            #expect(diagnostics.allSatisfy { $0.hint?.contains(path) == true })
            // A new record does not overwrite an unreadable one.
            var edit = RecordEdit(store.records)
            let new = edit.insert(0)
            #expect(new.id == 41)
            var next = store
            next.records = edit.table
            next.defaults["other"] = .boolean(true)
            try records.save([new.id], of: next, settings: true)
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

    @Test func `A store belongs to one widget at a time, and the second one learns who has it`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let first = try RecordStore(path: path)
        let error = #expect(throws: WidgetError.self) { _ = try RecordStore(path: path) }
        #expect(error == .storeInUse(path: path, holder: "process \(ProcessNumber.current)"))
        withExtendedLifetime(first) {}
    }

    @Test func `Data that could not be saved is saved later`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let instance = try SampleBundle.widget("HarbourLog").instance
        let widget = RunningWidget(instance, network: DeniedNetwork(), records: try RecordStore(path: path))
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

    @Test func `A script keeps data that could not be saved, and saves it the next time`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let instance = try SampleBundle.widget("HarbourLog").instance
        let records = try RecordStore(path: path)
        var run = ScriptRun(instance, network: DeniedNetwork(), records: records) { ViewText().text($0) }
        try await run.play(.empty)
        let obstacle = try DatabaseConnection(opening: path, for: .writing)
        try obstacle.script("CREATE TRIGGER no BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'not now'); END;")
        #expect(throws: WidgetError.self) { try run.save() }
        try obstacle.script("DROP TRIGGER no;")
        try run.save()
        let kept = try records.load(model: instance.program.model)
        #expect(kept.records.count > 0 && kept.records.count == run.instance.store.records.count)
    }

    @Test func `Data is written once`() throws {
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

    @Test func `A store is refused to a widget from elsewhere with the same identifier`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let own = StoreOrigin(registry: "https://widgets.example", bundle: "com.example.One")
        let other = StoreOrigin(path: "/there/One.zip")
        try RecordStore(path: path).claim(for: StoreOrigin(path: "/here/One.zip"))
        // A bundle that was built again, or moved.
        try RecordStore(path: path).claim(for: other)
        try RecordStore(path: path).claim(for: own)
        try RecordStore(path: path).claim(for: own)
        #expect(throws: WidgetError.storeOfAnother(path: path, origin: "\(own)")) {
            try RecordStore(path: path).claim(for: other)
        }
        let namesake = StoreOrigin(registry: "https://other.example", bundle: "com.example.One")
        #expect(throws: WidgetError.storeOfAnother(path: path, origin: "\(own)")) {
            try RecordStore(path: path).claim(for: namesake)
        }
        try RecordStore(path: path).claim(for: other, adopting: .everything)
        try RecordStore(path: path).claim(for: namesake)
    }
}

/// Goal: every value of a record or a setting is the same after it was kept, and values that a later model does not
/// have are ignored. Method: one record with an attribute of each kind.
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

    @Test func `A store keeps every kind of value, and all relationships`() throws {
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

    @Test func `A store drops deleted records`() throws {
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

    @Test func `A store keeps the properties that a later model still has`() throws {
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

/// Goal: a widget's store of an earlier program opens with all of its data. Method: the specimens under
/// `Tests/Corpus/kept`, each a copy; a change of the store's schema adds one.
@Suite struct `A store of an earlier program` {
    private static let model = EntityModel([
        EntityModel.Entity(
            "Entry",
            properties: [.attribute(.init("title", .string)), .attribute(.init("wind", .integer))]),
        EntityModel.Entity("Keeper", properties: [.attribute(.init("name", .string))]),
    ])

    @Test(arguments: ["catalog-1", "catalog-2", "catalog-3", "catalog-4", "catalog-5"])
    func `A store of an earlier program opens with its records`(
        folder: String
    ) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/widget.sqlite"
        let kept = "\(Corpus.repositoryRoot)/Tests/Corpus/kept/\(folder)/widget.sqlite"
        try FileWork.copy(kept, to: path)
        let store = try RecordStore(path: path)
        let (read, diagnostics) = try store.read(model: Self.model)
        #expect(diagnostics.isEmpty)
        #expect(read.records.all.count == 10)
        let titles = read.records.all.filter { $0.entity == 0 }.compactMap { record -> String? in
            guard case .value(.string(let title)) = record.fields[0] else { return nil }
            return title
        }
        #expect(titles.count == 7 && titles.contains("Fog, and nothing else"))
    }
}
