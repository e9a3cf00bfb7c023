import Testing
import WidgetPredicates

@testable import WidgetCore

/// Goal: a widget stores only data from one event to the next, and a bounded amount of it. Method: steps that try to
/// store objects of one moment, and large values.
@Suite struct `What is kept` {
    private static func program(_ scene: Scene, services: [Service] = []) -> Program {
        Program(
            identifier: "test", scenes: [scene], entries: [scene.name: .init(scene: scene.name, isNavigation: false)],
            initial: scene.name, model: SampleModel.model, services: services)
    }

    @Test(arguments: ["element", "SELF", "{1, element, 'x'}", "source", "status"])
    func `Elements, sources and screens are not kept`(expression: String) throws {
        var scene = Scene("main", nodes: [Node(.box, identifier: "element"), Node(.label)])
        scene.nodes[0].children = [1]
        scene.sources = [Source("source", .items([.integer(1)]))]
        scene.statuses = [ActionStatus("status", actionName: "a")]
        scene.names = ["element": .node(0), "source": .source("source"), "status": .status("status")]
        let value = Expression(.compiled(try CompiledExpression(expression)), source: expression)
        scene.onLoad = [
            .assign(.setting("a"), value), .assign(.content, value), .assign(.title, value),
            .assign(.property(1, .text), value), .assign(.master(source: "source"), value),
        ]
        scene.observations = [Observation(.setting("b"), value)]
        let store = Reducer.reduce(.start, Store(model: SampleModel.model), in: Self.program(scene), Environment())
            .store
        let screen = try #require(store.visible)
        var kept = [store.defaults["a"], store.defaults["b"], screen.content, screen.title, screen.observed[0]]
        kept += [screen.slots[SlotKey(1, .text)], screen.sources["source"]?.master]
        for value in kept {
            let value = try #require(value)
            #expect(ValueExtent(of: value).hasObjects == false, "\(value)")
        }
    }

    @Test func `The argument of an action that is a source leads to the source as it is now`() throws {
        var scene = Scene("main", nodes: [Node(.box)])
        scene.sources = [Source("source", .items([.integer(1), .integer(2)]))]
        var action = Action("ask", name: "go")
        action.argument = try Expression(keyPath: "source")
        action.handlers["go"] = .steps([.assign(.title, try Expression(keyPath: "ask.content.totalCount"))])
        scene.actions = [action]
        scene.names = ["source": .source("source"), "ask": .action("ask")]
        scene.onLoad = [.fetch("source"), .perform("ask", argument: try Expression(keyPath: "source"))]
        let store = Reducer.reduce(.start, Store(model: SampleModel.model), in: Self.program(scene), Environment())
            .store
        #expect(store.visible?.title.shown == "2" && store.visible?.arguments["ask"] == nil)
    }

    @Test func `Records are kept, at every place of a value`() throws {
        let table = try SampleModel.table([SampleModel.item("1", "a")])
        let record = Value.object(try #require(RecordObject(0, in: table)))
        let element = Value.object(Unkept())
        let value = Value.array([
            record, element, SampleModel.object(["r": record, "e": element]), .set([element, record]),
        ])
        let elements = try #require(value.kept.elements)
        #expect(elements[0].recordID == 0 && elements[1].isNull)
        #expect(elements[2].member("r").recordID == 0 && elements[2].member("e").isNull)
        #expect(elements[3].elements?.compactMap(\.recordID) == [0] && elements[3].elements?.count == 1)
    }

    private final class Unkept: PredicateObject {
        func value(forKey key: String) -> Value? { nil }
    }

    @Test func `The answers that stay valid are limited`() throws {
        var scene = Scene("main", nodes: [Node(.box)])
        let text = String(repeating: "x", count: 160_000)
        var actions: [String: ServiceAction] = [:]
        for number in 0..<30 {
            var ask = ServiceAction(
                "ask\(number)", url: Template("https://example.com/\(number)", .keys),
                parameters: StructuredTemplate(.null))
            ask.cacheTime = 600
            ask.response = .string(text)
            actions[ask.name] = ask
            var action = Action(ask.name, name: ask.name)
            action.service = "S"
            scene.actions.append(action)
            scene.onLoad.append(.perform(ask.name, argument: nil))
        }
        let program = Self.program(scene, services: [Service("S", actions: actions, isScripted: true)])
        var store = Reducer.reduce(.start, Store(model: SampleModel.model), in: program, Environment()).store
        for second in 1..<5 {
            store = Reducer.reduce(.time, store, in: program, Environment(now: Double(second))).store
        }
        #expect(store.requests.isEmpty)
        // Each weighs ten thousand; the limit for all is a hundred thousand.
        #expect(store.answers.count == 9)
    }

    @Test func `A form's text ends at the limit of a body, however often names repeat`() {
        let name = String(repeating: "n", count: 10_000)
        var value = Value.array((0..<9_000).map { .integer(Int64($0)) })
        for _ in 0..<50 { value = SampleModel.object(["x": value]) }
        let form = RequestBuilder.formEncoded(.dictionary(PredicateDictionary([(name, value)])))
        #expect(form.utf8.count < 3 << 20 && form.utf8.count >= 1 << 20)
        let short = SampleModel.object([
            "b": .array([.integer(1), .null]), "a": SampleModel.object(["c": .string("d e")]),
        ])
        #expect(RequestBuilder.formEncoded(short) == "a%5Bc%5D=d%20e&b%5B%5D=1&b%5B%5D=")
    }

    @Test func `A diagnostic of an unknown action names a few that exist`() throws {
        var scene = Scene("main", nodes: [Node(.box)])
        var action = Action("ask", name: "unknown")
        action.service = "S"
        scene.actions = [action]
        scene.onLoad = [.perform("ask", argument: nil)]
        let actions = (100..<200).map { number in
            ("a\(number)", ServiceAction("a\(number)", url: Template("", .keys), parameters: StructuredTemplate(.null)))
        }
        let service = Service("S", actions: Dictionary(actions) { first, _ in first })
        let done = Reducer.reduce(
            .start, Store(model: SampleModel.model), in: Self.program(scene, services: [service]), Environment())
        let hint = try #require(done.diagnostics.first { $0.code == .unknownAction }?.hint)
        #expect(hint == "it has " + (100..<120).map { "a\($0)" }.joined(separator: ", ") + ", …")
    }

    @Test func `Several prototypes that no expression chooses leave a row without one`() {
        var list = ListTemplate()
        list.prototypes = ["One": 1, "Other": 2]
        #expect(list.prototype(named: "Nope") == nil && list.prototype(named: nil) == nil)
        #expect(list.prototype(named: "Other") == 2)
        list.prototypes["Cell"] = 3
        list.rules.standardPrototype = "Cell"
        #expect(list.prototype(named: "Nope") == 3)
        list.prototypes = ["One": 1]
        #expect(list.prototype(named: "Nope") == 1)
    }

    @Test func `A value counts as a number only if it is finite`() {
        for text in ["nan", "-nan", "inf", "-infinity", "1e999"] {
            #expect(Value.string(text).number == nil, "\(text)")
            #expect(Transformer.double.apply(.string(text), Environment()) == nil, "\(text)")
        }
        #expect(Value.double(.nan).number == nil && Value.double(.infinity).number == nil)
        #expect(Value.string("1.5").number == 1.5)
    }

    @Test func `A text of hundreds of letters does not count as a date`() {
        let pattern = DatePattern("EEE d MMM yyyy", locale: "en_US_POSIX")
        #expect(pattern.seconds("Wed 20 Jun 2018", timeZone: .utc) != nil)
        #expect(pattern.seconds("Wed 20 Jun" + String(repeating: " ", count: 600) + "2018", timeZone: .utc) == nil)
    }
}
