import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRunning

@testable import Widgets

/// A screen that asks for people and stores one.
private struct PeopleScreen: WidgetView {
    let list = ServiceAnswer<[Person]>("list", when: .load)
    let save = ServiceAnswer<Person>("save")
    let now = ServiceAnswer<Person>("save", named: "now", when: .load)

    func widget(_ context: WidgetContext) -> any Widget {
        LabelWidget(list.status.phase)
        LabelWidget(save.status.phase)
        LabelWidget(now.status.phase)
        ButtonWidget("Save").onTap(.refresh("save"))
    }
}

/// Goal: a screen of Swift places no order because it opens. Method: a screen with answers of three moments.
@Suite struct `Moments of answers` {
    private func instance(keyed: Bool) throws -> WidgetInstance {
        let program = DeclaredProgram("com.example.People", first: PeopleScreen())
        let actions = ["list": "GET", "save": "POST"].map { name, method in
            var action = ServiceAction(
                name, url: Template("https://x.example/\(name)", .keys), parameters: StructuredTemplate(.null))
            action.method = method
            action.isKeyed = keyed
            return (name, action)
        }
        let service = Service("People", actions: Dictionary(uniqueKeysWithValues: actions))
        let native = NativeProgram(program.declaration, services: [service], code: program)
        var instance = WidgetInstance(try native.program(), native: native)
        instance.send(.start)
        return instance
    }

    private func sent(_ instance: WidgetInstance) -> [String] {
        instance.store.requests.map(\.id).map { String($0.split(separator: "_")[1]) }
    }

    @Test func `An answer says its moment only where the screen does`() throws {
        let program = DeclaredProgram("com.example.People", first: PeopleScreen())
        let screen = try #require(program.screens.values.first)
        let document = ScreenKey.text(screen.document)
        #expect(document.contains(#""save":{"action":"save"}"#), "\(document)")
        #expect(document.contains(#""list":{"action":"list","when":"load"}"#), "\(document)")
    }

    @Test func `A request that changes something waits for an action, or says when it is sent and has a key`() throws {
        var instance = try instance(keyed: false)
        #expect(sent(instance) == ["list"])
        #expect(instance.diagnostics.map(\.code) == [.sentOnLoad], "\(instance.diagnostics)")
        #expect(sent(try self.instance(keyed: true)) == ["list", "save"])
        let button = try #require(ElementSearch(instance.view()).key("Save", for: .tap))
        #expect(instance.send(.tap(button)) == nil)
        #expect(sent(instance) == ["list", "save"])
    }

    private struct Pair: Codable, Sendable {
        var one: Int
        var two: String
    }

    private struct PairScreen: WidgetView {
        let pairs = ServiceAnswer<[Pair]>("pairs", part: "items")

        func widget(_ context: WidgetContext) -> any Widget {
            LabelWidget(pairs.status.phase)
        }
    }

    @Test func `An answer of a stub that is not of its type is reported where the screen declares it`() throws {
        func widget(_ members: [(String, PredicateValue)]) -> (native: NativeProgram, code: DeclaredProgram) {
            let program = DeclaredProgram("com.example.Pairs", first: PairScreen())
            var action = ServiceAction(
                "pairs", url: Template("https://x.example/pairs", .keys), parameters: StructuredTemplate(.null))
            let items = PredicateValue.array([.dictionary(PredicateDictionary(members))])
            action.response = .dictionary(PredicateDictionary([("items", items)]))
            let native = NativeProgram(
                program.declaration, services: [Service("Pairs", actions: ["pairs": action])], code: program)
            return (native, program)
        }
        func found(_ members: (String, PredicateValue)...) throws -> [Finding] {
            let pairs = widget(members)
            return NativeAnswers.findings(of: try pairs.native.program(), asking: pairs.code)
        }
        let lacking = try #require(try found(("one", .integer(1))).first)
        #expect(lacking.message == "The stub's answer to pairs is not of the type Array<Pair>: [0] has no two")
        #expect(lacking.place?.file.hasSuffix("AnswerMomentTests.swift") == true && lacking.place?.line ?? 0 > 60)
        let native = widget([("one", .integer(1))]).native
        var running = WidgetInstance(try native.program(), native: native)
        running.send(.start)
        #expect(running.diagnostics.contains { $0.message == lacking.message }, "a widget that runs says so, too")
        let wrong = try #require(try found(("one", .string("1")), ("two", .string("b"))).first)
        #expect(wrong.message.hasSuffix("[0].one is a text, and Int is expected"))
        #expect(try found(("one", .integer(1)), ("two", .string("b"))).isEmpty)
    }
}
