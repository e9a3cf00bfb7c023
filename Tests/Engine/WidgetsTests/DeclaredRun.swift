import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

@testable import Widgets

/// A screen of Swift that runs in the test, with what a person does.
struct DeclaredRun {
    var instance: WidgetInstance
    let program: DeclaredProgram

    init(_ first: any Widget) throws {
        program = DeclaredProgram("com.example.Test", first: first)
        let native = NativeProgram(program.declaration, code: program)
        instance = WidgetInstance(try native.program(), native: native)
        instance.send(.start)
    }

    var text: String { mutating get { ViewText(width: 60).text(instance.view()) } }

    /// The messages about faults.
    var faults: [String] { instance.diagnostics.filter { $0.severity == .error }.map(\.message) }

    mutating func key(_ name: String) throws -> ViewKey {
        try #require(ElementSearch(instance.view()).key(name), "there is nothing called \(name)")
    }

    @discardableResult
    mutating func tap(_ name: String) -> String? {
        guard let key = ElementSearch(instance.view()).key(name, for: .tap) else {
            return "there is nothing called \(name)"
        }
        return instance.send(.tap(key))
    }

    @discardableResult
    mutating func type(_ text: String, into name: String) -> String? {
        guard let key = ElementSearch(instance.view()).key(name) else { return "there is nothing called \(name)" }
        return instance.send(.input(key, .string(text)))
    }

    @discardableResult
    mutating func select(row: Int, section: Int = 0, of name: String = "list") -> String? {
        send(toRow: row, section, of: name) { .select($0) }
    }

    mutating func send(toRow row: Int, _ section: Int, of name: String, _ event: (ViewKey) -> Event) -> String? {
        switch ElementSearch(instance.view()).row(row, inSection: section, of: name) {
        case .row(let key): instance.send(event(key))
        case .missing(let reason): reason
        }
    }

    /// The desk answers what it was asked, and the code asks for a turn.
    mutating func answer(_ desk: Desk) {
        desk.answer()
        instance.takeNotice()
    }
}
