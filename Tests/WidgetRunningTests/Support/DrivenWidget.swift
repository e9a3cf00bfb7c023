import FoundationEssentials
import Predicates
import TestSupport
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// A refusal that a test did not expect.
struct Refused: Error, CustomStringConvertible {
    var description: String
}

/// A widget that a test drives: a driver whose time stands still until the test lets it pass.
final class DrivenWidget {
    private(set) var driver: WidgetDriver

    init(_ instance: WidgetInstance) {
        driver = WidgetDriver(instance, clock: .script)
    }

    var instance: WidgetInstance { driver.instance }
    var store: Store { instance.store }
    var program: Program { instance.program }
    var environment: WidgetCore.Environment { instance.environment }
    var diagnostics: [Diagnostic] { instance.diagnostics }
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

    /// Nobody has the store afterwards.
    func save(to path: String) throws { try driver.save(to: RecordStore(path: path)) }

    /// Whatever is looked at must be the same for everybody.
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
        try act(name) { .select($0, section: section, row: row) }
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
