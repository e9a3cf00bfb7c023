internal import WidgetCore
internal import WidgetEngine
internal import WidgetPredicates

/// Reads the form of a page without script: what a person has changed on it, and the button.
struct FormReading {
    private var values: [String: [String]] = [:]
    private let form: LiveForm
    /// The number of the view that the page showed.
    let number: Int?

    init(_ form: LiveForm) {
        self.form = form
        for field in form.fields { values[field.name, default: []].append(field.value) }
        number = values["n"]?.first.flatMap { Int($0) }
    }

    /// The event of the button that was pressed.
    func button() throws(LiveRefusal) -> LiveEvent? {
        guard let text = values["do"]?.first else { return nil }
        guard let event = LiveEvent.button(text) else { throw .malformed("The button of the form means nothing.") }
        return event
    }

    /// The inputs that make the values of the form of those that the page showed.
    func inputs(since shown: View, _ windows: [ViewKey: Int], _ rowLimit: Int, _ rowCount: Int) -> [LiveEvent] {
        let walk = ControlWalk(windows: windows, rowLimit: rowLimit, rowCount: rowCount)
        return walk.controls(of: shown).compactMap { node in
            input(to: node).map { .input(node.key, $0) }
        }
    }

    /// The files that were picked, by the elements for which they are meant.
    var files: [(key: ViewKey, file: LiveFile)] {
        form.files.compactMap { name, file in
            // An empty control posts a file without name and bytes.
            guard !file.name.isEmpty || !file.bytes.isEmpty else { return nil }
            return ViewKey(name).map { ($0, file) }
        }
    }

    private func input(to node: ViewNode) -> LiveInput? {
        let given = values[node.key.description] ?? []
        switch node.kind.row.value {
        case .flag:
            let isOn = !given.isEmpty
            return isOn == node.isTrue(.value) ? nil : .truth(isOn)
        case .text:
            // Most fields are as they were, and their texts may be long.
            guard given.contains(where: { $0 != node.text(.text) }) else { return nil }
            let old = FormReading.forms(of: node)
            // Of an element that is twice on the page, the one that was changed counts.
            return given.lazy.map(FormReading.joined).first { !old.contains($0) }.map { .text($0) }
        case .choice, .range, .page, .number:
            return given.lazy.compactMap { Double($0) }.first { $0.isFinite && $0 != node.number(.value) ?? 0 }
                .map { .number($0) }
        case .date:
            let mode = DateMode(node[.dateMode])
            return given.first { mode.accepts($0) && !node.shows(.string($0)) }.map { .text($0) }
        case .any, .picture, .running, .refreshing, .constant: return nil
        }
    }

    /// Browsers end lines with two characters.
    private static func joined(_ text: String) -> String {
        text.utf8.contains(0x0D)
            ? String(text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")) : text
    }

    /// The texts that an unchanged control may post: without lines, and some without the blanks around.
    private static func forms(of node: ViewNode) -> [String] {
        // A secret is not part of a page.
        if node.isTrue(.isSecure) { return [""] }
        let text = joined(node.text(.text))
        if node.kind == .textArea { return [text] }
        let line = text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0C }
        let start = line.firstIndex { !isBlank($0) } ?? line.endIndex
        let end = line.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return [String(decoding: line, as: UTF8.self), String(decoding: line[start..<end], as: UTF8.self)]
    }

    // MARK: - Enter

    /// The event that Enter means: the field whose text was changed is submitted, or else the first that can be.
    static func enter(in view: View, changed: Set<ViewKey>) -> LiveEvent? {
        var first: ViewKey?
        var found: ViewKey?
        view.visit { node in
            guard node.events.contains(.submit) || node.events.contains(.endEditing) else { return true }
            if first == nil, node.events.contains(.submit) { first = node.key }
            if changed.contains(node.key) { found = node.key }
            return found == nil
        }
        return (found ?? first).map { .submit($0) }
    }
}

/// The elements that a page has: of long lists only the rows that were printed.
struct ControlWalk {
    let windows: [ViewKey: Int]
    let rowLimit: Int
    let rowCount: Int

    /// Every element that a page has, each before what is in it.
    func visit(_ view: View, _ body: (ViewNode) -> Bool) {
        var pending = [view.root]
        while let node = pending.popLast() {
            if !body(node) { return }
            pending.append(contentsOf: printed(node).reversed())
        }
    }

    /// Controls that a browser posts.
    func controls(of view: View) -> [ViewNode] {
        var controls: [ViewNode] = []
        visit(view) { node in
            if isPosted(node) { controls.append(node) }
            return true
        }
        return controls
    }

    /// Nodes by their keys, in the order of the view: looked for where the page has them, then wherever they are.
    func nodes(_ keys: Set<ViewKey>, of view: View) -> [ViewNode] {
        var left = keys
        var found: [ViewNode] = []
        func look(at node: ViewNode) -> Bool {
            if left.remove(node.key) != nil { found.append(node) }
            return !left.isEmpty
        }
        guard !keys.isEmpty else { return [] }
        visit(view, look)
        guard !left.isEmpty else { return found }
        (left, found) = (keys, [])
        view.visit(look)
        return found
    }

    private func isPosted(_ node: ViewNode) -> Bool {
        guard !node.isTrue(.disabled) else { return false }
        switch node.kind {
        case .textField, .searchField, .toggle, .slider, .segments, .picker, .datePicker: return true
        case .textArea: return !node.isTrue(.readOnly)
        default: return false
        }
    }

    private func printed(_ node: ViewNode) -> NodeList {
        guard node.kind == .list || node.kind == .grid, node.children.count > rowLimit else { return node.children }
        let shown = max(windows[node.key] ?? rowCount, rowCount)
        // No more rows are counted than are needed to know a long list.
        let rows = node.children.lazy.filter { ControlWalk.isRow($0, of: node) }
        guard rows.dropFirst(max(rowLimit, shown)).first != nil else { return node.children }
        if node.keepsEnd {
            var earlier = EarlierRows(count: rows.count - shown)
            return NodeList(node.children.filter { !earlier.takes($0, isRow: ControlWalk.isRow($0, of: node)) })
        }
        var left = shown
        let printed = node.children.prefix { child in
            guard left > 0 else { return false }
            if ControlWalk.isRow(child, of: node) { left -= 1 }
            return true
        }
        return NodeList(Array(printed))
    }

    /// The headers and footers of sections are not rows.
    static func isRow(_ child: ViewNode, of list: ViewNode) -> Bool {
        if child.kind == .row { return true }
        guard let item = child.key.item, item.list == list.key.node, item.turn >= 0 else { return false }
        return child.kind != .sectionHeader && child.kind != .sectionFooter
    }
}
