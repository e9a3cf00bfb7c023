import JSONText
import Testing
import WidgetBundles
import WidgetFiles
import WidgetIntake
import WidgetTestSupport

@testable import WidgetEngine

/// Goal: an author sees what a widget is made of, and why, while it runs anywhere, and the answer is of a bounded size. Method:
/// documents with values of each origin, secrets and thousands of elements, looked at by the call `look`.
@Suite struct `A widget that is looked at` {
    private static func archive(_ document: String, service: String? = nil) -> [UInt8] {
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Look</string></dict></plist>
            """
        var files: [(name: String, text: String)] = [
            ("Look.bundle/Info.plist", info), ("Look.bundle/Main.widgets.json", document),
        ]
        if let service { files.append((name: "Look.bundle/Service.json", text: service)) }
        return StoredArchive.bytes(files)
    }

    /// A desk whose widget has started.
    private static func desk(_ document: String, service: String? = nil) throws -> EngineDesk {
        try desk(archive(document, service: service))
    }

    private static func desk(_ archive: [UInt8]) throws -> EngineDesk {
        var desk = EngineDesk()
        _ = desk.answer(try call(#"{"call": "open", "archive": 0, "now": 0}"#, archive))
        _ = desk.answer(try call(#"{"call": "start", "now": 0}"#))
        return desk
    }

    private static func call(_ members: String, _ pieces: [UInt8]...) throws -> EngineCall {
        EngineCall(try JSONValue(parsing: Array(members.utf8)), pieces)
    }

    private static func look(at desk: inout EngineDesk, _ moment: Int? = nil) throws -> (bytes: [UInt8], JSONObject) {
        let moment = moment.map { #", "moment": \#($0)"# } ?? ""
        let bytes = try #require(desk.answer(call(#"{"call": "look"\#(moment)}"#)).pieces.first)
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

    private static func list(_ name: String, of look: JSONObject) -> [JSONObject] {
        (look[name]?.array ?? []).compactMap { $0.object }
    }

    /// Taps the first button of the page.
    private static func tap(_ desk: inout EngineDesk, at now: Int) throws {
        let page = String(decoding: desk.answer(try call(#"{"call": "page"}"#)).pieces[0], as: UTF8.self)
        let key = try #require(page.firstMatch(of: /\[&quot;tap&quot;,&quot;([^&]*)&quot;\]/)?.1)
        _ = desk.answer(
            try call(#"{"call": "act", "batch": 0, "now": \#(now)}"#, Array("[1,[[\"tap\",\"\(key)\"]]]".utf8)))
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

        try Self.tap(&desk, at: 1)
        let (_, after) = try Self.look(at: &desk)
        let sum = try #require(Self.value("text", of: Self.named("sum", in: after)))
        #expect(sum["value"]?.string?.contains("Count 3") == true)
        #expect(after["log"]?.array?.last?.object?["text"]?.string?.isEmpty == false)
        #expect(desk.answer(try Self.call(#"{"call": "changes"}"#)).pieces.first.map { $0.count > 2 } == true)
    }

    @Test
    func `Its states have their values, those of secret fields have none, and a hidden element has its condition`()
        throws
    {
        var desk = try Self.desk(
            #"""
            {"schema": 1, "state": {"count": 2, "code": "s3cret", "on": false, "teas": [{"name": "Assam"}]}, "root": [
                {"kind": "textfield", "id": "code", "payload": {"value": "$code", "secure": true}},
                {"kind": "label", "id": "more", "if": "$on", "payload": {"text": {"$": ["more than ", "$count"]}}}]}
            """#)
        let (_, look) = try Self.look(at: &desk)
        let states = Self.list("states", of: look).filter { $0["kind"]?.string == "state" }
        #expect(states.map { $0["name"]?.string } == ["code", "count", "on", "teas"])
        #expect(states.first?["value"]?.string == "a secret" && states.dropFirst().first?["value"]?.string == "2")
        #expect(states.last?["value"]?.string == #"[{"name": "Assam"}]"#)
        let hidden = try #require(Self.list("hidden", of: look).first)
        #expect(hidden["name"]?.string == "more" && hidden["why"]?.string?.hasPrefix("hidden by ") == true)
        #expect(hidden["place"]?.string?.hasPrefix("Main.widgets.json:3:") == true)
        #expect(hidden["inputs"]?.array?.first?.string?.hasPrefix("on is ") == true)
        #expect(Self.list("hidden", of: look).count == 1)
    }

    @Test func `An earlier moment is looked at again, and the widget continues where it is`() throws {
        var desk = try Self.desk(Self.form)
        func count(_ look: JSONObject) throws -> String? {
            try Self.value("text", of: Self.named("sum", in: look))?["value"]?.string
        }
        let (_, before) = try Self.look(at: &desk)
        #expect(before["isPresent"]?.boolean == true && Self.list("timeline", of: before).count == 1)
        try Self.tap(&desk, at: 1)
        try Self.tap(&desk, at: 5)
        let (_, after) = try Self.look(at: &desk)
        let timeline = Self.list("timeline", of: after)
        #expect(timeline.map { $0["event"]?.string } == ["looked at first", "tap add", "tap add"])
        #expect(timeline.map { $0["secondsAgo"]?.double } == [5, 4, 0])
        let numbers = timeline.compactMap { $0["number"]?.integer.flatMap { Int(exactly: $0) } }
        try #require(numbers.count == 3 && after["moment"]?.integer == Int64(numbers[2]))
        let (_, earlier) = try Self.look(at: &desk, numbers[1])
        #expect(earlier["isPresent"]?.boolean == false && earlier["moment"]?.integer == Int64(numbers[1]))
        #expect(try count(earlier) == "Count 3" && count(after) == "Count 4" && count(before) == "Count 2")
        #expect(Self.list("states", of: earlier).contains { $0["value"]?.string == "3" })
        // One that is gone, or never was, is the present.
        let (_, present) = try Self.look(at: &desk, 1_000)
        #expect(present["isPresent"]?.boolean == true)
        #expect(try count(present) == "Count 4")
    }

    @Test func `Of many moments the last 50 are kept`() throws {
        var desk = try Self.desk(Self.form)
        _ = try Self.look(at: &desk)
        for second in 1...60 { try Self.tap(&desk, at: second) }
        let (bytes, look) = try Self.look(at: &desk)
        let timeline = Self.list("timeline", of: look)
        #expect(timeline.count == 50 && bytes.count <= 256 << 10)
        #expect(timeline.first?["number"]?.integer == 12 && timeline.last?["number"]?.integer == 61)
    }

    @Test func `A request has its address, and its answer once that has come`() throws {
        var desk = try Self.desk(
            #"{"schema": 1, "sources": {"news": {"action": "news"}}, "root": []}"#,
            service:
                #"{"defaults": {"baseUrl": "https://a.example"}, "actions": {"news": {"path": "news", "parameters": {"n": 2}}}}"#
        )
        let (_, before) = try Self.look(at: &desk)
        let asked = try #require(Self.list("requests", of: before).first)
        #expect(asked["action"]?.string == "news" && asked["method"]?.string == "GET")
        #expect(asked["address"]?.string?.hasPrefix("https://a.example/news") == true)
        #expect(asked["status"]?.string == "waits for its answer" && asked["answer"]?.string?.isEmpty == true)
        let line = desk.answer(try Self.call(#"{"call": "requests"}"#)).line
        let sent = try #require(try JSONValue(parsing: line).object)
        let number = try #require(Self.list("requests", of: sent).first?["number"]?.integer)
        _ = desk.answer(
            try Self.call(
                #"{"call": "answer", "number": \#(number), "status": 200, "body": 0, "now": 1}"#,
                Array(#"{"items": [1, "two"]}"#.utf8)))
        let (_, after) = try Self.look(at: &desk)
        let answered = try #require(Self.list("requests", of: after).first)
        #expect(answered["status"]?.string == "200" && answered["answer"]?.string == #"{"items": [1, "two"]}"#)
        let source = Self.list("states", of: after).first { $0["kind"]?.string == "source" }
        #expect(source?["name"]?.string == "news" && source?["value"]?.string?.hasPrefix("loaded, {") == true)
    }

    @Test func `Its records have their names and fields`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let archive = try FileDescriptor.unnamed(inDirectory: scratch.path)
        _ = try BundleSource(opening: "\(Corpus.repositoryRoot)/Bundles/HarbourLog")
            .take(by: BundleIntake(), into: archive)
        var desk = try Self.desk(try archive.read(at: 0, count: try archive.status().byteCount))
        _ = desk.answer(try Self.call(#"{"call": "tick", "now": 60}"#))
        let (_, look) = try Self.look(at: &desk)
        let records = Self.list("records", of: look)
        #expect(look["recordCount"]?.integer ?? 0 > 0 && !records.isEmpty, "\(look)")
        #expect(records.contains { $0["name"]?.string?.hasPrefix("Entry ") == true })
        let values = records.flatMap { $0["values"]?.array ?? [] }.compactMap { $0.string }
        #expect(values.contains { $0.hasPrefix("title is ") && $0.count > 9 })
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
