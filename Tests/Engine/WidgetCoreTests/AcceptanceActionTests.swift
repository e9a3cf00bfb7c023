import Testing
import WidgetCore
import WidgetPredicates

/// Goal: actions pass the framework's own tests. Method: those tests, case by case.
@Suite struct `An action` {
    static func program(
        _ scene: Scene, services: [Service] = [], model: EntityModel = SampleModel.model,
        vocabulary: Vocabulary = Vocabulary()
    ) -> Program {
        Program(
            identifier: "test", scenes: [scene], entries: [scene.name: .init(scene: scene.name, isNavigation: false)],
            initial: scene.name, model: model, services: services, vocabulary: vocabulary)
    }

    static func start(_ program: Program, _ environment: Environment = Environment()) -> Transition {
        Reducer.reduce(.start, Store(model: program.model), in: program, environment)
    }

    static func natives(_ effects: [Effect]) -> [(target: String, selector: String, argument: Value)] {
        effects.compactMap { effect in
            if case .native(.message(let target, let selector), let argument) = effect {
                (target, selector, argument)
            } else {
                nil
            }
        }
    }

    @Test(arguments: [("value1", "testAction:sender:"), ("value2", "altAction:sender:")])
    func `case 20: an action chooses by its predicate`(value: String, selector: String) throws {
        var scene = Scene("main", nodes: [Node(.box)])
        var action = Action("a", name: "testAction")
        action.otherName = "altAction"
        action.condition = try CompiledPredicate("content.field1 == 'value1'")
        for name in ["testAction", "altAction"] {
            action.handlers[name] = .native(.message(target: "host", selector: "\(name):sender:"))
        }
        scene.actions = [action]
        scene.reactions = [
            Reaction([.loaded], [.assign(.content, .literal(SampleModel.object(["field1": .string(value)])))])
        ]
        scene.onLoad = [.perform("a", argument: nil)]
        #expect(Self.natives(Self.start(Self.program(scene)).effects).map(\.selector) == [selector])
    }

    static func formScene() -> Scene {
        var scene = Scene("main", nodes: [Node(.box), Node(.textField), Node(.textField), Node(.button), Node(.form)])
        scene.nodes[0].children = [1, 2, 3]
        scene.nodes[1].fieldName = "field1"
        scene.nodes[2].fieldName = "field2"
        var form = Form()
        form.mandatory = [1, 2]
        scene.nodes[4].form = form
        scene.nodes[3].events[.tap] = [.perform("a", argument: nil)]
        var action = Action("a", name: "send")
        action.form = 4
        action.sender = 3
        action.handlers["send"] = .native(.message(target: "host", selector: "send:sender:"))
        scene.actions = [action]
        return scene
    }

    @Test func `case 21: an action hands over the values of its form`() throws {
        let program = Self.program(Self.formScene())
        var store = Self.start(program).store
        let screen = try #require(store.visible).number
        for (node, text) in [(1, "text 1"), (2, "text 2")] {
            store =
                Reducer.reduce(.input(ViewKey(screen: screen, node: node), .string(text)), store, in: program, .init())
                .store
        }
        let done = Reducer.reduce(.tap(ViewKey(screen: screen, node: 3)), store, in: program, .init())
        let call = try #require(Self.natives(done.effects).first)
        #expect(call.argument.member("field1").shown == "text 1" && call.argument.member("field2").shown == "text 2")
    }

    @Test func `defect 11: an action names the missing fields, and empty ones with them`() throws {
        let program = Self.program(Self.formScene())
        var store = Self.start(program).store
        let screen = try #require(store.visible).number
        for (node, text) in [(1, "text 1"), (2, "")] {
            store =
                Reducer.reduce(.input(ViewKey(screen: screen, node: node), .string(text)), store, in: program, .init())
                .store
        }
        let done = Reducer.reduce(.tap(ViewKey(screen: screen, node: 3)), store, in: program, .init())
        #expect(done.effects.isEmpty && done.store.visible?.refused.keys.sorted() == [2] && done.refusal != nil)
    }

    @Test(arguments: [(Form.Duplicates.overwrite, "b"), (.join, "a,b"), (.array, "(a, b)")])
    func `defect 11: an action handles fields of one name in three ways`(
        policy: Form.Duplicates, expected: String
    ) throws {
        var scene = Self.formScene()
        scene.nodes[2].fieldName = "field1"
        scene.nodes[4].form?.mandatory = []
        scene.nodes[4].form?.optional = [1, 2]
        scene.nodes[4].form?.duplicates = policy
        let program = Self.program(scene)
        var store = Self.start(program).store
        let screen = try #require(store.visible).number
        for (node, text) in [(1, "a"), (2, "b")] {
            store =
                Reducer.reduce(.input(ViewKey(screen: screen, node: node), .string(text)), store, in: program, .init())
                .store
        }
        let done = Reducer.reduce(.tap(ViewKey(screen: screen, node: 3)), store, in: program, .init())
        #expect(Self.natives(done.effects).first?.argument.member("field1").shown == expected)
    }

    static func service(_ configure: (inout ServiceAction) -> Void = { _ in }) -> Service {
        var action = ServiceAction(
            "testAction", url: Template("https://example.com/", .keys), parameters: StructuredTemplate(.null))
        action.result = .init(entity: "Item", isArray: true)
        action.response = .array([SampleModel.item("1", "a"), SampleModel.item("2", "b"), SampleModel.item("3", "c")])
        configure(&action)
        return Service("Stub", actions: ["testAction": action], isScripted: true)
    }

    static func serviceScene() -> Scene {
        var scene = Scene("main", nodes: [Node(.box)])
        var action = Action("a", name: "testAction")
        action.service = "Stub"
        scene.actions = [action]
        var status = ActionStatus("s", actionName: "testAction")
        status.errorMessage = "It failed."
        scene.statuses = [status]
        scene.onLoad = [.perform("a", argument: nil)]
        return scene
    }

    static func run(_ service: Service, scene: Scene = serviceScene(), turns: Int = 1) -> Transition {
        let program = program(scene, services: [service])
        var done = start(program)
        for _ in 0..<turns { done = Reducer.reduce(.time, done.store, in: program, Environment(now: 10)) }
        return done
    }

    @Test func `case 22: an action stores the answer of the stub, and succeeds`() throws {
        let done = Self.run(Self.service())
        #expect(done.store.records.count == 3)
        #expect(done.log.contains { $0.kind == .signal && $0.text == "testActionSuccess" })
        let (own, other) = (done.store.visible?.actions["a"], done.store.visible?.statuses["s"])
        #expect(own?.isSuccess ?? false && other?.isSuccess ?? false && !(own?.isInProgress ?? true))
    }

    @Test func `An action reports its failure, and why`() throws {
        let done = Self.run(Self.service { $0.response = nil })
        #expect(done.store.alerts.map(\.title) == ["Error"])
        #expect(done.store.alerts.first?.message == "It failed.\n\nTest response not implemented.")
        #expect(done.store.visible?.statuses["s"]?.isFailure ?? false)
    }

    @Test func `defect 17: an action is ready before anything is stored, and fails after that`() throws {
        let done = Self.run(Self.service { $0.response = .array([.integer(5)]) })
        let signals = done.log.filter { $0.kind == .signal }.map(\.text)
        #expect(signals == ["testActionReady", "testActionError"] && done.store.records.count == 0)
    }

    @Test func `defect 16: an unknown action is a diagnostic, and nothing else`() throws {
        var scene = Self.serviceScene()
        scene.actions[0].name = "unknown"
        let done = Self.start(Self.program(scene, services: [Self.service()]))
        #expect(done.diagnostics.map(\.code) == [.unknownAction] && done.store.visible?.actions.isEmpty ?? false)
    }

    @Test func `An action continues with the next ones, but not for ever`() throws {
        let done = Self.run(Self.service { $0.nextAction = "testAction" }, turns: 30)
        let isEnded = done.store.requests.isEmpty
        #expect(isEnded)
    }

    @Test(arguments: [(ServiceAction.ClearPolicy.none, 4), (.after, 3), (.before, 3)])
    func `An action clears the records that its policy names`(policy: ServiceAction.ClearPolicy, count: Int) throws {
        let program = Self.program(Self.serviceScene(), services: [Self.service { $0.clearPolicy = policy }])
        let store = Store(records: try SampleModel.table([SampleModel.item("9", "old")]))
        var done = Reducer.reduce(.start, store, in: program, Environment())
        done = Reducer.reduce(.time, done.store, in: program, Environment(now: 1))
        #expect(done.store.records.count == count)
    }

    @Test func `defect 26: a screen that closes ends its timers and requests`() throws {
        var first = Scene("first", nodes: [Node(.box)])
        first.onLoad = [.show("second", content: nil)]
        var second = Self.serviceScene()
        second.name = "second"
        second.onLoad.append(.every(name: "t", seconds: 60, [.perform("a", argument: nil)]))
        let program = Program(
            identifier: "test", scenes: [first, second],
            entries: [
                "first": .init(scene: "first", isNavigation: true),
                "second": .init(scene: "second", isNavigation: true),
            ],
            initial: "first", model: SampleModel.model, services: [Self.service { $0.delay = 5 }])
        var done = Self.start(program)
        #expect(done.store.screens.count == 2 && done.store.requests.count == 1 && done.store.timers.count == 2)
        done = Reducer.reduce(.back, done.store, in: program, Environment())
        #expect(done.store.requests.isEmpty && done.store.timers.allSatisfy { $0.due <= 5 })
    }

    @Test func `defect 7: an action fills in values, not pieces of JSON`() throws {
        let template = StructuredTemplate(
            SampleModel.object(["a": .string("<$text>"), "b": .array([.string("$text")])]))
        let text = "\"quoted\" \\ and\nnew, $text"
        let filled = template.filled(from: SampleModel.object(["text": .string(text)]), environment: .init())
        #expect(filled.member("a").shown == "<\(text)>" && filled.member("b").elements?.first?.shown == text)
    }
}
