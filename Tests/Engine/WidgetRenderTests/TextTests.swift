import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates
import WidgetTestSupport

@testable import WidgetRender

/// Goal: views as text are readable, in any script and at any width.
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

    @Test func `Selected buttons, chosen tabs and checked rows are marked`() {
        func button(_ name: String, _ isSelected: Bool, _ kind: NodeKind = .button) -> ViewNode {
            Self.node(kind, [(.text, .string(name)), (.selected, .boolean(isSelected))])
        }
        func row(_ texts: [String], _ isChecked: Bool, isSelected: Bool = false) -> ViewNode {
            Self.node(
                .row, [(.checked, .boolean(isChecked)), (.selected, .boolean(isSelected))],
                children: texts.map { Self.node(.label, [(.text, .string($0))]) })
        }
        let view = Self.view([
            button("L", true), button("S", false),
            Self.node(.tabs, [], children: [button("Notes", true, .tab), button("Tiles", false, .tab)]),
            Self.node(
                .list, [],
                children: [
                    row(["One"], true), row(["Two"], false), row(["Three"], true, isSelected: true),
                    row(["a", "b"], true), row(["c", "d"], false),
                ]),
        ])
        let lines = [
            "(L*)", "(S)", "(Notes*)  (Tiles)", "One  \u{2713}", "Two", "* Three  \u{2713}", " a  b  \u{2713}", " c  d",
        ]
        #expect(ViewText().text(view) == lines.map { "\($0)\n" }.joined())
        let long = Self.node(.list, [], children: [row([String(repeating: "word ", count: 20)], true)])
        let narrow = ViewText(width: 30).text(Self.view([long])).split(separator: "\n")
        #expect(narrow.count > 1 && narrow.allSatisfy { CellWidth.of(String($0)) <= 30 })
        #expect(narrow.first?.hasSuffix("\u{2713}") == true)
    }

    @Test func `Text from right to left begins at the right end, and larger text has fewer letters in a line`() {
        func row(_ texts: String...) -> ViewNode {
            Self.node(
                .row, [(.checked, .boolean(texts.count == 1))],
                children: texts.map { Self.node(.label, [(.text, .string($0))]) })
        }
        let view = Self.view([
            Self.node(.label, [(.text, .string("One"))]),
            Self.node(
                .tabs, [],
                children: ["A", "B"].map { Self.node(.tab, [(.text, .string($0))]) }),
            Self.node(.list, [], children: [row("Two"), row("a", "bb"), row("ccc", "d")]),
        ])
        let mirrored = ViewText(width: 20, viewport: Viewport(direction: .rightToLeft))
        let lines = ["One", "(B)  (A)", "\u{2713}Two", "bb    a", "d  ccc"]
        func ends(_ lines: some Sequence<Substring>) -> [String] { lines.map { String($0.filter { $0 != " " }) } }
        let shown = mirrored.text(view).split(separator: "\n")
        #expect(ends(shown) == lines.map { $0.filter { $0 != " " } })
        #expect(shown.allSatisfy { 19...20 ~= CellWidth.of(String($0)) }, "\(shown)")
        #expect(shown.last?.hasSuffix("d  ccc") == true)
        let long = Self.view([Self.node(.label, [(.text, .string(String(repeating: "word ", count: 30)))])])
        let large = ViewText(width: 80, viewport: Viewport(textSize: .accessibility1)).text(long).split(separator: "\n")
        #expect(large.map { CellWidth.of(String($0)) }.max() == 44)
        #expect(ViewText(width: 80, viewport: Viewport(textSize: .extraSmall)).text(long) == ViewText().text(long))
        #expect(mirrored.within(40, usesColor: true).painted(view, focus: nil).lines.first?.utf8.count == 20)
    }

    @Test(arguments: [
        ("abc", 3), ("", 0), ("日本語", 6), ("한국", 4), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("🇨🇭", 2), ("❤️", 2),
        ("ﾊ", 1), ("Ｗ", 2), ("\u{200B}", 0),
    ])
    func `A text takes as many cells as terminals give it`(text: String, width: Int) {
        #expect(CellWidth.of(text) == width)
    }

    @Test(arguments: [
        "The quick brown fox jumps over the lazy dog", "日本語のテキストは空白がなくても折り返される", "👍👍👍👍👍👍👍👍👍👍👍👍👍👍",
        "Donaudampfschifffahrtsgesellschaftskapitän",
    ])
    func `A text never exceeds its width, and loses nothing`(text: String) {
        let shown = ViewText(width: 20).text(Self.view([Self.node(.label, [(.text, .string(text))])]))
        let lines = shown.split(separator: "\n")
        #expect(lines.count > 1 && lines.allSatisfy { CellWidth.of(String($0)) <= 20 })
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test func `A text shows no character that a terminal would take for a command`() {
        let text = "a\u{1B}[31mb\u{7}c\u{202E}d\u{9B}2J"
        let shown = ViewText().text(Self.view([Self.node(.label, [(.text, .string(text))])]))
        #expect(shown == "a[31mbcd2J\n")
    }

    @Test func `A text shows the states of elements`() {
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

    @Test func `A text shows the message of an invalid field below it, within its width`() {
        func field(_ id: Int, _ x: Double, _ properties: [(PropertyName, Value)]) -> ViewNode {
            ViewNode(
                ViewKey(screen: 1, node: id), .textField,
                properties: ([(.text, .string("x"))] + properties).map { ViewProperty($0.0, $0.1) },
                frame: Frame(x: x, y: 0, width: 50, height: 20))
        }
        let broken: [(PropertyName, Value)] = [
            (.invalid, .boolean(true)), (.fault, .string("Name needs at least 3 characters")),
        ]
        let alone = ViewText(width: 20).text(
            Self.view([field(1, 0, broken), Self.node(.label, [(.text, .string("y"))])]))
        #expect(alone == "[ x, invalid ]\n! Name needs at\nleast 3 characters\ny\n")
        let beside = ViewText().text(Self.view([field(1, 0, broken), field(2, 60, [])]))
        #expect(beside == "[ x, invalid ]  [ x ]\n! Name needs at least 3 characters\n")
        let row = Self.node(.row, [], id: 9, children: [field(1, 0, broken), field(2, 60, [])])
        #expect(ViewText().text(Self.view([Self.node(.list, [], id: 8, children: [row])])) == beside)
        let coloured = ViewText(usesColor: true).text(Self.view([field(1, 0, broken)]))
        #expect(coloured.contains("\u{1B}[31m! Name needs at least 3 characters\u{1B}[0m"))
        let valid = Self.view([field(1, 0, [(.fault, .string("gone"))])])
        #expect(ViewText().text(valid) == "[ x ]\n", "a valid field has no message")
    }

    @Test func `An element without a role keeps its place for the message of its picture`() {
        let box = Self.node(.box, [(.invalid, .boolean(true)), (.fault, .string("Photo is required"))])
        #expect(ViewText().text(Self.view([box])) == "! Photo is required\n")
    }

    @Test(arguments: ["nan", "-nan", "inf", "-1e400", "2", "-2", "", "x", "0.26"])
    func `A progress bar stays within its range, for any number of a server`(value: String) {
        for kind in [NodeKind.progress, .slider, .stepper] {
            let shown = ViewText().text(
                Self.view([Self.node(kind, [(.value, .string(value)), (.text, .string(value))])]))
            #expect(shown.utf8.count > 2)
        }
        let bar = ViewText().text(Self.view([Self.node(.progress, [(.value, .string(value))])]))
        let done = ["inf": 10, "2": 10, "0.26": 3][value] ?? 0
        #expect(bar.filter { $0 == "#" }.count == done)
    }

    @Test func `An alert is shown below, in a box`() {
        let alert = View.Notice(
            key: ViewKey(screen: 9, node: -3), title: "Error", message: "It failed.\n\nWhy: 日本", button: "OK")
        let lines = ViewText(width: 30).text(Self.view([], alerts: [alert])).split(separator: "\n")
        #expect(lines.first?.hasPrefix("+-- Error ---") ?? false)
        #expect(Set(lines.map { CellWidth.of(String($0)) }) == [30] && lines.contains { $0.contains("(OK)") })
    }

    @Test func `Text and JSON have the same roles, names and values, for any content`() {
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

    @Test func `Colours are used only when they are wanted`() {
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

    @Test func `Patches are empty when nothing changed`() {
        #expect(Self.said([(3, "a")], after: [(3, "a")]) == "[]\n")
    }

    @Test func `A patch sets one value`() {
        #expect(
            Self.said([(3, "a"), (4, "c")], after: [(3, "a"), (4, "b")]) == #"[{"key":"1.4","set":{"text":"c"}}]"#
                + "\n")
    }

    @Test func `Patches remove and insert by key`() {
        #expect(
            Self.said([(3, "a"), (5, "c")], after: [(3, "a"), (4, "b"), (5, "c")]) == #"[{"remove":"1.4"}]"# + "\n")
        let inserted = Self.said([(3, "a"), (4, "b"), (5, "c")], after: [(3, "a"), (5, "c")])
        #expect(inserted.hasPrefix(#"[{"before":"1.5","into":"1.2","key":"1.4""#))
    }

    @Test func `Patches replace the whole view for another screen`() {
        let other = View(screen: "x", title: "", root: ViewNode(ViewKey(screen: 2, node: 0), .screen))
        #expect(other.difference(from: Self.list([])).count == 1)
    }
}

/// Goal: tables are easy to read, and the chosen row is marked. Method: rows of two or three texts.
@Suite struct `A table as text` {
    static func row(_ texts: [String], id: Int, isChosen: Bool = false) -> ViewNode {
        Text.node(
            .row, isChosen ? [(.selected, .boolean(true))] : [], id: id,
            children: texts.enumerated().map {
                Text.node(.label, [(.text, .string($1))], id: id * 10 + $0)
            })
    }

    static func text(_ rows: [ViewNode], width: Int = 60) -> String {
        ViewText(width: width).text(Text.view([Text.node(.list, [], id: 2, children: rows)]))
    }

    @Test func `A table's columns are as wide as their widest text, with a mark at the chosen row`() {
        let shown = Self.text([
            Self.row(["long name", "1"], id: 3), Self.row(["x", "2"], id: 4, isChosen: true),
            Self.row(["日本", "3"], id: 5),
        ])
        #expect(shown == " long name  1\n*x          2\n 日本       3\n")
    }

    @Test func `A table whose columns do not fit becomes a list with the same mark`() {
        let wide = String(repeating: "w", count: 18)
        let shown = Self.text(
            [Self.row([wide, "a"], id: 3), Self.row([wide, "b"], id: 4, isChosen: true)], width: 20)
        #expect(shown.split(separator: "\n").map { String($0.prefix(4)) } == ["- ww", "  a", "* ww", "  b"])
    }

    @Test func `A table shows controls by their values, and progress by a word`() {
        let shown = ViewText().text(
            Text.view([
                Text.node(.slider, [(.value, .double(0.5))], id: 1),
                Text.node(.stepper, [(.value, .integer(3))], id: 2),
                Text.node(.activity, [(.active, .boolean(true))], id: 3), Text.node(.web, [], id: 4),
            ]))
        #expect(shown == "<0.5>\n<3>\n(loading)\n[web page]\n")
        let off = Text.node(.button, [(.text, .string("Go")), (.disabled, .boolean(true))])
        #expect(ViewText(usesColor: true).text(Text.view([off])) == "\u{1B}[2m(Go, disabled)\u{1B}[0m\n")
    }
}

/// Goal: a text stays within its room. Method: texts longer than any reader wants.
@Suite struct `The flow of a text` {
    @Test(arguments: ["x", "ä", "漢", "👍🏽"]) func `A long text ends with an ellipsis`(letter: String) throws {
        let lines = TextFlow.lines(String(repeating: letter, count: 20_000), width: 40)
        let text = lines.joined()
        #expect(text.utf8.count <= (16 << 10) + 3)
        #expect(text.hasSuffix("…"))
        #expect(!text.contains("\u{FFFD}"))
        #expect(TextFlow.lines(String(repeating: letter, count: 100), width: 400).joined().count == 100)
    }

    /// Letters of one scalar go another way than letters of several.
    @Test func `The flow is the same for composed and decomposed letters`() {
        var chance = SeededGenerator(seed: 0xF10)
        for _ in 0..<300 {
            let letters = (0..<Int.random(in: 0...120, using: &chance)).map { _ in
                ["e", "é", " ", "long", "\u{2026}", "\n", "  "].randomElement(using: &chance) ?? ""
            }
            let whole = letters.joined()
            let parted = letters.map { $0 == "é" ? "e\u{301}" : $0 }.joined()
            let width = Int.random(in: 2...40, using: &chance)
            #expect(TextFlow.lines(whole, width: width) == TextFlow.lines(parted, width: width), "\(whole), \(width)")
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func `Each line end of a text begins a new line`(end: String) {
        #expect(TextFlow.lines("é\(end)\(end)漢\(end)", width: 10) == ["é", "", "漢", ""])
    }

    @Test func `Characters that only resemble a line end break no line`() {
        #expect(TextFlow.lines("\u{2027}\u{84}x\u{86}…", width: 10) == ["\u{2027}x…"])
    }

    @Test(arguments: [("e", 16), ("e", 17), ("漢", 4_000)]) func `A letter shows at most sixteen marks`(
        letter: String, count: Int
    ) {
        let marks = String(repeating: "\u{301}", count: count)
        let shown = TextFlow.lines("\(letter)\(marks)x \(letter)\u{302}", width: 40).joined()
        #expect(shown.unicodeScalars.filter { $0 == "\u{301}" }.count == min(count, 16))
        #expect(shown.hasSuffix("x \(letter)\u{302}"))
    }

    @Test func `Many texts get less room each, and those whose letters must be measured the least`() {
        func longest(_ letter: String, _ count: Int, length: Int = 20_000) -> Int {
            let texts = (0..<count).map { id in
                Text.node(.label, [(.text, .string(String(repeating: letter, count: length)))], id: id)
            }
            return TextFlow.longest(of: AccessibleNode(Text.view(texts).root))
        }
        #expect(longest("x", 4) == 16 << 10)
        #expect(longest("x", 100) == 8 << 10)
        #expect(longest("漢", 100) == 2 << 10)
        #expect(longest("x", 70_000, length: 20) == 16)
    }
}
