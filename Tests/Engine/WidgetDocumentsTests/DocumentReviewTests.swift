import Testing
import WidgetCore
import WidgetLayout

@testable import WidgetDocuments

/// Goal: a review of layout says of a document only what its author can mend. Method: documents that have once been said to
/// contradict themselves, and documents made from seeds, in which everything has room.
@Suite struct `Reviews of the layout of documents` {
    private static func findings(_ document: String) throws -> [String] {
        let program = try DocumentBench.program(document)
        let found = RuleReview(program, upTo: 100).findings + ReachReview(program, upTo: 100).findings
        return (program.diagnostics + found).map(\.description)
    }

    private static let label = #"{"kind": "label", "payload": {"text": "Low water"}}"#
    private static let picture = #"{"kind": "image", "payload": {"url": "https://e.example/1.png", "alt": "Pic"}"#

    @Test(arguments: [
        // What is repeated lies in the stack or table that is around it.
        #"{"schema": 1, "state": {"l": [1]}, "root": {"kind": "vstack", "items": {"in": "$l"}, "children": [\#(label), {"kind": "divider"}]}}"#,
        #"""
        {"schema": 1, "state": {"l": [{"on": true}]}, "root": {"kind": "table", "children": [
          {"kind": "section", "items": {"in": "$l", "as": "x"}, "children": [
            {"kind": "switch", "payload": {"value": "$x.on", "label": "On"}}]}]}}
        """#,
        #"""
        {"schema": 1, "state": {"on": true, "l": [1]}, "root": {"kind": "table", "children": [
          {"kind": "section", "children": [{"kind": "switch", "payload": {"value": "$on", "label": "On"}}]},
          {"kind": "section", "items": {"in": "$l", "as": "x"}, "children": [\#(label)]}]}}
        """#,
        // A length that an author wrote comes before the room of a stack.
        #"[\#(picture), "style": {"width": 72, "height": 48}}, \#(label)]"#,
        #"[{"kind": "label", "payload": {"text": "Low"}, "style": {"maxWidth": 80}}, \#(label)]"#,
        #"[{"kind": "hstack", "children": [{"kind": "textfield", "payload": {"placeholder": "Name"}, "style": {"maxWidth": 72}}]}]"#,
        #"[{"kind": "hstack", "payload": {"distribute": "spacing"}, "children": [{"kind": "divider"}]}]"#,
        // And before the room of elements in front of each other.
        #"{"kind": "zstack", "style": {"minHeight": 120}, "children": [\#(picture), "style": {"width": 72, "height": 72}}]}"#,
        #"{"kind": "zstack", "style": {"minHeight": 120}, "children": [\#(picture), "style": {"height": 72, "position": "left"}}]}"#,
        // A picture that is still to come has no size.
        #"{"kind": "zstack", "children": [\#(picture), "style": {"position": "center"}}]}"#,
    ])
    func `An ordinary document has no finding`(document: String) throws {
        #expect(try Self.findings(document) == [])
    }

    @Test func `What is shown in place of items is looked at, and so are the items`() throws {
        let low = #"{"kind": "button", "payload": {"text": "NAME"}, "style": {"height": 10}}"#
        let document = #"""
            {"schema": 1, "state": {"l": [1]}, "root": {"kind": "vstack", "items": {"in": "$l"},
              "slots": {"empty": \#(low.replacing("NAME", with: "None"))}, "children": [\#(low.replacing("NAME", with: "Some"))]}}
            """#
        let found = try Self.findings(document)
        #expect(found.count == 2, "\(found)")
        #expect(
            found.contains { $0.contains("\"None\" is") } && found.contains { $0.contains("\"Some\" is") }, "\(found)")
    }

    @Test func `A row without room for its elements is named with one of their lengths`() throws {
        let wide = #"{"kind": "box", "style": {"width": 240}, "children": [\#(Self.label)]}"#
        let found = try Self.findings(#"[{"kind": "hstack", "children": [\#(wide), \#(wide)]}]"#)
        #expect(found.contains { $0.contains("The arrangement of [0]") && $0.contains("width = 240") }, "\(found)")
        #expect(!found.contains { $0.contains("autoresizing") })
    }

    @Test(arguments: 0..<300)
    func `A document in which everything has room has no finding`(seed: Int) throws {
        var made = DocumentDice(seed)
        let document = made.screen()
        #expect(try Self.findings(document) == [], "\(document)")
    }
}

/// Documents made from a seed, in which everything fits into the narrowest window.
private struct DocumentDice {
    private var state: UInt64
    private var isInForm = false

    init(_ seed: Int) { state = UInt64(seed) &* 104_729 &+ 17 }

    private mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % sides
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

    private mutating func may(_ percent: Int) -> Bool { roll(100) < percent }

    // MARK: - Screens

    private static let room = 270

    mutating func screen() -> String {
        let root: String
        switch roll(6) {
        case 0: root = table()
        case 1: root = element(1, DocumentDice.room)
        case 2: root = #"{"kind": "scroll", "children": [{"kind": "vstack", "children": \#(several(5))}]}"#
        default: root = several(5)
        }
        return #"{"schema": 1, "title": "T", "state": {"list": [1, 2]}, "root": \#(root)}"#
    }

    private mutating func several(_ most: Int) -> String {
        list((0...roll(most)).map { _ in element(1, DocumentDice.room) })
    }

    private func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

    private mutating func table() -> String {
        let parts = (0...roll(3)).map { _ in
            guard may(50) else { return row() }
            let items = may(50) ? #""items": {"in": "$list", "as": "x"}, "# : ""
            return #"{"kind": "section", "payload": {"title": "Part"}, \#(items)"children": \#(list([row()]))}"#
        }
        let items = may(30) ? #""items": {"in": "$list", "as": "y"}, "# : ""
        return #"{"kind": "table", \#(items)"children": \#(list(parts))}"#
    }

    private mutating func row() -> String {
        switch roll(3) {
        case 0: return #"{"kind": "cell", "payload": {"title": "Tide", "subtitle": "Low", "value": "3"}}"#
        case 1: return #"{"kind": "cell", "children": \#(list([element(3, 100, true), element(3, 100, true)]))}"#
        default:
            // Rows are repeated, and forms are not.
            isInForm = true
            defer { isInForm = false }
            return element(2, DocumentDice.room)
        }
    }

    // MARK: - Elements

    private mutating func element(_ depth: Int, _ room: Int, _ isInRow: Bool = false) -> String {
        var kinds = ["label", "spinner", "divider", "spacer", "image"]
        if room >= 60 { kinds += ["button", "switch", "label"] }
        if room >= 100 { kinds.append("textfield") }
        if depth < 4, !isInRow { kinds += ["hstack", "zstack"] + (isInForm ? [] : ["form"]) }
        if depth < 4, !isInRow || may(30) { kinds += ["vstack", "box", "repeated"] }
        let kind = pick(kinds)
        let padding = room > 100 && may(15) ? pick([4, 8]) : nil
        let margin = room > 100 && may(10) ? pick([4, 8]) : nil
        var style = [padding.map { #""padding": \#($0)"# }, margin.map { #""margin": \#($0)"# }].compactMap { $0 }
        let own = room - 2 * (padding ?? 0) - 2 * (margin ?? 0)
        if kind == "repeated" { return repeated(depth, own) }
        style += sizes(kind, own)
        var parts = [#""kind": "\#(kind)""#] + payload(kind)
        if ["hstack", "vstack", "box", "form", "zstack"].contains(kind) {
            parts.append(#""children": \#(children(kind, depth, own, isInRow))"#)
        }
        if !style.isEmpty { parts.append(#""style": {\#(style.joined(separator: ", "))}"#) }
        return "{\(parts.joined(separator: ", "))}"
    }

    private mutating func repeated(_ depth: Int, _ room: Int) -> String {
        let isAcross = may(50)
        let wasInForm = isInForm
        isInForm = true
        defer { isInForm = wasInForm }
        let child = element(depth + 1, isAcross ? 60 : room, isAcross)
        let empty = may(50) ? #""slots": {"empty": {"kind": "label", "payload": {"text": "No"}}}, "# : ""
        return
            #"{"kind": "\#(isAcross ? "hstack" : "vstack")", "items": {"in": "$list"}, \#(empty)"children": [\#(child)]}"#
    }

    private mutating func children(_ kind: String, _ depth: Int, _ room: Int, _ isInRow: Bool) -> String {
        if kind == "zstack" {
            let places = ["top", "bottom", "left", "right", "topLeft", "bottomRight", "center", "fill"]
            return list(
                (0...roll(2)).map { _ in
                    var style = sizes("label", room)
                    if may(60) { style.append(#""position": "\#(pick(places))""#) }
                    return
                        #"{"kind": "label", "payload": {"text": "Sea"}, "style": {\#(style.joined(separator: ", "))}}"#
                })
        }
        let wasInForm = isInForm
        if kind == "form" { isInForm = true }
        defer { isInForm = wasInForm }
        let isRow = kind == "hstack"
        let count = kind == "box" || isRow && room < 200 ? 1 : 1 + roll(isInRow ? 2 : 3)
        let each = isRow ? (room - 8 * (count - 1)) / count - 8 : room
        return list((0..<count).map { _ in element(depth + 1, each, isInRow || isRow) })
    }

    private mutating func payload(_ kind: String) -> [String] {
        switch kind {
        case "label": return [#""payload": {"text": "\#(pick(["Low", "Tide", "Sea"]))"}"#]
        case "button": return [#""payload": {"text": "\#(pick(["Go", "Save"]))"}"#]
        case "textfield": return [#""payload": {"placeholder": "Name"}"#]
        case "switch", "spinner": return [#""payload": {"label": "On"}"#]
        case "image": return [#""payload": {"url": "https://e.example/1.png", "alt": "A"}"#]
        case "spacer": return may(50) ? [#""payload": {"\#(pick(["w", "h"]))": 12}"#] : []
        case "hstack", "vstack":
            let places =
                ["fill", "center"] + (kind == "hstack" ? ["top", "bottom", "baseline"] : ["leading", "trailing"])
            let shares = ["fill", "spacing"]
            return [#""payload": {"align": "\#(pick(places))", "distribute": "\#(pick(shares))"}"#]
        default: return []
        }
    }

    /// Lengths of a style for which there is room.
    private mutating func sizes(_ kind: String, _ room: Int) -> [String] {
        var style: [String] = []
        let isLeaf = ["label", "button", "image", "textfield"].contains(kind)
        let widths = [60, 72, 120, 200].filter { $0 <= room }
        if isLeaf, !widths.isEmpty, may(50) {
            style.append(#""\#(pick(["width", "maxWidth", "minWidth"]))": \#(pick(widths))"#)
        }
        if isLeaf, may(40) {
            style.append(#""\#(pick(["height", "minHeight", "maxHeight"]))": \#(pick([44, 60, 120]))"#)
        }
        if isLeaf, may(10) { style.append(#""grow": \#(pick(["true", "false"]))"#) }
        if ["label", "button"].contains(kind), may(10) { style.append(#""shrink": false"#) }
        guard ["vstack", "box", "hstack", "zstack"].contains(kind), room >= 120 else { return style }
        if may(30) { style.append(#""\#(pick(["width", "maxWidth", "minWidth"]))": \#(room)"#) }
        if may(20) { style.append(#""minHeight": \#(pick([44, 120]))"#) }
        if may(10) { style.append(#""grow": \#(pick(["true", "false"]))"#) }
        return style
    }
}
