import Console
import WidgetCore
import WidgetRender
import WidgetRunning

/// The frame that a terminal shows of a widget: the lines that fit, and a status line with what keys do.
struct TerminalFrame {
    private(set) var size: RawTerminal.Size?
    private(set) var view: View?
    private(set) var places: [TerminalPlace] = []
    private var painted = ViewText.Painted(lines: [])
    private var usesColor = false
    private var revision = 1
    private var warning: String?

    mutating func update(
        _ snapshot: RunningWidget.Snapshot, _ input: TerminalInput, _ text: ViewText, _ size: RawTerminal.Size?
    ) {
        guard let size else { return }
        self.size = size
        view = snapshot.view
        (revision, warning) = (snapshot.revision, snapshot.warning)
        usesColor = text.usesColor
        places = TerminalPlace.places(of: snapshot.view)
        let painter = ViewText(width: max(20, min(size.columns, text.width)), usesColor: usesColor)
        painted = painter.painted(snapshot.view, focus: input.place(among: places)?.key)
    }

    var lineCount: Int { painted.lines.count }
    var focused: Range<Int>? { painted.focused }

    /// Lines for the widget itself.
    var room: Int { max(1, (size?.rows ?? 2) - (warning == nil ? 1 : 2)) }

    func lines(_ input: TerminalInput) -> [String] {
        guard let size else { return [] }
        var lines = Array(painted.lines.dropFirst(input.offset).prefix(room))
        while lines.count < room { lines.append("") }
        if let warning { lines.append(marked("! \(warning)", "41;97", size)) }
        lines.append(marked(status(input, size), "7", size))
        return lines
    }

    private func marked(_ text: String, _ code: String, _ size: RawTerminal.Size) -> String {
        let line = TextFlow.padded(TextFlow.cut(QuotedText.plain(text), size.columns), size.columns)
        return usesColor
            ? "\u{1B}[\(code)m\(line)\u{1B}[0m" : TextFlow.cut("-- \(QuotedText.plain(text))", size.columns)
    }

    private func status(_ input: TerminalInput, _ size: RawTerminal.Size) -> String {
        if let question = input.question { return question }
        let below = lineCount - input.offset - room
        var parts = ["revision \(revision)"]
        if let message = input.message {
            parts.insert(message, at: 0)
        } else {
            if below > 0 { parts.append("\(below) more lines") }
            parts.append(input.place(among: places)?.hint ?? "esc back")
            parts.append("^C quit")
        }
        return parts.joined(separator: " · ")
    }
}

/// Something on the screen that can be touched.
struct TerminalPlace {
    let key: ViewKey
    let kind: NodeKind
    let actions: Set<String>
    /// Its present value.
    let value: String
    let name: String

    static func places(of view: View) -> [TerminalPlace] {
        if let alert = view.alerts.last {
            return [TerminalPlace(key: alert.key, kind: .button, actions: ["tap"], value: "", name: alert.button)]
        }
        var places: [TerminalPlace] = []
        var pending = [AccessibleNode(view.root)]
        while let node = pending.popLast() {
            pending.append(contentsOf: node.children.reversed())
            guard !node.states.contains("disabled"),
                !Set(node.actions).isDisjoint(with: ["tap", "select", "change", "pick"]) || node.kind.row.isControl
            else { continue }
            places.append(
                TerminalPlace(
                    key: node.key, kind: node.kind, actions: Set(node.actions), value: node.value ?? "",
                    name: node.name ?? node.id ?? ""))
        }
        return places
    }

    var takesText: Bool { kind.row.typing != .nothing }

    /// Whether text may have several lines.
    var takesLines: Bool { kind.row.typing == .lines }

    var hint: String {
        let row = kind.row
        if row.typing != .nothing { return "type · tab next · esc back" }
        if case .none = row.keyStep { return "arrows move · enter taps · esc back" }
        return "left right change · esc back"
    }
}
