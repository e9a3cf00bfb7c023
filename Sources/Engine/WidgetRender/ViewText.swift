package import WidgetCore
package import WidgetLayout

/// Views as lines of text: for terminals, and for readers of tests.
package struct ViewText: ViewPrinter {
    package static let mediaType = "text/plain; charset=utf-8"

    /// In cells. Larger text leaves room for fewer.
    package let width: Int
    package let usesColor: Bool
    /// The cells of the whole line, at whose right end mirrored lines begin.
    private let columns: Int
    private let viewport: Viewport
    private let isMirrored: Bool
    /// The element that the next key touches, on a terminal.
    private var focus: ViewKey?
    /// The most bytes of one text that are laid out.
    private var longest = TextFlow.mostBytes
    /// The words of the system in the view's language.
    private var words = SystemWords.english

    /// - Parameter viewport: has the reader's size and direction of text.
    package init(width: Int = 80, usesColor: Bool = false, viewport: Viewport = Viewport()) {
        columns = max(20, min(width, 500))
        self.width = max(20, Int(Double(columns) / max(viewport.textSize.factor, 1)))
        self.usesColor = usesColor
        self.viewport = viewport
        isMirrored = viewport.direction == .rightToLeft
    }

    package init(_ program: Program, _ options: PrintOptions) {
        self.init(width: options.columns, usesColor: options.usesColor, viewport: options.viewport)
    }

    /// The same on a terminal with so many columns.
    package func within(_ columns: Int, usesColor: Bool) -> ViewText {
        ViewText(width: min(columns, self.columns), usesColor: usesColor, viewport: viewport)
    }

    package func print(_ view: View, _ assets: some ViewAssets) -> [UInt8] { Array(text(view).utf8) }

    package func text(_ view: View) -> String {
        var text = ""
        for line in lines(of: view) {
            text += TextFlow.trimmed(line)
            text += "\n"
        }
        return text
    }

    /// Points of a cell across and of a line, by which margins become spaces.
    private static let cell = (width: 8.0, height: 20.0)

    private func lines(of view: View) -> [String] {
        guard view.isVisible else { return [TextFlow.cut("[ \(view.words[.nothingToShow]) ]", width)] }
        let root = AccessibleNode(view.root)
        var printer = self
        printer.words = view.words
        printer.longest = TextFlow.longest(of: root)
        // Margins leave at least half of the width.
        let (left, right) = (cells(view.insets.leading), cells(view.insets.trailing))
        let inner = max(width - left - right, width / 2)
        var lines = printer.lines(of: root, width: inner)
        if left > 0 {
            let margin = TextFlow.blanks(min(left, width - inner))
            lines = lines.map { margin + $0 }
        }
        let top = min(max(view.insets.top / ViewText.cell.height, 0), ViewText.tallestMargin).rounded()
        lines.insert(contentsOf: [String](repeating: "", count: Int(top)), at: 0)
        for alert in view.alerts { lines += box(alert) }
        while lines.last?.isEmpty ?? false { lines.removeLast() }
        return isMirrored ? lines.map(mirrored) : lines
    }

    /// A line that ends where others begin.
    private func mirrored(_ line: String) -> String {
        guard !line.isEmpty else { return line }
        return TextFlow.blanks(columns - cellCount(line)) + line
    }

    /// The cells of a line without its colours, and with the mark of the focus as it is shown.
    private func cellCount(_ line: String) -> Int {
        var shown = ""
        var isColor = false
        for letter in line {
            if letter == "\u{1B}" { isColor = true }
            if letter == ViewText.mark {
                if !usesColor { shown += ">" }
            } else if !isColor {
                shown.append(letter)
            }
            if letter == "m" { isColor = false }
        }
        return CellWidth.of(shown)
    }

    /// A sign with the blank that lies between it and its text.
    private func sign(_ text: String) -> String { isMirrored ? String(text.reversed()) : text }

    /// Parts of one line, in the order in which they are read.
    private func joined(_ parts: [String], _ separator: String) -> String {
        (isMirrored ? parts.reversed() : parts).joined(separator: separator)
    }

    private static let tallestMargin = 20.0

    /// Cells for a number of points, within the width.
    private func cells(_ points: Double) -> Int {
        Int(min(max(points / ViewText.cell.width, 0), Double(width)).rounded())
    }

    /// A view on a terminal, where one element has the focus.
    package struct Painted: Sendable {
        package var lines: [String]
        /// The lines of the focused element.
        package var focused: Range<Int>?

        package init(lines: [String], focused: Range<Int>? = nil) {
            self.lines = lines
            self.focused = focused
        }
    }

    package func painted(_ view: View, focus: ViewKey?) -> Painted {
        var copy = self
        copy.focus = focus
        var painted = Painted(lines: copy.lines(of: view))
        // Most lines do not even have the mark's first byte, and splitting a text into letters is slow.
        for (place, line) in painted.lines.enumerated() where line.utf8.contains(0xEF) && line.contains(ViewText.mark) {
            let plain = line.replacing(String(ViewText.mark), with: usesColor ? "" : ">")
            painted.lines[place] = usesColor ? plain : TextFlow.cut(plain, columns)
            painted.focused = (painted.focused?.lowerBound ?? place)..<(place + 1)
        }
        return painted
    }

    /// Marks the focused element until its line is known. ``TextFlow/visible(_:)`` removes it from all other texts.
    private static let mark: Character = "\u{F8FE}"

    // MARK: - Nodes

    private func lines(of node: AccessibleNode, width: Int) -> [String] {
        ownLines(of: node, width: width) + faultLines(of: node, width: width)
    }

    /// The reason why a field is invalid, below it.
    private func faultLines(of node: AccessibleNode, width: Int) -> [String] {
        guard let fault = node.fault else { return [] }
        let lines = TextFlow.lines("! \(fault)", width: width, upTo: longest)
        return usesColor ? lines.map { "\u{1B}[31m\($0)\u{1B}[0m" } : lines
    }

    private func ownLines(of node: AccessibleNode, width: Int) -> [String] {
        switch node.kind {
        case .list, .grid: return listLines(node, width: width)
        case .row: return rowLines(node, width: width)
        case .screen, .form, .box: return groupLines(node, width: width)
        default:
            if let token = token(node) {
                let own = TextFlow.lines(token, width: width, upTo: longest).map { style($0, node) }
                return own + (node.children.isEmpty ? [] : groupLines(node, width: width))
            }
            return groupLines(node, width: width)
        }
    }

    /// The mark behind the texts of a row with a checkmark.
    private var checkmark: String { isMirrored ? "\u{2713}  " : "  \u{2713}" }

    /// A row by itself, with the marks of a selected row and of one with a checkmark.
    private func rowLines(_ node: AccessibleNode, width: Int) -> [String] {
        let isChecked = node.states.contains("checked")
        guard isChecked || node.states.contains("selected") else { return groupLines(node, width: width) }
        let head = node.states.contains("selected") ? "* " : ""
        var lines = groupLines(node, width: max(width - head.count - (isChecked ? checkmark.count : 0), 1))
        for place in lines.indices where !head.isEmpty {
            lines[place] = joined([sign(place == 0 ? head : "  "), lines[place]], "")
        }
        if isChecked, let first = lines.first { lines[0] = joined([first, checkmark], "") }
        return lines
    }

    /// Children that lie side by side are printed on one line if there is room.
    private func groupLines(_ node: AccessibleNode, width: Int) -> [String] {
        var lines: [String] = []
        for line in arranged(node.children, isBar: node.kind == .bar || node.kind == .tabs) {
            if line.count == 1 {
                lines += self.lines(of: line[0], width: width)
                continue
            }
            let tokens = line.map { child in (token(child) ?? "", child) }
            let isOneLine = tokens.allSatisfy { TextFlow.paragraphs($0.0).count == 1 }
            let shown = isOneLine ? tokens.map { (TextFlow.visible($0.0), $0.1) } : []
            if isOneLine, shown.reduce(0, { $0 + CellWidth.of($1.0) + 2 }) - 2 <= width {
                lines.append(joined(shown.map { style($0.0, $0.1) }, "  "))
                for child in line { lines += faultLines(of: child, width: width) }
            } else {
                for child in line { lines += self.lines(of: child, width: width) }
            }
        }
        return lines
    }

    private func arranged(_ nodes: [AccessibleNode], isBar: Bool) -> [[AccessibleNode]] {
        var lines: [[AccessibleNode]] = []
        for node in nodes {
            let isLeaf = node.children.isEmpty && node.isPrinted
            if isLeaf, let last = lines.last, let neighbour = last.last, neighbour.children.isEmpty,
                neighbour.role != "list", isBar || isBeside(neighbour, node)
            {
                lines[lines.count - 1].append(node)
            } else {
                lines.append([node])
            }
        }
        return lines
    }

    private func isBeside(_ first: AccessibleNode, _ second: AccessibleNode) -> Bool {
        guard let one = first.frame, let other = second.frame else { return first.kind == .searchField }
        return ReadingOrder.isSameLine(one, other) && one.x <= other.x
    }

    // MARK: - Lists

    private func listLines(_ node: AccessibleNode, width: Int) -> [String] {
        var lines: [String] = []
        var rows: [AccessibleNode] = []
        for child in node.children {
            let isCells = isCells(child)
            if !rows.isEmpty, !isCells || rows[0].children.count != child.children.count {
                lines += table(rows, width: width)
                rows = []
            }
            if isCells { rows.append(child) } else { lines += self.lines(of: child, width: width) }
        }
        return lines + table(rows, width: width)
    }

    /// True for a row of several elements that each take one line.
    private func isCells(_ node: AccessibleNode) -> Bool {
        node.role == "listitem" && node.children.count > 1
            && node.children.allSatisfy { $0.children.isEmpty && $0.isPrinted && $0.fault == nil }
    }

    private func table(_ rows: [AccessibleNode], width: Int) -> [String] {
        guard let count = rows.first?.children.count else { return [] }
        // All columns but the last, one row after the other.
        var cells: [(text: String, width: Int)] = []
        cells.reserveCapacity(rows.count * (count - 1))
        var widths = [Int](repeating: 0, count: count - 1)
        for row in rows {
            for column in widths.indices {
                let text = TextFlow.visible(token(row.children[column]) ?? "")
                let cell = (text, CellWidth.of(text))
                widths[column] = max(widths[column], cell.1)
                cells.append(cell)
            }
        }
        // Cells that do not fit side by side are printed below each other.
        guard widths.reduce(0, { $0 + $1 + 2 }) <= width * 2 / 3 else {
            return rows.flatMap { row in
                let isChecked = row.states.contains("checked")
                let room = width - 2 - (isChecked ? checkmark.count : 0)
                let isSelected = row.states.contains("selected")
                let head = row.key == focus ? "\(ViewText.mark)> " : isSelected ? "* " : "- "
                return groupLines(row, width: room).enumerated().map { place, line in
                    joined(place > 0 ? ["  ", line] : [sign(head), line, isChecked ? checkmark : ""], "")
                }
            }
        }
        // The first place is that of the marks.
        let indent = widths.reduce(0) { $0 + $1 + 2 } + 1
        let rest = max(8, width - indent)
        var lines: [String] = []
        for (place, row) in rows.enumerated() {
            var head = row.states.contains("selected") ? "*" : " "
            if row.key == focus { head = usesColor ? "\(ViewText.mark)\u{1B}[7m>\u{1B}[0m" : "\(ViewText.mark)" }
            var parts = [head]
            for column in widths.indices {
                let cell = cells[place * widths.count + column]
                let blanks = TextFlow.blanks(widths[column] - cell.width)
                parts.append(style(isMirrored ? blanks + cell.text : cell.text + blanks, row.children[column]))
                parts.append("  ")
            }
            head = joined(parts, "")
            guard let last = row.children.last else { continue }
            let mark = row.states.contains("checked") ? checkmark : ""
            let texts = TextFlow.lines(token(last) ?? "", width: max(rest - mark.count, 1), upTo: longest)
            for (place, text) in texts.enumerated() {
                let start = place == 0 ? head : TextFlow.blanks(indent)
                lines.append(joined([start, style(text, last), place == 0 ? mark : ""], ""))
            }
        }
        return lines
    }

    // MARK: - Leaves

    private func shortened(_ text: String) -> String { TextFlow.shortened(text, longest) }

    /// The text of a leaf; `nil` for an element that is printed only by its children.
    private func token(_ node: AccessibleNode) -> String? {
        guard node.isPrinted else { return nil }
        let name = shortened(node.name ?? "")
        if node.role == "text" { return name }
        let value = shortened(node.value ?? "")
        let marks =
            node.states.isEmpty
            ? ""
            : node.states.filter { !["focused", "busy", "selected", "checked", "prominent"].contains($0) }
                .map { ", \(words.state($0))" }.joined()
        switch node.role {
        case "heading": return "[ \(name) ]"
        case "button", "tab":
            let mark = node.states.contains("selected") ? "*" : ""
            return "(\(name.isEmpty ? node.id ?? "button" : name)\(mark)\(marks))"
        case "img": return "[\(name)]"
        case "searchbox": return "( \(value.isEmpty ? name : value)\(marks) )"
        case "textbox":
            let shown = value.isEmpty ? (name.isEmpty ? String(repeating: "_", count: 12) : "<\(name)>") : value
            return "[ \(shown)\(marks) ]"
        case "progressbar":
            if node.kind == .activity { return "(\(words[.loading].lowercased()))" }
            // No number is neither more nor less than any other.
            let fraction = Double(value).map { $0.isNaN ? 0 : min(max($0, 0), 1) } ?? 0
            let done = Int((fraction * 10).rounded())
            return "[\(String(repeating: "#", count: done))\(String(repeating: "-", count: 10 - done))]"
        case "switch": return "[\(value == "on" ? "x" : " ")] \(name.isEmpty ? node.id ?? "" : name)\(marks)"
        case "slider", "spinbutton", "radiogroup", "combobox": return "<\(value)\(marks)>"
        case "document":
            let word = words[.webPage].lowercased()
            return value.isEmpty ? "[\(word)]" : "[\(word): \(value)]"
        default: return nil
        }
    }

    private func style(_ text: String, _ node: AccessibleNode) -> String {
        let mark = node.key == focus ? String(ViewText.mark) : ""
        guard usesColor else { return mark + text }
        if !mark.isEmpty { return "\(mark)\u{1B}[7m\(text)\u{1B}[0m" }
        let code: String? =
            switch node.role {
            case "heading": "1"
            case "button", "tab": node.states.contains("disabled") ? "2" : "36"
            case "img", "progressbar": "2"
            case "searchbox", "textbox": "4"
            default: nil
            }
        return code.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
    }

    private func box(_ alert: View.Notice) -> [String] {
        let inner = min(width - 4, 56)
        let title = TextFlow.cut(TextFlow.visible(alert.title), inner - 4)
        let rule = "+-- \(title) " + String(repeating: "-", count: max(0, inner - 2 - CellWidth.of(title))) + "+"
        var lines = ["", rule]
        for line in TextFlow.lines(alert.message, width: inner) {
            lines.append("| \(TextFlow.padded(line, inner)) |")
        }
        let titles = alert.buttons.map { "(\(TextFlow.visible($0.title)))" }
        let isOneLine = titles.reduce(titles.count - 1) { $0 + CellWidth.of($1) } <= inner
        let groups = isOneLine ? [Array(titles.indices)] : titles.indices.map { [$0] }
        for group in groups {
            let used = group.reduce(group.count - 1) { $0 + CellWidth.of(titles[$1]) }
            let shown = group.map { place in
                alert.buttons[place].key == focus
                    ? ViewText.mark.description + (usesColor ? "\u{1B}[7m\(titles[place])\u{1B}[0m" : titles[place])
                    : titles[place]
            }
            lines.append("| \(String(repeating: " ", count: max(0, inner - used)))\(shown.joined(separator: " ")) |")
        }
        lines.append("+" + String(repeating: "-", count: inner + 2) + "+")
        return lines
    }
}
