import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: what a scheme says of a list's rows is what happens to them. Method: one list of two or three items.
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
    func `leads on from a row only where the list says so`(table: String, screens: Int) throws {
        let widget = try Self.screens(table)
        try widget.select("list", row: 1)
        #expect(widget.store.screens.count == screens)
        if screens == 2 { #expect(widget.shows("b") && !widget.shows("nobody")) }
    }

    @Test func `hands its row's content to a screen that takes it, and to no other`() throws {
        let widget = try Self.screens(#""performSegueForCells": 1"#, next: #""deriveSegueContent": false"#)
        try widget.select("list", row: 1)
        #expect(widget.store.screens.count == 2 && widget.shows("nobody"))
    }

    @Test(arguments: [
        ("", false), (#""clearsSelectionOnViewWillAppear": false"#, true),
        (#""clearsSelectionOnViewWillAppear": null"#, false),
    ])
    func `shows which row was touched, until its screen appears again or for good`(attributes: String, stays: Bool)
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
    func `collects rows by either of two names`(table: String) throws {
        let widget = try Self.screens(table)
        try widget.select("list", row: 0)
        #expect(widget.store.visible?.selection.values.first?.count == 1)
        try widget.select("list", row: 0)
        #expect(widget.store.visible?.selection.values.first?.isEmpty ?? false, "chosen twice is not chosen")
    }

    @Test func `asks of each row which prototype it has`() throws {
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

    @Test func `deletes by itself where nobody else is to be asked`() throws {
        let widget = try `A mediator`.widget(
            [`A mediator`.provider, `A mediator`.load, `A mediator`.table(#", "allowDeletion": true"#)],
            service: `A mediator`.stub(#""log": {"resultType": "[Entry]", "response": \#(`A mediator`.mine)}"#)
        ).started()
        #expect(try widget.refusal(of: "tableView") { .deleteRow($0, section: 0, row: 0) } == nil)
        #expect(widget.column("titleText") == ["nobody's"])
    }

    @Test func `deletes nothing where it does not say that it may`() throws {
        let widget = try `A mediator`.widget(
            [`A mediator`.provider, `A mediator`.load, `A mediator`.table()],
            service: `A mediator`.stub(#""log": {"resultType": "[Entry]", "response": \#(`A mediator`.mine)}"#)
        ).started()
        #expect(try widget.refusal(of: "tableView") { .deleteRow($0, section: 0, row: 0) } != nil)
        #expect(widget.column("titleText").count == 2)
    }
}
