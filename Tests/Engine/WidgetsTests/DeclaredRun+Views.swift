import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

@testable import Widgets

/// The forms in which a run is seen, and what else a person does.
extension DeclaredRun {
    /// The visible screen as JSON.
    var json: String {
        mutating get {
            String(
                decoding: ViewJSON(instance.program, PrintOptions()).print(instance.view(), NoAssets()), as: UTF8.self)
        }
    }

    /// The visible screen as a page.
    var page: String {
        mutating get {
            String(
                decoding: PagePrinter(instance.program, PrintOptions()).print(instance.view(), NoAssets()),
                as: UTF8.self)
        }
    }

    /// The element of that name as frames have it.
    mutating func frame(_ name: String) throws -> JSONValue {
        let frames = try JSONValue(
            parsing: ViewFrames(instance.program, PrintOptions()).print(instance.view(), NoAssets()))
        return try #require((frames["elements"]?.array ?? []).first { $0["identifier"]?.string == name })
    }

    /// All messages.
    var messages: [String] { instance.diagnostics.map(\.message) }

    /// The scenes of the open screens.
    var scenes: [String] { instance.store.screens.map(\.scene) }

    /// A document as text.
    func document(_ name: String) -> String {
        program.screens[name].map { ScreenKey.text($0.document) } ?? "nothing is called \(name)"
    }

    @discardableResult
    mutating func toggle(_ name: String, _ isOn: Bool) -> String? {
        guard let key = ElementSearch(instance.view()).key(name) else { return "there is nothing called \(name)" }
        return instance.send(.input(key, .boolean(isOn)))
    }

    @discardableResult
    mutating func submit(_ name: String) -> String? {
        guard let key = ElementSearch(instance.view()).key(name) else { return "there is nothing called \(name)" }
        return instance.send(.submit(key))
    }

    @discardableResult
    mutating func refresh(_ name: String = "list") -> String? {
        guard let key = ElementSearch(instance.view()).key(name) else { return "there is nothing called \(name)" }
        return instance.send(.refresh(key))
    }

    @discardableResult
    mutating func delete(row: Int, section: Int = 0, of name: String = "list") -> String? {
        send(toRow: row, section, of: name) { .deleteRow($0) }
    }
}

/// A screen that is written in a test.
struct Screen: WidgetView {
    let root: (WidgetContext) -> any Widget

    init(@WidgetBuilder _ root: @escaping (WidgetContext) -> any Widget) { self.root = root }

    init(@WidgetBuilder _ root: @escaping () -> any Widget) { self.root = { _ in root() } }

    func widget(_ context: WidgetContext) -> any Widget { root(context) }
}
