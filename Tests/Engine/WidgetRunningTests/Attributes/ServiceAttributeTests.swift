import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: every key of a service description has its effect on the request or on the use of the answer. Method: one
/// button for each action, and the request that a tap sends.
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
    ]) func `An action's path is below the base, or absolute`(action: String, url: String) throws {
        for base in ["https://x.example/v1", "https://x.example/v1/"] {
            #expect(try Self.sent(#""baseUrl": "\#(base)""#, action).url == url)
        }
    }

    @Test(arguments: [
        ("", "", "GET"), (#""httpMethod": "post""#, "", "POST"),
        (#""httpMethod": "POST""#, #""httpMethod": "delete""#, "DELETE"),
        (#""httpMethod": "POST""#, #""httpMethod": "FLY""#, "GET"),
    ]) func `An action uses the method that is described`(defaults: String, action: String, method: String) throws {
        let base = #""baseUrl": "https://x.example""# + (defaults.isEmpty ? "" : ", ")
        #expect(try Self.sent(base + defaults, action).method == method)
    }

    @Test func `Headers and parameters of all actions are sent, and replaced by those of one`() throws {
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

    @Test func `Placeholders without a value stay as they are`() throws {
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
    ]) func `Requests carry the user's credentials where all actions or this one need them`(
        defaults: String, action: String, fields: [String]
    ) throws {
        let base = #""baseUrl": "https://x.example""# + (defaults.isEmpty ? "" : ", ")
        let request = try Self.sent(base + defaults, action, more: #", "auth": {"setting": "token"}"#)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == fields)
    }

    @Test func `Credentials are sent in the form of the service, and once`() throws {
        let request = try Self.sent(
            #""baseUrl": "https://x.example", "headers": {"x-key": "old"}"#, #""needAuth": true"#,
            more: #", "auth": {"setting": "token", "header": "X-Key", "scheme": ""}"#)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["X-Key: secret"])
    }

    @Test func `Picked media is sent as it is where the request has no parts`() throws {
        let upload = try Self.sent(
            #""baseUrl": "https://x.example", "parameters": {"a": 1}"#,
            #""isUpload": true, "multipart": {"t": "title", "n": "nothing"}"#)
        #expect(upload.parts == [ServiceRequest.Part(name: "t", bytes: Array("typed".utf8))] && upload.body.isEmpty)
    }

    @Test func `An action says by itself whether it sends media, and the defaults of all actions do not`() throws {
        let program = try `Defects of the original`.services(
            #"{"defaults": {"baseUrl": "https://a.example", "isUpload": true, "needAuth": 1}, "auth": {"setting": "token"}, "actions": {"go": {}, "up": {"isUpload": 1}}}"#,
            actions: ["go"]
        ).program
        let service = try #require(program.services["StandardServiceProvider"])
        #expect(service.actions["go"]?.isUpload == false && service.actions["up"]?.isUpload == true)
        #expect(service.actions["go"]?.needsAuthorization == true)
        #expect(program.diagnostics.map(\.code) == [.unknownKey], "isUpload is reported among the defaults")
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
    ]) func `The result is found at the path that is described`(
        action: String, body: String, defaults: String, count: Int
    ) throws {
        let widget = try Self.answered(action, body, more: defaults)
        #expect(widget.store.records.count == count)
        #expect(widget.store.visible?.statuses["status"]?.isSuccess == (count > 0))
    }

    @Test(arguments: [
        (#"{"error": "E"}"#, "", "", "E"), (#"{"error": {"message": "M"}}"#, "", "", "M"),
        (#"{"fault": {"text": "F"}}"#, #", "errorKeyPath": "fault.text""#, "", "F"),
        (#"{"fault": "D"}"#, "", #", "errorKeyPath": "fault""#, "D"),
        ("[]", "", "", "The server answered with status 418."),
    ]) func `An error is shown in the words of the answer`(
        body: String, action: String, defaults: String, words: String
    )
        throws
    {
        let widget = try Self.answered(action, body, status: 418, more: defaults)
        #expect(widget.store.alerts.map(\.message) == ["Sorry\n\n\(words)"])
    }

    @Test func `An answer that is not JSON is taken only where no result is wanted`() throws {
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

    @Test func `Described values are set on all stored records, by either name of a property`() throws {
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

    @Test func `A service clears records before it asks, when the answer arrives, or never, as described`() throws {
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

    @Test func `Unknown follow-up actions and unused keys are reported`() throws {
        let widget = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "actions": {"go": {"nextAction": "nowhere", "colour": 1, "clearPolicy": "often", "offline": "later"}}}"#,
            actions: ["go"])
        #expect(Set(widget.diagnostics.map(\.code)) == [.unknownAction, .unknownKey, .badValue])
        #expect(
            widget.diagnostics.count { $0.code == .badValue } == 2
                && widget.diagnostics.allSatisfy { $0.place?.file == "Service.json" })
    }

    // MARK: - Waiting

    @Test func `Without a network, a request with nothing to keep fails, and a retried one waits longer each time`()
        throws
    {
        let empty = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "actions": {"go": {"resultType": "[Entry]", "offline": "keep"}}}"#,
            actions: ["go"]
        ).started()
        try empty.tap("goButton")
        empty.send(.response(request: try `Defects of the original`.request(empty).number, .failure("no server")))
        #expect(empty.store.alerts.count == 1, "nothing was kept that could do")
        let widget = try `Defects of the original`.services(
            #"{\#(`Defects of the original`.base), "actions": {"go": {"resultType": "[Entry]", "offline": "retry"}}}"#,
            actions: ["go"]
        ).started()
        try widget.tap("goButton")
        for wait in [5.0, 10, 20, 40, 60, 60] {
            widget.send(.response(request: try `Defects of the original`.request(widget).number, .failure("no server")))
            widget.advance(by: wait - 0.1)
            let early = widget.driver.waiting.count
            widget.advance(by: 0.2)
            #expect(early == 0 && widget.driver.waiting.count == 1, "after \(wait) s")
        }
    }

    @Test func `A cached answer is only for the user who asked`() throws {
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

    @Test func `A placeholder is removed when its request is cancelled`() throws {
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
    ]) func `Dates are written in the language of their transformer`(description: String, text: String) throws {
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
    ]) func `Built-in transformers exist, and leave values that they cannot transform`(
        name: String, from: String, text: String
    ) throws {
        #expect(try Self.transformed("", name, from: from).column("text") == [text])
    }
}

/// Goal: requests are repeated as the service description says, and no others. Method: services with and without such a
/// description; the test answers their requests.
@Suite struct `Sending again` {
    private typealias Base = `Defects of the original`

    private static func widget(_ members: String, method: String = "POST") throws -> DrivenWidget {
        try Base.services(
            #"{\#(Base.base), "actions": {"go": {"httpMethod": "\#(method)", "resultType": "[Entry]"\#(members)}}}"#,
            actions: ["go"]
        ).started()
    }

    private static func key(_ outgoing: OutgoingRequest) -> String? {
        outgoing.request.headers.first { $0.name == "Idempotency-Key" }?.value
    }

    /// The errors that statuses and actions show.
    private static func failures(_ widget: DrivenWidget) -> [String] {
        widget.store.screens.flatMap { Array($0.statuses.values) + Array($0.actions.values) }.compactMap(\.error)
    }

    @Test(arguments: ["POST", "PATCH"])
    func `Each sending has a key, which all of its attempts share`(_ method: String) throws {
        let widget = try Self.widget(#", "idempotencyKey": true, "offline": "retry""#, method: method)
        try widget.tap("goButton")
        let first = try Base.request(widget)
        let key = try #require(Self.key(first))
        #expect(key.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        widget.send(.response(request: first.number, .failure("no server")))
        widget.advance(by: 5.1)
        let second = try Base.request(widget)
        #expect(second.number == first.number && Self.key(second) == key)
        widget.send(.response(request: second.number, .unanswered("lost")))
        widget.advance(by: 10.1)
        #expect(Self.key(try Base.request(widget)) == key, "the server recognises it")
        widget.send(.response(request: first.number, .response(status: 200, body: .null)))
        try widget.tap("goButton")
        let next = try #require(Self.key(try Base.request(widget)))
        #expect(next != key)
        let other = try Self.widget(#", "idempotencyKey": true"#, method: method)
        try other.tap("goButton")
        #expect(Self.key(try Base.request(other)).map { $0 != key && $0 != next } == true, "another run has others")
    }

    @Test(arguments: [("POST", ""), ("POST", #", "idempotencyKey": false"#), ("GET", #", "idempotencyKey": true"#)])
    func `A request has a key only where one is needed and wanted`(_ method: String, _ members: String) throws {
        let widget = try Self.widget(members, method: method)
        try widget.tap("goButton")
        #expect(Self.key(try Base.request(widget)) == nil)
    }

    @Test func `The key's setting must be a Boolean`() throws {
        let widget = try Self.widget(#", "idempotencyKey": "always""#)
        #expect(widget.diagnostics.contains { $0.code == .badValue && "\($0)".contains("idempotency key") })
        try widget.tap("goButton")
        #expect(Self.key(try Base.request(widget)) == nil)
    }

    @Test(arguments: ["fail", "keep", "retry"])
    func `A request that may have been carried out is not repeated, under any offline policy`(_ policy: String) throws {
        let widget = try Self.widget(#", "offline": "\#(policy)""#)
        try widget.tap("goButton")
        let sent = try Base.request(widget)
        widget.send(.response(request: sent.number, .unanswered("The answer was lost.")))
        widget.advance(by: 600)
        #expect(widget.driver.waiting.isEmpty && widget.store.requests.isEmpty)
        #expect(Self.failures(widget).contains("The answer was lost."))
    }

    @Test func `A repeatable request is sent again`() throws {
        let widget = try Self.widget(#", "offline": "retry""#, method: "GET")
        try widget.tap("goButton")
        let sent = try Base.request(widget)
        widget.send(.response(request: sent.number, .unanswered("lost")))
        widget.advance(by: 5.1)
        #expect(widget.driver.waiting.map(\.number) == [sent.number])
    }

    @Test func `The user is not asked, but notified, when a server says when to retry`() throws {
        for (body, words) in [
            ("{}", "The server answered with status 503. The server asks to wait 120 s."),
            (#"{"error": "Too many."}"#, "Too many. The server asks to wait 120 s."),
        ] {
            let widget = try Self.widget(#", "offline": "retry""#)
            try widget.tap("goButton")
            let sent = try Base.request(widget)
            widget.send(
                .response(
                    request: sent.number, .postponed(status: 503, body: try `A mediator`.json(body), seconds: 120)))
            widget.advance(by: 600)
            #expect(widget.driver.waiting.isEmpty)
            #expect(Self.failures(widget).contains(words))
        }
    }
}
