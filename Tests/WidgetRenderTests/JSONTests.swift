import Predicates
import Testing
import WidgetCore
import WidgetRender

/// Goal: JSON has all that can be known of a view. Method: a view of one element, with everything that it may have.
@Suite struct `A view as JSON` {
    @Test func `says what is wrong, where, and what to do`() {
        var view = Text.view([])
        view.diagnostics = [
            Diagnostic(
                .warning, .unknownKey, "No use", at: Place(file: "a.json", line: 3, column: 7, path: "x.y"),
                hint: "leave it"),
            Diagnostic(.error, .badFile, "Broken", at: Place(file: "b.json")), Diagnostic(.error, .stepBudget, "Much"),
        ]
        let json = String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self)
        let first =
            #"{"code":"unknown-key","column":7,"file":"a.json","hint":"leave it","line":3,"message":"No use","path":"x.y","severity":"warning"}"#
        #expect(json.contains(first), "\(json)")
        #expect(json.contains(#"{"code":"bad-file","file":"b.json","message":"Broken","severity":"error"}"#))
        #expect(json.contains(#""size":"375x667""#))
    }

    @Test func `says what can be done with an element, how it is, and what it has`() {
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

    @Test func `names what was chosen by its title, and a place beyond them by its number`() {
        func value(_ index: Int64) -> String? {
            let titles = Value.array([.string("Red"), .string("Blue")])
            return AccessibleNode(Text.node(.segments, [(.titles, titles), (.value, .integer(index))])).value
        }
        #expect(value(1) == "Blue" && value(2) == "2" && value(-1) == "-1")
    }

    @Test func `is read from top to bottom, and on a line from left to right`() {
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
