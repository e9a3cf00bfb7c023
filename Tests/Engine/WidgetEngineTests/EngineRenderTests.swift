import JSONText
import Testing

@testable import WidgetEngine

/// Goal: the engine does for a host in any language what the program does for a person. Method: a document in an archive is
/// printed, opened, touched and asked for its requests and records, by calls alone.
@Suite struct `An engine that is called` {
    private static let info = """
        <?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Engine</string>\
        <key>CFBundleName</key><string>Engine</string></dict></plist>
        """

    /// An archive of one document, with entries that are stored as they are.
    private static func archive(_ document: String) -> [UInt8] {
        StoredArchive.bytes([("Engine.bundle/Info.plist", info), ("Engine.bundle/Main.widgets.json", document)])
    }

    private static let counter = archive(
        #"""
        {"schema": 1, "state": {"count": 0}, "root": [
            {"kind": "label", "payload": {"text": {"$": ["Count ", "$count"]}}},
            {"kind": "button", "id": "add", "payload": {"text": "Add"},
                "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#)

    private func json(_ answer: EngineAnswer) throws -> JSONValue { try JSONValue(parsing: answer.line) }

    private func call(_ members: String, _ pieces: [UInt8]...) throws -> EngineCall {
        EngineCall(try JSONValue(parsing: Array(members.utf8)), pieces)
    }

    @Test func `Bytes that are not an archive are refused with the sentence of the command, and its exit code`() {
        let output = EngineRender.run(EngineRender.Input(arguments: ["x.zip"], archive: [1, 2, 3], now: 0))
        #expect(output.code == 1 && output.output.isEmpty && output.errors.hasPrefix("error: x.zip: "))
        let misused = EngineRender.run(EngineRender.Input(arguments: ["x.zip", "--as", "pdf"], archive: [], now: 0))
        #expect(misused.code == 2 && misused.errors.contains("--as is pdf"))
    }

    @Test func `An archive is proven if a registry can have written it`() throws {
        var desk = EngineDesk()
        let proof = try json(desk.answer(call(#"{"call": "prove", "archive": 0}"#, Self.counter)))
        #expect(proof.object?["identifier"]?.string == "com.example.Engine")
        #expect(proof.object?["release"]?.string == "1.0~1" && proof.object?["name"]?.string == "Engine")
        let opened = try json(desk.answer(call(#"{"call": "open", "archive": 0}"#, Self.counter)))
        #expect(proof.object?["content"]?.string == opened.object?["content"]?.string)
        let program = StoredArchive.bytes([
            ("Engine.bundle/Info.plist", Self.info), ("Engine.bundle/Main.widgets.json", "{}"),
            ("Engine.bundle/Engine", "\u{7F}ELF"),
        ])
        let refused = try json(desk.answer(call(#"{"call": "prove", "archive": 0}"#, program)))
        #expect(refused.object?["fault"]?.object?["message"]?.string?.contains("stripped") == true)
    }

    @Test func `A script is played, and an option that is wrong is said as the command says it`() {
        let script = Array(#"[{"tap": "add"}, {"expect": "Count 1"}]"#.utf8)
        let words = ["x.zip", "--events", "e.json"]
        let played = EngineRender.run(
            EngineRender.Input(arguments: words, archive: Self.counter, script: script, now: 0))
        #expect(played.code == 0 && played.output.contains("Count 1"), "\(played)")
        let failed = EngineRender.run(
            EngineRender.Input(
                arguments: words, archive: Self.counter, script: Array(#"[{"tap": "none"}]"#.utf8), now: 0))
        #expect(failed.code == 1 && failed.errors.contains("step 1"), "\(failed)")
    }

    @Test func `A widget is opened once, touched, and says what has changed`() throws {
        var desk = EngineDesk()
        let opened = desk.answer(try call(#"{"call": "open", "archive": 0, "now": 0}"#, Self.counter))
        #expect(try json(opened).object?["identifier"]?.string == "com.example.Engine")
        #expect(try json(desk.answer(call(#"{"call": "open", "archive": 0}"#, Self.counter))).object?["fault"] != nil)
        _ = desk.answer(try call(#"{"call": "start", "now": 0}"#))
        let page = desk.answer(try call(#"{"call": "page"}"#))
        let html = String(decoding: page.pieces[0], as: UTF8.self)
        #expect(html.contains("Count 0"))
        let key = try #require(html.firstMatch(of: /\["tap","([^"]*)"\]|\[&quot;tap&quot;,&quot;([^&]*)&quot;\]/))
        let name = key.1 ?? key.2 ?? ""
        let batch = Array("[1, [[\"tap\", \"\(name)\"]]]".utf8)
        _ = desk.answer(try call(#"{"call": "act", "batch": 0, "now": 1}"#, batch))
        let changes = String(decoding: desk.answer(try call(#"{"call": "changes"}"#)).pieces[0], as: UTF8.self)
        #expect(changes.contains("Count 1") && changes.hasPrefix("[["))
        #expect(String(decoding: desk.answer(try call(#"{"call": "changes"}"#)).pieces[0], as: UTF8.self) == "[]")
    }

    @Test func `Bytes that are no call are refused, with any lengths`() throws {
        for bytes: [UInt8] in [[], [1], Array(repeating: 0xFF, count: 40), [4, 0, 0, 0, 0, 0, 0, 0x80, 1, 2, 3, 4]] {
            #expect(EngineCall(bytes.span) == nil)
        }
        let answer = EngineAnswer([[1, 2, 3], []]) { $0.member("call", "requests") }
        let found = EngineCall(answer.bytes.span)
        let read = try #require(found)
        #expect(read.pieces == [[1, 2, 3], []] && read.json.object?["call"]?.string == "requests")
        var desk = EngineDesk()
        #expect(String(decoding: desk.answer(read).line, as: UTF8.self).contains("no widget was opened"))
    }

    @Test func `Records that a host has kept come back, and a grant is compared by parts`() throws {
        var desk = EngineDesk()
        let grants = #"[{"scheme": "https", "host": "api.example.com", "port": 443, "path": "/v1"}]"#
        _ = desk.answer(
            try call(
                #"{"call": "open", "archive": 0, "records": 1, "now": 0, "grants": \#(grants)}"#, Self.counter,
                Array(#"{"records": [[1, "Stranger", {}]], "settings": {"name": "Ada"}}"#.utf8)))
        func isGranted(_ path: String) throws -> Bool? {
            let url = #"{"scheme": "https", "host": "api.example.com", "port": 443, "path": "\#(path)"}"#
            return try json(desk.answer(call(#"{"call": "granted", "url": \#(url)}"#))).object?["granted"]?.boolean
        }
        #expect(try isGranted("/v1/x") == true && isGranted("/v10") == false && isGranted("/v1/%2e%2e/x") == false)
        #expect(desk.answer(try call(#"{"call": "unsaved"}"#)).pieces.isEmpty)
    }
}
