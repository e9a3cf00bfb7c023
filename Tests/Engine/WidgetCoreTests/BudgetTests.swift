import Testing
import WidgetCore
import WidgetPredicates

/// Goal: nothing authored can stop the program, or keep it busy. Method: scenes that try.
@Suite struct `A budget` {
    static func list(_ count: Int, entity: String = "Item") throws -> (Program, Store) {
        var scene = Scene("main", nodes: [Node(.list), Node(.row), Node(.label), Node(.label)])
        scene.sources = [Source("p", .query(RecordQuery(entity: entity, sort: [try RecordQuery.SortKey("name")])))]
        scene.nodes[0].list = ListTemplate(source: "p")
        scene.nodes[0].list?.prototypes = ["Cell": 1]
        scene.nodes[1].children = [2, 3]
        for id in 1...3 { scene.nodes[id].prototype = 1 }
        scene.nodes[2][.text] = try Expression(keyPath: "content.name")
        scene.nodes[3][.text] = try Expression(keyPath: "content.groupTitle")
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", model: SampleModel.model)
        let table = try SampleModel.table((0..<count).map { SampleModel.item("\($0)", "n\(100_000 + $0)", group: "g") })
        return (program, Reducer.reduce(.start, Store(records: table), in: program, Environment()).store)
    }

    @Test func `The budget of rows ends a list that is too long, and shows its beginning`() throws {
        let (program, store) = try Self.list(50)
        let view = Evaluator(program, budget: Budget(rowCount: 10)).view(of: store, Environment())
        #expect(view.root.children.first?.children.count == 10)
        #expect(view.diagnostics.map(\.code) == [.rowBudget])
    }

    @Test func `The budget of nodes, bytes and time ends a screen, and shows its beginning`() throws {
        let (program, store) = try Self.list(50)
        for (budget, code) in [
            (Budget(nodeCount: 20), Finding.Code.nodeBudget), (Budget(byteCount: 60), .byteBudget),
            (Budget(isTimeOver: { true }), .timeBudget),
        ] {
            let view = Evaluator(program, budget: budget).view(of: store, Environment())
            #expect(view.diagnostics.map(\.code) == [code])
            #expect((1..<50).contains(view.root.children.first?.children.count ?? 0))
        }
    }

    /// Each row of a list holds the same list again.
    private static func lists(_ count: Int) throws -> (Program, Store) {
        var scene = Scene("main", nodes: [Node(.list), Node(.row), Node(.list), Node(.row), Node(.label)])
        scene.sources = [Source("p", .query(RecordQuery(entity: "Item", sort: [try RecordQuery.SortKey("name")])))]
        for (list, row, inside) in [(0, 1, 2), (2, 3, 4)] {
            scene.nodes[list].list = ListTemplate(source: "p")
            scene.nodes[list].list?.prototypes = ["Cell": row]
            scene.nodes[row].children = [inside]
            for id in [row, inside] { scene.nodes[id].prototype = row }
        }
        scene.nodes[4][.text] = try Expression(keyPath: "content.groupTitle")
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", model: SampleModel.model)
        let table = try SampleModel.table((0..<count).map { SampleModel.item("\($0)", "n\(100 + $0)", group: "g") })
        return (program, Reducer.reduce(.start, Store(records: table), in: program, Environment()).store)
    }

    @Test func `The budget of nodes counts rows within rows each time`() throws {
        let (program, store) = try Self.lists(50)
        let view = Evaluator(program, budget: Budget(nodeCount: 1_000)).view(of: store, Environment())
        #expect(view.diagnostics.map(\.code) == [.nodeBudget])
    }

    @Test func `The budget of depth cuts off nodes that are too deep`() throws {
        var scene = Scene("main", nodes: (0..<1_000).map { _ in Node(.box) })
        for id in 0..<999 { scene.nodes[id].children = [id + 1] }
        let program = single(scene)
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        #expect(Evaluator(program).view(of: store, Environment()).diagnostics.map(\.code) == [.depthBudget])
    }

    @Test func `The budget of steps ends reactions that trigger each other`() throws {
        var scene = Scene("main", nodes: [Node(.label)])
        scene.nodes[0][.text] = .literal(.string("still here"))
        scene.reactions = [
            Reaction([.loaded], [.trigger(.loaded)]),
            Reaction([.contentChanged], [.assign(.content, .literal(.integer(1)))]),
        ]
        scene.onLoad = [.assign(.content, .literal(.integer(2)))]
        let program = single(scene)
        let done = Reducer.reduce(.start, Store(model: .empty), in: program, Environment())
        #expect(done.diagnostics.map(\.code) == [.stepBudget])
        #expect(Evaluator(program).view(of: done.store, Environment()).root.children.first?.text(.text) == "still here")
    }

    @Test func `The budget of time between two turns slows down a timer of zero`() throws {
        var scene = Scene("main", nodes: [Node(.box)])
        scene.onLoad = [.every(name: "t", seconds: 0, [])]
        let program = single(scene)
        let done = Reducer.reduce(.start, Store(model: .empty), in: program, Environment())
        #expect(done.diagnostics.map(\.code) == [.timerTooFast] && done.store.nextDeadline == 0.1)
    }

    @Test func `A budget ends bindings that read each other`() throws {
        var scene = Scene("main", nodes: [Node(.box), Node(.label), Node(.label)])
        scene.nodes[0].children = [1, 2]
        scene.names = ["a": .node(1), "b": .node(2)]
        scene.nodes[1][.text] = try Expression(keyPath: "b.text")
        scene.nodes[2][.text] = try Expression(keyPath: "a.text")
        let program = single(scene)
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        #expect(Evaluator(program).view(of: store, Environment()).root.children.first?.children.count == 2)
    }

    @Test func `One bad element never empties a screen`() throws {
        var scene = Scene("main", nodes: [Node(.box), Node(.label), Node(.label)])
        scene.nodes[0].children = [1, 2]
        scene.nodes[1][.text] = Expression(.compiled(try CompiledExpression("1 / 0")))
        scene.nodes[2][.text] = .literal(.string("fine"))
        let program = single(scene)
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        let view = Evaluator(program).view(of: store, Environment())
        #expect(view.diagnostics.map(\.code) == [.expression])
        #expect(view.root.children.first?.children.last?.text(.text) == "fine")
    }

    // MARK: - Only what has changed

    @Test func `One change in a long list uses little of the budget`() throws {
        let (program, before) = try Self.list(10_000)
        var cache = EvaluationCache()
        let evaluator = Evaluator(program)
        let first = evaluator.view(of: before, Environment(), cache: &cache)
        #expect(first.root.children.first?.children.count == 10_000 && cache.reevaluatedRows == 10_000)
        let store = try Self.changed(before, program)
        let second = evaluator.view(of: store, Environment(), cache: &cache)
        #expect(cache.reevaluatedRows == 1)
        let patches = second.difference(from: first)
        #expect(patches.count == 1)
        guard case .set(_, let properties) = patches.first else { Issue.record("one property is set"); return }
        #expect(properties.map(\.value.shown) == ["other"])
        // The same without a cache.
        #expect(evaluator.view(of: store, Environment()).difference(from: second).isEmpty)
    }

    @Test func `A cached view shows the changed records of lists within rows`() throws {
        let (program, before) = try Self.lists(20)
        var cache = EvaluationCache()
        let evaluator = Evaluator(program)
        _ = evaluator.view(of: before, Environment(), cache: &cache)
        var store = before
        store.records = try SampleModel.table(
            [SampleModel.object(["id": .string("7"), "group": .string("other")])], in: store.records)
        store = Reducer.reduce(.time, store, in: program, Environment()).store
        let second = evaluator.view(of: store, Environment(), cache: &cache)
        // The inner list of each row has the new record.
        let rows = try #require(second.root.children.first).children
        #expect(rows.count == 20)
        #expect(rows.allSatisfy { $0.children.first?.children[7].children.first?.text(.text) == "other" })
        #expect(evaluator.view(of: store, Environment()).difference(from: second).isEmpty)
    }

    /// Changes one group's title by an answer of a service, the only way to change it.
    static func changed(_ store: Store, _ program: Program) throws -> Store {
        var store = store
        store.records = try SampleModel.table(
            [SampleModel.object(["id": .string("5000"), "group": .string("other")])], in: store.records)
        return Reducer.reduce(.time, store, in: program, Environment()).store
    }
}

/// A program of one screen.
private func single(_ scene: Scene) -> Program {
    Program(
        identifier: "test", scenes: [scene], entries: [scene.name: .init(scene: scene.name, isNavigation: false)],
        initial: scene.name)
}
