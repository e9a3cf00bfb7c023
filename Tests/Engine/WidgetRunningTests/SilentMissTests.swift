import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning

/// Goal: an author reads of what can never work, without looking for it. Method: one miss for each test, and what the
/// program says of it before it runs.
@Suite struct `A miss that nothing would show` {
    private typealias S = TestStoryboard

    private static let entries =
        #""entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry"}}, "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "entries", "tableView": "list"}}"#

    private static func messages(_ scheme: String, _ code: Finding.Code = .unknownKey) throws -> [String] {
        let widget = try S.widget(
            S.table("list", cells: [S.cell("Cell", labels: ["name"])]) + S.label("count", y: 600), scheme)
        return widget.program.diagnostics.filter { $0.code == code }.map { "\($0.message); \($0.hint ?? "")" }
    }

    // MARK: - Keys that records do not have

    @Test(arguments: [
        (#"{"from": "content.titel"}"#, "Entry has no titel, so content.titel has no value; did you mean title?"),
        (#"{"from": "content.keeper.station.x"}"#, nil), (#"{"from": "content.keeper.naem"}"#, "Keeper has no naem"),
        (#"{"from": "content.title.length"}"#, nil), (#"{"from": "content.isMine"}"#, nil),
        (
            #"{"from": "content.keeper", "predicateFormat": "name != nil", "ifTrue": "$nmae", "ifFalse": "$station"}"#,
            "Keeper has no nmae"
        ),
        (#"{"predicateFormat": "content.wnid > 3"}"#, "Entry has no wnid"),
        (#"{"predicateFormat": "content.wind > 3", "ifTrue": "$content.txet", "ifFalse": ""}"#, "Entry has no txet"),
        (#"{"from": "content", "format": "$title of $kepeer"}"#, "Entry has no kepeer"),
        (#"{"from": "anything.else"}"#, nil),
    ]) func `A key that the entity of a row lacks is reported with its place`(binding: String, message: String?) throws
    {
        let found = try Self.messages(
            #""objects": {\#(Self.entries)}, "elements": {"name": {"bindings": [\#(binding)]}}"#)
        #expect(found.count == (message == nil ? 0 : 1), "\(found)")
        #expect(message.map { found.first?.hasPrefix($0) ?? false } ?? true, "\(found)")
    }

    @Test func `A key is looked for on a screen that a row shows, and on one that shows its own record`() throws {
        var first = S.Screen(name: "Main", views: S.table("list", cells: [S.cell("Cell", labels: ["name"])]))
        first.connections = #"<segue destination="Next-controller" kind="show" identifier="Cell" id="by-name"/>"#
        let widget = try S.widget(
            [first, .init(name: "Next", views: S.label("detail"))],
            [
                "Main":
                    #""objects": {\#(Self.entries.replacing(#""TableDisplayController", "#, with: #""TableDisplayController", "attrs": {"performSegueForCells": 1}, "#))}, "elements": {"name": {"bindings": [{"from": "content.title"}]}}"#,
                "Next": #""elements": {"detail": {"bindings": [{"from": "content.timestmp"}]}}"#,
            ])
        let found = widget.program.diagnostics.filter { $0.code == .unknownKey }
        #expect(found.map(\.message) == ["Entry has no timestmp, so content.timestmp has no value"])
        #expect(found.first?.place?.file == "Next.json" && found.first?.place?.line ?? 0 > 0)

        let own = try Self.messages(
            #"""
            "objects": {"latest": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Keeper", "resultChain": ["wx_first"]}},
              "show": {"type": "ContentDisplayController", "outlets": {"mainContentProvider": "latest"}}},
            "elements": {"count": {"bindings": [{"from": "content.title"}]}}
            """#)
        #expect(own.count == 1 && own[0].hasPrefix("Keeper has no title"))
    }

    @Test func `A provider's predicate, filter and order are looked at as well`() throws {
        let found = try Self.messages(
            #""objects": {"entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "predicateFormat": "knid = 1", "filterFormat": "txt CONTAINS $input", "sortByFields": "tiem"}}}"#
        )
        for key in ["knid", "txt", "tiem"] {
            #expect(found.contains { $0.hasPrefix("Entry has no \(key)") }, "\(found)")
        }
    }

    // MARK: - Others

    @Test func `A message that nothing answers is reported, and one that an action replaces is not`() throws {
        let button = S.button(
            "go", "Go",
            connections:
                #"<action selector="newsTap:" destination="Main-controller" eventType="touchUpInside" id="a1"/>"#)
        let widget = try S.widget(button, "")
        #expect(widget.program.diagnostics.map(\.code) == [.unknownSelector])
        #expect(widget.program.diagnostics.first?.message.contains("go sends newsTap: to the screen") ?? false)
        let replaced = try S.widget(
            button,
            #""objects": {"a": {"type": "ButtonActionController", "attrs": {"actionName": "x"}, "outlets": {"sender": "go"}}}"#
        )
        #expect(!replaced.program.diagnostics.contains { $0.code == .unknownSelector })
    }

    @Test func `An action of a stub without a response is reported`() throws {
        let widget = try S.widget(
            S.label("x"), "",
            files: ["StubService.json": `A mediator`.stub(#""a": {"response": {}}, "b": {"resultType": "Entry"}"#)])
        #expect(widget.program.diagnostics.map(\.message) == ["b has no response, so it always fails"])
    }

    @Test func `An authorization that is needed and missing is a diagnostic when the action is asked for`() throws {
        let widget = try `Defects of the original`.services(
            #"{"auth": {"setting": "token"}, "actions": {"go": {"path": "https://a.example", "needAuth": true}}}"#,
            actions: ["go"]
        ).started()
        #expect(widget.diagnostics.isEmpty)
        try widget.tap("goButton")
        #expect(widget.diagnostics.map(\.code) == [.missingAuthorization])
        #expect(widget.diagnostics.first?.hint == "nothing is sent")
    }

    @Test(arguments: [
        (#""actions": {"go": {"needAuth": true}}"#, "go needs an authorization"),
        (#""auth": {"url": "https://x.example/authorize"}, "actions": {"go": {}}"#, "Signing in through a browser"),
        (#""actions": {"go": {}}"#, nil),
    ]) func `A description that does not say which authorization is needed is reported`(
        service: String, message: String?
    ) throws {
        let widget = try S.widget(S.label("x"), "", files: ["Service.json": "{\(service)}"])
        let found = widget.program.diagnostics.filter { $0.code == .missingAuthorization }
        #expect(found.count == (message == nil ? 0 : 1) && found.first?.message.hasPrefix(message ?? "") ?? true)
    }

    @Test func `A provider class of the host falls back to the standard one, with one warning for each place`() throws {
        let widget = try S.widget(
            S.button("go", "Go"),
            #"""
            "objects": {"a": {"type": "ButtonActionController", "attrs": {"actionName": "load"}, "outlets": {"sender": "go"}},
              "b": {"type": "OnLoadActionController", "attrs": {"actionName": "load", "serviceProviderClassName": "Other"}}},
            "elements": {"@self": {"attrs": {"serviceProviderClassName": "HostService"}}}
            """#, files: ["Service.json": #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"load": {}}}"#]
        )
        widget.send(.start)
        try widget.tap("go")
        var sent: [OutgoingRequest] = []
        widget.change { sent = $0.beginRequests() }
        #expect(sent.map(\.request.url) == ["https://x.example/", "https://x.example/"])
        #expect(widget.diagnostics.map(\.code) == [.unknownType, .unknownType])
        #expect(widget.diagnostics.allSatisfy { $0.severity == .warning && $0.place?.line ?? 0 > 0 })
    }
}
