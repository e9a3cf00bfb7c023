import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import WidgetCommands

/// Goal: words give the same steps as a script's JSON. Method: pairs of a line and its step.
@Suite struct `A line that is said to a widget` {
    private static let view = View(
        screen: "Main", title: "",
        root: ViewNode(
            ViewKey(screen: 0, node: 0), .box,
            children: [ViewNode(ViewKey(screen: 0, node: 1), .button, identifier: "go", events: [.tap])]))

    static let lines: [(String, ScriptStep)] = [
        ("tap the red one", .tap("the red one")), ("refused the red one", .tap("the red one", refused: true)),
        ("type bar gull and tern", .input("bar", "gull and tern")),
        ("type bar", .input("bar", "")), ("submit bar", .submit("bar")), ("refresh list", .refresh("list")),
        ("scroll list", .scroll("list", toEnd: true)), ("select list 2", .select("list", section: 0, row: 2)),
        ("delete list 0", .delete("list", section: 0, row: 0)), ("pick p /a b.png", .pick("p", file: "/a b.png")),
        ("back", .back), ("wait 2.5", .wait(2.5)), ("1", .tap("\(ViewKey(screen: 0, node: 1))")),
    ]

    @Test(arguments: lines) func `A line reads as a step`(line: String, step: ScriptStep) {
        guard case .step(step) = SpokenCommand(line, in: Self.view) else {
            Issue.record("\(line)")
            return
        }
    }

    @Test(arguments: [
        "wait", "wait long", "wait -1", "wait inf", "wait 1e8", "select list", "select list x", "2", "0", "dance",
        "tap e" + String(repeating: "\u{301}\u{323}", count: 40),
    ]) func `A line that is not a step is refused`(line: String) {
        guard case .unknown(let reason) = SpokenCommand(line, in: Self.view) else {
            Issue.record("\(line)")
            return
        }
        #expect(!reason.isEmpty)
    }
}
