import JSONText
import Testing

@testable import WidgetEngine

/// Goal: an author sees what a widget is made of, and why, while it runs anywhere, and the answer is of a bounded size. Method:
/// documents with values of each origin, secrets and thousands of elements, looked at by the call `look`.
@Suite struct `A widget that is looked at` {
    private static func archive(_ document: String) -> [UInt8] {
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Look</string></dict></plist>
            """
        return StoredArchive.bytes([("Look.bundle/Info.plist", info), ("Look.bundle/Main.widgets.json", document)])
    }

    /// A desk whose widget has started.
    private static func desk(_ document: String) throws -> EngineDesk {
        var desk = EngineDesk()
        _ = desk.answer(try call(#"{"call": "open", "archive": 0, "now": 0}"#, archive(document)))
        _ = desk.answer(try call(#"{"call": "start", "now": 0}"#))
        return desk
    }

    private static func call(_ members: String, _ pieces: [UInt8]...) throws -> EngineCall {
        EngineCall(try JSONValue(parsing: Array(members.utf8)), pieces)
    }

    private static func look(at desk: inout EngineDesk) throws -> (bytes: [UInt8], JSONObject) {
        let bytes = try #require(desk.answer(call(#"{"call": "look"}"#)).pieces.first)
        return (bytes, try #require(try JSONValue(parsing: bytes).object))
    }

    private static let form = #"""
        {"schema": 1, "state": {"count": 2, "code": "s3cret"}, "root": [
            {"kind": "label", "id": "sum", "payload": {"text": {"$": ["Count ", "$count"]}}},
            {"kind": "label", "id": "fixed", "payload": {"text": "Fixed"}},
            {"kind": "textfield", "id": "code", "payload": {"value": "$code", "secure": true}},
            {"kind": "button", "id": "add", "payload": {"text": "Add"},
                "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#

    private static func elements(_ look: JSONObject) -> [JSONObject] {
        (look["elements"]?.array ?? []).compactMap { $0.object }
    }

    private static func named(_ name: String, in look: JSONObject) throws -> JSONObject {
        try #require(elements(look).first { $0["name"]?.string == name })
    }

    private static func value(_ name: String, of element: JSONObject) -> JSONObject? {
        (element["values"]?.array ?? []).compactMap { $0.object }.first { $0["name"]?.string == name }
    }

    @Test func `Its elements have their place, and each value its origin`() throws {
        var desk = try Self.desk(Self.form)
        let (_, look) = try Self.look(at: &desk)
        #expect(look["screen"]?.string == "Main" && look["elementCount"]?.integer == Int64(Self.elements(look).count))
        let sum = try Self.named("sum", in: look)
        #expect(sum["kind"]?.string == "label" && sum["depth"]?.integer ?? 0 > 0)
        #expect(sum["frame"]?.array?.count == 4 && sum["place"]?.string?.contains("Main.widgets.json:2") == true)
        let text = try #require(Self.value("text", of: sum))
        #expect(text["value"]?.string?.contains("Count 2") == true && text["why"]?.string?.hasPrefix("from ") == true)
        let fixed = try #require(Self.value("text", of: Self.named("fixed", in: look)))
        #expect(fixed["why"]?.string == "authored" && fixed["inputs"] == nil)
        #expect(try Self.named("add", in: look)["events"]?.array?.contains { $0.string == "tap" } == true)
    }

    @Test func `A secret is not shown, also when it was computed`() throws {
        var desk = try Self.desk(Self.form)
        let (bytes, look) = try Self.look(at: &desk)
        let code = try #require(Self.value("text", of: Self.named("code", in: look)))
        #expect(code["why"]?.string == "a secret" && code["value"] == nil && code["inputs"] == nil)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cret"))
    }

    @Test func `Budgets and the log follow what happens, and looking changes nothing`() throws {
        var desk = try Self.desk(Self.form)
        let (first, before) = try Self.look(at: &desk)
        #expect(try Self.look(at: &desk).bytes == first)
        let budgets = (before["budgets"]?.array ?? []).compactMap { $0.object }
        for name in ["Elements of the view", "Work of the layout", "Open screens", "Records", "Timers", "Alerts"] {
            let row = try #require(budgets.first { $0["name"]?.string == name }, "\(name)")
            #expect((row["used"]?.integer ?? -1) <= (row["limit"]?.integer ?? -1), "\(name)")
        }
        #expect(budgets.first { $0["name"]?.string == "Open screens" }?["used"]?.integer == 1)

        let page = String(decoding: desk.answer(try Self.call(#"{"call": "page"}"#)).pieces[0], as: UTF8.self)
        let key = try #require(page.firstMatch(of: /\[&quot;tap&quot;,&quot;([^&]*)&quot;\]/)?.1)
        _ = desk.answer(
            try Self.call(#"{"call": "act", "batch": 0, "now": 1}"#, Array("[1,[[\"tap\",\"\(key)\"]]]".utf8)))
        let (_, after) = try Self.look(at: &desk)
        let sum = try #require(Self.value("text", of: Self.named("sum", in: after)))
        #expect(sum["value"]?.string?.contains("Count 3") == true)
        #expect(after["log"]?.array?.last?.object?["text"]?.string?.isEmpty == false)
        #expect(desk.answer(try Self.call(#"{"call": "changes"}"#)).pieces.first.map { $0.count > 2 } == true)
    }

    @Test func `A huge screen has an answer of at most 256 KB, whose first elements are whole`() throws {
        let text = String(repeating: "\u{FDFD}", count: 300)
        let labels = (0..<3_000).map {
            #"{"kind": "label", "id": "l\#($0)", "payload": {"text": "$a"}}"#
        }
        var desk = try Self.desk(
            #"{"schema": 1, "state": {"a": "\#(text)"}, "root": [\#(labels.joined(separator: ","))]}"#)
        let (bytes, look) = try Self.look(at: &desk)
        #expect(bytes.count <= 256 << 10, "\(bytes.count)")
        let elements = Self.elements(look)
        #expect(look["elementCount"]?.integer ?? 0 > 3_000 && 1...400 ~= elements.count)
        #expect(try Self.value("text", of: Self.named("l0", in: look))?["value"]?.string?.hasSuffix("…") == true)
        #expect(look["budgets"]?.array?.isEmpty == false)
    }

    @Test func `An engine without a widget has nothing to look at`() throws {
        var desk = EngineDesk()
        let answer = desk.answer(try Self.call(#"{"call": "look"}"#))
        #expect(answer.pieces.isEmpty && String(decoding: answer.line, as: UTF8.self).contains("no widget was opened"))
    }
}
