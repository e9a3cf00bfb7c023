import Predicates
import Testing
import WidgetCore
import WidgetRender

/// Goal: tables can be read at a glance, and what was chosen is seen. Method: rows of two or three texts.
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

    @Test func `has columns as wide as their widest text, and a mark at what was chosen`() {
        let shown = Self.text([
            Self.row(["long name", "1"], id: 3), Self.row(["x", "2"], id: 4, isChosen: true),
            Self.row(["日本", "3"], id: 5),
        ])
        #expect(shown == " long name  1\n*x          2\n 日本       3\n")
    }

    @Test func `is a list where its columns do not fit, with the same mark`() {
        let wide = String(repeating: "w", count: 18)
        let shown = Self.text(
            [Self.row([wide, "a"], id: 3), Self.row([wide, "b"], id: 4, isChosen: true)], width: 20)
        #expect(shown.split(separator: "\n").map { String($0.prefix(4)) } == ["- ww", "  a", "* ww", "  b"])
    }

    @Test func `shows controls by their values, and what moves by a word`() {
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
