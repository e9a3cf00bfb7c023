import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: every attribute of actions, searches and forms has its effect. Method: one button, field or form, with one
/// attribute more than it needs.
@Suite struct `What a scheme says of an action` {
    typealias S = TestStoryboard

    static let service = `A mediator`.stub(#""go": {"response": {}}, "find": {"response": {}}"#)

    static func requests(_ widget: DrivenWidget) -> Int { widget.log.count { $0.kind == .request } }

    // MARK: - Actions

    @Test func `An action uses the service that it names itself, before the screen's`() throws {
        for (own, answer) in [(#", "serviceProviderClassName": "StubServiceProvider""#, 0), ("", 1)] {
            let widget = try S.widget(
                S.button("go", "Go"),
                #""objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "go"\#(own)}, "outlets": {"sender": "go"}}}"#,
                files: [
                    "StubService.json": Self.service,
                    "Service.json": #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"go": {}}}"#,
                ]
            ).started()
            try widget.tap("go")
            #expect(widget.driver.waiting.count == answer)
        }
    }

    @Test func `A timer fires once a minute unless the scheme says otherwise`() throws {
        let widget = try S.widget(
            S.label("text"),
            #""objects": {"tick": {"type": "TimerActionController", "attrs": {"actionName": "go"}}}, "elements": {\#(`A scheme`.stubSelf)}"#,
            files: ["StubService.json": Self.service]
        ).started()
        widget.advance(by: 59)
        #expect(Self.requests(widget) == 0)
        widget.advance(by: 62)
        #expect(Self.requests(widget) == 2)
    }

    @Test func `Elements can start and cancel an action, and fold and unfold a constraint`() throws {
        let gap = """
            <constraint firstItem="text" firstAttribute="top" secondItem="Main-view" secondAttribute="top" constant="24" id="gap" customClass="ExpandingConstraint" customModule="WidgetKit">
            <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="gap"/></userDefinedRuntimeAttributes>
            </constraint>
            """
        let names = ["performer", "canceller", "collapser", "expander"]
        let widget = try S.widget(
            names.enumerated().map { S.button($1, $1, y: $0 * 30) }.joined() + S.label("text", y: 200),
            #"""
            "objects": {"act": {"type": "ActionController", "attrs": {"actionName": "go"}}},
            "elements": {\#(`A scheme`.stubSelf), "text": {"bindings": [{"from": "gap.wx_value", "format": "%@ points"}]},
              "performer": {"action": {"target": "act", "selector": "performAction"}},
              "canceller": {"action": {"target": "act", "selector": "cancelAction"}},
              "collapser": {"action": {"target": "gap", "selector": "collapse"}},
              "expander": {"action": {"target": "gap", "selector": "expand"}}}
            """#, files: ["StubService.json": Self.service]
        ) { $0.constraints = gap }.started()
        try widget.tap("performer")
        #expect(widget.store.requests.count == 1)
        try widget.tap("canceller")
        #expect(widget.store.requests.isEmpty && widget.settle() && !widget.log.contains { $0.text == "goReady" })
        for (button, points) in [
            ("collapser", "0 points"), ("collapser", "0 points"), ("expander", "24 points"), ("expander", "24 points"),
        ] {
            try widget.tap(button)
            #expect(widget.shows(points))
        }
    }

    @Test func `An element can make a provider fetch again`() throws {
        let widget = try S.widget(
            S.button("again", "Again") + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "a"}]}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "items", "tableView": "list"}}},
            "elements": {\#(`A scheme`.name), "again": {"action": {"target": "items", "selector": "fetch"}}}
            """#
        ).started()
        let before = widget.log.count { $0.kind == .source }
        try widget.tap("again")
        #expect(widget.column("name") == ["a"] && widget.log.count { $0.kind == .source } >= before)
        #expect(!widget.log.contains { $0.text.hasPrefix("items fetch") }, "no host is asked to")
    }

    // MARK: - Statuses

    @Test func `A status notifies the elements that it names, and no others`() throws {
        let widget = try S.widget(
            S.button("go", "Go") + S.element("switch", "notified", y: 30, attributes: #"on="NO""#)
                + S.element("switch", "unnotified", y: 60, attributes: #"on="NO""#),
            #"""
            "objects": {"status": {"type": "ActionStatusController", "attrs": {"actionName": "go"}, "outlets": {"elements": ["notified"]}},
              "show": {"type": "BaseDisplayController", "attrs": {"renderOn": "goSuccess"}, "outlets": {"mainContentProvider": "none", "elements": ["notified"]}},
              "none": {"type": "BaseContentProvider"}},
            "elements": {"notified": {"bindings": [{"predicateFormat": "status.isSuccess == 1"}]},
              "unnotified": {"bindings": [{"predicateFormat": "status.isSuccess == 1"}]}}
            """#
        ).started()
        func states() throws -> [Bool] {
            try ["notified", "unnotified"].map { widget.view().node(try widget.key($0))?.isTrue(.value) ?? false }
        }
        widget.send(.signal(name: "go", phase: .start, error: nil))
        widget.send(.signal(name: "go", phase: .ready, error: nil))
        #expect(try states() == [true, false])
    }

    // MARK: - Searches

    static func search(_ attributes: String) throws -> DrivenWidget {
        let input = S.element(
            "view", "input", height: 44, class: "TextInputView",
            inside: "<subviews>\(S.element("textField", "field"))</subviews>",
            connections: #"<outlet property="textInput" destination="field" id="o1"/>"#)
        return try S.widget(
            input + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "alpha"}, {"name": "gamma"}]}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "items", "tableView": "list", "searchController": "search"}},
              "search": {"type": "SearchActionController", "attrs": {"filterFormat": "name CONTAINS $input"\#(attributes)}, "outlets": {"sender": "input"}}},
            "elements": {\#(`A scheme`.stubSelf), \#(`A scheme`.name)}
            """#, files: ["StubService.json": service]
        ).started()
    }

    @Test(arguments: [("", true), (#", "searchOnReturn": true"#, true), (#", "searchOnReturn": false"#, false)])
    func `Return starts a search unless the scheme switches that off`(attributes: String, searches: Bool) throws {
        let widget = try Self.search(attributes)
        try widget.type("gam", into: "input")
        let refusal = try widget.refusal(of: "input") { .submit($0) }
        #expect((refusal == nil) == searches && widget.column("name").count == (searches ? 1 : 2))
    }

    @Test(arguments: [("filterThrottleInterval", 2.0), ("actionThrottleInterval", 0.5)])
    func `The filter waits as long as the scheme says`(name: String, seconds: Double) throws {
        let widget = try Self.search(#", "dynamicSearch": true, "\#(name)": 2"#)
        try widget.type("gam", into: "input")
        widget.advance(by: seconds - 0.1)
        #expect(widget.column("name").count == 2)
        widget.advance(by: 0.2)
        #expect(widget.column("name") == ["gamma"])
    }

    @Test(arguments: [("", 0.5), (#", "actionThrottleInterval": 3"#, 3.0), (#", "filterThrottleInterval": 3"#, 0.5)])
    func `The service is asked after the time that the scheme says`(attributes: String, seconds: Double) throws {
        let widget = try Self.search(
            #", "dynamicSearch": true, "actionName": "find", "minimumTextLength": 3\#(attributes)"#)
        try widget.type("ga", into: "input")
        widget.advance(by: 10)
        #expect(Self.requests(widget) == 0, "two letters are too few")
        try widget.type("gam", into: "input")
        widget.advance(by: seconds - 0.1)
        #expect(Self.requests(widget) == 0)
        widget.advance(by: 0.2)
        #expect(Self.requests(widget) == 1)
    }

    @Test func `The service is asked once when return comes before the wait is over`() throws {
        let widget = try Self.search(#", "dynamicSearch": true, "actionName": "find""#)
        try widget.type("gam", into: "input")
        try widget.submit("input")
        widget.advance(by: 5)
        #expect(Self.requests(widget) == 1)
    }

    // MARK: - Forms

    static func form(_ attributes: String, fields: String) throws -> DrivenWidget {
        let inside = ["a", "b", "c"].enumerated().map { S.element("textField", $1, y: $0 * 30) }.joined()
        return try S.widget(
            S.element("view", "form", height: 200, class: "FormDisplayView", inside: "<subviews>\(inside)</subviews>")
                + S.button("send", "Send", y: 300),
            #"""
            "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "send", "form": "form"}}},
            "elements": {"form": {"attrs": {\#(attributes)}, "outlets": {\#(fields)}},
              "a": {"attrs": {"wx_fieldName": "x"}}, "b": {"attrs": {"wx_fieldName": "x"}}, "c": {"attrs": {"wx_fieldName": "y"}}}
            """#,
            files: [
                "Service.json": #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"go": {"path": "$x/$y"}}}"#
            ]
        ).started()
    }

    static func sent(_ widget: DrivenWidget) -> String? {
        widget.driver.waiting.last.map { String($0.request.url.dropFirst("https://x.example/".count)) }
    }

    @Test(arguments: [
        ("", "two/"), (#""dublicateKeyPolicy": "overwrite""#, "two/"), (#""dublicateKeyPolicy": "join""#, "one,two/"),
        (#""dublicateKeyPolicy": "something else""#, "two/"),
    ]) func `Each way to combine fields of one name works as specified`(attributes: String, path: String) throws {
        let widget = try Self.form(attributes, fields: #""mandatoryFields": [], "optionalFields": ["a", "b", "c"]"#)
        try widget.type("one", into: "a")
        try widget.type("two", into: "b")
        try widget.tap("send")
        #expect(Self.sent(widget) == path)
    }

    @Test func `A mandatory field wins over an optional one of its name`() throws {
        let widget = try Self.form(
            #""dublicateKeyPolicy": "join""#, fields: #""mandatoryFields": ["a"], "optionalFields": ["b", "c"]"#)
        try widget.type("one", into: "a")
        try widget.type("two", into: "b")
        try widget.type("three", into: "c")
        try widget.tap("send")
        #expect(Self.sent(widget) == "one/three")
    }

    @Test(arguments: [("", false), (#""acceptsEmptyText": false"#, false), (#""acceptsEmptyText": true"#, true)])
    func `An empty text counts as missing unless the scheme accepts it, and missing fields are marked`(
        attributes: String, isSent: Bool
    ) throws {
        let widget = try Self.form(attributes, fields: #""mandatoryFields": ["a", "c"]"#)
        try widget.type("", into: "a")
        try widget.type("three", into: "c")
        let refusal = try widget.refusal(of: "send") { .tap($0) }
        #expect((refusal == nil) == isSent && (Self.sent(widget) == "/three") == isSent)
        let (first, second) = (try widget.key("a"), try widget.key("c"))
        #expect((widget.view().node(first)?.isTrue("invalid") ?? false) != isSent)
        #expect(!(widget.view().node(second)?.isTrue("invalid") ?? true))
        try widget.type("x", into: "a")
        #expect(
            !(widget.view().node(first)?.isTrue("invalid") ?? true), "what is being filled in is not marked any more")
    }

    // MARK: - Signals, alerts and senders

    @Test func `A display that renders on a signal gives an element its value again`() throws {
        let widget = try S.widget(
            S.element("switch", "light", attributes: #"on="NO""#),
            #"""
            "objects": {"none": {"type": "BaseContentProvider"},
              "show": {"type": "BaseDisplayController", "attrs": {"renderOn": "lampSuccess"}, "outlets": {"mainContentProvider": "none", "elements": ["light"]}}},
            "elements": {"@self": {"attrs": {"content": {"on": true}}}, "light": {"bindings": [{"from": "content.on"}]}}
            """#
        ).started()
        func isOn() throws -> Bool { widget.view().node(try widget.key("light"))?.isTrue(.value) ?? false }
        #expect(try isOn())
        try widget.tap("light")
        widget.send(.signal(name: "lamp", phase: .ready, error: nil))
        #expect(try !isOn(), "what was changed stays")
        widget.send(.signal(name: "lamp", phase: .success, error: nil))
        #expect(try isOn())
    }

    @Test func `Each action belongs to its sender, and no tap gets through an alert`() throws {
        let widget = try S.widget(
            S.button("one", "One") + S.button("two", "Two", y: 30),
            #"""
            "objects": {"first": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "one"}},
              "second": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "two"}},
              "status": {"type": "ActionStatusController", "attrs": {"actionName": "fail", "errorMessage": "Sorry", "errorTitle": "No"}}},
            "elements": {\#(`A scheme`.stubSelf)}
            """#, files: ["StubService.json": Self.service]
        ).started()
        try widget.tap("one")
        #expect(widget.settle())
        try widget.tap("two")
        #expect(widget.store.visible?.actions["first"]?.isSuccess ?? false)
        #expect(widget.store.visible?.actions["second"]?.isInProgress ?? false)
        #expect(widget.settle())
        widget.send(.signal(name: "fail", phase: .error, error: "why"))
        #expect(widget.store.alerts.map(\.title) == ["No"])
        #expect(try widget.refusal(of: "one") { .tap($0) } != nil && widget.store.requests.isEmpty)
        try widget.tap("OK")
        try widget.tap("one")
        #expect(widget.store.requests.count == 1)
    }

    @Test(arguments: [("", 1), (#", "autoUpload": true"#, 1), (#", "autoUpload": false"#, 0)])
    func `Picked media is sent automatically, or left to an action`(attributes: String, count: Int) throws {
        let container = S.element("view", "container", height: 40, class: "UploadContainerView")
        let widget = try S.widget(
            S.element(
                "view", "form", height: 60, class: "MediaUploadFormView", inside: "<subviews>\(container)</subviews>")
                + S.button("send", "Send", y: 100),
            #"""
            "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"form": "form", "sender": "send"}}},
            "elements": {"form": {"attrs": {"wx_fieldName": "id"\#(attributes)}, "outlets": {"uploadContainer": "container"}},
              "container": {"attrs": {"wx_fieldName": "media"}}}
            """#,
            files: [
                "Service.json":
                    #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"go": {"isUpload": true}}}"#
            ]
        ).started()
        let media = Media(fileName: "a.png", bytes: [1, 2, 3], contentType: "image/png", isFilm: false)
        #expect(try widget.refusal(of: "form") { .pick($0, media) } == nil)
        #expect(widget.driver.waiting.count == count)
        if count == 0 { try widget.tap("send") }
        #expect(widget.driver.waiting.last?.request.body == [1, 2, 3], "what has no parts is sent as it is")
    }
}
