import JSONText
import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Goal: documents of a program can call its closures and have its markup, and documents of a bundle can neither. Method:
/// the same documents, read as those of a program and as those of a bundle.
@Suite struct `Native parts of documents` {
    private static let main = #"""
        {"schema": 1, "state": {"n": 2, "groups": [{"name": "a", "rows": [{"id": 7}]}, {"name": "b", "rows": [{"id": 8}, {"id": 9}]}]},
         "root": [
          {"kind": "native", "id": "dial", "payload": {"name": "Dial", "text": {"$": "FUNCTION('', 'stringByAppendingString:', 'n')"},
             "html": "<b onclick=\"x()\">7 & 8</b>"}},
          {"kind": "button", "id": "plain", "payload": {"text": "Plain"}, "on": {"tap": {"do": "native", "handler": "h1"}}},
          {"kind": "button", "id": "value", "payload": {"text": "Value"}, "on": {"tap": {"do": "native", "handler": "h2", "value": {"$": "n * 2"}}}},
          {"kind": "button", "id": "with", "payload": {"text": "With"}, "on": {"tap": {"do": "native", "handler": "h3", "with": {"m": "$n"}}}},
          {"kind": "textfield", "id": "field", "on": {"change": {"do": "native", "handler": "h4"}}},
          {"kind": "button", "id": "later", "payload": {"text": "Later"}, "on": {"tap": {"do": "after", "seconds": 5, "then": {"do": "native", "handler": "h5", "value": "$n"}}}},
          {"kind": "vstack", "items": {"in": "$groups", "as": "group"}, "children": [
            {"kind": "vstack", "items": {"in": "$group.rows", "as": "row", "key": "$row.id"}, "children": [
              {"kind": "button", "payload": {"text": {"$": "CAST(row.id, 'NSString')"}}, "on": {"tap": {"do": "native", "handler": "h6"}}}]}]}]}
        """#
        .replacing(#"{"$": "FUNCTION('', 'stringByAppendingString:', 'n')"}"#, with: #""seven of ten""#)
        .replacing(#"{"$": "CAST(row.id, 'NSString')"}"#, with: #""$row.id""#)

    private static func input(_ main: String, isNative: Bool = true) -> DocumentInput {
        var input = DocumentInput(
            identifier: "a.b",
            documents: [DocumentFile(path: "Main.widgets.json", name: "Main", bytes: Array(main.utf8))], first: "Main")
        input.allowsNative = isNative
        return input
    }

    /// A program with its store, and the calls that its events have led to.
    private struct Run {
        let program: Program
        var store: Store
        var now = 0.0

        init(_ main: String = main, isNative: Bool = true) throws {
            program = try DocumentReader.program(input(main, isNative: isNative))
            store = Store(model: program.model)
            _ = send(.start)
        }

        var view: View { Evaluator(program).view(of: store, Environment()) }

        mutating func send(_ event: Event) -> [HandlerCall] {
            let transition = Reducer.reduce(event, store, in: program, Environment(now: now))
            store = transition.store
            return transition.effects.compactMap { if case .handle(let call) = $0 { call } else { nil } }
        }

        func key(_ name: String) throws -> ViewKey {
            var found: ViewKey?
            view.visit { node in
                if node.identifier == name || node.text(.text) == name, found == nil { found = node.key }
                return true
            }
            return try #require(found)
        }

        func page() -> String {
            String(decoding: PagePrinter(program, PrintOptions()).print(view, NoAssets()), as: UTF8.self)
        }
    }

    private static let markup = #"<b onclick="x()">7 & 8</b>"#

    @Test func `The action native calls a closure with its value, its members or the argument of the event`() throws {
        var run = try Run()
        #expect(run.program.diagnostics.isEmpty, "\(run.program.diagnostics)")
        #expect(run.send(.tap(try run.key("plain"))).map(\.handler) == ["h1"])
        let value = run.send(.tap(try run.key("value")))
        #expect(value.map(\.handler) == ["h2"] && value.first?.argument.number == 4)
        #expect(value.first?.items.isEmpty == true && value.first?.screen == run.store.screens.first?.number)
        let with = try #require(run.send(.tap(try run.key("with"))).first)
        #expect(with.argument.member("m").number == 2)
        let typed = run.send(.input(try run.key("field"), .string("Ann")))
        #expect(typed.first?.handler == "h4" && typed.first?.argument.string == "Ann")
    }

    @Test func `A closure gets the items of all rows around its element, the outermost first`() throws {
        var run = try Run()
        let call = try #require(run.send(.tap(try run.key("9"))).first)
        #expect(call.handler == "h6" && call.items.map(\.name) == ["group", "row"])
        #expect(call.items[0].value.member("name").string == "b" && call.items[1].value.member("id").number == 9)
    }

    @Test func `A closure can be called later, as other actions are`() throws {
        var run = try Run()
        #expect(run.send(.tap(try run.key("later"))).isEmpty)
        run.now = 6
        let late = run.send(.time)
        #expect(late.map(\.handler) == ["h5"] && late.first?.argument.number == 2)
    }

    @Test func `Steps of a program run on a screen that is open, and on no other`() throws {
        var run = try Run()
        let number = try #require(run.store.screens.first?.number)
        _ = run.send(.perform([.assign(.state(StatePath("n")), .literal(.integer(5)))], screen: number))
        #expect(run.store.screens.first?.states["n"]?.number == 5)
        let refused = Reducer.reduce(.perform([.back], screen: 99), run.store, in: run.program, Environment())
        #expect(refused.refusal == "the screen is closed")
    }

    @Test func `A native element is text in texts, its markup in pages, and both in JSON`() throws {
        let run = try Run()
        #expect(ViewText(width: 80).text(run.view).contains("seven of ten"))
        #expect(run.page().contains(Self.markup))
        let json = String(decoding: ViewJSON.document(run.view, size: (100, 100)), as: UTF8.self)
        let text = String(Self.markup).replacing("\"", with: "\\\"")
        #expect(json.contains("\"html\":\"\(text)\""), "\(json)")
        #expect(json.contains("\"name\":\"seven of ten\"") && json.contains("\"native\":\"Dial\""))
        let frames = String(
            decoding: ViewFrames(run.program, PrintOptions()).print(run.view, NoAssets()), as: UTF8.self)
        #expect(frames.contains("dial"))
    }

    @Test func `A tap on a native element calls its closure, and a page has a button for it`() throws {
        var run = try Run(
            #"{"kind": "native", "id": "dial", "payload": {"text": "7", "html": "<i>7</i>"}, "on": {"tap": {"do": "native", "handler": "turn"}}}"#
        )
        #expect(run.send(.tap(try run.key("dial"))).map(\.handler) == ["turn"])
        let page = run.page()
        #expect(page.contains("<button class=\"hit\"") && page.contains("</button><i>7</i></div>"), "\(page)")
        let plain = try Run().page()
        #expect(!plain.contains("</button><b onclick"))
    }

    @Test func `A bundle can have neither, and the reasons name the places`() throws {
        let run = try Run(isNative: false)
        let faults = run.program.diagnostics.filter { $0.code == .nativeCode }
        #expect(faults.count == 7 && faults.allSatisfy { $0.severity == .error && $0.hint != nil }, "\(faults)")
        #expect(faults.contains { $0.message.hasPrefix("The kind native") && $0.place?.path.contains("kind") == true })
        #expect(faults.contains { $0.message.hasPrefix("The action native") && $0.place?.line == 5 })
        #expect(!run.page().contains(Self.markup) && !run.page().contains("onclick"))
        var tapped = run
        #expect(tapped.send(.tap(try run.key("plain"))).isEmpty)
    }

    @Test func `A registry with the kind does not make a bundle a program`() throws {
        var input = Self.input(Self.main, isNative: false)
        input.registry = KindRegistry.standard.withNative
        let program = try DocumentReader.program(input)
        #expect(program.diagnostics.contains { $0.code == .nativeCode && $0.message.hasPrefix("The kind") })
        #expect(program.scenes.values.allSatisfy { scene in !scene.nodes.contains { $0.kind == .native } })
    }

    @Test func `Markup of a view is printed only where the program has the native element at its place`() throws {
        // As a view that comes from elsewhere, such as a file.
        let forged = ViewNode(
            ViewKey(screen: 1, node: 0), .native,
            properties: [ViewProperty(.text, .string("words")), ViewProperty(.html, .string(Self.markup))])
        let label = ViewNode(
            ViewKey(screen: 1, node: 0), .label, properties: [ViewProperty(.html, .string(Self.markup))])
        let bundle = try Run(#"{"kind": "label", "payload": {"text": "x"}}"#, isNative: false)
        for node in [forged, label] {
            let view = View(
                screen: "Main", title: "", root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: [node]))
            for program in [bundle.program, try Run().program] {
                let page = String(decoding: PagePrinter(program, PrintOptions()).print(view, NoAssets()), as: UTF8.self)
                #expect(!page.contains("onclick"))
            }
        }
    }

    @Test func `An action native without its closure, or with two arguments, is a fault`() throws {
        func faults(_ action: String) throws -> [String] {
            let button = "{\"kind\": \"button\", \"payload\": {\"text\": \"x\"}, \"on\": {\"tap\": \(action)}}"
            return try DocumentReader.program(Self.input(button)).diagnostics.map(\.message)
        }
        #expect(try faults(#"{"do": "native"}"#).contains { $0.contains("handler") })
        #expect(
            try faults(#"{"do": "native", "handler": "h", "value": 1, "with": {}}"#).contains { $0.contains("value") })
        #expect(try faults(#"{"do": "native", "handler": "h", "vale": 1}"#).contains { $0.contains("vale") })
    }
}
