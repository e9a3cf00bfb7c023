import Testing
import WidgetCore
import WidgetPredicates

/// Goal: an event pays for all the work that it causes, in expressions and in the sources and records behind them.
/// Method: operations of which one is cheap and many are not.
@Suite struct `What an evaluation takes` {
    private static func meter(_ steps: Int) -> Meter { Meter(steps, textByteCount: 1_000) }

    private static func environment(_ meter: Meter) -> PredicateEnvironment { PredicateEnvironment(meter: meter) }

    @Test func `The cost grows with the records that are filtered and sorted, for every query`() throws {
        let table = try SampleModel.table((0..<2_000).map { SampleModel.item("\($0)", "n\($0)") })
        let query = RecordQuery(entity: "Item", sort: [try RecordQuery.SortKey("name")])
        let enough = Self.meter(1_000_000)
        let answer = try QueryRun(query, .init(), table, Self.environment(enough)).all()
        #expect(answer.count == 2_000)
        let taken = 1_000_000 - enough.left
        #expect(taken > 2_000 * 10)
        let little = Self.meter(taken / 2)
        #expect(throws: PredicateError.self) {
            _ = try QueryRun(query, .init(), table, Self.environment(little)).all()
        }
        #expect(little.isEmpty)
    }

    @Test func `The cost of a template is the length of its text, which ends at its limit`() {
        let template = Template(String(repeating: "$a", count: 100), .keyPaths)
        let root = Value.dictionary(PredicateDictionary([("a", .string(String(repeating: "x", count: 100)))]))
        let meter = Self.meter(100_000)
        let text = template.text(root: root, environment: Self.environment(meter))
        #expect(text.utf8.count <= 1_000 && text.hasPrefix("xxx"))
        #expect(meter.left < 100_000)
        #expect(template.text(root: root, environment: PredicateEnvironment()).utf8.count == 10_000)
    }

    @Test func `The cost of a filled-in answer is the number of its parts`() {
        let parts = (0..<1_000).map { ("k\($0)", Value.string("$a")) }
        let template = StructuredTemplate(.dictionary(PredicateDictionary(parts)))
        let root = Value.dictionary(PredicateDictionary([("a", .integer(1))]))
        let meter = Self.meter(100_000)
        guard case .dictionary(let filled) = template.filled(from: root, environment: Self.environment(meter)) else {
            Issue.record("it stays a dictionary")
            return
        }
        #expect(filled.count == 1_000 && filled["k7"]?.string == "1")
        #expect(meter.left <= 100_000 - 4_000)
    }

    @Test func `The cost of settings that contain each other is known without traversing them`() {
        var value = Value.dictionary(PredicateDictionary([("a", .integer(1))]))
        for _ in 0..<70 { value = .dictionary(PredicateDictionary([("a", value), ("b", value)])) }
        #expect(value.isLarger(depth: 80, count: 100_000))
        #expect(value.weight(upTo: 1_000_000) == nil)
        // Equal in all parts, and compared without a traversal.
        #expect(value.isIdentical(to: value))
        #expect(value.moved(to: RecordTable(model: .empty)).isIdentical(to: value))
    }
}

/// Goal: the number of pending requests is bounded. Method: an action that is sent again and again, to a service that
/// answers late.
@Suite struct `Requests that wait` {
    @Test func `Requests that wait are limited, and the next one fails`() {
        var scene = Scene("main", nodes: [Node(.box)])
        var action = Action("ask", name: "ask")
        action.service = "S"
        scene.actions = [action]
        scene.onLoad = Array(repeating: .perform("ask", argument: nil), count: 520)
        var answer = ServiceAction(
            "ask", url: Template("https://example.com/", .keys), parameters: StructuredTemplate(.null))
        answer.response = .null
        answer.delay = 3_600
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", services: [Service("S", actions: ["ask": answer], isScripted: true)])
        let done = Reducer.reduce(
            .start, Store(model: .empty), in: program, Environment(), budget: Budget(stepCount: 10_000))
        #expect(done.store.requests.count == 500)
        #expect(done.diagnostics.map(\.code) == [.stepBudget])
        #expect(done.store.visible?.actions["ask"]?.isFailure == true)
    }
}

/// Goal: relationships hold for any number of records, at a cost by that number. Method: thousands of records.
@Suite struct `Records that point at each other` {
    private static let model = EntityModel([
        EntityModel.Entity(
            "Post",
            properties: [
                .attribute(EntityModel.Attribute("id", .string, jsonKeyPath: ["id"])),
                .relationship(EntityModel.Relationship("author", to: "User", inverse: "posts", jsonKeyPath: ["user"])),
            ], identity: ["id"]),
        EntityModel.Entity(
            "User",
            properties: [
                .attribute(EntityModel.Attribute("id", .string, jsonKeyPath: ["id"])),
                .relationship(
                    EntityModel.Relationship(
                        "posts", to: "Post", inverse: "author", isToMany: true, deleteRule: .cascade)),
            ], identity: ["id"]),
    ])

    private static func stored(_ count: Int, authors: Int, in table: RecordTable? = nil) throws -> RecordTable {
        var mapper = RecordMapper(
            RecordEdit(table ?? RecordTable(model: model)), transformers: Transformers(), environment: Environment())
        _ = try mapper.store(
            (0..<count).map { index in
                SampleModel.object([
                    "id": .string("\(index)"), "user": SampleModel.object(["id": .string("u\(index % authors)")]),
                ])
            }, as: "Post")
        return mapper.edit.table
    }

    private static func posts(of user: RecordID, in table: RecordTable) throws -> [RecordID] {
        let slot = try #require(model["User"]?.slot("posts"))
        return RecordEdit.targets(try #require(table[user]).fields[slot])
    }

    private static func users(_ table: RecordTable) throws -> [RecordID] {
        table.ids(of: try #require(model.place(of: "User")))
    }

    @Test func `Records are pointed back at, each once, in their order`() throws {
        let table = try Self.stored(3_000, authors: 2)
        let users = try Self.users(table)
        #expect(users.count == 2)
        let posts = try Self.posts(of: users[0], in: table)
        #expect(posts.count == 1_500 && posts == posts.sorted() && Set(posts).count == 1_500)
        // Repeating it changes nothing.
        let again = try Self.stored(3_000, authors: 2, in: table)
        #expect(again.changes(since: table).isEmpty)
    }

    @Test func `Records change sides when they are pointed elsewhere`() throws {
        let table = try Self.stored(100, authors: 1)
        let moved = try Self.stored(100, authors: 4, in: table)
        let users = try Self.users(moved)
        for user in users { #expect(try Self.posts(of: user, in: moved).count == 25) }
    }

    @Test func `Records lose deleted ones, all at once`() throws {
        let table = try Self.stored(3_000, authors: 1)
        var edit = RecordEdit(table)
        let posts = table.ids(of: try #require(Self.model.place(of: "Post")))
        #expect(edit.delete(Array(posts.prefix(2_999))).isEmpty)
        let left = edit.table
        #expect(try Self.posts(of: try Self.users(left)[0], in: left) == [posts[2_999]])
        // A deleted record takes others along, as the model says.
        var last = RecordEdit(left)
        #expect(last.delete(try Self.users(left)[0]))
        #expect(last.table.count == 0)
    }

    @Test func `The line of entities that a record inherits from is limited, and ends in a circle`() {
        let line = (0..<1_000).map { EntityModel.Entity("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
        let model = EntityModel(line)
        #expect(!model.cut.isEmpty && model.entities.count == 1_000)
        #expect(model.family(of: 990).count == 10)
        #expect(model.family(of: 0).count <= EntityModel.mostAncestors + 1)
        let circle = EntityModel([
            EntityModel.Entity("A", parent: "B"), EntityModel.Entity("B", parent: "A"),
        ])
        #expect(circle.family(of: 0).sorted() == [0, 1] && circle.cut.isEmpty)
    }
}

/// Goal: ordinary use reaches no limit. Method: ten thousand records with owners, stored, sorted and shown with the
/// usual budget, in rows as rich as those of the framework's own sample.
@Suite struct `A list of ten thousand rows` {
    private static func program() throws -> Program {
        let names = ["id", "title", "text", "kind", "place", "note", "time", "count"]
        let model = EntityModel([
            EntityModel.Entity(
                "Post",
                properties: names.map { .attribute(.init($0, .string, jsonKeyPath: [$0])) } + [
                    .relationship(.init("author", to: "User", inverse: "posts", jsonKeyPath: ["user"]))
                ], identity: ["id"]),
            EntityModel.Entity(
                "User",
                properties: names.map { .attribute(.init($0, .string, jsonKeyPath: [$0])) } + [
                    .relationship(.init("posts", to: "Post", inverse: "author", isToMany: true))
                ], identity: ["id"]),
        ])
        var scene = Scene("main", nodes: [Node(.list), Node(.row), Node(.box), Node(.box)])
        let bound = ["content.title", "content.text", "content.author.title", "content.time"]
        for keyPath in bound {
            var label = Node(.label)
            label[.text] = try Expression(keyPath: keyPath)
            scene.nodes.append(label)
        }
        scene.nodes[0].list = ListTemplate(source: "p")
        scene.nodes[0].list?.prototypes = ["Cell": 1]
        scene.nodes[1].children = [2]
        scene.nodes[2].children = [3]
        scene.nodes[3].children = [4, 5, 6, 7]
        for id in 1..<scene.nodes.count { scene.nodes[id].prototype = 1 }
        scene.sources = [
            Source(
                "p",
                .query(
                    RecordQuery(
                        entity: "Post", predicate: try CompiledPredicate("title != nil"),
                        sort: [try RecordQuery.SortKey("title")])))
        ]
        var action = Action("load", name: "load")
        action.service = "S"
        scene.actions = [action]
        scene.onLoad = [.perform("load", argument: nil)]
        var answer = ServiceAction(
            "load", url: Template("https://example.com/", .keys), parameters: StructuredTemplate(.null))
        answer.result = .init(entity: "Post", isArray: true)
        answer.clearPolicy = .after
        func values(_ id: String) -> [(String, Value)] { names.map { ($0, .string($0 == "id" ? id : "\($0) \(id)")) } }
        answer.response = .array(
            (0..<10_000).map { index in
                .dictionary(
                    PredicateDictionary(
                        values("\(index)") + [("user", .dictionary(PredicateDictionary(values("u\(index % 50)"))))]))
            })
        return Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", model: model, services: [Service("S", actions: ["load": answer], isScripted: true)])
    }

    @Test func `A list of ten thousand rows is kept and shown within every limit`() throws {
        let program = try Self.program()
        var store = Store(model: program.model)
        for event in [Event.start, .time] {
            let done = Reducer.reduce(event, store, in: program, Environment())
            #expect(done.diagnostics.isEmpty, "\(done.diagnostics)")
            store = done.store
        }
        #expect(store.records.count == 10_050)
        let view = Evaluator(program).view(of: store, Environment())
        #expect(view.diagnostics.isEmpty, "\(view.diagnostics)")
        #expect(view.root.children.first?.children.count == 10_000)
    }
}
