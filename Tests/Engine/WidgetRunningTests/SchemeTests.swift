import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: each property of interfaces and schemes has its specified effect. Method: small screens, each about one
/// property or a few that belong together.
@Suite struct `A scheme` {
    typealias S = TestStoryboard

    static let stubSelf = #""@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}}"#

    static func rows(_ names: String..., attributes: String = "", table: String = "") -> String {
        let items = names.map { #"{"name": "\#($0)"}"# }.joined(separator: ", ")
        return #"""
            "items": {"type": "BaseContentProvider", "attrs": {"items": [\#(items)]\#(attributes)}},
            "table": {"type": "TableDisplayController"\#(table.isEmpty ? "" : ", \"attrs\": {\(table)}"), "outlets": {"mainContentProvider": "items", "tableView": "list"}}
            """#
    }

    static let name = #""name": {"bindings": [{"from": "content.name"}]}"#

    // MARK: - Mediators in interfaces

    @Test func `A scheme may leave everything to mediators in the interface, and change them`() throws {
        let objects =
            S.mediator("BaseContentProvider", "items", [("sortByFields", "name"), ("alias", "things")])
            + S.mediator(
                "TableDisplayController", "table",
                connections: """
                    <outlet property="mainContentProvider" destination="items" id="c1"/><outlet property="tableView" destination="list" id="c2"/>
                    """)
        let widget = try S.widget(
            S.table("list", cells: [S.cell("Cell", labels: ["name"])]) + S.label("count", y: 60),
            #"""
            "objects": {"items": {"type": "ActionController", "alias": "things", "attrs": {"items": [{"name": "b"}, {"name": "a"}]}}},
            "elements": {\#(Self.name), "count": {"bindings": [{"from": "things.totalCount", "format": "%@ things"}]}}
            """#
        ) { $0.objects = objects }.started()
        #expect(widget.column("name") == ["a", "b"] && widget.shows("2 things") && widget.diagnostics.isEmpty)
    }

    @Test func `A scheme may take rows from separate interfaces`() throws {
        let nib = """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" toolsVersion="14460" targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES">
            <objects><placeholder placeholderIdentifier="IBFilesOwner" id="-1" userLabel="File's Owner"/><placeholder placeholderIdentifier="IBFirstResponder" id="-2" customClass="UIResponder"/>
            \(S.cell("Loose", labels: ["name"]))</objects></document>
            """
        var first = S.Screen(name: "Main", views: S.table("list", cells: []))
        first.connections = #"<segue destination="Next-controller" kind="show" identifier="Loose" id="by-name"/>"#
        let widget = try S.widget(
            [first, .init(name: "Next", views: S.label("x", "There"))],
            [
                "Main":
                    #""objects": {\#(Self.rows("a", "b", table: #""cellNibNames": "Loose", "cellIdentifier": "Loose""#))}, "elements": {\#(Self.name)}"#
            ],
            files: ["Loose.xib": nib]
        ).started()
        #expect(widget.column("name") == ["a", "b"] && widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        // Rows from separate interfaces perform the segue of their name, unless an attribute switches that off.
        try widget.select("list", row: 1)
        #expect(widget.shows("There") && widget.store.visible?.content.member("name").shown == "b")
    }

    // MARK: - Lists

    @Test(arguments: [(false, ["b"]), (true, ["a", "b"])])
    func `A list may collect one chosen row or several`(isSeveral: Bool, chosen: [String]) throws {
        let widget = try S.widget(
            S.table(
                "list", attributes: isSeveral ? #"allowsMultipleSelection="YES""# : "",
                cells: [S.cell("Cell", labels: ["name"])]),
            #""objects": {\#(Self.rows("a", "b", table: #""collectSelectedObjects": true, "defaultSelectionBehavior": false"#))}, "elements": {\#(Self.name)}"#
        ).started()
        for row in 0..<2 { try widget.select("list", row: row) }
        var selected: [String] = []
        widget.view().visit { node in
            if node.isTrue("selected") {
                selected.append(node.children.first?.children.first?.children.first?.text(.text) ?? "")
            }
            return true
        }
        #expect(selected == chosen)
        try widget.select("list", row: 1)
        let left = widget.store.visible?.selection.values.flatMap { $0 }.map { $0.member("name").shown }
        #expect(left == Array(chosen.dropLast()))
    }

    @Test func `A scheme may name its list by elements, render on a signal, and set off a provider`() throws {
        let widget = try S.widget(
            S.table("list", cells: [S.cell("Cell", labels: ["name"])]) + S.button("drop", "Drop")
                + S.button("ask", "Ask", y: 30)
                + S.label("state", y: 60),
            #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "a"}], "searchString": "a", "filterFormat": "name == $input"}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "items", "elements": ["list"]}},
              "show": {"type": "BaseDisplayController", "attrs": {"renderOn": "askReady"}, "outlets": {"mainContentProvider": "items", "elements": ["state"]}},
              "ask": {"type": "ButtonActionController", "attrs": {"actionName": "ask"}, "outlets": {"sender": "ask-button"}}},
            "elements": {\#(Self.stubSelf), \#(Self.name), "drop": {"action": {"target": "items", "selector": "reset"}}}
            """#.replacing("ask-button", with: "ask"),
            files: ["StubService.json": `A mediator`.stub(#""ask": {"response": {}}"#)]
        ).started()
        #expect(widget.column("name") == ["a"], "a text to search for may stand there from the beginning")
        try widget.tap("drop")
        #expect(widget.column("name").isEmpty, "what is reset forgets what it had in memory")
    }

    // MARK: - Actions

    @Test func `An action may ask a target first, and the service when the target does not know it`() throws {
        func widget(_ target: String) throws -> DrivenWidget {
            let widget = try S.widget(
                S.button("go", "Go") + S.label("text", "Text", y: 30),
                #"""
                "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "login"}, "outlets": {"sender": "go", "target": "\#(target)"}}},
                "elements": {\#(Self.stubSelf)}
                """#, files: ["StubService.json": `A mediator`.stub(#""login": {"response": {}}"#)]
            ).started()
            try widget.tap("go")
            return widget
        }
        for target in ["text", "@self", "session"] {
            let widget = try widget(target)
            #expect(widget.log.contains { $0.text == "loginStart" }, "\(target) knows no login")
        }
        let nowhere = try widget("session")
        #expect(nowhere.diagnostics.map(\.code) == [.unknownObject], "that an outlet leads nowhere is said")
    }

    @Test func `A screen with a class of the host is asked by that class`() throws {
        let widget = try S.widget(
            S.button("go", "Go"),
            #"""
            "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "login"}, "outlets": {"sender": "go", "target": "@self"}}},
            "elements": {\#(Self.stubSelf)}
            """#, files: ["StubService.json": `A mediator`.stub(#""login": {"response": {}}"#)]
        ) { $0.controller = "Host" }.started()
        try widget.tap("go")
        var requests: [HostRequest] = []
        widget.change { requests = $0.takeHostRequests() }
        guard case .native(.message(let target, let selector), _)? = requests.first else {
            Issue.record("the host is not asked"); return
        }
        #expect(target == "@self" && selector == "login:sender:" && !widget.log.contains { $0.text == "loginStart" })
    }

    @Test func `A scheme may cancel actions under way`() throws {
        let widget = try S.widget(
            S.button("go", "Go") + S.button("stop", "Stop", y: 30) + S.label("text", y: 60),
            #"""
            "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "slow", "actionDelay": 1}, "outlets": {"sender": "go", "cancelButton": "stop"}},
              "status": {"type": "ActionStatusController", "attrs": {"actionName": "slow", "errorMessage": "Oh"}}},
            "elements": {\#(Self.stubSelf), "text": {"bindings": [{"predicateFormat": "status.inProgress == 1", "ifTrue": "busy", "ifFalse": "idle"}]}}
            """#, files: ["StubService.json": `A mediator`.stub(#""slow": {"response": {}}"#, delay: 5)]
        ).started()
        try widget.tap("go")
        #expect(widget.shows("idle"))
        widget.advance(by: 1)
        #expect(widget.shows("busy"))
        try widget.tap("stop")
        #expect(widget.shows("idle") && widget.store.requests.isEmpty && widget.store.alerts.isEmpty)
        widget.advance(by: 10)
        #expect(!widget.log.contains { $0.text == "slowReady" })
    }

    @Test func `Actions of the screen lead forward, back and away`() throws {
        let next = #"<segue destination="Next-controller" kind="show" identifier="Next" id="named-next"/>"#
        let forward = S.button(
            "on", "On",
            connections:
                #"<action selector="nextAction:" destination="Main-controller" eventType="touchUpInside" id="a1"/>"#)
        let back = S.button(
            "out", "Out",
            connections:
                #"<action selector="backAction:" destination="Next-controller" eventType="touchUpInside" id="a2"/>"#)
        let widget = try S.widget(
            [
                .init(name: "Main", views: forward, connections: next),
                .init(name: "Next", views: back, title: "Second"),
            ],
            ["Main": #""elements": {"@self": {"attrs": {"content": {"title": "kept"}}}}"#]
        ).started()
        try widget.tap("on")
        #expect(widget.view().title == "Second" && widget.store.visible?.content.member("title").shown == "kept")
        try widget.tap("out")
        #expect(widget.store.screens.count == 1)
    }

    // MARK: - Elements

    @Test func `A scheme may unveil, shade and read what it has set`() throws {
        let widget = try S.widget(
            S.label("veiled", "Now you see me") + S.label("text", y: 30) + S.element("view", "box", y: 60, inside: ""),
            #"""
            "elements": {"veiled": {"attrs": {"hidden": true, "unveilAlpha": 1, "wx.layoutHint.top": 12, "wx.name": "a veil"}},
              "box": {"attrs": {"standardShadow": true, "alpha": 0}},
              "text": {"bindings": [{"format": "$veiled.wx.identifier $veiled.wx.name $veiled.wx.layoutHint.top $box.shadowRadius $veiled.wx_visible"}]}}
            """#
        ).started()
        #expect(widget.shows("Now you see me") && widget.shows("veiled a veil 12 2 1"))
        #expect(widget.column("box").isEmpty, "what is clear through and through is not there")
    }

    @Test func `A scheme toggles constraints, and an invalid value leaves a control as it is`() throws {
        let gap = """
            <constraint firstItem="text" firstAttribute="top" secondItem="Main-view" secondAttribute="top" constant="24" id="gap" customClass="ExpandingConstraint" customModule="WidgetKit">
            <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="gap"/></userDefinedRuntimeAttributes>
            </constraint>
            """
        let widget = try S.widget(
            S.label("text") + S.button("fold", "Fold", y: 40)
                + S.element("switch", "light", y: 80, attributes: #"on="YES""#),
            #"""
            "elements": {"text": {"bindings": [{"from": "gap.wx_value", "format": "%@ points"}]},
              "fold": {"action": {"target": "gap", "selector": "toggle"}}, "light": {"bindings": [{"from": "defaults.nothing"}]}}
            """#
        ) { $0.constraints = gap }.started()
        #expect(widget.shows("24 points") && widget.shows("[x]"))
        for points in ["0 points", "24 points", "0 points"] {
            try widget.tap("fold")
            #expect(widget.shows(points))
        }
    }

    @Test func `Rows may have controls, each with its own state`() throws {
        let row = S.cell("Cell", labels: ["name"]).replacing(
            "<subviews><label", with: "<subviews>\(S.element("switch", "light", x: 200))<label", maxReplacements: 1)
        let widget = try S.widget(
            S.table("list", cells: [row]),
            #""objects": {\#(Self.rows("a", "b"))}, "elements": {\#(Self.name)}"#
        ).started()
        var keys: [ViewKey] = []
        widget.view().visit { node in
            if node.kind == .toggle { keys.append(node.key) }
            return true
        }
        try #require(keys.count == 2)
        func states() -> [Bool] { keys.map { widget.view().node($0)?.isTrue(.value) ?? false } }
        widget.send(.tap(keys[1]))
        #expect(states() == [false, true])
        widget.send(.tap(keys[1]))
        widget.send(.tap(keys[0]))
        #expect(states() == [true, false])
    }

    @Test func `A list shows fixed rows, and follows changes in them`() throws {
        let cell = """
            <tableViewCell contentMode="scaleToFill" id="about-cell"><rect key="frame" x="0" y="0" width="320" height="44"/>
            <tableViewCellContentView key="contentView" contentMode="center" tableViewCell="about-cell" id="about-content"><rect key="frame" x="0" y="0" width="320" height="44"/>
            <subviews>\(S.label("about", "About us"))</subviews></tableViewCellContentView>
            <connections><segue destination="Next-controller" kind="show" id="about-segue"/></connections></tableViewCell>
            """
        let fixed = """
            <scene sceneID="fixed-scene"><objects><tableViewController restorationIdentifier="Main" id="Main-controller" sceneMemberID="viewController">
            <tableView key="view" contentMode="scaleToFill" dataMode="static" style="grouped" rowHeight="44" id="fixed-table"><rect key="frame" x="0" y="0" width="320" height="480"/>
            <sections><tableViewSection headerTitle="Settings" footerTitle="That is all." id="fixed-section"><cells>\(cell)</cells></tableViewSection></sections></tableView>
            <navigationItem key="navigationItem" title="Fixed" id="fixed-item"/></tableViewController>
            <placeholder placeholderIdentifier="IBFirstResponder" id="fixed-first" sceneMemberID="firstResponder"/></objects></scene>
            """
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            let text = S.text([.init(name: "Main", views: ""), .init(name: "Next", views: S.label("x", "Who we are"))])
            let parts = text.split(separator: "<scene ")
            sources["Main.storyboard"] = Array(
                (parts[0] + "<scene " + parts[1] + fixed + "<scene " + parts[3]).utf8)
        }.started()
        #expect(widget.shows("Settings\n") && widget.shows("About us") && widget.shows("That is all."))
        let row = try #require(ElementSearch(widget.view()).touchable.first { $0.name.contains("About us") })
        #expect(widget.send(.tap(row.key)) == nil && widget.shows("Who we are"))
    }
}

/// Goal: reused rows show the same as new ones. Method: a list of twelve rows, evaluated before and after a change of
/// each value that rows can depend on, and compared with an evaluation without a cache.
@Suite struct `Rows that are used again` {
    typealias S = TestStoryboard

    static func widget() throws -> DrivenWidget {
        let entries = (1...12).map {
            #"{"id": "\#($0 + 10)", "title": "t\#($0)", "time": "2026-06-20 0\#($0 % 9):15", "keeper": {"id": "k\#($0)", "name": "n\#($0)"}}"#
        }
        return try S.widget(
            S.button("rename", "Rename") + S.button("retitle", "Retitle", y: 30)
                + S.table(
                    "list", cells: [S.cell("Cell", labels: ["name", "keeper", "age", "setting"])]),
            #"""
            "objects": {"entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId"}},
              "table": {"type": "TableDisplayController", "attrs": {"collectSelectedObjects": true}, "outlets": {"mainContentProvider": "entries", "tableView": "list"}},
              "load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}},
              "renaming": {"type": "ButtonActionController", "attrs": {"actionName": "rename"}, "outlets": {"sender": "rename"}},
              "retitling": {"type": "ButtonActionController", "attrs": {"actionName": "retitle"}, "outlets": {"sender": "retitle"}}},
            "elements": {\#(`A scheme`.stubSelf), "name": {"bindings": [{"from": "content.title"}]},
              "keeper": {"bindings": [{"from": "content.keeper.name"}]},
              "age": {"bindings": [{"from": "content.time", "transformer": "ago"}]},
              "setting": {"bindings": [{"from": "defaults.word", "placeholder": "none"}]}}
            """#,
            files: [
                "StubService.json": #"""
                {"options": {"transformers": {"date": {"logTime": {"format": "yyyy-MM-dd HH:mm"}}}}, "actions": {
                  "log": {"resultType": "[Entry]", "response": [\#(entries.joined(separator: ","))]},
                  "rename": {"resultType": "Keeper", "response": {"id": "k3", "name": "renamed"}},
                  "retitle": {"resultType": "Entry", "response": {"id": "14", "title": "retitled"}}}}
                """#
            ]
        ).started()
    }

    /// The widget as text. It must be the same as for a new viewer, who has no cached rows.
    static func look(_ widget: DrivenWidget) -> String {
        let seen = ViewText(width: 100).text(widget.view())
        let anew = Evaluator(widget.program).view(of: widget.store, widget.environment)
        #expect(ViewText(width: 100).text(anew) == seen)
        return seen
    }

    @Test func `Reused rows show changes in records beside theirs, and in their own`() throws {
        let widget = try Self.widget()
        #expect(Self.look(widget).contains("n3"))
        try widget.tap("rename")
        #expect(widget.settle())
        let renamed = Self.look(widget)
        #expect(renamed.contains("renamed") && !renamed.contains("n3 ") && widget.instance.reevaluatedRows == 1)
        try widget.tap("retitle")
        #expect(widget.settle() && Self.look(widget).contains("retitled") && widget.instance.reevaluatedRows == 1)
    }

    @Test func `Reused rows show their new age`() throws {
        let widget = try Self.widget()
        var seen: Set<String> = [Self.look(widget)]
        for step in [1, 3_600, 7_200, 86_400, 3_456_000] as [Double] {
            widget.advance(by: step)
            seen.insert(Self.look(widget))
        }
        #expect(seen.count >= 5, "hours, days and months are not the same")
    }

    @Test func `Reused rows show a changed setting, and which of them were chosen`() throws {
        let widget = try Self.widget()
        #expect(Self.look(widget).contains("none"))
        widget.send(.setting("word", .string("given")))
        #expect(Self.look(widget).contains("given"))
        try widget.select("list", row: 2)
        #expect(Self.look(widget).split(separator: "\n").count { $0.hasPrefix("*") } == 1)
        try widget.select("list", row: 5)
        let row = Self.look(widget).split(separator: "\n").first { $0.hasPrefix("*") }
        #expect(row?.contains("t6") ?? false, "\(row ?? "none")")
    }
}
