import Predicates
import Testing
import WidgetCore
import WidgetRender

@testable import WidgetDocuments

/// Goal: no word of the system is English for a reader of another language. Method: a document with each of them, as text
/// and as a page.
@Suite struct `Words of the system` {
    private static let form = #"""
        {"schema": 1, "root": [
          {"kind": "spinner"}, {"kind": "slider"},
          {"kind": "form", "on": {"submit": {"do": "alert", "title": "Sent", "message": "All of it"}}, "children": [
            {"kind": "textfield", "id": "user", "payload": {"name": "user", "required": true}},
            {"kind": "textfield", "id": "code", "payload": {"name": "code", "placeholder": "Code", "minLength": 4}},
            {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}]},
          {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "push", "scene": "Next"}}}]}
        """#
    private static let next = #"{"schema": 1, "root": [{"kind": "label", "payload": {"text": "There"}}]}"#

    private static func page(_ bench: DocumentBench) -> String {
        String(decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
    }

    @Test(arguments: [
        ("", "! This field is required", "! Code needs at least 4 characters", "(loading)", "Slider", "(OK)", "(Back)"),
        (
            "de_AT", "! Dieses Feld ist erforderlich", "! Code braucht mindestens 4 Zeichen", "(wird geladen)",
            "Schieberegler", "(OK)", "(Zurück)"
        ),
        (
            "zh_CN", "! 必须填写此项", "! Code至少需要4个字符", "(正在载入)", "滑块", "(好)", "(返回)"
        ),
        (
            "he", "! שדה זה הוא שדה חובה", "! Code צריך לפחות 4 תווים", "(בטעינה)", "מחוון", "(אישור)", "(חזרה)"
        ),
    ])
    func `Messages, alerts, bars and what is read aloud are in the reader's language`(
        locale: String, required: String, short: String, loading: String, slider: String, ok: String, back: String
    ) throws {
        var bench = try DocumentBench(Self.form, documents: ["Next": Self.next])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        bench.read(in: locale)
        #expect(try bench.type("abc", into: "code") == nil)
        #expect(try bench.tap("send") != nil)
        for text in [required, short, loading] { #expect(bench.text.contains(text), "\(bench.text)") }
        let page = Self.page(bench)
        #expect(page.contains("aria-label=\"\(slider)\"") && page.contains(required.dropFirst(2)))
        #expect(locale.isEmpty || !page.contains("Loading"))

        #expect(try bench.type("ada", into: "user") == nil)
        #expect(try bench.type("abcd", into: "code") == nil)
        #expect(try bench.tap("send") == nil)
        #expect(bench.text.contains(ok), "\(bench.text)")
        let alert = try #require(bench.view.alerts.first)
        #expect(bench.send(.tap(alert.buttons[0].key)) == nil)
        #expect(try bench.tap("go") == nil)
        #expect(bench.text.contains(back), "\(bench.text)")
        #expect(Self.page(bench).contains(back.dropFirst().dropLast()))
    }

    @Test func `An author's own message stays as it was written`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "root": [{"kind": "form", "children": [
              {"kind": "textfield", "payload": {"name": "a", "required": true, "message": "Say something"}},
              {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}]}]}
            """#)
        bench.read(in: "fr")
        #expect(try bench.tap("send") != nil)
        #expect(bench.text.contains("! Say something"), "\(bench.text)")
    }
}
