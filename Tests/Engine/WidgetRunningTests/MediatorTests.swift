import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: the mediators follow their specification. Method: a sample with schemes and services of the tests.
@Suite struct `A mediator` {
    static let provider =
        #""entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId"}}"#

    static func table(_ attributes: String = "", outlets: String = "") -> String {
        #""table": {"type": "TableInfiniteScrollController", "attrs": {"cellIdentifier": "Entry"\#(attributes)}, "#
            + #""outlets": {"mainContentProvider": "entries", "emptyDataView": "emptyView", "tableView": "tableView"\#(outlets)}}"#
    }

    static let rows =
        #""titleText": {"bindings": [{"from": "content.title"}]}, "entryText": {"bindings": [{"from": "content.text", "placeholder": "none"}]}"#

    /// A widget with that scheme, on the service that the host answers, or on its stub.
    static func widget(
        _ objects: [String], elements: [String] = [rows], service: String, isStub: Bool = true
    ) throws -> DrivenWidget {
        let name = isStub ? "StubServiceProvider" : "StandardServiceProvider"
        let own = #""@self": {"attrs": {"serviceProviderClassName": "\#(name)"}}"#
        let scheme = """
            {"LogViewController": {"objects": {\(objects.joined(separator: ", "))},
             "elements": {\((elements.contains { $0.contains("@self") } ? elements : [own] + elements).joined(separator: ", "))}}}
            """
        return try SampleBundle.widget("HarbourLog") { sources in
            sources["LogViewController.json"] = Array(scheme.utf8)
            sources["StubService.json"] = isStub ? Array(service.utf8) : nil
            sources["Service.json"] = isStub ? nil : Array(service.utf8)
            for (path, bytes) in sources where path.hasSuffix("contents") {
                let text = String(decoding: bytes, as: UTF8.self)
                sources[path] = Array(
                    text.replacing(
                        #"<entry key="identityAttribute" value="entryId"/>"#,
                        with:
                            #"<entry key="identityAttribute" value="entryId"/><entry key="ownerRelationship" value="keeper"/>"#
                    ).replacing(
                        #"<entry key="identityAttribute" value="keeperId"/>"#,
                        with:
                            #"<entry key="identityAttribute" value="keeperId"/><entry key="isOwnerEntity" value="1"/>"#
                    ).utf8)
            }
        }
    }

    static func stub(_ actions: String, delay: Double = 0.25) -> String {
        #"{"defaults": {"baseUrl": "https://x.example"}, "options": {"debugDelay": \#(delay)}, "actions": {\#(actions)}}"#
    }

    static func entries(_ ids: ClosedRange<Int>) -> String {
        "[" + ids.map { #"{"id": "\#($0)", "title": "title \#($0)", "text": "text \#($0)"}"# }.joined(separator: ", ")
            + "]"
    }

    static let load = #""load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}}"#

    // MARK: - Actions

    @Test func `OnLoadActionController and TableRefreshActionController ask the service, and show that they do`() throws
    {
        let widget = try Self.widget(
            [
                Self.provider, Self.table(), Self.load,
                #""refresh": {"type": "TableRefreshActionController", "attrs": {"actionName": "log"}, "outlets": {"sender": "tableView"}}"#,
            ],
            elements: [
                Self.rows,
                #""tableView": {"bindings": [{"to": "refreshControl.wx_value", "from": "refresh.status.inProgress"}]}"#,
                #""loadingIndicator": {"bindings": [{"predicateFormat": "load.status.inProgress == 1"}]}"#,
            ], service: Self.stub(#""log": {"resultType": "[Entry]", "response": \#(Self.entries(1...3))}"#))
        widget.send(.start)
        #expect(widget.shows("(loading)"))
        #expect(widget.settle() && widget.column("titleText") == ["title 1", "title 2", "title 3"])
        try widget.refresh("tableView")
        let list = try widget.key("tableView")
        #expect(widget.view().node(list)?.isTrue("refreshing") ?? false)
        #expect(widget.settle() && !(widget.view().node(list)?.isTrue("refreshing") ?? true))
    }

    @Test func `TimerActionController asks again and again, and delays count`() throws {
        let widget = try Self.widget(
            [
                Self.provider, Self.table(),
                #""timer": {"type": "TimerActionController", "attrs": {"actionName": "log", "interval": 90, "actionDelay": 2}}"#,
            ], service: Self.stub(#""log": {"resultType": "[Entry]", "response": \#(Self.entries(1...1))}"#)
        ).started()
        func requests() -> Int { widget.log.count { $0.kind == .request } }
        #expect(requests() == 0)
        widget.advance(by: 91)
        #expect(requests() == 0)
        widget.advance(by: 1.5)
        #expect(requests() == 1)
        widget.advance(by: 180)
        #expect(requests() == 3)
    }

    @Test func `InfiniteScrollActionController asks for what comes after the last row, once at a time`() throws {
        let widget = try Self.widget(
            [
                Self.provider, Self.table(), Self.load,
                #""more": {"type": "InfiniteScrollActionController", "attrs": {"actionName": "more"}, "outlets": {"sender": "tableView"}}"#,
            ],
            service: #"""
                {"defaults": {"baseUrl": "https://x.example"}, "actions": {
                  "log": {"path": "log", "resultType": "[Entry]", "resultKeyPath": "data.items"},
                  "more": {"path": "log/after/$entryId.json", "resultType": "[Entry]", "parameters": {"max_id": "$entryId"}}}}
                """#, isStub: false)
        widget.send(.start)
        var outgoing: [OutgoingRequest] = []
        widget.change { outgoing = $0.beginRequests() }
        #expect(outgoing.map(\.request.url) == ["https://x.example/log"])
        let first = try Self.json(#"{"data": {"items": \#(Self.entries(1...2))}}"#)
        widget.send(.response(request: outgoing[0].number, .response(status: 200, body: first)))
        try widget.scroll("tableView")
        try widget.scroll("tableView")
        widget.change { outgoing = $0.beginRequests() }
        #expect(outgoing.map(\.request.url) == ["https://x.example/log/after/2.json"])
        #expect(String(decoding: outgoing.first?.request.body ?? [], as: UTF8.self) == "max_id=2")
        widget.send(
            .response(request: outgoing[0].number, .response(status: 201, body: try Self.json(Self.entries(3...4)))))
        #expect(widget.column("titleText").count == 4)
    }

    static func json(_ text: String) throws -> Value {
        Value(try JSONValue(parsing: Array(text.utf8)))
    }

    @Test func `ActionController chooses by its predicate, and an element may set it off`() throws {
        for (kind, name) in [("1 == 1", "log"), ("1 == 2", "other")] {
            let widget = try Self.widget(
                [
                    Self.provider, Self.table(),
                    #""a": {"type": "ActionController", "attrs": {"actionName": "log", "elseActionName": "other", "predicateFormat": "\#(kind)"}}"#,
                ],
                elements: [Self.rows, #""emptyView": {"action": {"target": "a", "selector": "performAction"}}"#],
                service: Self.stub(#""log": {"resultType": "[Entry]", "response": []}, "other": {"response": {}}"#)
            ).started()
            try widget.tap("emptyView")
            #expect(widget.log.contains { $0.text == name + "Start" })
        }
    }

    // MARK: - Displays

    @Test func `The evals of a list choose a row's prototype, and a missing one is reported`() throws {
        let widget = try Self.widget(
            [
                Self.provider, Self.load,
                #""table": {"type": "TableDisplayController", "evals": {"cellIdentifier": {"predicateFormat": "content.entryId == '1'", "ifTrue": "Nothing", "ifFalse": "Entry"}}, "outlets": {"mainContentProvider": "entries", "tableView": "tableView"}}"#,
            ], service: Self.stub(#""log": {"resultType": "[Entry]", "response": \#(Self.entries(1...2))}"#)
        ).started()
        // With one prototype, every row has it.
        #expect(widget.column("titleText").count == 2)
    }

    @Test func `ContentDisplayController gives the screen its content, and renderOn renders again`() throws {
        let widget = try Self.widget(
            [
                #""first": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "resultChain": ["wx_first"]}}"#,
                #""show": {"type": "ContentDisplayController", "attrs": {"renderOn": "logSuccess"}, "outlets": {"mainContentProvider": "first"}}"#,
                Self.load,
            ], service: Self.stub(#""log": {"resultType": "[Entry]", "response": \#(Self.entries(7...8))}"#)
        ).started()
        #expect(widget.store.visible?.content.member("title").shown == "title 7")
    }

    @Test func `JSONFileDataProvider shows what a file has`() throws {
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            sources["things.json"] = Array(#"[{"title": "one"}, {"title": "two"}]"#.utf8)
            sources["LogViewController.json"] = Array(
                (#"{"LogViewController": {"objects": {"file": {"type": "JSONFileDataProvider", "attrs": {"fileName": "things"}}, "#
                    + #""table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry"}, "outlets": {"mainContentProvider": "file", "tableView": "tableView"}}}, "#
                    + #""elements": {\#(Self.rows)}}}"#).utf8)
        }.started()
        #expect(widget.column("titleText") == ["one", "two"])
    }

    // MARK: - Deletion

    static let deletion = [
        provider, load, table(#", "allowDeletion": true"#, outlets: #", "deleteController": "remove""#),
        #""remove": {"type": "ActionController", "attrs": {"actionName": "remove"}}"#,
    ]

    static let mine =
        #"[{"id": "1", "title": "mine", "keeper": {"id": "ada", "name": "Ada"}}, {"id": "2", "title": "nobody's"}]"#

    @Test func `A list deletes the user's own records, and no others`() throws {
        let widget = try Self.widget(
            Self.deletion,
            service: Self.stub(
                #""log": {"resultType": "[Entry]", "response": \#(Self.mine)}, "remove": {"path": "x/$entryId", "response": {}}"#
            )
        ).started()
        #expect(widget.deletionRefusal(of: "tableView", row: 1) != nil)
        #expect(widget.deletionRefusal(of: "tableView", row: 0) == nil)
        #expect(widget.log.contains { $0.text.hasPrefix("remove: GET https://x.example/x/1") })
        widget.advance(by: 0.7)
        #expect(widget.column("titleText") == ["mine", "nobody's"])
        widget.advance(by: 0.1)
        #expect(widget.column("titleText") == ["nobody's"])
    }

    @Test func `defect 23: a record is deleted once the service did so, where the scheme asks for that`() throws {
        for (response, left) in [(#", "response": {}"#, 1), ("", 2)] {
            var objects = Self.deletion
            objects[2] = Self.table(
                #", "allowDeletion": true, "deletesOnSuccess": true"#, outlets: #", "deleteController": "remove""#)
            let widget = try Self.widget(
                objects,
                service: Self.stub(
                    #""log": {"resultType": "[Entry]", "response": \#(Self.mine)}, "remove": {"path": "x"\#(response)}"#
                )
            ).started()
            #expect(widget.deletionRefusal(of: "tableView", row: 0) == nil)
            widget.advance(by: 0.2)
            #expect(widget.column("titleText").count == 2)
            _ = widget.settle()
            #expect(widget.column("titleText").count == left)
        }
    }

    // MARK: - Answers

    @Test(arguments: [
        (200, #"{"error": {"message": "odd"}}"#, false), (404, #"{"error": {"message": "Not there"}}"#, true),
        (500, "[]", true), (404, #"{"error": "plain"}"#, true),
    ])
    func `defect 18: a service takes 2xx for success, and shows an error's own words`(
        status: Int, body: String, isFailure: Bool
    ) throws {
        let widget = try Self.widget(
            [
                Self.provider, Self.table(), Self.load,
                #""s": {"type": "ActionStatusController", "attrs": {"actionName": "log", "errorMessage": "Sorry"}}"#,
            ],
            service: #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"log": {"path": "log"}}}"#,
            isStub: false)
        widget.send(.start)
        var outgoing: [OutgoingRequest] = []
        widget.change { outgoing = $0.beginRequests() }
        widget.send(
            .response(
                request: try #require(outgoing.first).number, .response(status: status, body: try Self.json(body))))
        #expect(widget.store.alerts.isEmpty != isFailure)
        if body.contains("Not there") { #expect(widget.store.alerts.first?.message == "Sorry\n\nNot there") }
        if isFailure {
            try widget.tap("OK")
            #expect(widget.store.alerts.isEmpty)
        }
    }

    // MARK: - Schemes

    @Test(arguments: [
        (#""x": {"type": "Nothing"}"#, Finding.Code.unknownType),
        (#""x": {"type": "ActionController", "bindings": []}"#, .unknownKey),
        (#""x": {"type": "ActionController", "attrs": {"colour": 1}}"#, .unknownKey),
        (#""x": {"type": "ActionController", "outlets": {"sender": "nobody"}}"#, .unknownObject),
        (#""x": {"type": "ActionController", "outlets": {"nobody": "tableView"}}"#, .unknownOutlet),
        (#""x": {"type": "ManagedObjectsProvider"}"#, .unknownEntity),
        (#""x": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Nobody"}}"#, .unknownEntity),
        (
            #""x": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "predicateFormat": "a =="}}"#,
            .badPredicate
        ),
        (
            #""x": {"type": "ItemsCollection", "attrs": {"resultChain": ["wx_first"], "resultChainArgs": ["a", "b"]}}"#,
            .badValue
        ),
        (#""x": {"type": "ItemsCollection", "attrs": {"resultChain": ["removeAllObjects"]}}"#, .unknownSelector),
        (#""x": {"type": "ActionStatusController"}"#, .unknownAction),
        (#""x": {"type": "JSONFileDataProvider", "attrs": {"fileName": "nothing"}}"#, .missingFile),
    ])
    func `A mediator with a wrong description is reported with its place, and the rest works`(
        object: String, code: Finding.Code
    )
        throws
    {
        let widget = try Self.widget(
            [Self.provider, Self.table(), Self.load, object],
            service: Self.stub(#""log": {"resultType": "[Entry]", "response": \#(Self.entries(1...2))}"#)
        ).started()
        #expect(
            widget.diagnostics.contains {
                $0.code == code && $0.place?.file == "LogViewController.json" && ($0.place?.line ?? 0) > 0
            })
        #expect(widget.column("titleText").count == 2)
    }

    @Test func `Chains that call themselves come to an end`() throws {
        let widget = try Self.widget(
            [Self.provider, Self.table(), Self.load],
            service: Self.stub(
                #""log": {"resultType": "[Entry]", "nextAction": "log", "response": \#(Self.entries(1...1))}"#, delay: 0
            )
        ).started()
        #expect(widget.diagnostics.contains { $0.code == .stepBudget } && widget.log.count { $0.kind == .request } < 30)
    }
}

/// A widget with rows that are not records, and a field with typed text.
enum MediatorTestWidget {
    static func values() throws -> DrivenWidget {
        let scheme = """
            {"LogViewController": {"objects": {
              "items": {"type": "BaseContentProvider", "attrs": {"items": [{"title": "one"}, {"title": "two"}]}},
              "table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry"},
                        "outlets": {"mainContentProvider": "items", "tableView": "tableView"}}},
             "elements": {"titleText": {"bindings": [{"from": "content.title", "format": "<%@>"}]}}}}
            """
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            sources["LogViewController.json"] = Array(scheme.utf8)
        }.started()
        try widget.type("typed", into: "searchBar")
        return widget
    }
}
