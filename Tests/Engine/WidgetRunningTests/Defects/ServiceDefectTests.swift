import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

extension `Defects of the original` {
    /// A screen with a list of entries and a button for each of some actions.
    static func services(_ service: String, actions: [String], isStub: Bool = false) throws -> DrivenWidget {
        let buttons = actions.enumerated().map { TestStoryboard.button("\($1)Button", $1, y: $0 * 20) }
        let objects = actions.map {
            #""\#($0)Action": {"type": "ButtonActionController", "attrs": {"actionName": "\#($0)"}, "outlets": {"sender": "\#($0)Button"}}"#
        }
        let provider = isStub ? "StubServiceProvider" : "StandardServiceProvider"
        return try TestStoryboard.widget(
            buttons.joined() + TestStoryboard.table("list", cells: [TestStoryboard.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId"}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "entries", "tableView": "list"}},
              "status": {"type": "ActionStatusController", "attrs": {"actionName": "\#(actions[0])", "errorMessage": "Sorry"}},
              \#(objects.joined(separator: ", "))},
            "elements": {"@self": {"attrs": {"serviceProviderClassName": "\#(provider)", "content": {"title": "typed", "id": "5"}}},
              "name": {"bindings": [{"from": "content.title"}]}}
            """#, files: ["\(isStub ? "Stub" : "")Service.json": service])
    }

    static func request(_ widget: DrivenWidget) throws -> OutgoingRequest {
        var outgoing: [OutgoingRequest] = []
        widget.change { outgoing = $0.beginRequests() }
        #expect(outgoing.count == 1)
        return try #require(outgoing.first)
    }

    static func answer(_ widget: DrivenWidget, _ number: Int, _ body: String, status: Int = 200) throws {
        widget.send(.response(request: number, .response(status: status, body: try `A mediator`.json(body))))
    }

    static let base = #""defaults": {"baseUrl": "https://x.example/v1"}"#

    @Test func `defect 19: what follows an array is given what the first was given, and after one object, that`() throws
    {
        for (type, answer, next) in [
            ("[Entry]", #"[{"id": "1"}, {"id": "2"}]"#, "after/5"), ("Entry", #"{"id": "8"}"#, "after/8"),
        ] {
            let key = type == "Entry" ? "entryId" : "id"
            let widget = try Self.services(
                #"""
                {\#(Self.base), "actions": {"first": {"path": "first", "resultType": "\#(type)", "nextAction": "second"},
                  "second": {"path": "after/$\#(key)"}}}
                """#, actions: ["first"]
            ).started()
            try widget.tap("firstButton")
            try Self.answer(widget, Self.request(widget).number, answer)
            #expect(try Self.request(widget).request.url == "https://x.example/v1/\(next)")
        }
    }

    // MARK: - What the original's services do not have

    @Test func `defect 24: a placeholder record gives way to the one that the answer brings`() throws {
        let service = #"""
            {\#(Self.base), "actions": {"post": {"path": "posts", "httpMethod": "POST", "resultType": "Entry",
              "optimistic": {"title": "$title", "time": "$now", "entryId": "new"}}}}
            """#
        for (body, status, shown) in [(#"{"id": "9", "title": "stored"}"#, 201, ["stored"]), ("{}", 500, [])] {
            let widget = try Self.services(service, actions: ["post"]).started()
            try widget.tap("postButton")
            #expect(widget.column("name") == ["typed"])
            #expect(widget.driver.unsaved.isEmpty, "a placeholder is not kept")
            try Self.answer(widget, Self.request(widget).number, body, status: status)
            #expect(widget.column("name") == shown && widget.store.records.count == shown.count)
            #expect(widget.store.alerts.isEmpty == (status == 201))
        }
        let widget = try Self.services(service, actions: ["post"]).started()
        try widget.tap("postButton")
        let number = try Self.request(widget).number
        widget.send(.response(request: number, .failure("no server")))
        #expect(widget.column("name").isEmpty)
    }

    @Test func `defect 24: without a network a service fails, keeps what there is, or tries again`() throws {
        for (policy, alerts, requests) in [("fail", 1, 0), ("keep", 0, 0), ("retry", 0, 1)] {
            let widget = try Self.services(
                #"""
                {\#(Self.base), "actions": {"log": {"path": "log", "resultType": "[Entry]", "offline": "\#(policy)"}}}
                """#, actions: ["log"]
            ).started()
            try widget.tap("logButton")
            try Self.answer(widget, Self.request(widget).number, #"[{"id": "1", "title": "kept"}]"#)
            try widget.tap("logButton")
            let number = try Self.request(widget).number
            widget.send(.response(request: number, .failure("no server")))
            #expect(widget.store.alerts.count == alerts && widget.column("name") == ["kept"])
            #expect(widget.store.visible?.statuses["status"]?.isInProgress == (policy == "retry"))
            widget.advance(by: 4)
            var outgoing = widget.driver.waiting
            #expect(outgoing.isEmpty)
            widget.advance(by: 2)
            outgoing = widget.driver.waiting
            #expect(outgoing.count == requests)
            if policy == "retry" {
                try Self.answer(widget, Self.request(widget).number, #"[{"id": "2", "title": "second"}]"#)
                #expect(widget.column("name") == ["kept", "second"] && widget.store.requests.isEmpty)
            }
        }
    }

    @Test func `defect 24: an answer is reused for as long as the service says`() throws {
        let widget = try Self.services(
            #"{\#(Self.base), "actions": {"log": {"path": "log/$id", "resultType": "[Entry]", "cacheSeconds": 60}}}"#,
            actions: ["log"]
        ).started()
        try widget.tap("logButton")
        try Self.answer(widget, Self.request(widget).number, #"[{"id": "1", "title": "kept"}]"#)
        widget.advance(by: 59)
        try widget.tap("logButton")
        let isKept = widget.driver.waiting.isEmpty && !widget.store.requests.isEmpty
        #expect(isKept && widget.settle() && widget.store.requests.isEmpty)
        widget.advance(by: 2)
        try widget.tap("logButton")
        #expect(try Self.request(widget).request.url == "https://x.example/v1/log/5")
    }

    @Test func `defect 24: a request carries the user's credentials, or is not sent`() throws {
        let widget = try Self.services(
            #"""
            {\#(Self.base), "auth": {"setting": "token"}, "actions": {"log": {"path": "log", "needAuth": true}, "open": {"path": "open"}}}
            """#, actions: ["log", "open"]
        ).started()
        try widget.tap("logButton")
        let isSilent = widget.driver.waiting.isEmpty
        #expect(isSilent && widget.store.alerts.first?.message.contains("needs an authorization") ?? false)
        try widget.tap("OK")
        widget.send(.setting("token", .string("secret\r\nHost: elsewhere")))
        try widget.tap("logButton")
        let fields = try Self.request(widget).request.headers
        #expect(fields.map(\.name) == ["Authorization"] && fields.first?.value == "Bearer secret Host: elsewhere")
        #expect(!widget.log.contains { $0.text.contains("secret") })
        try widget.tap("openButton")
        #expect(try Self.request(widget).request.headers.isEmpty)
    }

    @Test func `defect 16: an unknown action is a failure where the service says so`() throws {
        for (option, isFailure) in [("", false), (#", "options": {"unknownActionFails": true}"#, true)] {
            let widget = try Self.services(#"{\#(Self.base), "actions": {}\#(option)}"#, actions: ["nothing"]).started()
            let before = widget.program.diagnostics
            #expect(before.map(\.code) == [.unknownAction, .unknownAction], "of the button and of the status")
            try widget.tap("nothingButton")
            #expect(widget.diagnostics.filter { !before.contains($0) }.map(\.code) == [.unknownAction])
            #expect(widget.store.visible?.statuses["status"]?.isFailure == isFailure)
            #expect(widget.store.alerts.isEmpty != isFailure)
        }
    }
}
