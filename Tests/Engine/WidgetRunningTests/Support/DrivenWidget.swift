import FoundationEssentials
import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// A refusal that a test did not expect.
struct Refused: Error, CustomStringConvertible {
    var description: String
}

/// A widget that a test drives: time passes only when the test says so.
final class DrivenWidget {
    private(set) var driver: WidgetDriver

    init(_ instance: WidgetInstance) {
        driver = WidgetDriver(instance, clock: .script)
    }

    var instance: WidgetInstance { driver.instance }
    var store: Store { instance.store }
    var program: Program { instance.program }
    var environment: WidgetCore.Environment { instance.environment }
    var diagnostics: [Finding] { instance.diagnostics }
    var log: [LogEntry] { instance.log }

    /// Started, and waited for.
    func started() throws -> DrivenWidget {
        send(.start)
        try #require(settle())
        return self
    }

    @discardableResult
    func send(_ event: Event) -> String? { driver.send(event) }

    func advance(by seconds: Double) { driver.pass(seconds) }

    func settle() -> Bool { driver.settle() }

    func view() -> View { driver.view() }

    func change(_ body: (inout WidgetDriver) -> Void) { body(&driver) }

    /// Saves to a store and releases it.
    func save(to path: String) throws { try driver.save(to: RecordStore(path: path)) }

    /// The screen as text. Text and JSON must agree on every screen that a test looks at.
    func text(width: Int = 100) -> String {
        let view = view()
        Printers.check(view)
        return ViewText(width: width).text(view)
    }

    func shows(_ text: String) -> Bool { self.text().contains(text) }

    /// The names of all elements of that identifier, in their order.
    func column(_ identifier: String) -> [String] {
        var names: [String] = []
        var pending = [AccessibleNode(view().root)]
        while let node = pending.popLast() {
            if node.id == identifier { names.append(node.name ?? "") }
            pending.append(contentsOf: node.children.reversed())
        }
        return names
    }

    func key(_ name: String, for event: NodeEvent? = nil) throws -> ViewKey {
        let search = ElementSearch(view())
        return try #require(search.key(name, for: event), "no \(name) among \(search.names)")
    }

    private func act(_ name: String, _ action: NodeEvent? = nil, _ event: (ViewKey) -> Event) throws {
        if let refusal = driver.send(to: name, for: action, event) { throw Refused(description: refusal) }
    }

    func tap(_ name: String) throws { try act(name, .tap) { .tap($0) } }

    func type(_ text: String, into name: String) throws { try act(name, .change) { .input($0, .string(text)) } }

    func submit(_ name: String) throws { try act(name, .submit) { .submit($0) } }

    func select(_ name: String, row: Int, section: Int = 0) throws {
        let refusal = driver.send(toRow: row, inSection: section, of: name) { .select($0) }
        if let refusal { throw Refused(description: refusal) }
    }

    /// The reason why a row could not be deleted; `nil` when it could.
    func deletionRefusal(of name: String, row: Int) -> String? {
        driver.send(toRow: row, inSection: 0, of: name) { .deleteRow($0) }
    }

    func refresh(_ name: String) throws { try act(name) { .refresh($0) } }

    func scroll(_ name: String) throws { try act(name) { .scroll($0, toEnd: true) } }

    /// Why something could not be done; `nil` when it could.
    func refusal(of name: String, _ event: (ViewKey) -> Event) throws -> String? { send(event(try key(name))) }
}

/// Files that say how something looks.
enum Golden {
    /// With `WIDGET_WRITE_CORPUS` set, files are written instead, to be looked at before they are kept.
    static func check(_ name: String, _ shown: String) throws {
        let path = "\(Corpus.repositoryRoot)/Tests/Corpus/widgets/\(name)"
        if Corpus.isWritten {
            try shown.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == shown, "\(name) is not what it was")
    }
}

/// Compares a view as text and as JSON: role, name and value of each element, in one order.
enum Printers {
    struct Said: Equatable {
        var role: String
        var name: String
        var value: String
    }

    /// The first difference; `nil` when both say the same.
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

    /// The form that the text has for an element's role.
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

/// Goal: every printer says the same. Method: `Printers` compares every step of the demo's and the samples' scripts;
/// the test here shows that it would find a difference.
@Suite struct `Text and JSON` {
    private static func label(_ id: Int, _ text: String) -> ViewNode {
        ViewNode(ViewKey(screen: 1, node: id), .label, properties: [ViewProperty(.text, .string(text))])
    }

    private static func view(_ nodes: [ViewNode]) -> View {
        View(screen: "s", title: "t", root: ViewNode(ViewKey(screen: 1, node: 0), .screen, children: nodes))
    }

    @Test func `The comparison finds text or JSON that leaves something out or changes the order`() throws {
        let view = Self.view([Self.label(1, "one"), Self.label(2, "two")])
        #expect(try Printers.difference(view) == nil)
        let said = try Printers.json(ViewJSON.document(view, size: (1, 1)))
        #expect(said.map(\.name) == ["", "one", "two"])
        #expect(Printers.missing(said, in: "one\n") != nil)
        #expect(Printers.missing(said, in: "two\none\n") != nil)
        #expect(Printers.missing(said, in: "one two\n") == nil)
    }
}
