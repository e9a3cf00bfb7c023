import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Goal: no word of the system is English for a reader of another language. Method: a document with each of them, as text
/// and as a page.
@Suite struct `Words of the system` {
    private static let form = #"""
        {"schema": 1, "root": [
          {"kind": "spinner"}, {"kind": "switch"},
          {"kind": "form", "on": {"submit": {"do": "alert", "title": "Sent", "message": "All of it"}}, "children": [
            {"kind": "textfield", "id": "user", "payload": {"name": "user", "required": true}},
            {"kind": "textfield", "id": "code", "payload": {"name": "code", "placeholder": "Code", "pattern": ".{4,}"}},
            {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}]}]}
        """#

    private static func page(_ bench: DocumentBench) -> String {
        String(decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
    }

    @Test(arguments: [
        ("", "! This field is required", "! Code does not have the expected form", "(loading)", "Switch", "(OK)"),
        (
            "de_AT", "! Dieses Feld ist erforderlich", "! Code hat nicht die erwartete Form", "(wird geladen)",
            "Schalter", "(OK)"
        ),
        (
            "zh_CN", "! 必须填写此项", "! Code的格式不正确", "(正在载入)", "开关", "(好)"
        ),
        (
            "he", "! שדה זה הוא שדה חובה", "! Code אינו בתבנית הצפויה", "(בטעינה)", "מתג", "(אישור)"
        ),
    ])
    func `Messages, alerts and what is read aloud are in the reader's language`(
        locale: String, required: String, form: String, loading: String, toggle: String, ok: String
    ) throws {
        var bench = try DocumentBench(Self.form)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        bench.read(in: locale)
        #expect(try bench.type("abc", into: "code") == nil)
        #expect(try bench.tap("send") != nil)
        for text in [required, form, loading] { #expect(bench.text.contains(text), "\(bench.text)") }
        let page = Self.page(bench)
        #expect(page.contains("aria-label=\"\(toggle)\"") && page.contains(required.dropFirst(2)))
        #expect(locale.isEmpty || !page.contains("Loading"))

        #expect(try bench.type("ada", into: "user") == nil)
        #expect(try bench.type("abcd", into: "code") == nil)
        #expect(try bench.tap("send") == nil)
        #expect(bench.text.contains(ok), "\(bench.text)")
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
