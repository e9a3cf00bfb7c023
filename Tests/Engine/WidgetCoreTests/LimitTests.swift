import Testing
import WidgetCore
import WidgetPredicates

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

    // MARK: - Limits of one event

    @Test func `A limit of alerts, timers and screens ends the steps that open them`() {
        let alerts = Self.started(Array(repeating: .alert(title: "t", message: .literal(.string("m"))), count: 30))
        #expect(alerts.store.alerts.count == 20)
        let timers = Self.started((0..<250).map { .after(name: "t\($0)", seconds: 100, []) })
        #expect(timers.store.timers.count == 200 && timers.diagnostics.first?.code == .stepBudget)
        let screens = Self.started([.show("main", content: nil)])
        #expect(screens.store.screens.count == 50 && screens.diagnostics.map(\.code) == [.depthBudget])
    }

    @Test func `A limit of time and of evaluation ends an event`() {
        let steps = Array(repeating: Step.assign(.content, .literal(.integer(1))), count: 500)
        let late = Self.started(steps, budget: Budget(isTimeOver: { true }))
        #expect(late.diagnostics.map(\.code) == [.timeBudget] && late.stepCount < 100)
        let spent = Self.started(steps, budget: Budget(fuel: 5_000))
        #expect(spent.diagnostics.map(\.code) == [.expressionBudget] && spent.stepCount < 400)
        #expect(Self.started(steps).diagnostics.isEmpty)
    }

    @Test func `A limit of stored values cuts texts short, and refuses deep values`() {
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

    // MARK: - Limits of one view

    @Test func `A limit of texts and of evaluation ends a view, and names elements that read each other`() throws {
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

    // MARK: - Limits of stored values

    @Test func `A limit of records and of their weight refuses the whole answer`() throws {
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

/// Goal: every limit that is reached is reported. Method: each limit set low, and an event that goes just over it.
@Suite struct `A named limit` {
    private static func budget(_ change: (inout Budget) -> Void) -> Budget {
        var budget = Budget()
        change(&budget)
        return budget
    }

    private static func started(_ steps: [Step], _ change: (inout Budget) -> Void) -> Transition {
        `A limit`.started(steps, budget: budget(change))
    }

    // MARK: - Stored values

    @Test func `The limit of alerts names the one that is not shown`() {
        let alerts = (0..<4).map { Step.alert(title: "t\($0)", message: .literal(.string("m"))) }
        let done = Self.started(alerts) { $0.alertCount = 2 }
        #expect(done.store.alerts.map(\.title) == ["t0", "t1"])
        #expect(done.diagnostics.map(\.code) == [.countBudget, .countBudget])
        #expect(done.diagnostics.first?.hint?.contains("t2") ?? false)
        #expect(Self.started(Array(alerts.prefix(2))) { $0.alertCount = 2 }.diagnostics.isEmpty)
    }

    @Test func `The limit of an alert's text shows its beginning`() {
        let long = Step.alert(title: "title", message: .literal(.string("a long message")))
        let done = Self.started([long]) { ($0.alertTitleByteCount, $0.alertMessageByteCount) = (3, 6) }
        #expect(done.store.alerts.map(\.title) == ["tit…"] && done.store.alerts.map(\.message) == ["a long…"])
        #expect(done.diagnostics.map(\.code) == [.byteBudget])
        #expect(Self.started([long]) { _ in }.diagnostics.isEmpty)
    }

    @Test func `The limits of timers and of their delay are diagnostics`() {
        let timers = (0..<3).map { Step.after(name: "t\($0)", seconds: 100, []) }
        let many = Self.started(timers) { $0.timerCount = 2 }
        #expect(many.store.timers.count == 2 && many.diagnostics.map(\.code) == [.stepBudget])
        let late = Self.started(timers) { $0.longestDelay = 10 }
        #expect(late.store.nextDeadline == 10 && Set(late.diagnostics.map(\.code)) == [.badValue])
    }

    @Test func `The limit of screens ends the steps that open them`() {
        let done = Self.started([.show("main", content: nil)]) { $0.screenCount = 3 }
        #expect(done.store.screens.count == 3 && done.diagnostics.map(\.code) == [.depthBudget])
    }

    @Test func `The limit of values in a value keeps nothing of it`() {
        let nested = Step.assign(.content, .literal(.array([.array([.array([.integer(1)])])])))
        #expect(Self.started([nested]) { $0.valueDepth = 2 }.diagnostics.map(\.code) == [.depthBudget])
        #expect(Self.started([nested]) { $0.valueCount = 2 }.diagnostics.map(\.code) == [.depthBudget])
        #expect(Self.started([nested]) { ($0.valueDepth, $0.valueCount) = (10, 10) }.diagnostics.isEmpty)
    }

    @Test func `The limit of diagnostics is reported as the last of them`() {
        let unknown = (0..<5).map { Step.perform("a\($0)", argument: nil) }
        let done = Self.started(unknown) { $0.diagnosticCount = 2 }
        #expect(done.diagnostics.map(\.code) == [.unknownAction, .unknownAction, .countBudget])
        #expect(Self.started(unknown) { $0.diagnosticCount = 5 }.diagnostics.count == 5)
        var list = FindingList(upTo: 1)
        for _ in 0..<3 { list.add(Finding(.error, .badValue, "the same")) }
        #expect(list.all.count == 1, "what is said again is not said twice")
        let found = (0..<600).map { Finding(.warning, .badValue, "\($0)") }
        let program = Program(identifier: "test", scenes: [], entries: [:], initial: "", diagnostics: found)
        #expect(program.diagnostics.count == Program.diagnosticCount + 1)
        #expect(program.diagnostics.last?.code == .countBudget)
        let other = Program(
            identifier: "test", scenes: [], entries: [:], initial: "", diagnostics: program.diagnostics)
        #expect(other.diagnostics == program.diagnostics, "it is said once")
    }

    @Test func `The limit of the log is reported as its last line`() {
        let steps = (0..<9).map { Step.alert(title: "alert \($0)", message: .literal(.null)) }
        let done = Self.started(steps) { ($0.logCount, $0.logTextByteCount) = (3, 5) }
        #expect(done.log.count == 4 && done.log.last?.text.contains("left out") ?? false)
        #expect(done.log.contains { $0.text == "alert…" })
    }

    // MARK: - Requests

    private static func called(
        _ change: (inout Budget) -> Void, argument: Value = .null, turns: Int = 0,
        _ configure: (inout ServiceAction) -> Void
    ) -> Transition {
        let service = `An action`.service { action in
            action.result = nil
            configure(&action)
        }
        var scene = `An action`.serviceScene()
        scene.actions[0].argument = .literal(argument)
        let program = `An action`.program(scene, services: [service])
        let budget = budget(change)
        var done = Reducer.reduce(
            .start, Store(model: program.model), in: program, Environment(), budget: budget)
        var found = done.diagnostics
        for turn in 0..<turns {
            done = Reducer.reduce(
                .time, done.store, in: program, Environment(now: Double(turn)), budget: budget)
            found += done.diagnostics
        }
        done.diagnostics = found
        return done
    }

    @Test func `The limits of waiting requests and of chained actions end them`() {
        let none = Self.called({ $0.requestCount = 0 }) { $0.delay = 60 }
        #expect(none.store.requests.isEmpty && none.diagnostics.map(\.code) == [.stepBudget])
        let chain = Self.called({ $0.chainLength = 2 }, turns: 6) { action in
            action.result = .init(entity: "Item", isArray: true)
            action.nextAction = "testAction"
        }
        #expect(chain.diagnostics.map(\.code) == [.stepBudget] && chain.store.requests.isEmpty)
    }

    @Test func `The limit of a request's content sends its beginning`() {
        let deep = SampleModel.object(["a": SampleModel.object(["b": SampleModel.object(["c": .string("text")])])])
        func sent(_ change: (inout Budget) -> Void) -> [Finding] {
            Self.called(change, argument: deep) { action in
                action.parameters = StructuredTemplate(deep)
                action.hasParameters = true
            }.diagnostics
        }
        #expect(sent { _ in }.isEmpty)
        for (name, change): (String, (inout Budget) -> Void) in [
            ("bytes", { $0.requestByteCount = 5 }), ("letters", { $0.addressLength = 10 }),
            ("depth", { $0.parameterDepth = 2 }),
        ] {
            let found = sent(change)
            #expect(
                found.map(\.code) == [.byteBudget] && found.first?.hint == "its beginning is sent", "\(name): \(found)")
        }
    }

    @Test func `The limit of cached answers says that one is not cached`() {
        let heavy = Self.called({ $0.cachedAnswerWeight = 2 }, turns: 2) { $0.cacheTime = 60 }
        #expect(heavy.diagnostics.map(\.code) == [.countBudget])
        let full = Self.called({ $0.cachedAnswerCount = 0 }, turns: 2) { $0.cacheTime = 60 }
        #expect(full.diagnostics.isEmpty, "nothing was there that had to go")
        #expect(Self.called({ _ in }, turns: 2) { $0.cacheTime = 60 }.diagnostics.isEmpty)
    }

    @Test func `The limit of answers of stubs that a changed stub replaces is reported`() {
        let one = Self.called({ $0.scriptedAnswerCount = 0 }, turns: 2) { action in
            action.result = .init(entity: "Item", isArray: true)
        }
        #expect(one.diagnostics.map(\.code) == [.countBudget] && one.store.records.count == 3)
        #expect(one.diagnostics.first?.hint == "records of the earliest answers stay when the stub is changed")
        let none = Self.called({ _ in }, turns: 2) { $0.result = .init(entity: "Item", isArray: true) }
        #expect(none.diagnostics.isEmpty)
    }

    @Test func `The limit of records that one deletion visits is reported, and not as a denial`() throws {
        let model = EntityModel([
            EntityModel.Entity(
                "Box",
                properties: [
                    .relationship(
                        .init(
                            "items", to: "Item", inverse: "box", isToMany: true, deleteRule: .deny,
                            jsonKeyPath: ["items"]))
                ]),
            EntityModel.Entity("Item", properties: [.relationship(.init("box", to: "Box", inverse: "items"))]),
        ])
        var mapper = RecordMapper(
            RecordEdit(RecordTable(model: model)), transformers: Transformers(), environment: Environment())
        _ = try mapper.store([SampleModel.object(["items": .array([SampleModel.object([:])])])], as: "Box")
        var scene = Scene("main", nodes: [Node(.box)])
        scene.sources = [Source("boxes", .query(RecordQuery(entity: "Box")))]
        scene.names["boxes"] = .source("boxes")
        scene.reactions = [Reaction([.signal("doneReady")], [.delete(try Expression(keyPath: "boxes.first"))])]
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", model: model)
        let store = Reducer.reduce(.start, Store(records: mapper.edit.table), in: program, Environment()).store
        func deleted(_ change: (inout Budget) -> Void) -> Transition {
            Reducer.reduce(
                .signal(name: "done", phase: .ready, error: nil), store, in: program, Environment(),
                budget: Self.budget(change))
        }
        let denied = deleted { _ in }
        #expect(denied.diagnostics.map(\.code) == [.deletion] && denied.store.records.count == 2)
        #expect(deleted { $0.lookCount = 1 }.diagnostics.map(\.code) == [.recordBudget])
    }

    @Test func `The limits of documents and records refuse the whole answer`() {
        func stored(_ change: (inout Budget) -> Void) -> Transition {
            Self.called(change, turns: 2) { $0.result = .init(entity: "Item", isArray: true) }
        }
        #expect(stored { _ in }.store.records.count == 3)
        for change: (inout Budget) -> Void in [
            { $0.recordCount = 2 }, { $0.recordWeight = 5 }, { $0.documentDepth = 0 },
        ] {
            let done = stored(change)
            #expect(done.diagnostics.map(\.code) == [.recordBudget] && done.store.records.count == 0)
        }
    }

    @Test func `The limit of records leaves no room for a provisional one`() {
        let done = Self.called({ $0.recordCount = 0 }) { action in
            action.result = .init(entity: "Item", isArray: false)
            action.optimistic = [("name", Template("new", .keyPaths))]
        }
        #expect(done.diagnostics.map(\.code) == [.recordBudget] && done.store.records.count == 0)
    }

    // MARK: - Views, and texts for people

    @Test func `The limit of bindings that lead to one another is reported as a circle`() throws {
        var scene = Scene("main", nodes: (0..<6).map { _ in Node(.label) })
        scene.nodes[0].children = Array(1..<6)
        for id in 0..<6 { scene.names["n\(id)"] = .node(id) }
        for id in 0..<5 { scene.nodes[id][.text] = try Expression(keyPath: "n\(id + 1).text") }
        scene.nodes[5][.text] = .literal(.string("end"))
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main")
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        let whole = Evaluator(program).view(of: store, Environment())
        #expect(whole.diagnostics.isEmpty && whole.root.children.first?.text(.text) == "end")
        let cut = Evaluator(program, budget: Self.budget { $0.bindingDepth = 3 }).view(of: store, Environment())
        #expect(cut.diagnostics.map(\.code) == [.bindingCycle] && cut.root.children.first?.text(.text) == "")
    }

    @Test func `The limit of inputs in an explanation gives the number of the others`() throws {
        var scene = Scene("main", nodes: [Node(.label)])
        scene.nodes[0][.text] = Expression(
            .compiled(try CompiledExpression("content.a + content.b + content.c + content.d")))
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main")
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        let key = ViewKey(screen: try #require(store.visible).number, node: 0)
        let evaluator = Evaluator(program, budget: Self.budget { $0.inputCount = 3 })
        let found = try #require(evaluator.explanation(of: .text, at: key, in: store, Environment()))
        #expect(found.inputs.map(\.keyPath) == ["content.a", "content.b", "content.c"] && found.omittedCount == 1)
    }

    @Test func `The limit of names and values in a sentence leaves a mark`() {
        let names = (0..<25).map { "n\($0)" }
        #expect("\(NameList(names))".hasSuffix("n19, …") && NameList(names).counted.hasSuffix("n19 and 5 more"))
        #expect("\(NameList(["a", "b"]))" == "a, b" && NameList(["a"]).counted == "a")
        let many = Value.array((0..<150).map { .integer($0) })
        #expect(many.shown.hasSuffix("99, …)") && Value.array([.integer(1)]).shown == "(1)")
        #expect(String(repeating: "ä", count: 150).excerpt == String(repeating: "ä", count: 100) + "…")
        let pattern = DatePattern(String(repeating: "y", count: 300), locale: "")
        #expect(pattern.seconds(String(repeating: "2", count: 600), timeZone: .utc) == nil)
    }
}
