import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates
import WidgetRender

/// Goal: a new printer needs one row in one list. Method: each printer of the list, with a view of all kinds of
/// elements.
@Suite struct `The list of printers` {
    private static let view = Text.view([
        Text.node(.label, [(.text, .string("Planets"))]),
        Text.node(.picker, [(.titles, .array([.string("Mercury"), .string("Venus")])), (.value, .integer(1))], id: 2),
    ])

    @Test func `Each printer has its own name`() {
        #expect(
            PrintedForm.allCases.map { $0.name } == ["text", "json", "html", "frames"]
                && PrintedForm.choice == "text, json, html or frames")
        #expect(PrintedForm(rawValue: "pdf") == nil)
    }

    @Test func `A printer from the list prints the same as the printer itself`() throws {
        func printed(_ name: String) throws -> String {
            let printed = try #require(PrintedForm(rawValue: name)).print(
                Self.view, of: Program(identifier: "p", scenes: [], entries: [:], initial: ""),
                PrintOptions(columns: 40, viewport: Viewport(size: Size(width: 1, height: 2))), NoAssets())
            return String(decoding: printed, as: UTF8.self)
        }
        #expect(try printed("text") == ViewText(width: 40).text(Self.view))
        #expect(try printed("json").utf8.elementsEqual(ViewJSON.document(Self.view, size: (1, 2))))
        #expect(try printed("text") == "Planets\n<Venus>\n")
    }

    @Test func `Printers name web pages by their address, without fetching them`() {
        func web(_ address: Value) -> String {
            ViewText().text(Text.view([Text.node(.web, [(.value, address)])]))
        }
        #expect(web(.null) == "[web page]\n")
        #expect(web(.string("https://example.com/")) == "[web page: https://example.com/]\n")
        #expect(web(.string("a\u{1B}[31mb")) == "[web page: a[31mb]\n")
        let node = AccessibleNode(Text.node(.web, [(.value, .string("https://example.com/"))]))
        #expect(node.role == "document" && node.value == "https://example.com/")
    }
}

/// Goal: JSON has all facts of a view. Method: a view of one element that has all of them.
@Suite struct `A view as JSON` {
    @Test func `JSON lists each diagnostic with its place and hint`() {
        var view = Text.view([])
        view.diagnostics = [
            Finding(
                .warning, .unknownKey, "No use", at: Place(file: "a.json", line: 3, column: 7, path: "x.y"),
                hint: "leave it"),
            Finding(.error, .badFile, "Broken", at: Place(file: "b.json")), Finding(.error, .stepBudget, "Much"),
        ]
        let json = String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self)
        let first =
            #"{"code":"unknown-key","column":7,"file":"a.json","hint":"leave it","line":3,"message":"No use","path":"x.y","severity":"warning"}"#
        #expect(json.contains(first), "\(json)")
        #expect(json.contains(#"{"code":"bad-file","file":"b.json","message":"Broken","severity":"error"}"#))
        #expect(json.contains(#""size":"375x667""#))
    }

    @Test func `JSON lists the actions, states and values of an element`() {
        let states: [(PropertyName, Value)] = [
            (.text, .string("Go")), (.disabled, .boolean(true)), (.focused, .boolean(true)), (.invalid, .boolean(true)),
            (.readOnly, .boolean(true)), (.selected, .boolean(true)), ("refreshing", .boolean(true)),
        ]
        var view = Text.view([Text.node(.button, states)])
        view.alerts = [View.Notice(key: ViewKey(screen: 5, node: -3), title: "T", message: "M", button: "Fine")]
        let json = String(decoding: ViewJSON.document(view, size: (1, 1)), as: UTF8.self)
        #expect(
            json.contains(
                #"{"actions":["tap"],"name":"Go","role":"button","state":["busy","disabled","focused","invalid","readonly","selected"]}"#
            ), "\(json)")
        #expect(json.contains(#""alerts":[{"buttons":["Fine"],"message":"M","title":"T"}]"#))
    }

    @Test func `JSON has the state and the message of an invalid field`() {
        let field = Text.node(
            .textField,
            [
                (.text, .string("")), (.placeholder, .string("Name")), (.invalid, .boolean(true)),
                (.fault, .string("Name is required")),
            ])
        let json = String(decoding: ViewJSON.document(Text.view([field]), size: (1, 1)), as: UTF8.self)
        #expect(
            json.contains(
                #"{"message":"Name is required","name":"Name","role":"textbox","state":["invalid"],"value":""}"#),
            "\(json)")
        let node = AccessibleNode(field)
        #expect(node.fault == "Name is required" && node.name == "Name")
    }

    @Test func `JSON names a chosen option by its title, and a place beyond all options by its number`() {
        func value(_ index: Int64) -> String? {
            let titles = Value.array([.string("Red"), .string("Blue")])
            return AccessibleNode(Text.node(.segments, [(.titles, titles), (.value, .integer(index))])).value
        }
        #expect(value(1) == "Blue" && value(2) == "2" && value(-1) == "-1")
    }

    @Test func `JSON is in reading order, from top to bottom, and on a line from left to right`() {
        func label(_ text: String, _ x: Double, _ y: Double, id: Int) -> ViewNode {
            ViewNode(
                ViewKey(screen: 1, node: id), .label, properties: [ViewProperty(.text, .string(text))],
                frame: Frame(x: x, y: y, width: 50, height: 20))
        }
        let view = Text.view([
            label("d", 0, 100, id: 2), label("b", 60, 0, id: 3), label("c", 0, 50, id: 4), label("a", 0, 3, id: 5),
        ])
        let names = AccessibleNode(view.root).children.map(\.name)
        #expect(names == ["a", "b", "c", "d"] && ViewText().text(view) == "a  b\nc\nd\n")
    }
}

/// Goal: a patch says all changes of any kind. Method: two views that differ in one thing each.
@Suite struct `A patch` {
    static func said(_ new: View, after old: View) -> String {
        String(decoding: ViewJSON.document(new.difference(from: old)), as: UTF8.self)
    }

    static func label(_ properties: [(PropertyName, Value)], events: [NodeEvent] = []) -> View {
        Text.view([
            ViewNode(
                ViewKey(screen: 1, node: 3), .label, properties: properties.map { ViewProperty($0.0, $0.1) },
                events: events)
        ])
    }

    @Test func `A patch has the title, and the text of an alert`() {
        let old = Self.label([])
        var new = old
        new.title = "other"
        #expect(Self.said(new, after: old) == #"[{"title":"other"}]"# + "\n")
        new.title = old.title
        new.alerts = [View.Notice(key: ViewKey(screen: 5, node: -3), title: "T", message: "M", button: "OK")]
        #expect(
            Self.said(new, after: old) == #"[{"alerts":[{"buttons":["OK"],"message":"M","title":"T"}]}]"# + "\n")
        #expect(Self.said(old, after: new) == #"[{"alerts":[]}]"# + "\n")
    }

    @Test func `A patch sets a removed property to null`() {
        let old = Self.label([(.text, .string("a")), (.disabled, .boolean(true)), (.value, .integer(1))])
        let new = Self.label([(.text, .string("a")), (.value, .double(0.5))])
        #expect(Self.said(new, after: old) == #"[{"key":"1.3","set":{"disabled":null,"value":0.5}}]"# + "\n")
        #expect(
            Self.said(old, after: new) == #"[{"key":"1.3","set":{"disabled":true,"value":1}}]"# + "\n")
    }

    @Test func `A patch replaces an element whose actions or kind have changed`() {
        let text: [(PropertyName, Value)] = [(.text, .string("a"))]
        let said = Self.said(Self.label(text, events: [.tap]), after: Self.label(text))
        #expect(said.hasPrefix(#"[{"key":"1.3","node":{"actions":["tap"],"#))
        let button = Text.view([Text.node(.button, text, id: 3)])
        #expect(Self.said(button, after: Self.label(text)).hasPrefix(#"[{"key":"1.3","node":"#))
    }

    @Test func `A patch moves an element within its parent, before another or to the end`() {
        let (old, new) = ([(3, "a"), (4, "b"), (5, "c")], [(5, "c"), (3, "a"), (4, "b")])
        #expect(Patches.said(new, after: old) == #"[{"before":"1.3","into":"1.2","move":"1.5"}]"# + "\n")
        #expect(Patches.said(old, after: new) == #"[{"into":"1.2","move":"1.5"}]"# + "\n")
    }
}
