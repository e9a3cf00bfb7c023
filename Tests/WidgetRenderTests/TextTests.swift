import Predicates
import Testing
import WidgetCore
import WidgetRender

/// Goal: what is shown as text can be read, in any script and at any width.
@Suite("Text") struct Text {
    static func view(_ nodes: [ViewNode], alerts: [View.Notice] = []) -> View {
        View(
            screen: "s", title: "t", root: ViewNode(ViewKey(screen: 1, node: 0), .screen, children: nodes),
            alerts: alerts)
    }

    static func node(_ kind: NodeKind, _ properties: [(PropertyName, Value)], id: Int = 1, children: [ViewNode] = [])
        -> ViewNode
    {
        ViewNode(
            ViewKey(screen: 1, node: id), kind, properties: properties.map { ViewProperty($0.0, $0.1) },
            children: children, events: kind == .button ? [.tap] : [])
    }

    @Test(arguments: [
        ("abc", 3), ("", 0), ("日本語", 6), ("한국", 4), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("🇨🇭", 2), ("❤️", 2),
        ("ﾊ", 1), ("Ｗ", 2), ("\u{200B}", 0),
    ])
    func `takes as many cells as terminals give it`(text: String, width: Int) {
        #expect(CellWidth.of(text) == width)
    }

    @Test(arguments: [
        "The quick brown fox jumps over the lazy dog", "日本語のテキストは空白がなくても折り返される", "👍👍👍👍👍👍👍👍👍👍👍👍👍👍",
        "Donaudampfschifffahrtsgesellschaftskapitän",
    ])
    func `never exceeds its width, and loses nothing`(text: String) {
        let shown = ViewText(width: 20).text(Self.view([Self.node(.label, [(.text, .string(text))])]))
        let lines = shown.split(separator: "\n")
        #expect(lines.count > 1 && lines.allSatisfy { CellWidth.of(String($0)) <= 20 })
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test func `shows no character that a terminal would take for a command`() {
        let text = "a\u{1B}[31mb\u{7}c\u{202E}d\u{9B}2J"
        let shown = ViewText().text(Self.view([Self.node(.label, [(.text, .string(text))])]))
        #expect(shown == "a[31mbcd2J\n")
    }

    @Test func `says what state things are in`() {
        let shown = ViewText().text(
            Self.view([
                Self.node(.button, [(.text, .string("Post")), (.disabled, .boolean(true))]),
                Self.node(
                    .textField, [(.text, .string("")), (.placeholder, .string("Name")), ("invalid", .boolean(true))],
                    id: 2),
                Self.node(.toggle, [(.value, .boolean(true)), (.accessibleName, .string("Avatars"))], id: 3),
                Self.node(.progress, [(.value, .double(0.5))], id: 4), Self.node(.image, [], id: 5),
            ]))
        #expect(shown == "(Post, disabled)\n[ <Name>, invalid ]\n[x] Avatars\n[#####-----]\n[no image]\n")
    }

    @Test(arguments: ["nan", "-nan", "inf", "-1e400", "2", "-2", "", "x", "0.26"])
    func `shows how far things are, whatever a server says`(value: String) {
        for kind in [NodeKind.progress, .slider, .stepper] {
            let shown = ViewText().text(
                Self.view([Self.node(kind, [(.value, .string(value)), (.text, .string(value))])]))
            #expect(shown.utf8.count > 2)
        }
        let bar = ViewText().text(Self.view([Self.node(.progress, [(.value, .string(value))])]))
        let done = ["inf": 10, "2": 10, "0.26": 3][value] ?? 0
        #expect(bar.filter { $0 == "#" }.count == done)
    }

    @Test func `puts an alert below, in a box`() {
        let alert = View.Notice(
            key: ViewKey(screen: 9, node: -3), title: "Error", message: "It failed.\n\nWhy: 日本", button: "OK")
        let lines = ViewText(width: 30).text(Self.view([], alerts: [alert])).split(separator: "\n")
        #expect(lines.first?.hasPrefix("+-- Error ---") ?? false)
        #expect(Set(lines.map { CellWidth.of(String($0)) }) == [30] && lines.contains { $0.contains("(OK)") })
    }

    @Test func `has the same roles, names and values as JSON, whatever is in it`() {
        let rows = (0..<3).map {
            Self.node(.row, [], id: 10 + $0, children: [Self.node(.label, [(.text, .string("r\($0)"))], id: 20 + $0)])
        }
        let view = Self.view([
            Self.node(.list, [], id: 2, children: rows), Self.node(.button, [(.text, .string("Go"))], id: 3),
        ])
        let sequence = AccessibleNode(view.root).sequence
        #expect(
            sequence == [
                "main\t\t", "list\t\t", "listitem\t\t", "text\tr0\t", "listitem\t\t", "text\tr1\t", "listitem\t\t",
                "text\tr2\t", "button\tGo\t",
            ])
        let json = String(decoding: ViewJSON.document(view, size: (1, 1)), as: UTF8.self)
        #expect(
            json.hasPrefix("{\"alerts\":[],\"diagnostics\":[],\"root\":{")
                && json.hasSuffix("\"size\":\"1x1\",\"title\":\"t\"}\n"))
    }

    @Test func `colours only what is asked to be`() {
        let view = Self.view([Self.node(.button, [(.text, .string("Go"))])])
        #expect(
            ViewText(usesColor: true).text(view).contains("\u{1B}[36m") && !ViewText().text(view).contains("\u{1B}"))
    }
}

/// Goal: patches turn one view into the next, and say no more than that.
@Suite struct `Patches` {
    static func list(_ texts: [(Int, String)]) -> View {
        Text.view([
            Text.node(.list, [], id: 2, children: texts.map { Text.node(.label, [(.text, .string($0.1))], id: $0.0) })
        ])
    }

    static func said(_ new: [(Int, String)], after old: [(Int, String)]) -> String {
        String(decoding: ViewJSON.document(list(new).difference(from: list(old))), as: UTF8.self)
    }

    @Test func `are empty where nothing changed`() {
        #expect(Self.said([(3, "a")], after: [(3, "a")]) == "[]\n")
    }

    @Test func `set one value`() {
        #expect(
            Self.said([(3, "a"), (4, "c")], after: [(3, "a"), (4, "b")]) == #"[{"key":"1.4","set":{"text":"c"}}]"#
                + "\n")
    }

    @Test func `remove and insert by key`() {
        #expect(
            Self.said([(3, "a"), (5, "c")], after: [(3, "a"), (4, "b"), (5, "c")]) == #"[{"remove":"1.4"}]"# + "\n")
        let inserted = Self.said([(3, "a"), (4, "b"), (5, "c")], after: [(3, "a"), (5, "c")])
        #expect(inserted.hasPrefix(#"[{"before":"1.5","into":"1.2","key":"1.4""#))
    }

    @Test func `say everything for another screen`() {
        let other = View(screen: "x", title: "", root: ViewNode(ViewKey(screen: 2, node: 0), .screen))
        #expect(other.difference(from: Self.list([])).count == 1)
    }
}
