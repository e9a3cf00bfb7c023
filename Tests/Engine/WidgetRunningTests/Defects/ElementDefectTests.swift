import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

extension `Defects of the original` {
    static let things = #"[{"name": "alpha"}, {"name": "beta"}, {"name": "gamma"}]"#
    static let names = #""name": {"bindings": [{"from": "content.name"}]}"#

    @Test(arguments: ["CollectionDisplayController", "CollectionPageScrollController"])
    func `defect 12: collections show what their providers have`(type: String) throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.collection("grid", cells: [TestStoryboard.cell("Cell", labels: ["name"], isGrid: true)]),
            #"""
            "objects": {"items": {"type": "JSONFileDataProvider", "attrs": {"fileName": "things"}},
              "show": {"type": "\#(type)", "outlets": {"mainContentProvider": "items", "collectionView": "grid"}}},
            "elements": {\#(Self.names)}
            """#, files: ["things.json": Self.things]
        ).started()
        #expect(widget.column("name") == ["alpha", "beta", "gamma"] && widget.diagnostics.isEmpty)
    }

    @Test func `defect 12: a collection of managed objects shows what its chain makes of them`() throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.table("list", cells: [TestStoryboard.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"last": {"type": "ManagedObjectsCollection", "attrs": {"entityName": "Entry", "sortByFields": "entryId",
                "resultChain": ["wx_takeLast:"], "resultChainArgs": ["2"]}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "last", "tableView": "list"}},
              "load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}}},
            "elements": {"@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}},
              "name": {"bindings": [{"from": "content.title"}]}}
            """#,
            files: [
                "StubService.json": `A mediator`.stub(
                    #""log": {"resultType": "[Entry]", "response": \#(`A mediator`.entries(1...5))}"#)
            ]
        ).started()
        #expect(widget.column("name") == ["title 4", "title 5"] && widget.diagnostics.isEmpty)
    }

    @Test func `defect 13: a row that is searched for has the prototype that the attribute names`() throws {
        let cells = [TestStoryboard.cell("Plain", labels: ["name"]), TestStoryboard.cell("Found", labels: ["found"])]
        let widget = try TestStoryboard.widget(
            TestStoryboard.element("searchBar", "bar", height: 44) + TestStoryboard.table("list", cells: cells),
            #"""
            "objects": {"items": {"type": "JSONFileDataProvider", "attrs": {"fileName": "things"}},
              "table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Plain", "searchCellIdentifier": "Found"},
                "outlets": {"mainContentProvider": "items", "tableView": "list", "searchController": "search"}},
              "search": {"type": "SearchActionController", "attrs": {"actionName": "find", "filterFormat": "name CONTAINS $input"},
                "outlets": {"sender": "bar"}}},
            "elements": {\#(Self.names), "found": {"bindings": [{"from": "content.name"}]},
              "@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}}}
            """#,
            files: ["things.json": Self.things, "StubService.json": `A mediator`.stub(#""find": {"response": {}}"#)]
        ).started()
        #expect(widget.column("name").count == 3 && widget.column("found").isEmpty)
        try widget.type("m", into: "bar")
        widget.advance(by: 1)
        #expect(widget.column("found") == ["gamma"] && widget.column("name").isEmpty)
    }

    @Test(arguments: [true, false])
    func `defect 14: an emptied field searches for nothing any more, and cancelling keeps what was typed`(
        isDynamic: Bool
    ) throws {
        let input = TestStoryboard.element(
            "view", "input", height: 44, class: "TextInputView",
            inside: "<subviews>" + TestStoryboard.element("textField", "inner", height: 30)
                + TestStoryboard.button("clear", "Clear") + TestStoryboard.label("hint", "Type here") + "</subviews>",
            connections: """
                <outlet property="textInput" destination="inner" id="o1"/><outlet property="clearButton" destination="clear" id="o2"/>
                <outlet property="placeholder" destination="hint" id="o3"/>
                """)
        let widget = try TestStoryboard.widget(
            input + TestStoryboard.table("list", cells: [TestStoryboard.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"items": {"type": "JSONFileDataProvider", "attrs": {"fileName": "things"}},
              "table": {"type": "TableDisplayController",
                "outlets": {"mainContentProvider": "items", "tableView": "list", "searchController": "search"}},
              "search": {"type": "SearchActionController", "attrs": {"filterFormat": "name CONTAINS $input", "dynamicSearch": \#(isDynamic)},
                "outlets": {"sender": "input"}}},
            "elements": {\#(Self.names)}
            """#, files: ["things.json": Self.things]
        ).started()
        #expect(widget.shows("Type here") && !widget.shows("(Clear)") && widget.diagnostics.isEmpty)
        try widget.type("amm", into: "input")
        widget.advance(by: 1)
        #expect(!widget.shows("Type here") && widget.shows("(Clear)"))
        #expect(widget.column("name").count == (isDynamic ? 1 : 3), "by default it searches on return only")
        try widget.submit("input")
        #expect(widget.column("name") == ["gamma"])
        try widget.tap("clear")
        #expect(widget.column("name").count == 3 && widget.shows("Type here") && !widget.shows("(Clear)"))
        widget.advance(by: 1)
        #expect(widget.column("name").count == 3)
    }

    @Test func `defect 25: every control has a value to bind and to send`() throws {
        let controls = [
            ("slider", "slider", #"minValue="0" maxValue="10" value="2""#),
            ("stepper", "stepper", #"minimumValue="1" maximumValue="5" value="3" stepValue="1""#),
            ("switch", "switch", #"on="NO""#), ("pageControl", "pages", #"numberOfPages="4" currentPage="1""#),
        ]
        let segments = TestStoryboard.element(
            "segmentedControl", "segments", y: 200, attributes: #"selectedSegmentIndex="0""#,
            inside: #"<segments><segment title="Red"/><segment title="Blue"/></segments>"#)
        let date = TestStoryboard.element("view", "date", y: 240, class: "UIDatePicker")
        let search = TestStoryboard.element("searchBar", "bar", y: 280, height: 44)
        let views = controls.enumerated().map { place, control in
            TestStoryboard.element(control.0, control.1, y: place * 40, attributes: control.2)
                + TestStoryboard.label("\(control.1)Text", y: place * 40 + 20)
        }
        let all = controls.map(\.1) + ["segments", "date", "bar"]
        let texts = ["segments", "date", "bar"].enumerated().map {
            TestStoryboard.label("\($1)Text", y: 300 + $0 * 20)
        }
        let bindings = all.map {
            #""\#($0)Text": {"bindings": [{"from": "\#($0).wx_value", "format": "\#($0) is %@"}]}"#
        }
        let widget = try TestStoryboard.widget(
            views.joined() + segments + date + search + texts.joined(),
            #""elements": {\#(bindings.joined(separator: ", "))}"#
        ).started()
        for text in ["slider is 2", "stepper is 3", "switch is 0", "pages is 1", "segments is 0"] {
            #expect(widget.shows(text), "\(text) in \(widget.text())")
        }
        for (name, value) in [
            ("slider", "7.5"), ("stepper", "9"), ("switch", "yes"), ("pages", "2"), ("segments", "Blue"),
            ("date", "2018-06-20 17:00"), ("bar", "words"),
        ] {
            let refusal = try widget.refusal(of: name) { .input($0, .string(value)) }
            #expect(refusal == nil)
        }
        for text in [
            "slider is 7.5", "stepper is 5", "switch is 1", "pages is 2", "segments is 1",
            "date is 2018-06-20 17:00:00 +0000", "bar is words",
        ] {
            #expect(widget.shows(text), "\(text) in \(widget.text())")
        }
        for (name, value) in [("slider", "much"), ("date", "soon"), ("segments", "Green")] {
            let refusal = try widget.refusal(of: name) { .input($0, .string(value)) }
            #expect(refusal != nil, "\(name) takes no \(value)")
        }
    }

    @Test(arguments: ["wx_imageUrl", "wx_imageName", "wx_autoValue"])
    func `defect 27: any binding of a picture may have its placeholder`(target: String) throws {
        func picture(_ bindings: String, content: String = "{}") throws -> [String] {
            let widget = try TestStoryboard.widget(
                TestStoryboard.element("imageView", "picture", height: 40),
                #""elements": {"@self": {"attrs": {"content": \#(content)}}, "picture": {"bindings": [\#(bindings)]}}"#
            ).started()
            #expect(widget.diagnostics.isEmpty)
            return widget.column("picture")
        }
        let binding = #"{"to": "\#(target)", "from": "content.address""#
        let address = #"{"address": "https://pictures.example.com/ship.png"}"#
        #expect(try picture(binding + #", "placeholder": "gull"}"#) == ["gull"])
        #expect(try picture(binding + #"}, {"to": "wx_value", "placeholder": "gull"}"#) == ["gull"])
        #expect(try picture(binding + "}") == ["no image"])
        if target != "wx_imageName" {
            #expect(
                try picture(binding + #"}, {"to": "wx_value", "placeholder": "gull"}"#, content: address) == [
                    "ship.png"
                ])
        }
    }

    @Test func `a picture of the bundle may be called like the beginning of an address`() throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.element("imageView", "picture", height: 40),
            #""elements": {"picture": {"bindings": [{"to": "wx_imageName", "placeholder": "httpLogo"}]}}"#
        ).started()
        #expect(widget.column("picture") == ["httpLogo"])
    }

    @Test func `defect 28: the entity and the owner of a record are inherited`() throws {
        let model = EntityModel(
            [
                EntityModel.Entity(
                    "Post",
                    properties: [
                        .attribute(.init("postId", .string, jsonKeyPath: ["id"])),
                        .relationship(.init("author", to: "User", jsonKeyPath: ["author"])),
                    ], identity: ["postId"], ownerRelationship: "author"),
                EntityModel.Entity("Reply", parent: "Post"),
                EntityModel.Entity(
                    "User", properties: [.attribute(.init("userId", .string, jsonKeyPath: ["id"]))],
                    identity: ["userId"]),
                EntityModel.Entity("Account", parent: "User", isOwner: true),
                EntityModel.Entity("Admin", parent: "Account"),
            ], facts: ["objectId": .identity, "owner": .owner, "isMine": .isOwn])
        func object(_ members: KeyValuePairs<String, Value>) -> Value {
            .dictionary(PredicateDictionary(members.map { ($0.key, $0.value) }))
        }
        var mapper = RecordMapper(
            RecordEdit(RecordTable(model: model)), transformers: Transformers(), environment: Environment())
        _ = try mapper.store([object(["id": .string("me")])], as: "Admin")
        let reply = try mapper.store([object(["id": .string("7"), "author": .string("me")])], as: "Reply")
        let id = try #require(reply.first)
        let record = try #require(RecordObject(id, in: mapper.edit.table))
        #expect(record.value(forKey: "objectId")?.shown == "7")
        #expect(record.value(forKey: "owner")?.member("objectId").shown == "me")
        #expect(record.value(forKey: "isMine")?.truth ?? false)
        #expect(mapper.edit.table.count == 2)
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `defect 29: captions that are swapped in a bundle are shown as they are`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.select("tableView", row: 0)
        #expect(demo.shows("9000  REPOSTS  9999  FAVORITES"))
        let post = try #require(demo.store.visible?.content)
        #expect(post.member("favoritesCount").shown == "9000" && post.member("repostCount").shown == "9999")
    }
}
