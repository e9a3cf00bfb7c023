import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: bindings set the property that they name, and the first of two wins. Method: a few labels and buttons.
@Suite struct `What a scheme binds` {
    typealias S = TestStoryboard

    static func widget(_ elements: String) throws -> DrivenWidget {
        try S.widget(
            S.button("go", "Go") + S.label("text", "authored", y: 30)
                + S.element("textView", "words", y: 60, height: 60),
            #""elements": {"@self": {"attrs": {"content": {"yes": true, "no": false, "name": "Ada"}}}, \#(elements)}"#,
            files: ["Service.json": "{}"]
        ).started()
    }

    @Test func `A second binding to the same place is ignored, and reported`() throws {
        let widget = try Self.widget(
            #""text": {"bindings": [{"from": "content.name"}, {"to": "text", "format": "second"}]}"#)
        #expect(widget.column("text") == ["Ada"])
        #expect(widget.diagnostics.map(\.code) == [.duplicateBinding])
    }

    @Test(arguments: [
        ("wx_visible", "content.yes", 1), ("wx_visible", "content.no", 0), ("hidden", "content.yes", 0),
        ("hidden", "content.no", 1),
    ]) func `Bindings show and hide elements`(target: String, source: String, count: Int) throws {
        let widget = try Self.widget(#""text": {"bindings": [{"to": "\#(target)", "from": "\#(source)"}]}"#)
        #expect(widget.column("text").count == count)
    }

    @Test(arguments: [
        (#""bindings": [{"to": "enabled", "from": "content.no"}]"#, true),
        (#""bindings": [{"to": "enabled", "from": "content.yes"}]"#, false),
        (#""bindings": [{"to": "wx_disabled", "from": "content.yes"}]"#, true), (#""attrs": {"enabled": false}"#, true),
        (#""attrs": {"enabled": true}"#, false), (#""attrs": {"userInteractionEnabled": false}"#, true),
        (#""attrs": {"wx_disabled": true}"#, true),
    ]) func `Bindings and attributes enable and disable elements`(element: String, isDisabled: Bool) throws {
        let widget = try Self.widget(#""go": {\#(element)}"#)
        #expect(widget.shows("(Go, disabled)") == isDisabled)
    }

    @Test func `A read-only element cannot be changed`() throws {
        for (source, refused) in [("content.yes", true), ("content.no", false)] {
            let widget = try Self.widget(#""words": {"bindings": [{"to": "wx_readOnly", "from": "\#(source)"}]}"#)
            #expect((try widget.refusal(of: "words") { .input($0, .string("x")) } != nil) == refused)
            #expect(widget.shows("readonly") == refused)
        }
    }

    @Test func `Bindings give the screen its title and a setting its value`() throws {
        let widget = try S.widget(
            S.label("text"),
            #""elements": {"@self": {"attrs": {"content": {"name": "Ada"}}, "bindings": [{"to": "title", "from": "content.name"}, {"to": "defaults.last", "from": "content.name"}]}, "text": {"bindings": [{"from": "defaults.last", "placeholder": "nobody"}]}}"#
        ).started()
        #expect(widget.view().title == "Ada" && widget.shows("[ Ada ]") && widget.column("text") == ["Ada"])
        #expect(widget.driver.hasUnsavedSettings, "a setting that was assigned is kept as one that was given")
    }

    @Test func `Unused keys of elements and evaluations are reported`() throws {
        let widget = try S.widget(
            S.label("text") + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {\#(`A scheme`.rows("a").replacing(#""type": "TableDisplayController""#, with: #""type": "TableDisplayController", "evals": {"rowHeight": {}}"#))},
            "elements": {"text": {"binding": []}, \#(`A scheme`.name)}
            """#
        ).started()
        #expect(
            widget.diagnostics.count { $0.code == .unknownKey && $0.place?.line ?? 0 > 0 } == 2, "\(widget.diagnostics)"
        )
    }
}

/// Goal: every attribute of a list has its effect on its rows. Method: one list of two or three items.
@Suite struct `What a scheme says of a list` {
    typealias S = TestStoryboard

    /// Two screens; a row of the first may lead to the second by the name of its prototype.
    static func screens(
        _ table: String = "", selfOutlets: String = "", selfAttributes: String = "", next: String = "",
        prototypes: [String] = ["Cell"]
    ) throws -> DrivenWidget {
        let segues = prototypes.map {
            #"<segue destination="Next-controller" kind="show" identifier="\#($0)" id="by-\#($0)"/>"#
        }
        var first = S.Screen(
            name: "Main",
            views: S.table("list", cells: prototypes.map { S.cell($0, labels: [$0 == "Cell" ? "name" : "other"]) }))
        first.connections = segues.joined()
        return try S.widget(
            [first, .init(name: "Next", views: S.label("there"))],
            [
                "Main": #"""
                "objects": {\#(`A scheme`.rows("a", "b", table: table))},
                "elements": {\#(`A scheme`.name), "other": {"bindings": [{"from": "content.name", "format": "other %@"}]},
                  "@self": {"attrs": {\#(selfAttributes)}, "outlets": {\#(selfOutlets)}}}
                """#,
                "Next":
                    #""elements": {"@self": {"attrs": {\#(next)}}, "there": {"bindings": [{"from": "content.name", "placeholder": "nobody"}]}}"#,
            ]
        ).started()
    }

    @Test(arguments: [
        (#""performSegueForCells": 1"#, 2), (#""performSegueForCells": 0"#, 1), (#""performSegueForCells": -1"#, 1),
        ("", 1),
    ])
    func `A row leads to the next screen only where the list says so`(table: String, screens: Int) throws {
        let widget = try Self.screens(table)
        try widget.select("list", row: 1)
        #expect(widget.store.screens.count == screens)
        if screens == 2 { #expect(widget.shows("b") && !widget.shows("nobody")) }
    }

    @Test func `A row's content goes to a screen that takes it, and to no other`() throws {
        let widget = try Self.screens(#""performSegueForCells": 1"#, next: #""deriveSegueContent": false"#)
        try widget.select("list", row: 1)
        #expect(widget.store.screens.count == 2 && widget.shows("nobody"))
    }

    @Test(arguments: [
        ("", false), (#""clearsSelectionOnViewWillAppear": false"#, true),
        (#""clearsSelectionOnViewWillAppear": null"#, false),
    ])
    func `The touched row stays marked until its screen appears again, or for good`(attributes: String, stays: Bool)
        throws
    {
        let widget = try Self.screens(
            #""performSegueForCells": 1"#, selfOutlets: #""tableView": "list""#, selfAttributes: attributes)
        func selected() -> Int {
            var count = 0
            widget.view().visit { node in
                if node.isTrue("selected") { count += 1 }
                return true
            }
            return count
        }
        #expect(selected() == 0)
        try widget.select("list", row: 0)
        widget.send(.back)
        #expect(widget.store.screens.count == 1 && (selected() == 1) == stays)
    }

    @Test(arguments: [#""defaultSelectionBehavior": true"#, #""collectSelectedObjects": true"#])
    func `A list collects rows by either of two names`(table: String) throws {
        let widget = try Self.screens(table)
        try widget.select("list", row: 0)
        #expect(widget.store.visible?.selection.values.first?.count == 1)
        try widget.select("list", row: 0)
        #expect(widget.store.visible?.selection.values.first?.isEmpty ?? false, "chosen twice is not chosen")
    }

    @Test func `A list asks each row for its prototype`() throws {
        let widget = try S.widget(
            S.element("searchBar", "bar", height: 44)
                + S.table(
                    "list",
                    cells: [
                        S.cell("Cell", labels: ["name"]), S.cell("Other", labels: ["other"]),
                        S.cell("Found", labels: ["found"]),
                    ]),
            #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "a"}, {"name": "b"}]}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "items", "tableView": "list", "searchController": "search"},
                "evals": {"cellIdentifier": {"predicateFormat": "content.name == 'a'", "ifTrue": "Cell", "ifFalse": "Other"},
                  "searchCellIdentifier": {"predicateFormat": "content.name == 'a'", "ifTrue": "Other", "ifFalse": "Found"}}},
              "search": {"type": "SearchActionController", "attrs": {"actionName": "find"}, "outlets": {"sender": "bar"}}},
            "elements": {\#(`A scheme`.stubSelf), \#(`A scheme`.name), "other": {"bindings": [{"from": "content.name"}]},
              "found": {"bindings": [{"from": "content.name"}]}}
            """#, files: ["StubService.json": `A mediator`.stub(#""find": {"response": {}}"#)]
        ).started()
        #expect(widget.column("name") == ["a"] && widget.column("other") == ["b"])
        try widget.type("x", into: "bar")
        #expect(widget.column("name").isEmpty && widget.column("other") == ["a"] && widget.column("found") == ["b"])
        try widget.type("", into: "bar")
        #expect(widget.column("name") == ["a"] && widget.column("found").isEmpty)
    }

    @Test func `A list deletes a row itself where no service has to be asked`() throws {
        let widget = try `A mediator`.widget(
            [`A mediator`.provider, `A mediator`.load, `A mediator`.table(#", "allowDeletion": true"#)],
            service: `A mediator`.stub(#""log": {"resultType": "[Entry]", "response": \#(`A mediator`.mine)}"#)
        ).started()
        #expect(widget.deletionRefusal(of: "tableView", row: 0) == nil)
        #expect(widget.column("titleText") == ["nobody's"])
    }

    @Test func `A list without permission deletes nothing`() throws {
        let widget = try `A mediator`.widget(
            [`A mediator`.provider, `A mediator`.load, `A mediator`.table()],
            service: `A mediator`.stub(#""log": {"resultType": "[Entry]", "response": \#(`A mediator`.mine)}"#)
        ).started()
        #expect(widget.deletionRefusal(of: "tableView", row: 0) != nil)
        #expect(widget.column("titleText").count == 2)
    }
}

/// Goal: lists ask for more at the end that they track, and only there. Method: one list, scrolled to both ends.
@Suite struct `What a scheme says of scrolling` {
    typealias S = TestStoryboard

    static func widget(_ more: String, _ table: String = "", search: String = "", searchOutlet: String = "") throws
        -> DrivenWidget
    {
        try S.widget(
            S.element("searchBar", "bar", height: 44) + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "first"}, {"name": "last"}]}},
              "table": {"type": "TableInfiniteScrollController", "attrs": {\#(table)},
                "outlets": {"mainContentProvider": "items", "tableView": "list"\#(searchOutlet)}},
              \#(search)
              "more": {"type": "InfiniteScrollActionController", "attrs": {"actionName": "more"\#(more)}, "outlets": {"sender": "list"}}},
            "elements": {\#(`A scheme`.name)}
            """#,
            files: [
                "Service.json":
                    #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"more": {"path": "more/$name"}, "find": {"path": "find/$input"}}}"#
            ]
        ).started()
    }

    static func asked(_ widget: DrivenWidget, toEnd: Bool) throws -> [String] {
        #expect(try widget.refusal(of: "list") { .scroll($0, toEnd: toEnd) } == nil)
        var requests: [OutgoingRequest] = []
        widget.change { requests = $0.beginRequests() }
        return requests.map { String($0.request.url.dropFirst("https://x.example/".count)) }
    }

    @Test(
        arguments: [
            ("", "", [], ["more/last"]), (#", "trackScrollDown": true"#, "", [], ["more/last"]),
            (#", "trackScrollDown": false"#, "", ["more/first"], []),
            ("", #""scrollDownThreshhold": 0"#, [], []), ("", #""scrollUpThreshhold": 0"#, [], ["more/last"]),
            (#", "trackScrollDown": false"#, #""scrollUpThreshhold": -1"#, [], []),
            (#", "trackScrollDown": false"#, #""scrollDownThreshhold": 0"#, ["more/first"], []),
        ] as [(String, String, [String], [String])])
    func `A list asks for more at the end that it tracks, unless its threshold says never`(
        more: String, table: String, start: [String], end: [String]
    ) throws {
        #expect(try Self.asked(Self.widget(more, table), toEnd: false) == start)
        #expect(try Self.asked(Self.widget(more, table), toEnd: true) == end)
    }

    @Test func `A list asks for more search results while a search is shown`() throws {
        let widget = try Self.widget(
            "",
            search:
                #""search": {"type": "SearchActionController", "attrs": {"actionName": "find"}, "outlets": {"sender": "bar"}},"#,
            searchOutlet: #", "searchController": "search""#)
        #expect(try Self.asked(widget, toEnd: true) == ["more/last"])
        try widget.type("gull", into: "bar")
        #expect(try Self.asked(widget, toEnd: true).isEmpty, "what was asked for is still under way")
        let number = try #require(widget.store.requests.first).number
        widget.send(.response(request: number, .response(status: 200, body: .null)))
        #expect(try Self.asked(widget, toEnd: true) == ["find/gull"])
    }
}
