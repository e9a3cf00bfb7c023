import Testing
import WidgetCore
import WidgetPredicates

/// Goal: providers pass the framework's own tests. Method: those tests, case by case.
@Suite struct `A provider` {
    static func screen(_ sources: [Source], records: RecordTable? = nil) -> Store {
        var scene = Scene("main", nodes: [Node(.box)])
        scene.sources = sources
        for source in sources { scene.names[source.id] = .source(source.id) }
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: true)],
            initial: "main", model: SampleModel.model)
        let store = records.map { Store(records: $0) } ?? Store(model: SampleModel.model)
        return Reducer.reduce(.start, store, in: program, Environment()).store
    }

    static func state(_ source: Source, records: RecordTable? = nil) throws -> SourceState {
        try #require(screen([source], records: records).visible?.sources[source.id])
    }

    static func items(_ count: Int) -> [Value] {
        (1...count).map { SampleModel.object(["name": .string("item\($0)")]) }
    }

    @Test func `case 11: a provider has one section for items in memory`() throws {
        let state = try Self.state(Source("p", .items(Self.items(5))))
        #expect(state.items.count == 5 && state.sections.count == 1)
        #expect(try Self.state(Source("p", .items([]))).sections.isEmpty)
    }

    @Test func `case 12: a provider runs its items through a chain`() throws {
        let chain = try ResultChain([.init("wx_takeLast:", "2"), .init("wx_map:", "name"), .init("wx_joinedBy:", ", ")])
        var source = Source("p", .items(Self.items(5)))
        source.chain = chain
        var scene = Scene("main", nodes: [Node(.label)])
        scene.sources = [source]
        scene.names["p"] = .source("p")
        scene.nodes[0][.text] = try Expression(keyPath: "p.value")
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main")
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        let view = Evaluator(program).view(of: store, Environment())
        #expect(view.root.children.first?.text(.text) == "item4, item5")
    }

    @Test func `A quote in a chain's argument is a quote`() throws {
        let chain = try ResultChain([.init("wx_joinedBy:", "' \" \\")])
        #expect(chain.links.first?.argument == "' \" \\")
    }

    @Test func `case 13: a provider shows the collection of an object`() throws {
        var source = Source("p", .collection(keyPath: "items"))
        source.master = .literal(SampleModel.object(["items": .array(Self.items(5))]))
        #expect(try Self.state(source).items.count == 5)
    }

    static let three = [
        SampleModel.item("1", "test 2", group: "G1"), SampleModel.item("2", "sample", group: "G1", category: "c"),
        SampleModel.item("3", "test 1", group: "G2"),
    ]

    @Test func `case 14 and 15: a provider sorts both ways`() throws {
        let table = try SampleModel.table([SampleModel.item("1", "test 2"), SampleModel.item("2", "test 1")])
        #expect(try SampleModel.query(sort: ["name"], in: table).first == "test 1")
        #expect(try SampleModel.query(sort: ["name"], isAscending: false, in: table).first == "test 2")
    }

    @Test func `case 16: a provider filters by a predicate`() throws {
        let table = try SampleModel.table(Self.three)
        #expect(try SampleModel.query("category != nil", in: table) == ["sample"])
    }

    @Test func `case 17: a provider filters by the search text`() throws {
        let table = try SampleModel.table(Self.three)
        let filter = try CompiledPredicate("name BEGINSWITH[c] $input")
        func found(_ text: String) throws -> [String] {
            try SampleModel.query(sort: ["name"], conditions: QueryConditions(filter: filter, search: text), in: table)
        }
        #expect(try found("sam") == ["sample"])
        #expect(try found("test") == ["test 1", "test 2"])
        #expect(try found("").count == 3)
    }

    @Test func `case 18: a provider shows the items of a master object`() throws {
        let table = try SampleModel.table(Self.three)
        let category = try #require(table.all.first { table.model.entities[$0.entity].name == "Category" })
        func found(_ table: RecordTable) throws -> [String] {
            let master = try Value.object(#require(RecordObject(category.id, in: table)))
            return try SampleModel.query(
                conditions: QueryConditions(masterKeyPath: "category", master: master), in: table)
        }
        #expect(try found(table) == ["sample"])
        var edit = RecordEdit(table)
        let slot = try #require(table.model["Category"]?.slot("items"))
        let items = try #require(table.model.place(of: "Item"))
        edit.link(slot, of: category.id, to: Array(table.ids(of: items).prefix(2)))
        #expect(try found(edit.table).sorted() == ["sample", "test 2"])
    }

    @Test func `case 19: a provider groups by a field`() throws {
        let query = RecordQuery(entity: "Item", grouping: try RecordQuery.SortKey("groupTitle"))
        let state = try Self.state(Source("p", .query(query)), records: try SampleModel.table(Self.three))
        #expect(state.sections.map(\.count) == [2, 1] && state.sections.map(\.name) == ["G1", "G2"])
        #expect(try Self.state(Source("p", .query(query))).sections.isEmpty)
    }

    @Test func `An empty provider has no first item, and says that it is empty`() throws {
        let store = Self.screen([Source("p", .items([]))])
        #expect(store.visible?.sources["p"]?.items.count == 0)
    }

    @Test func `defect 32: collections and lists in memory filter by the search text`() throws {
        var source = Source("p", .items(Self.items(3)))
        source.filter = try CompiledPredicate("name ENDSWITH $input")
        var scene = Scene("main", nodes: [Node(.searchField)])
        scene.sources = [source]
        scene.nodes[0].events[.change] = [.search(source: "p", text: try Expression(keyPath: "argument"), filter: nil)]
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main")
        var store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        let screen = try #require(store.visible).number
        store =
            Reducer.reduce(.input(ViewKey(screen: screen, node: 0), .string("2")), store, in: program, Environment())
            .store
        #expect(store.visible?.sources["p"]?.items.count == 1)
    }
}
