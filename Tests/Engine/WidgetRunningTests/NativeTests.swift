import JSONText
import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetDocuments
import WidgetPredicates
import WidgetRender

@testable import WidgetHosting
@testable import WidgetRunning

/// Goal: closures of a widget's program run after the events that call them, and what they want happens. Method: code that
/// the test writes, in this process, behind documents.
@Suite struct `Native widgets` {
    static func button(_ name: String, _ handler: String, _ more: String = "") -> String {
        "{\"kind\":\"button\",\"id\":\"\(name)\",\"payload\":{\"text\":\"\(name)\"},\"on\":{\"tap\":{\"do\":\"native\",\"handler\":\"\(handler)\"\(more)}}}"
    }

    static func label(_ value: String) -> String { "{\"kind\":\"label\",\"payload\":{\"text\":\(value)}}" }

    static func document(_ root: String..., state: String = "{}", more: String = "") -> String {
        "{\"schema\":1,\"title\":\"T\",\"state\":\(state)\(more),\"root\":[\(root.joined(separator: ","))]}"
    }

    static let counter = document(
        label(#"{"$":["Count ","$count"]}"#), button("Add", "add", #","value":3"#), state: #"{"count":4,"list":[1]}"#)

    static let add: TestCode.Handler = { call, memory in
        let sum = Int(memory.state("count").integer ?? 0) + Int(call.argument.integer ?? 0)
        if let first = memory.turns.last?.screens.first { memory.states[first.number]?["count"] = TestCode.number(sum) }
        return [.set(state: "count", to: TestCode.number(sum))]
    }

    @Test func `A tap calls a closure, and the state that it sets is shown`() throws {
        let code = TestCode(["add": Self.add])
        let widget = try code.widget(Self.counter)
        #expect(code.turns.count == 1 && code.turns[0].screens.first?.changed.map(\.name) == ["count", "list"])
        #expect(widget.shows("Count 4"))
        try widget.tap("Add")
        #expect(widget.shows("Count 7") && code.heard == ["add 3"])
        // The code knows what it has set, so that the second turn is the last.
        #expect(code.turns.count == 2 && code.turns[1].screens.first?.changed.isEmpty == true)
        #expect(widget.diagnostics.isEmpty)
    }

    @Test func `A closure of a row gets the row's item, and a state that changes without it is said`() throws {
        let code = TestCode(["row": { call, _ in [.set(state: "chosen", to: call.item?["name"] ?? JSONValue(.null))] }])
        let widget = try code.widget(
            Self.document(
                Self.label(#""$chosen""#),
                #"{"kind":"textfield","id":"field","payload":{"value":"$typed"}}"#,
                #"{"kind":"vstack","items":{"in":"$people","as":"person","key":"$person.id"},"children":[\#(Self.button("x", "row").replacing(#""text":"x""#, with: #""text":"$person.name""#).replacing(#""id":"x","#, with: ""))]}"#,
                state: #"{"chosen":"Cy","typed":"","people":[{"id":1,"name":"Ann"},{"id":2,"name":"Bo"}]}"#))
        try widget.tap("Bo")
        #expect(code.heard == [#"row null {"id":2,"name":"Bo"}"#])
        #expect(widget.shows("Bo\n(Ann)") || widget.text().hasPrefix("[ T ]\nBo"), "\(widget.text())")
        try widget.type("Zoe", into: "field")
        let last = try #require(code.turns.last?.screens.first)
        #expect(last.changed == [NativeNamedValue("typed", TestCode.text("Zoe"))])
        #expect(code.turns.last?.calls.isEmpty == true)
    }

    @Test func `An unchanged list is not said again`() throws {
        let code = TestCode(["add": Self.add])
        let rows = (0..<10_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
        let widget = try code.widget(
            Self.counter.replacing(#""list":[1]"#, with: "\"list\":[\(rows)]"))
        for _ in 0..<5 { try widget.tap("Add") }
        #expect(code.turns.count == 6)
        #expect(code.turns.filter { turn in turn.screens.contains { !$0.changed.isEmpty } }.count == 1)
        #expect(widget.shows("Count 19"))
        // What the code knows is the stored list itself, so that comparing them does not traverse it.
        let number = try #require(widget.store.screens.first?.number)
        guard case .array(let known)? = widget.instance.native?.known[number]?.states["list"],
            case .array(let stored)? = widget.program.scenes["Main"]?.states["list"]
        else {
            Issue.record("the list is missing")
            return
        }
        let isShared = known.span.isIdentical(to: stored.span)
        #expect(isShared)
    }

    // MARK: - Screens

    private static let details = document(
        label(#"{"$":["About ","$name"]}"#), button("Take", "take"), state: #"{"local":1}"#,
        more: #","parameters":{"name":"?"}"#)

    private static let opener = document(
        label(#"{"$":["Got ","$got"]}"#), button("Open", "open"), button("Show", "show"), state: #"{"got":"nothing"}"#)

    private static var screens: [String: TestCode.Handler] {
        let ann = JSONObject([JSONObject.Member("name", TestCode.text("Ann"))]).map { JSONValue(.object($0)) }
        return [
            "open": { _, _ in [.push(scene: "Details", with: ann, result: "got")] },
            "show": { _, _ in [.present(scene: "Details", with: nil, result: "got")] },
            "take": { _, _ in [.back(value: TestCode.text("a prize"))] },
            "got": { call, _ in [.set(state: "got", to: call.argument)] },
        ]
    }

    @Test func `A closure shows a screen with values, and a closure gets its result`() throws {
        let code = TestCode(Self.screens)
        let widget = try code.widget(Self.opener, ["Details": Self.details])
        try widget.tap("Open")
        #expect(widget.shows("About Ann"))
        let opened = try #require(code.turns.last)
        #expect(
            opened.screens.map(\.scene) == ["Main", "Details"] && opened.screens[1].content?["name"]?.string == "Ann")
        #expect(opened.screens[1].changed.map(\.name) == ["local"] && opened.screens[0].content == nil)
        try widget.tap("Take")
        #expect(widget.shows("Got a prize") && code.heard.last == #"got "a prize""#)
        #expect(code.turns.last?.screens.map(\.scene) == ["Main"])
        try widget.tap("Show")
        #expect(widget.shows("About ?"), "no values are passed")
        #expect(widget.send(.back) == nil)
        #expect(code.heard.last == "show null", "who goes back without a value has no result")
    }

    @Test func `A document that replaces another one keeps the screen's states, texts and results`() throws {
        let field = #"{"kind":"textfield","id":"field"}"#
        func details(_ more: String...) -> String {
            Self.document(
                Self.label(#"{"$":["About ","$local"]}"#), field, Self.button("Take", "take"),
                Self.button("Change", "change"), more.joined(), state: #"{"local":1,"gone":2}"#
            ).replacing(",]", with: "]")
        }
        let texts = [details(), details(Self.label(#""new""#)), Self.opener]
        let documents = try texts.map { try TestCode.json($0) }
        let code = TestCode(
            Self.screens.merging(["change": { _, _ in [.set(state: "local", to: TestCode.number(9))] }]) { $1 },
            rule: { turn, reply, _ throws(NativeFailure) in
                guard turn.calls.contains(where: { $0.handler == "change" }) else { return }
                // Main is the same as before.
                reply.documents = [NativeNamedValue("Details", documents[1]), NativeNamedValue("Main", documents[2])]
            })
        let widget = try code.widget(Self.opener, ["Details": texts[0]])
        try widget.tap("Open")
        try widget.type("typed", into: "field")
        let before = widget.instance.revision
        try widget.tap("Change")
        #expect(widget.shows("new") && widget.shows("About 9") && widget.shows("typed"), "\(widget.text())")
        #expect(widget.instance.revision == before, "it is the same program")
        try widget.tap("Take")
        #expect(widget.shows("Got a prize"), "\(widget.text())")
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
    }

    @Test func `A screen with the same elements keeps the focus, its timers and what waits for it`() throws {
        let field = #"{"kind":"textfield"}"#
        func main(_ text: String) -> String {
            Self.document(Self.label("\"\(text)\""), field, Self.button("Later", "later"), state: #"{"n":0}"#)
        }
        let next = try TestCode.json(main("two"))
        let code = TestCode(
            [
                "later": { _, _ in [.after(seconds: 5, handler: "now"), .alert(title: "Wait", message: "a little")] },
                "now": { _, _ in [.set(state: "n", to: TestCode.number(1))] },
            ],
            rule: { turn, reply, _ throws(NativeFailure) in
                if turn.number > 2 { reply.documents = [NativeNamedValue("Main", next)] }
            })
        let widget = try code.widget(main("one"))
        let focus = try #require(Self.field(widget.view()))
        #expect(widget.send(.input(focus, .string("typed"))) == nil)
        try widget.tap("Later")
        widget.advance(by: 1)
        widget.change { $0.takeNotice() }
        #expect(widget.shows("two") && widget.shows("typed") && widget.shows("a little"), "\(widget.text())")
        #expect(widget.store.visible?.focus == focus.node)
        widget.advance(by: 5)
        #expect(code.heard.last == "now null")
    }

    private static func field(_ view: View) -> ViewKey? {
        var key: ViewKey?
        view.visit { node in
            if node.kind == .textField { key = node.key }
            return true
        }
        return key
    }

    // MARK: - Commands

    @Test func `Commands do what the actions of documents do`() throws {
        let code = TestCode([
            "all": { _, _ in
                [
                    .append(state: "list", item: TestCode.number(2)), .append(state: "list", item: TestCode.number(3)),
                    .update(state: "list", at: 0, to: TestCode.number(8)), .remove(state: "list", at: 1),
                    .alert(title: "Note", message: "done"), .open(url: "https://example.org/a"), .focus(id: "field"),
                    .cache(key: "kept", to: TestCode.text("warm"), seconds: 60),
                ]
            }, "cold": { _, _ in [.uncache(key: "kept")] },
        ])
        let widget = try code.widget(
            Self.document(
                #"{"kind":"textfield","id":"field"}"#, Self.label(#""$cache.kept""#), Self.button("All", "all"),
                Self.button("Cold", "cold"), state: #"{"list":[1]}"#, more: #","cache":{"kept":"none"}"#))
        try widget.tap("All")
        #expect(widget.store.screens.first?.states["list"]?.elements?.compactMap(\.number) == [8, 3])
        #expect(widget.shows("done") && widget.shows("warm"))
        var opened: [String] = []
        widget.change { driver in
            for case .open(let address) in driver.takeHostRequests() { opened.append(address) }
        }
        #expect(opened == ["https://example.org/a"])
        #expect(widget.store.visible?.focus != nil)
        #expect(code.turns.count == 2, "the code knows what it has done with the list")
        #expect(widget.send(.tap(try #require(widget.view().alerts.first?.key))) == nil)
        try widget.tap("Cold")
        #expect(widget.shows("none") && widget.diagnostics.isEmpty, "\(widget.diagnostics)")
    }

    @Test func `Commands that name what is not there are diagnostics with hints, and the view stays`() throws {
        let deep = (0..<300).reduce(JSONValue(.null)) { value, _ in JSONValue(.array([value])) }
        let long = TestCode.text(String(repeating: "x", count: 1 << 20))
        let wrong: [(NativeCommand.Action, String)] = [
            (.set(state: "cuont", to: JSONValue(.null)), "cuont"), (.set(state: "count", to: deep), "deep"),
            (.set(state: "count", to: long), "text"), (.append(state: "x", item: JSONValue(.null)), "state x"),
            (.push(scene: "Nowhere"), "document Nowhere"), (.present(scene: "push Main"), "push Main"),
            (.refresh(source: "s"), "source s"), (.focus(id: "f"), "element f"),
            (.cache(key: "k", to: JSONValue(.null)), "cached value k"), (.uncache(key: "k"), "cached value k"),
            (.call(action: "a"), "service"), (.call(action: "a", service: "b"), "service b"),
            (.after(seconds: .infinity, handler: "h"), "after"), (.back(), "no effect"),
        ]
        let code = TestCode(
            ["add": { _, _ in wrong.map(\.0) }],
            rule: { turn, reply, _ throws(NativeFailure) in
                if turn.number == 2 { reply.commands.append(NativeCommand(.back(), screen: 77)) }
            })
        let widget = try code.widget(Self.counter)
        let before = widget.text()
        try widget.tap("Add")
        #expect(widget.text() == before)
        let messages = widget.diagnostics.filter { $0.code == .nativeFault }.map(\.message)
        for (_, part) in wrong + [(.back(), "screen 77")] {
            #expect(messages.contains { $0.contains(part) }, "\(part) is not in \(messages)")
        }
        #expect(widget.diagnostics.contains { $0.hint == "did you mean count?" })
    }

    @Test func `Commands for a screen that is closed by now have no effect, and are no fault`() throws {
        let late = Guarded<Int?>(nil)
        let code = TestCode(
            Self.screens,
            rule: { turn, reply, _ throws(NativeFailure) in
                if let number = turn.screens.dropFirst().first?.number { late.withLock { $0 = number } }
                guard turn.screens.count == 1, let closed = late.withLock({ $0 }) else { return }
                reply.commands.append(NativeCommand(.set(state: "local", to: TestCode.number(5)), screen: closed))
            })
        let widget = try code.widget(Self.opener, ["Details": Self.details])
        try widget.tap("Open")
        try widget.tap("Take")
        #expect(widget.shows("Got a prize") && widget.diagnostics.isEmpty, "\(widget.diagnostics)")
    }
}
