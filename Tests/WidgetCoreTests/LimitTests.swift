import Predicates
import Testing
import WidgetCore

/// Goal: each limit holds by itself, and says which it is. Method: one scene or document that goes just over it.
@Suite struct `A limit` {
    static func started(_ steps: [Step], budget: Budget = Budget(), answer: Value = .null) -> Transition {
        var scene = Scene("main", nodes: [Node(.box)])
        scene.onLoad = steps
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: true)],
            initial: "main")
        return Reducer.reduce(.start, Store(model: .empty), in: program, Environment(), budget: budget)
    }

    // MARK: - What one event may lead to

    @Test func `of alerts, timers and screens ends what opens them`() {
        let alerts = Self.started(Array(repeating: .alert(title: "t", message: .literal(.string("m"))), count: 30))
        #expect(alerts.store.alerts.count == 20)
        let timers = Self.started((0..<250).map { .after(name: "t\($0)", seconds: 100, []) })
        #expect(timers.store.timers.count == 200 && timers.diagnostics.first?.code == .stepBudget)
        let screens = Self.started([.show("main", content: nil)])
        #expect(screens.store.screens.count == 50 && screens.diagnostics.map(\.code) == [.depthBudget])
    }

    @Test func `of time and of evaluation ends an event`() {
        let steps = Array(repeating: Step.assign(.content, .literal(.integer(1))), count: 500)
        let late = Self.started(steps, budget: Budget(isTimeOver: { true }))
        #expect(late.diagnostics.map(\.code) == [.timeBudget] && late.stepCount < 100)
        let spent = Self.started(steps, budget: Budget(fuel: 5_000))
        #expect(spent.diagnostics.map(\.code) == [.expressionBudget] && spent.stepCount < 400)
        #expect(Self.started(steps).diagnostics.isEmpty)
    }

    @Test func `of what is kept cuts texts short, and refuses values in values`() {
        let long = Self.started(
            [.assign(.content, .literal(.string(String(repeating: "x", count: 1_000))))],
            budget: Budget(textByteCount: 100))
        #expect(long.diagnostics.map(\.code) == [.byteBudget])
        #expect((long.store.visible?.content.shown.utf8.count ?? 0) < 110)
        var nested = Value.integer(1)
        for _ in 0..<100 { nested = .array([nested]) }
        let deep = Self.started([.assign(.content, .literal(nested))])
        #expect(deep.diagnostics.map(\.code) == [.depthBudget] && deep.store.visible?.content.isNull ?? false)
    }

    // MARK: - What one view may have

    @Test func `of texts and of evaluation ends a view, and names elements that read each other`() throws {
        let (program, store) = try `A budget`.list(50)
        let short = Evaluator(program, budget: Budget(textByteCount: 3)).view(of: store, Environment())
        #expect(Set(short.diagnostics.map(\.code)) == [.byteBudget])
        let spent = Evaluator(program, budget: Budget(fuel: 2_000)).view(of: store, Environment())
        #expect(spent.diagnostics.map(\.code) == [.expressionBudget])
        #expect((1..<50).contains(spent.root.children.first?.children.count ?? 0))
        var scene = Scene("main", nodes: [Node(.label), Node(.label)])
        scene.nodes[0].children = [1]
        scene.names = ["a": .node(0), "b": .node(1)]
        scene.nodes[0][.text] = try Expression(keyPath: "b.text")
        scene.nodes[1][.text] = try Expression(keyPath: "a.text")
        let circle = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: true)],
            initial: "main")
        let begun = Reducer.reduce(.start, Store(model: .empty), in: circle, Environment()).store
        #expect(Evaluator(circle).view(of: begun, Environment()).diagnostics.map(\.code) == [.bindingCycle])
    }

    // MARK: - What may be kept

    @Test func `of records and of what lies in them refuses the whole answer`() throws {
        func failure(_ elements: [Value], _ name: String, limit: Int = .max, model: EntityModel) -> RecordMapper
            .Failure?
        {
            var mapper = RecordMapper(
                RecordEdit(RecordTable(model: model), recordLimit: limit), transformers: Transformers(),
                environment: Environment())
            do throws(RecordMapper.Failure) {
                _ = try mapper.store(elements, as: name)
                return nil
            } catch {
                return error
            }
        }
        let items = (0..<5).map { SampleModel.item("\($0)", "n") }
        #expect(failure(items, "Item", limit: 5, model: SampleModel.model) == nil)
        #expect(failure(items, "Item", limit: 4, model: SampleModel.model)?.isBudget ?? false)
        let chain = EntityModel([
            EntityModel.Entity("Link", properties: [.relationship(.init("next", to: "Link", jsonKeyPath: ["next"]))])
        ])
        func link(_ depth: Int) -> Value {
            depth == 0 ? SampleModel.object([:]) : SampleModel.object(["next": link(depth - 1)])
        }
        #expect(failure([link(30)], "Link", model: chain) == nil)
        #expect(failure([link(40)], "Link", model: chain)?.isBudget ?? false)
    }
}
