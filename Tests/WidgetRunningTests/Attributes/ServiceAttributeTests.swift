import JSONText
import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: every key of a service description is in the request, or in what becomes of the answer. Method: one button for
/// each action, and what goes out when it is tapped.
@Suite struct `What a service description says` {
    static func sent(_ defaults: String, _ action: String, more: String = "") throws -> ServiceRequest {
        let widget = try `Defects of the original`.services(
            #"{"defaults": {\#(defaults)}\#(more), "actions": {"go": {\#(action)}}}"#, actions: ["go"]
        ).started()
        widget.send(.setting("token", .string("secret")))
        try widget.tap("goButton")
        return try `Defects of the original`.request(widget).request
    }

    static func body(_ request: ServiceRequest) -> String { String(decoding: request.body, as: UTF8.self) }

    // MARK: - Requests

    @Test(arguments: [
        (#""path": "a""#, "https://x.example/v1/a"), (#""path": "/a""#, "https://x.example/v1/a"),
        ("", "https://x.example/v1/"),
        (#""path": "https://other.example/b""#, "https://other.example/b"),
        (#""path": "$title/$id?q=$title""#, "https://x.example/v1/typed/5?q=typed"),
    ]) func `asks at the path, below the base or not`(action: String, url: String) throws {
        for base in ["https://x.example/v1", "https://x.example/v1/"] {
            #expect(try Self.sent(#""baseUrl": "\#(base)""#, action).url == url)
        }
    }

    @Test(arguments: [
        ("", "", "GET"), (#""httpMethod": "post""#, "", "POST"),
        (#""httpMethod": "POST""#, #""httpMethod": "delete""#, "DELETE"),
        (#""httpMethod": "POST""#, #""httpMethod": "FLY""#, "GET"),
    ]) func `asks by the method`(defaults: String, action: String, method: String) throws {
        let base = #""baseUrl": "https://x.example""# + (defaults.isEmpty ? "" : ", ")
        #expect(try Self.sent(base + defaults, action).method == method)
    }

    @Test func `sends the headers and parameters of all, and those of one in their place`() throws {
        let request = try Self.sent(
            #""baseUrl": "https://x.example", "headers": {"A": "1", "B": "2"}, "parameters": {"z": "all", "y": "$id"}"#,
            #""headers": {"B": "3\nC: 4"}, "parameters": {"z": "own", "list": [1, true], "in": {"b": 2, "a": "&"}}"#)
        #expect(
            request.headers.map { "\($0.name): \($0.value)" } == [
                "A: 1", "B: 3 C: 4", "Content-Type: application/x-www-form-urlencoded; charset=utf-8",
            ])
        #expect(Self.body(request) == "in%5Ba%5D=%26&in%5Bb%5D=2&list%5B%5D=1&list%5B%5D=1&y=5&z=own")
        let typed = try Self.sent(
            #""baseUrl": "https://x.example", "headers": {"content-type": "text/plain"}"#, #""parameters": {"a": 1}"#)
        #expect(typed.headers.count == 1 && Self.body(typed) == "a=1")
    }

    @Test func `leaves places as they are where there is nothing to fill them with`() throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.button("go", "Go"),
            #""objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "go"}}}"#,
            files: [
                "Service.json":
                    #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"go": {"path": "$id", "parameters": {"a": "$id"}}}}"#
            ]
        ).started()
        try widget.tap("go")
        let request = try `Defects of the original`.request(widget).request
        #expect(request.url == "https://x.example/$id" && Self.body(request) == "a=%24id")
    }

    @Test(arguments: [
        (#""needAuth": true"#, "", ["Authorization: Bearer secret"]), (#""needAuth": true"#, #""needAuth": false"#, []),
        ("", #""needAuth": true"#, ["Authorization: Bearer secret"]), ("", "", []),
    ]) func `says who asks where all or one need it`(defaults: String, action: String, fields: [String]) throws {
        let base = #""baseUrl": "https://x.example""# + (defaults.isEmpty ? "" : ", ")
        let request = try Self.sent(base + defaults, action, more: #", "auth": {"setting": "token"}"#)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == fields)
    }

    @Test func `says who asks in the words of the service, and once`() throws {
        let request = try Self.sent(
            #""baseUrl": "https://x.example", "headers": {"x-key": "old"}"#, #""needAuth": true"#,
            more: #", "auth": {"setting": "token", "header": "X-Key", "scheme": ""}"#)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["X-Key: secret"])
    }

    @Test func `sends what was picked as it is where it has no parts`() throws {
        let upload = try Self.sent(
            #""baseUrl": "https://x.example", "parameters": {"a": 1}"#,
            #""isUpload": true, "multipart": {"t": "title", "n": "nothing"}"#)
        #expect(upload.parts == [ServiceRequest.Part(name: "t", bytes: Array("typed".utf8))] && upload.body.isEmpty)
    }

    // MARK: - Answers

    static func answered(_ action: String, _ body: String, status: Int = 200, more: String = "") throws -> DrivenWidget
    {
        let widget = try `Defects of the original`.services(
            #"{"defaults": {"baseUrl": "https://x.example"\#(more)}, "actions": {"go": {"resultType": "[Entry]"\#(action)}}}"#,
            actions: ["go"]
        ).started()
        try widget.tap("goButton")
        try `Defects of the original`.answer(
            widget, `Defects of the original`.request(widget).number, body, status: status)
        return widget
    }

    static let list = #"[{"id": "1", "title": "one"}]"#

    @Test(arguments: [
        ("", list, "", 1), (#", "resultKeyPath": "data.items""#, #"{"data": {"items": \#(list)}}"#, "", 1),
        ("", #"{"data": \#(list)}"#, #", "resultKeyPath": "data""#, 1),
        (#", "resultKeyPath": """#, list, #", "resultKeyPath": "data""#, 1),
        (#", "resultKeyPath": "data""#, list, "", 0), ("", #"{"id": "1"}"#, "", 0), ("", "[5]", "", 0),
        ("", "[true]", "", 0),
    ]) func `finds what was asked for where it says`(action: String, body: String, defaults: String, count: Int) throws
    {
        let widget = try Self.answered(action, body, more: defaults)
        #expect(widget.store.records.count == count)
        #expect(widget.store.visible?.statuses["status"]?.isSuccess == (count > 0))
    }

    @Test(arguments: [
        (#"{"error": "E"}"#, "", "", "E"), (#"{"error": {"message": "M"}}"#, "", "", "M"),
        (#"{"fault": {"text": "F"}}"#, #", "errorKeyPath": "fault.text""#, "", "F"),
        (#"{"fault": "D"}"#, "", #", "errorKeyPath": "fault""#, "D"),
        ("[]", "", "", "The server answered with status 418."),
    ]) func `says an error in the words of the answer`(body: String, action: String, defaults: String, words: String)
        throws
    {
        let widget = try Self.answered(action, body, status: 418, more: defaults)
        #expect(widget.store.alerts.map(\.message) == ["Sorry\n\n\(words)"])
    }

    @Test func `takes an answer that is no JSON only where it wants none`() throws {
        for (action, isFailure) in [(#""path": "a""#, false), (#""resultType": "Entry""#, true)] {
            let widget = try `Defects of the original`.services(
                #"{\#(`Defects of the original`.base), "actions": {"go": {\#(action)}}}"#, actions: ["go"]
            )
            .started()
            try widget.tap("goButton")
            widget.send(
                .response(
                    request: try `Defects of the original`.request(widget).number,
                    .unreadable(status: 204, message: "no JSON")))
            #expect(widget.store.visible?.statuses["status"]?.isFailure == isFailure)
        }
    }

    @Test func `sets what it says on all that was stored, by either name of a property`() throws {
        let widget = try Self.answered(#", "set": {"kind": "new", "wind": 7, "***": 1}"#, `A mediator`.entries(1...2))
        let entries = widget.store.records.all.compactMap { RecordObject($0.id, in: widget.store.records) }
        #expect(
            entries.count == 2
                && entries.allSatisfy {
                    $0.value(forKey: "kind")?.shown == "new" && $0.value(forKey: "wind")?.shown == "7"
                })
        for wrong in [#"{"wind": "much"}"#, #"{"nothing": 1}"#, #"{"keeper": "ada"}"#] {
            let failed = try Self.answered(#", "set": \#(wrong)"#, `A mediator`.entries(1...2))
            #expect(failed.store.records.count == 0 && failed.store.alerts.count == 1, "\(wrong)")
        }
    }

    @Test func `clears before it asks, or when the answer is there, or not at all`() throws {
        for (policy, before, after) in [("none", 1, 2), ("before", 0, 1), ("after", 1, 1)] {
            let widget = try `Defects of the original`.services(
                #"{\#(`Defects of the original`.base), "actions": {"first": {"resultType": "[Entry]"}, "go": {"resultType": "[Entry]", "clearPolicy": "\#(policy)"}}}"#,
                actions: ["first", "go"]
            ).started()
            try widget.tap("firstButton")
            try `Defects of the original`.answer(
                widget, `Defects of the original`.request(widget).number, #"[{"id": "old"}]"#)
            try widget.tap("goButton")
            #expect(widget.store.records.count == before, "\(policy)")
            try `Defects of the original`.answer(
                widget, `Defects of the original`.request(widget).number, #"[{"id": "new"}]"#)
            #expect(widget.store.records.count == after, "\(policy)")
        }
    }

    @Test func `names what follows and is not there, and what it has no use for`() throws {
        let widget = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "actions": {"go": {"nextAction": "nowhere", "colour": 1, "clearPolicy": "often", "offline": "later"}}}"#,
            actions: ["go"])
        #expect(Set(widget.diagnostics.map(\.code)) == [.unknownAction, .unknownKey, .badValue])
        #expect(
            widget.diagnostics.count { $0.code == .badValue } == 2
                && widget.diagnostics.allSatisfy { $0.place?.file == "Service.json" })
    }

    // MARK: - Waiting

    @Test func `keeps nothing to do with without a network, and waits longer each time it tries again`() throws {
        let empty = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "actions": {"go": {"resultType": "[Entry]", "offline": "keep"}}}"#,
            actions: ["go"]
        ).started()
        try empty.tap("goButton")
        empty.send(.response(request: try `Defects of the original`.request(empty).number, .failure("nobody")))
        #expect(empty.store.alerts.count == 1, "nothing was kept that could do")
        let widget = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "actions": {"go": {"resultType": "[Entry]", "offline": "retry"}}}"#,
            actions: ["go"]
        ).started()
        try widget.tap("goButton")
        for wait in [5.0, 10, 20, 40, 60, 60] {
            widget.send(.response(request: try `Defects of the original`.request(widget).number, .failure("nobody")))
            widget.advance(by: wait - 0.1)
            let early = widget.driver.waiting.count
            widget.advance(by: 0.2)
            #expect(early == 0 && widget.driver.waiting.count == 1, "after \(wait) s")
        }
    }

    @Test func `keeps an answer for who asked, and forgets what stood in when it is cancelled`() throws {
        let widget = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "auth": {"setting": "token"}, "actions": {"go": {"resultType": "[Entry]", "needAuth": true, "cacheSeconds": 60}}}"#,
            actions: ["go"]
        ).started()
        for (token, asks) in [("a", true), ("a", false), ("b", true)] {
            widget.send(.setting("token", .string(token)))
            try widget.tap("goButton")
            #expect(widget.driver.waiting.isEmpty != asks, "\(token)")
            if asks {
                try `Defects of the original`.answer(widget, `Defects of the original`.request(widget).number, "[]")
            }
            _ = widget.settle()
        }
    }

    @Test func `forgets what stood in for an answer that was cancelled`() throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.button("go", "Go") + TestStoryboard.button("stop", "Stop", y: 30),
            #"""
            "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "go", "cancelButton": "stop"}}},
            "elements": {"@self": {"attrs": {"content": {"title": "typed"}}}}
            """#,
            files: [
                "Service.json":
                    #"{\#(`Defects of the original`.base), "actions": {"go": {"resultType": "Entry", "optimistic": {"title": "$title"}}}}"#
            ]
        ).started()
        try widget.tap("go")
        #expect(widget.store.records.count == 1 && widget.driver.waiting.count == 1)
        try widget.tap("stop")
        #expect(widget.store.records.count == 0 && widget.driver.waiting.isEmpty)
    }

    // MARK: - Transformers

    @Test(arguments: [
        (#""format": "d. MMMM y HH:mm", "locale": "de_DE""#, "4. Juli 2026 15:04"),
        (#""format": "EEEE", "locale": "fr_FR""#, "samedi"),
        (#""format": "EEEE""#, "Saturday"), (#""dateStyle": "short", "locale": "de_DE""#, "04.07.26"),
        (#""timeStyle": "short", "locale": "de_DE""#, "15:04"),
        (#""dateStyle": "medium", "locale": "en_US""#, "Jul 4, 2026"),
        (#""timeStyle": "short", "locale": "en_US""#, "3:04 PM"),
        (#""dateStyle": "long", "timeStyle": "short", "locale": "de_DE""#, "4. Juli 2026 um 15:04"),
    ]) func `writes dates in the language of their transformer`(description: String, text: String) throws {
        let widget = try Self.transformed(#""date": {"shown": {\#(description)}}"#, "shown")
        #expect(widget.column("text") == [text])
    }

    /// 2026-07-04 15:04:05 UTC, through a transformer.
    static func transformed(_ options: String, _ name: String, from: String = "day.value") throws -> DrivenWidget {
        let widget = try TestStoryboard.widget(
            TestStoryboard.element("view", "day", class: "UIDatePicker") + TestStoryboard.label("text", y: 60),
            #""elements": {"text": {"bindings": [{"from": "\#(from)", "transformer": "\#(name)", "placeholder": "nothing"}]}}"#,
            files: ["Service.json": #"{"actions": {}, "options": {"transformers": {\#(options)}}}"#]
        ).started()
        #expect(try widget.refusal(of: "day") { .input($0, .string("2026-07-04 15:04:05 +0000")) } == nil)
        return widget
    }

    @Test(arguments: [
        ("NSNegateBoolean", "day.wx_visible", "0"), ("IsNil", "day.wx_visible", "0"), ("IsNil", "content.nothing", "1"),
        ("IsNotNil", "content.nothing", "0"), ("IsNotNil", "day.value", "1"), ("toDouble", "day.wx.identifier", "day"),
        ("nothing", "day.wx.identifier", "day"), ("strToInt", "content.nothing", "nothing"),
    ]) func `has transformers from the beginning, and leaves what they cannot do`(
        name: String, from: String, text: String
    ) throws {
        #expect(try Self.transformed("", name, from: from).column("text") == [text])
    }
}
