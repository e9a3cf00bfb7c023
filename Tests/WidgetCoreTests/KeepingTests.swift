import Predicates
import Testing

@testable import WidgetCore

/// Goal: what a widget keeps from one event to the next is data, and no more of it than anybody could want. Method:
/// things that lead back to the moment they were met in, asked to be kept.
@Suite struct `What is kept` {
    private static func program(_ scene: Scene, services: [Service] = []) -> Program {
        Program(
            identifier: "test", scenes: [scene], entries: [scene.name: .init(scene: scene.name, isNavigation: false)],
            initial: scene.name, model: SampleModel.model, services: services)
    }

    @Test(arguments: ["element", "SELF", "{1, element, 'x'}", "source", "status"])
    func `of an element, a source or a screen is nothing`(expression: String) throws {
        var scene = Scene("main", nodes: [Node(.box, identifier: "element"), Node(.label)])
        scene.nodes[0].children = [1]
        scene.sources = [Source("source", .items([.integer(1)]))]
        scene.statuses = [Status("status", actionName: "a")]
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

    @Test func `of an action that was given a source leads to the source as it is now`() throws {
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

    @Test func `of records are the records, wherever they lie`() throws {
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

    @Test func `of answers that stay good is only so much`() throws {
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
        // Each weighs ten thousand, and all together a hundred thousand at most.
        #expect(store.answers.count == 9)
    }

    @Test func `of a form to be sent ends where a body does, however often names repeat`() {
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

    @Test func `of what nobody can do names a few that somebody could`() throws {
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

    @Test func `of several prototypes that nobody asked for, none is meant`() {
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

    @Test func `as a number is one that can be reckoned with`() {
        for text in ["nan", "-nan", "inf", "-infinity", "1e999"] {
            #expect(Value.string(text).number == nil, "\(text)")
            #expect(Transformer.double.apply(.string(text), Environment()) == nil, "\(text)")
        }
        #expect(Value.double(.nan).number == nil && Value.double(.infinity).number == nil)
        #expect(Value.string("1.5").number == 1.5)
    }

    @Test func `as a date is no longer than one`() {
        let pattern = DatePattern("EEE d MMM yyyy", locale: "en_US_POSIX")
        #expect(pattern.seconds("Wed 20 Jun 2018", timeZone: .utc) != nil)
        #expect(pattern.seconds("Wed 20 Jun" + String(repeating: " ", count: 600) + "2018", timeZone: .utc) == nil)
    }
}
