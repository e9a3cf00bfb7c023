import JSONText
import Testing
import WidgetContract
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// Goal: schemes send what the framework sends, their authors read what that is, and services say where parameters
/// belong. Method: screens that are opened and touched, and the requests that they send.
@Suite struct `Requests of schemes` {
    private typealias S = TestStoryboard

    private static func widget(_ objects: String, _ action: String, content: String = "") throws -> DrivenWidget {
        try S.widget(
            S.button("go", "Go"),
            #""objects": {\#(objects)}, "elements": {"@self": {"attrs": {"serviceProviderClassName": "StandardServiceProvider"\#(content)}}}"#,
            files: [
                "Service.json":
                    #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"save": {"httpMethod": "POST", \#(action)}, "list": {"nextAction": "save"}}}"#
            ])
    }

    /// A widget whose request waits for its answer.
    private static func opened(_ objects: String, _ action: String) throws -> DrivenWidget {
        let widget = try widget(objects, action)
        widget.send(.start)
        return widget
    }

    private static let onLoad = #""act": {"type": "OnLoadActionController", "attrs": {"actionName": "save"}}"#

    private static func findings(_ widget: DrivenWidget) -> [String] {
        widget.program.diagnostics.filter { [.sentOnLoad, .unfilled].contains($0.code) }.map(\.description)
    }

    @Test func `A scheme sends a POST when its screen opens, as the framework does, and its author reads of it`() throws
    {
        let widget = try Self.opened(Self.onLoad, #""path": "save""#)
        #expect(try `Defects of the original`.request(widget).request.method == "POST")
        let found = Self.findings(widget)
        #expect(
            found.count == 1 && found[0].contains("act sends save when the screen opens")
                && found[0].hasPrefix("Main.json:"),
            "\(found)")
        #expect(!widget.diagnostics.contains { $0.code == .unfilled })
        let keyed = try Self.opened(Self.onLoad, #""path": "save", "idempotencyKey": true"#)
        #expect(try `Defects of the original`.request(keyed).request.isKeyed && Self.findings(keyed).isEmpty)
        let chained = #""act": {"type": "OnLoadActionController", "attrs": {"actionName": "list"}}"#
        #expect(try Self.findings(Self.widget(chained, #""path": "save""#)).count == 1)
        let button =
            #""act": {"type": "ButtonActionController", "attrs": {"actionName": "save"}, "outlets": {"sender": "go"}}"#
        #expect(try Self.findings(Self.widget(button, #""path": "save""#)).isEmpty)
        let timer = #""act": {"type": "TimerActionController", "attrs": {"actionName": "save", "interval": 60}}"#
        #expect(try Self.findings(Self.widget(timer, #""path": "save""#)).count == 1)
    }

    @Test func `A scheme sends places without a value as they are written, and its author reads of it`() throws {
        let keyed = #""path": "$id", "parameters": {"a": "$title"}, "idempotencyKey": true"#
        let widget = try Self.opened(Self.onLoad, keyed)
        #expect(try `Defects of the original`.request(widget).request.url == "https://x.example/$id")
        let found = Self.findings(widget)
        #expect(
            found.count == 1
                && found[0].contains("act gives save no value for $id, $title, which is sent as it is written"),
            "\(found)")
        let given = try Self.widget(Self.onLoad, keyed, content: #", "content": {"title": "t", "id": "5"}"#)
        #expect(Self.findings(given).isEmpty, "\(Self.findings(given))")
    }

    @Test func `A scheme sends JSON where its service says so, and a form where only a header does`() throws {
        let parameters = #""parameters": {"title": "$title", "id": 5, "list": [1, {"a": "$title"}]}"#
        let json = try `What a service description says`.sent(
            #""baseUrl": "https://x.example", "parametersIn": "json""#, parameters)
        #expect(
            `What a service description says`.body(json) == #"{"title":"typed","id":5,"list":[1,{"a":"typed"}]}"#)
        #expect(json.headers.map { "\($0.name): \($0.value)" } == ["Content-Type: application/json"])
        let header = try `What a service description says`.sent(
            #""baseUrl": "https://x.example", "headers": {"Content-Type": "application/json"}"#,
            #""parameters": {"a": 1}"#)
        #expect(`What a service description says`.body(header) == "a=1")
    }

    @Test(arguments: [
        (#""jsn""#, "did you mean json?"), (#""address""#, "parametersIn is query, body or json"),
        ("5", "parametersIn is query, body or json"),
    ]) func `A place of parameters that does not exist is an error with its place and the nearest name`(
        written: String, hint: String
    ) throws {
        let files = BundleFiles([
            "Main.widgets.json": Array(#"{"kind": "label", "payload": {"text": "x"}}"#.utf8),
            "services/Shop.json": Array(
                "{\"actions\": {\"order\": {\"path\": \"https://shop.example/a\",\n \"parametersIn\": \(written)}}}"
                    .utf8),
        ])
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test.place"))
        let found = program.diagnostics.map(\.description)
        #expect(
            found == [
                "services/Shop.json:2:18 (order.parametersIn): error: order does not say where its parameters belong [bad-value]; \(hint)"
            ])
    }

    @Test func `A header of a document's service makes its body JSON`() throws {
        let files = BundleFiles([
            "Main.widgets.json": Array(
                #"""
                {"schema": 1, "state": {"cart": [{"id": 1}]}, "root": {"kind": "button", "id": "go", "payload": {"text": "Go"},
                 "on": {"tap": {"do": "call", "action": "order", "with": {"lines": "$cart"}}}}}
                """#.utf8),
            "services/Shop.json": Array(
                #"{"defaults": {"baseUrl": "https://x.example", "headers": {"Content-Type": "application/json"}}, "actions": {"order": {"httpMethod": "POST", "path": "orders", "parameters": {"lines": "$lines"}}}}"#
                    .utf8),
        ])
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test.json"))
        #expect(program.diagnostics.isEmpty, "\(program.diagnostics)")
        let widget = try DrivenWidget(WidgetInstance(program)).started()
        try widget.tap("go")
        let request = try `Defects of the original`.request(widget).request
        #expect(`What a service description says`.body(request) == #"{"lines":[{"id":1}]}"#)
    }

    @Test func `A closure that runs because a screen opens sends no order, and one of a tap does`() throws {
        let order: TestCode.Handler = { _, _ in
            [.call(action: "save")]
        }
        let code = TestCode(["load": order, "tap": order])
        let widget = try Self.native(
            code,
            #"{"schema":1,"on":{"load":{"do":"native","handler":"load"}},"root":[\#(`Native widgets`.button("Go", "tap"))]}"#
        )
        #expect(code.heard == ["load null"])
        #expect(widget.diagnostics.map(\.code) == [.sentOnLoad])
        try widget.tap("Go")
        #expect(try `Defects of the original`.request(widget).request.method == "POST")
    }

    @Test func `A closure of a tap sends its order also when its screen opens another whose closure runs in that turn`()
        throws
    {
        let code = TestCode(["load": { _, _ in [] }, "tap": { _, _ in [.call(action: "save")] }])
        let widget = try Self.native(
            code,
            #"{"schema":1,"root":[{"kind":"button","id":"Go","payload":{"text":"Go"},"on":{"tap":[{"do":"native","handler":"tap"},{"do":"push","scene":"More"}]}}]}"#,
            more: #"{"schema":1,"on":{"load":{"do":"native","handler":"load"}},"root":[]}"#)
        try widget.tap("Go")
        #expect(code.heard == ["tap null", "load null"] && code.turns.last?.calls.count == 2, "\(code.heard)")
        #expect(try `Defects of the original`.request(widget).request.method == "POST")
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
    }

    @Test func `A closure that asks all sources again sends no order, and one that names a source does`() throws {
        let code = TestCode(["all": { _, _ in [.refresh()] }, "own": { _, _ in [.refresh(source: "save")] }])
        let widget = try Self.native(
            code,
            #"{"schema":1,"sources":{"save":{"action":"save"}},"root":[\#(`Native widgets`.button("All", "all")),\#(`Native widgets`.button("Own", "own"))]}"#
        )
        try widget.tap("All")
        var sent: [OutgoingRequest] = []
        widget.change { sent = $0.beginRequests() }
        #expect(code.heard == ["all null"] && sent.isEmpty)
        try widget.tap("Own")
        #expect(try `Defects of the original`.request(widget).request.method == "POST")
    }

    /// A widget of code, whose service has one action that changes something on a server.
    private static func native(_ code: TestCode, _ main: String, more: String? = nil) throws -> DrivenWidget {
        var action = ServiceAction(
            "save", url: Template("https://x.example/save", .keys), parameters: StructuredTemplate(.null))
        action.method = "POST"
        var documents = [NativeNamedValue("Main", try TestCode.json(main))]
        if let more { documents.append(NativeNamedValue("More", try TestCode.json(more))) }
        let native = NativeProgram(
            NativeDeclaration("test.native", first: "Main", documents: documents),
            services: [Service("Shop", actions: ["save": action])], code: code)
        return try DrivenWidget(WidgetInstance(try native.program(), native: native)).started()
    }
}
