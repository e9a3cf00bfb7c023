internal import WidgetBytes

/// The rules that need more than one line: names that are given once, and ways that lead to a screen.
struct NotationCheck {
    private let document: NotationDocument
    private let path: String
    private let errors: BuildErrors

    static func check(_ document: NotationDocument, path: String, recording errors: BuildErrors) {
        let check = NotationCheck(document: document, path: path, errors: errors)
        guard !document.tops.isEmpty else {
            if errors.isEmpty {
                errors.note(
                    BuildError(
                        "the file has no screen", path: path, at: TextPosition(line: 1, column: 1),
                        hints: ["`screen NAME \"Title\"` begins one"]))
            }
            return
        }
        check.screens()
        check.ways()
        for top in document.tops { check.names(in: top) }
        for number in document.nodes.indices { check.parts(of: document.nodes[number]) }
    }

    private func note(_ sentence: String, _ position: TextPosition, hints: [String] = []) {
        errors.note(BuildError(sentence, path: path, at: position, hints: hints))
    }

    private func screens() {
        var known: [String: TextPosition] = [:]
        var initial: TextPosition?
        for number in document.tops {
            let node = document.nodes[number]
            if node.kind == .screen, node.name == nil {
                note("a screen needs a name", node.position, hints: ["that of its scheme, such as `screen Details`"])
            }
            if let name = node.name {
                if let first = known[name] {
                    note(
                        "two screens are called \(ShownText.quoted(name))", node.position,
                        hints: ["the first is at line \(first.line)"])
                }
                known[name] = known[name] ?? node.position
            }
            if node.has("initial") {
                if let first = initial {
                    note(
                        "two lines are `initial`", node.position,
                        hints: ["a widget begins with one screen; the first is at line \(first.line)"])
                }
                initial = initial ?? node.position
            }
            for property in ["largeTitles", "barColor"] where node.kind == .screen && node.has(property) {
                if !node.has("in") {
                    note("`\(property)` is for a screen with a bar", node.position, hints: ["add `in stack`"])
                }
            }
        }
    }

    private func ways() {
        let names = document.tops.compactMap { document.nodes[$0].name }
        var tabbed: Set<String> = []
        for node in document.nodes {
            switch node.target {
            case .screen(let name, _, _)?:
                if document.destination(name, from: node.kind) == nil {
                    let nearest = NearestName.of(name, in: names)
                    note(
                        "no screen is called \(ShownText.quoted(name))", node.targetPosition,
                        hints: [nearest.map { "did you mean `\($0)`?" } ?? "`screen NAME` at the left margin makes one"]
                    )
                }
                if node.kind == .tab, !tabbed.insert(name).inserted {
                    note("the screen \(ShownText.quoted(name)) is in two tabs", node.targetPosition)
                }
            case .back?, .dismiss?:
                switch node.kind {
                case .button, .left, .right: break
                default:
                    note(
                        "a `\(node.kind.rawValue)` cannot lead back", node.targetPosition,
                        hints: ["`button`, `left` and `right` can"])
                }
            case nil:
                if node.kind == .tab {
                    note("a tab has to lead to a screen", node.position, hints: ["such as `tab \"Notes\" -> Notes`"])
                }
            }
        }
    }

    /// Checks that the names of views are given once: in a screen, and in each cell.
    private func names(in top: Int) {
        var pending = [(number: top, scope: top)]
        var known: [Int: [String: TextPosition]] = [:]
        var next = 0
        while next < pending.count {
            let (number, scope) = pending[next]
            next += 1
            for child in document.nodes[number].children {
                let node = document.nodes[child]
                let isCell = node.kind == .cell
                // The name of a cell is for its list, where others have another.
                let owner = isCell ? number : scope
                let name = isCell ? node.name ?? "Cell" : node.name
                if let name {
                    if let first = known[owner]?[name] {
                        note(
                            "two \(isCell ? "cells" : "views") are called \(ShownText.quoted(name))", node.position,
                            hints: [
                                "only the first, at line \(first.line), would be found; give one of them another name"
                            ])
                    } else {
                        known[owner, default: [:]][name] = node.position
                    }
                }
                pending.append((child, isCell ? child : scope))
            }
        }
    }

    private func parts(of node: NotationNode) {
        let kinds = node.children.map { document.nodes[$0].kind }
        switch node.kind {
        case .table:
            let headers = node.children.filter { [.header, .search].contains(document.nodes[$0].kind) }
            for second in headers.dropFirst() {
                note(
                    "a table has one header", document.nodes[second].position,
                    hints: ["put the `search` and the other views into one `header`"])
            }
            for second in node.children.filter({ document.nodes[$0].kind == .footer }).dropFirst() {
                note("a table has one footer", document.nodes[second].position)
            }
        case .column, .row:
            for child in node.children where document.nodes[child].has("centered") {
                note(
                    "a view in a `\(node.kind.rawValue)` cannot be `centered`", document.nodes[child].position,
                    hints: ["put it into the screen, or use `items center`"])
            }
        case .tabs where !kinds.contains(.tab):
            note("tabs need a `tab`", node.position, hints: ["such as `tab \"Notes\" -> Notes`"])
        case .segmented:
            segments(of: node)
        case .slider, .stepper:
            limits(of: node)
        default: break
        }
        if node.has("style"), let other = ["size", "bold", "italic"].first(where: { node.has($0) }) {
            note("`style` and `\(other)` cannot be together", node.position, hints: ["a style has a size and a weight"])
        }
        if node.has("bold"), node.has("italic") {
            note("`bold` and `italic` cannot be together", node.position, hints: ["interfaces have no such font"])
        }
    }

    private func segments(of node: NotationNode) {
        guard case .texts(let titles)? = node["segments"] else {
            note("a `segmented` needs `segments`", node.position, hints: ["such as `segments \"One\" \"Two\"`"])
            return
        }
        if titles.count == 1, titles[0].contains("|") {
            let parts = titles[0].split(separator: "|").prefix(4).map { ShownText.quoted(String($0)) }
            note(
                "a `segmented` has one segment, \(ShownText.quoted(titles[0]))", node.position,
                hints: ["each segment has its quotation marks: `segments \(parts.joined(separator: " "))`"])
        }
        if let chosen = node.number("selected"), chosen >= Double(titles.count) {
            note(
                "`selected` is beyond the segments", node.position,
                hints: ["places count from 0, and there are \(titles.count) segments"])
        }
    }

    private func limits(of node: NotationNode) {
        let least = node.number("min") ?? 0
        let most = node.number("max") ?? (node.kind == .slider ? 1 : 100)
        guard least <= most else {
            note(
                "a `\(node.kind.rawValue)` has its `min` above its `max`", node.position,
                hints: ["it could have no value; `max` is \(Int64(exactly: most).map(String.init) ?? "\(most)")"])
            return
        }
        if let step = node.number("step"), step <= 0 {
            note("a `step` has to be greater than 0", node.position)
        }
    }
}
