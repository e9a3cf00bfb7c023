import JSONText
import Predicates
import Testing
import WidgetCore
import WidgetRender

/// Whether a view says the same as text and as JSON: role, name and value of everything, in one order.
enum Printers {
    struct Said: Equatable {
        var role: String
        var name: String
        var value: String
    }

    /// What is different; nothing when both say the same.
    static func difference(_ view: View) throws -> String? {
        let said = try json(ViewJSON.document(view, size: (375, 667)))
        let sequence = AccessibleNode(view.root).sequence
        if sequence != said.map({ "\($0.role)\t\($0.name)\t\($0.value)" }) { return "JSON has another sequence" }
        return missing(said, in: ViewText(width: 500).text(view))
    }

    /// Records a view that does not.
    static func check(_ view: View) {
        do {
            if let difference = try difference(view) { Issue.record("\(difference)") }
        } catch {
            Issue.record("\(error)")
        }
    }

    /// From the printed document alone.
    static func json(_ document: [UInt8]) throws -> [Said] {
        var said: [Said] = []
        var pending = try [#require(JSONValue(parsing: document)["root"]?.object)]
        while let node = pending.popLast() {
            said.append(
                Said(
                    role: node["role"]?.string ?? "", name: node["name"]?.string ?? "",
                    value: node["value"]?.string ?? ""))
            pending.append(contentsOf: (node["children"]?.array ?? []).compactMap(\.object).reversed())
        }
        return said
    }

    /// The first thing that the text does not have behind the one before it.
    static func missing(_ said: [Said], in text: String) -> String? {
        var rest = words(text)[...]
        for one in said {
            let wanted = words(printed(one))
            guard !wanted.isEmpty else { continue }
            guard let range = rest.firstRange(of: wanted) else { return "the text does not have \(one) here" }
            rest = rest[range.upperBound...]
        }
        return nil
    }

    private static func words(_ text: String) -> [Character] { text.filter { !$0.isWhitespace } }

    /// How the text says it: what roles look like, and no more.
    private static func printed(_ said: Said) -> String {
        switch said.role {
        case "heading": "[\(said.name)]"
        case "text": said.name
        case "button": "(\(said.name)"
        case "img": "[\(said.name)]"
        case "searchbox": "(\(said.value.isEmpty ? said.name : said.value)"
        case "textbox": "[\(said.value.isEmpty ? said.name.isEmpty ? "_" : "<\(said.name)>" : said.value)"
        case "slider", "spinbutton", "radiogroup": "<\(said.value)"
        case "switch": "[\(said.value == "on" ? "x" : "")]\(said.name)"
        case "progressbar": said.name == "Loading" ? "(loading)" : "["
        default: ""
        }
    }
}

/// Goal: nobody is told anything else because of how they are told. Method: every step of the demo's and the samples'
/// scripts is compared by `Printers`; here, that it would notice.
@Suite struct `Text and JSON` {
    private static func label(_ id: Int, _ text: String) -> ViewNode {
        ViewNode(ViewKey(screen: 1, node: id), .label, properties: [ViewProperty(.text, .string(text))])
    }

    private static func view(_ nodes: [ViewNode]) -> View {
        View(screen: "s", title: "t", root: ViewNode(ViewKey(screen: 1, node: 0), .screen, children: nodes))
    }

    @Test func `are told apart where one leaves something out or turns it round`() throws {
        let view = Self.view([Self.label(1, "one"), Self.label(2, "two")])
        #expect(try Printers.difference(view) == nil)
        let said = try Printers.json(ViewJSON.document(view, size: (1, 1)))
        #expect(said.map(\.name) == ["", "one", "two"])
        #expect(Printers.missing(said, in: "one\n") != nil)
        #expect(Printers.missing(said, in: "two\none\n") != nil)
        #expect(Printers.missing(said, in: "one two\n") == nil)
    }
}
