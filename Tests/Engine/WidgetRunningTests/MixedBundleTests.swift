import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetLayout
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Bundles that have a storyboard and documents.
enum MixedBundle {
    typealias S = TestStoryboard

    /// - Parameters:
    ///   - documents: by their names, without the end of their files.
    ///   - first: the first document of the manifest.
    static func widget(
        _ screens: [S.Screen], _ schemes: [String: String] = [:], documents: [String: String],
        files: [String: String] = [:], first: String? = nil
    ) throws -> DrivenWidget {
        let files = try SampleBundle.files("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") || path.hasSuffix(".storyboard") {
                sources[path] = nil
            }
            if !screens.isEmpty { sources["Main.storyboard"] = Array(S.text(screens).utf8) }
            for (name, scheme) in schemes { sources["\(name).json"] = Array("{\"\(name)\": {\(scheme)}}".utf8) }
            for (name, text) in documents { sources["\(name).widgets.json"] = Array(text.utf8) }
            for (path, text) in files { sources[path] = Array(text.utf8) }
            guard let first, let manifest = sources["Info.plist"] else { return }
            let text = String(decoding: manifest, as: UTF8.self)
            sources["Info.plist"] = Array(
                text.replacing(
                    "<dict>", with: "<dict><key>WidgetDocument</key><string>\(first)</string>", maxReplacements: 1
                )
                .utf8)
        }
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test.mixed"))
        return DrivenWidget(WidgetInstance(program, environment: Environment(now: 803_678_400)))
    }

    static func view(_ name: String, y: Int = 100, height: Int = 200, runtime: [(String, String)] = []) -> String {
        S.element("view", name, y: y, height: height, runtime: runtime, inside: "<subviews/>")
    }

    static func label(_ text: String) -> String { #"{"kind": "label", "payload": {"text": "\#(text)"}}"# }

    /// A document with a parameter, a state and a button that changes the state.
    static let card = #"""
        {"schema": 1, "parameters": {"title": "untitled", "amount": 1}, "state": {"count": 0}, "root": [
          {"kind": "label", "id": "card-title", "payload": {"text": "$title"}},
          {"kind": "label", "id": "card-sum", "payload": {"text": {"$": "amount + count"}}},
          {"kind": "button", "id": "card-add", "payload": {"text": "Add"},
           "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#
}

/// Goal: a screen of a storyboard shows a document as one of its views. Method: small bundles with both, and the taps of a
/// person.
@Suite struct `A document in a view` {
    typealias S = TestStoryboard
    typealias M = MixedBundle

    private static func screen(_ views: String) -> [S.Screen] { [S.Screen(name: "Main", views: views)] }

    @Test func `A view is filled by the document that its scheme names, with values of the screen`() throws {
        let widget = try M.widget(
            Self.screen(S.label("head", "Above") + M.view("place")),
            [
                "Main": #"""
                "elements": {"@self": {"attrs": {"content": {"name": "Ann", "size": 40}}},
                  "place": {"document": "card", "with": {"title": "Card of $content.name", "amount": "$content.size"}}}
                """#
            ], documents: ["card": M.card]
        ).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.column("card-title") == ["Card of Ann"] && widget.shows("Above"))
        try widget.tap("card-add")
        try widget.tap("card-add")
        #expect(widget.column("card-sum") == ["42"])
    }

    @Test func `A view is filled by the document of its runtime attribute`() throws {
        let widget = try M.widget(
            Self.screen(M.view("place", runtime: [("wx.document", "card")])), documents: ["card": M.card]
        ).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.column("card-title") == ["untitled"])
    }

    @Test func `Two views with one document have different states`() throws {
        let widget = try M.widget(
            Self.screen(M.view("one", y: 0) + M.view("two", y: 300)),
            ["Main": #""elements": {"one": {"document": "card"}, "two": {"document": "card"}}"#],
            documents: ["card": M.card]
        ).started()
        try widget.tap("card-add#2")
        #expect(widget.column("card-sum") == ["1", "2"])
    }

    @Test func `A value of a document is written as bindings are, and keeps its kind`() throws {
        let widget = try M.widget(
            Self.screen(M.view("place")),
            [
                "Main": #"""
                "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"n": 1}, {"n": 2}]}}},
                "elements": {"place": {"document": "card", "with": {
                  "amount": {"from": "items.totalCount"},
                  "title": {"predicateFormat": "items.totalCount > 1", "ifTrue": "many", "ifFalse": "few"}}}}
                """#
            ], documents: ["card": M.card]
        ).started()
        try widget.tap("card-add")
        #expect(widget.column("card-title") == ["many"] && widget.column("card-sum") == ["3"])
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
    }

    @Test func `The rows of a list show a document with the values of their items`() throws {
        let cell = S.cell("Cell", labels: ["name"]).replacing(
            "<subviews><label", with: "<subviews>\(M.view("part", y: 20, height: 20))<label", maxReplacements: 1)
        let widget = try M.widget(
            Self.screen(S.table("list", cells: [cell])),
            [
                "Main": #"""
                "objects": {\#(`A scheme`.rows("a", "b"))},
                "elements": {"part": {"document": "line", "with": {"text": "$content.name"}}}
                """#
            ],
            documents: [
                "line": #"""
                {"schema": 1, "parameters": {"text": ""}, "state": {"last": "none"}, "root": [
                  {"kind": "button", "id": "pick", "payload": {"text": "$text"},
                   "on": {"tap": {"do": "set", "state": "last", "to": "$text"}}},
                  {"kind": "label", "id": "last", "payload": {"text": "$last"}}]}
                """#
            ]
        ).started()
        #expect(widget.column("pick") == ["a", "b"])
        try widget.tap("pick#2")
        #expect(widget.column("last") == ["b", "b"])
        #expect(widget.diagnostics.map(\.message) == ["All rows share the states of line"])
    }

    @Test func `The actions of load of a document in a view are taken once`() throws {
        let widget = try M.widget(
            Self.screen(M.view("place", runtime: [("wx.document", "part")])),
            documents: [
                "part": #"""
                {"schema": 1, "state": {"count": 0}, "on": {"load": {"do": "set", "state": "count", "to": {"$": "count + 1"}}},
                 "root": [{"kind": "label", "id": "count", "payload": {"text": "$count"}},
                   {"kind": "button", "id": "other", "payload": {"text": "Other"}, "on": {"tap": {"do": "alert", "title": "A"}}}]}
                """#
            ]
        ).started()
        #expect(widget.column("count") == ["1"])
        try widget.tap("other")
        #expect(widget.column("count") == ["1"])
    }

    @Test func `A script acts on a document in a view, and every printer shows it in its place`() async throws {
        let widget = try M.widget(
            Self.screen(M.view("place", y: 100, height: 300)),
            ["Main": #""elements": {"place": {"document": "card", "with": {"title": "Here"}}}"#],
            documents: ["card": M.card])
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(EventScript(Array(#"[{"tap": "card-add"}, {"expect": "2"}, {"snapshot": "after"}]"#.utf8)))
        #expect(run.output.contains("Here"))
        let view = run.view()
        Printers.check(view)
        let options = PrintOptions()
        let page = String(decoding: PagePrinter(run.instance.program, options).print(view, NoAssets()), as: UTF8.self)
        #expect(page.contains("Here") && page.contains("Add"))
        let layout = ScreenLayout(run.instance.program, Viewport())
        let placed = layout.placed(view)
        let box = try #require(placed.boxes.first { $0.view.identifier == "place" })
        for name in ["card-title", "card-sum", "card-add"] {
            let part = try #require(placed.boxes.first { $0.view.identifier == name }, "\(name) has no frame")
            #expect(part.frame.width > 0 && part.frame.height > 0, "\(name): \(part.frame)")
        }
        #expect(placed.findings.isEmpty, "\(placed.findings)")
        #expect(box.frame.height == 300)
    }

    @Test func `A document that a screen names and the bundle does not have is reported with its place`() throws {
        let widget = try M.widget(
            Self.screen(S.label("head", "Above") + M.view("place")),
            [
                "Main":
                    #""elements": {"place": {"document": "cart"}, "head": {"document": "card"}, "@self": {"document": "card"}}"#
            ],
            documents: ["card": M.card]
        ).started()
        let found = widget.diagnostics.filter { $0.severity == .error }
        #expect(
            found.map(\.message) == [
                "The screen itself cannot show a document in its place", "The bundle has no document cart",
                "head is a label, and only a plain view can show a document",
            ])
        let missing = try #require(found.first { $0.code == .unknownScreen })
        #expect(missing.hint == "did you mean card?" && missing.place?.file == "Main.json")
        #expect(widget.shows("Above"))
    }

    @Test func `A value for a parameter that the document does not have is reported`() throws {
        let widget = try M.widget(
            Self.screen(M.view("place")),
            ["Main": #""elements": {"place": {"document": "card", "with": {"titel": "A"}}}"#],
            documents: ["card": M.card]
        ).started()
        #expect(widget.diagnostics.map(\.message) == ["card has no parameter titel"])
        #expect(widget.diagnostics.first?.hint == "did you mean title?")
    }

    @Test func `A bundle without documents reports the one that a view names`() throws {
        let widget = try S.widget(M.view("place"), #""elements": {"place": {"document": "card"}}"#).started()
        #expect(widget.diagnostics.map(\.message) == ["The bundle has no document card"])
    }
}

/// Goal: screens of a storyboard and documents show each other. Method: small bundles with both.
@Suite struct `Screens and documents` {
    typealias S = TestStoryboard
    typealias M = MixedBundle

    private static func main(_ views: String, connections: String = "") -> S.Screen {
        var screen = S.Screen(name: "Main", views: views, title: "Main")
        screen.connections = connections
        return screen
    }

    private static let details = S.Screen(name: "Details", views: S.label("shown"), title: "Details")
    private static let detailsScheme = #""elements": {"shown": {"bindings": [{"from": "content.title"}]}}"#
    private static let open = #"""
        [{"kind": "label", "payload": {"text": "Start"}},
         {"kind": "button", "id": "open", "payload": {"text": "Open"},
          "on": {"tap": {"do": "push", "scene": "Details", "with": {"title": "From a document"}}}}]
        """#

    @Test func `A bundle with both begins with its storyboard, or with the document that its manifest names`() throws {
        let link = #""elements": {"go": {"action": {"document": "other"}}}"#
        let documents = [
            "other":
                #"{"kind": "vstack", "children": [\#(M.label("A document")), {"kind": "button", "id": "open", "payload": {"text": "Open"}, "on": {"tap": {"do": "push", "scene": "Main"}}}]}"#
        ]
        let screens = [Self.main(S.button("go", "Go"))]
        let first = try M.widget(screens, ["Main": link], documents: documents).started()
        #expect(first.shows("Go") && !first.shows("A document"))
        let second = try M.widget(screens, ["Main": link], documents: documents, first: "other.widgets.json").started()
        #expect(second.shows("A document") && !second.shows("Go"))
        #expect(first.diagnostics.isEmpty && second.diagnostics.isEmpty, "\(first.diagnostics + second.diagnostics)")
        try first.tap("go")
        #expect(first.shows("A document"))
        try second.tap("open")
        #expect(second.shows("Go"))
    }

    @Test func `A document pushes a screen of the storyboard, which gets its values as content`() throws {
        let widget = try M.widget(
            [Self.details], ["Details": Self.detailsScheme], documents: ["Main": Self.open],
            first: "Main.widgets.json"
        ).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        try widget.tap("open")
        #expect(widget.column("shown") == ["From a document"])
        widget.send(.back)
        #expect(widget.shows("Start"))
    }

    @Test func `A tap of a scheme pushes or presents a document with values of the screen`() throws {
        let widget = try M.widget(
            [Self.main(S.button("go", "Go") + S.button("front", "Front", y: 50))],
            [
                "Main": #"""
                "elements": {"@self": {"attrs": {"content": {"name": "Ann"}}},
                  "go": {"action": {"document": "card", "with": {"title": "$content.name", "amount": 5}}},
                  "front": {"action": {"document": "card", "with": {"title": "in front"}, "presented": true}}}
                """#
            ],
            documents: ["card": M.card.replacing(#""schema": 1,"#, with: #""schema": 1, "title": "Card","#)]
        ).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        try widget.tap("go")
        #expect(widget.column("card-title") == ["Ann"] && widget.column("card-sum") == ["5"])
        #expect(widget.store.screens.map(\.level) == [0, 0])
        widget.send(.back)
        try widget.tap("front")
        #expect(widget.column("card-title") == ["in front"] && widget.store.screens.map(\.level) == [0, 1])
    }

    @Test func `An action of the screen that is called like a document pushes it`() throws {
        let widget = try M.widget(
            [Self.main(S.button("go", "Go"))],
            [
                "Main": #"""
                "objects": {"show": {"type": "ButtonActionController", "attrs": {"actionName": "card"}, "outlets": {"sender": "go", "target": "@self"}}},
                "elements": {"@self": {"attrs": {"content": {"title": "Passed on"}}}}
                """#
            ], documents: ["card": M.card]
        ).started()
        try widget.tap("go")
        #expect(widget.column("card-title") == ["Passed on"])
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
    }

    @Test func `A segue to the storyboard of another name leads to the document of that name`() throws {
        let reference = """
            <scene sceneID="reference-scene"><objects>
            <viewControllerPlaceholder storyboardName="card" id="reference" sceneMemberID="viewController"/>
            <placeholder placeholderIdentifier="IBFirstResponder" id="reference-first" sceneMemberID="firstResponder"/>
            </objects></scene>
            """
        let main = Self.main(
            S.button("go", "Go", connections: #"<segue destination="reference" kind="show" id="segue"/>"#))
        let text = S.text([main]).replacing("</scenes>", with: "\(reference)</scenes>")
        let widget = try M.widget(
            [main], ["Main": #""elements": {"@self": {"attrs": {"content": {"title": "By segue"}}}}"#],
            documents: ["card": M.card], files: ["Main.storyboard": text]
        ).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        try widget.tap("go")
        #expect(widget.column("card-title") == ["By segue"])
    }

    @Test
    func `Screens and documents that nothing leads to are reported, and those that the other form leads to are not`()
        throws
    {
        let widget = try M.widget(
            [Self.main(S.button("go", "Go")), Self.details, S.Screen(name: "Lost", views: "")],
            ["Main": #""elements": {"go": {"action": {"document": "open"}}}"#],
            documents: ["open": Self.open, "alone": M.label("A")]
        ).started()
        #expect(
            widget.diagnostics.map(\.message).sorted() == [
                "Nothing leads to Lost, so it is never shown", "Nothing leads to alone, so it is never shown",
            ])
    }

    @Test func `A document with the name of a screen is another screen, and is reported`() throws {
        let widget = try M.widget(
            [
                Self.main(
                    S.button(
                        "go", "Go", connections: #"<segue destination="Details-controller" kind="show" id="segue"/>"#)
                        + S.button("doc", "Doc", y: 50)), Self.details,
            ],
            ["Main": #""elements": {"doc": {"action": {"document": "Details"}}}"#],
            documents: ["Details": M.label("The document")]
        ).started()
        #expect(widget.diagnostics.map(\.message) == ["Details is a document and a screen"])
        try widget.tap("go")
        #expect(widget.view().title == "Details" && !widget.shows("The document"))
        widget.send(.back)
        try widget.tap("doc")
        #expect(widget.shows("The document"))
    }

    @Test func `A document and a screen that a document names and the bundle does not have are reported`() throws {
        let widget = try M.widget(
            [Self.details], documents: ["Main": Self.open.replacing("Details", with: "Detials")],
            first: "Main.widgets.json"
        ).started()
        let missing = try #require(widget.diagnostics.first { $0.severity == .error })
        #expect(missing.message == "The bundle has no document or screen Detials")
        #expect(missing.hint == "did you mean Details?")
    }

    @Test func `A storyboard that cannot be read costs the documents nothing but the way to its screens`() throws {
        let files = BundleFiles([
            "Main.widgets.json": Array("[\(M.label("Start"))]".utf8), "Other.storyboardc/Info.plist": [1],
        ])
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test"))
        let widget = try DrivenWidget(WidgetInstance(program)).started()
        #expect(widget.shows("Start") && widget.diagnostics.map(\.severity) == [.error])
    }
}

/// Goal: a document has a screen of a storyboard as one of its elements. Method: small bundles with both.
@Suite struct `A screen in a document` {
    typealias S = TestStoryboard
    typealias M = MixedBundle

    private static func widget(
        _ screen: S.Screen, _ scheme: String, _ host: String, files: [String: String] = [:]
    ) throws -> DrivenWidget {
        let document = #"""
            {"schema": 1, "state": {"name": "Ann"}, "root": [
              {"kind": "label", "payload": {"text": "Before"}}, \#(host), {"kind": "label", "payload": {"text": "After"}},
              {"kind": "button", "id": "rename", "payload": {"text": "Rename"}, "on": {"tap": {"do": "set", "state": "name", "to": "Bo"}}}]}
            """#
        return try M.widget(
            [screen], [screen.name: scheme], documents: ["Main": document], files: files, first: "Main.widgets.json"
        ).started()
    }

    @Test func `The elements of a screen see the values of the document as their content`() throws {
        let widget = try Self.widget(
            S.Screen(name: "Part", views: S.label("shown", y: 20)),
            #""elements": {"shown": {"bindings": [{"from": "content.who"}]}}"#,
            #"{"kind": "host", "payload": {"document": "Part", "with": {"who": "$name"}}}"#)
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.column("shown") == ["Ann"])
        try widget.tap("rename")
        #expect(widget.column("shown") == ["Bo"])
        let lines = widget.text().split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
        #expect(lines.first == "Before" && lines.contains("After"))
    }

    @Test func `The lists and requests of a screen work within a document`() throws {
        let widget = try Self.widget(
            S.Screen(
                name: "Part",
                views: S.button("load", "Load") + S.label("state", y: 40)
                    + S.table("list", cells: [S.cell("Cell", labels: ["name"])])),
            #"""
            "objects": {\#(`A scheme`.rows("a", "b")),
              "ask": {"type": "ButtonActionController", "attrs": {"actionName": "ask"}, "outlets": {"sender": "load"}},
              "asked": {"type": "ActionStatusController", "attrs": {"actionName": "ask"}}},
            "elements": {\#(`A scheme`.stubSelf), \#(`A scheme`.name),
              "state": {"bindings": [{"predicateFormat": "asked.isSuccess == YES", "ifTrue": "done", "ifFalse": "not yet"}]}}
            """#,
            #"{"kind": "host", "payload": {"document": "Part"}}"#,
            files: ["StubService.json": `A mediator`.stub(#""ask": {"response": {}}"#)])
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.column("name") == ["a", "b"] && widget.column("state") == ["not yet"])
        try widget.tap("load")
        #expect(widget.settle())
        #expect(widget.column("state") == ["done"])
    }

    @Test func `A segue of a screen in a document passes on the content that the document gives`() throws {
        var part = S.Screen(
            name: "Part",
            views: S.button("go", "Go", connections: #"<segue destination="Next-controller" kind="show" id="segue"/>"#))
        part.title = ""
        let document = #"[{"kind": "host", "payload": {"document": "Part", "with": {"who": "Cy"}}}]"#
        let widget = try M.widget(
            [part, S.Screen(name: "Next", views: S.label("shown"))],
            ["Next": #""elements": {"shown": {"bindings": [{"from": "content.who"}]}}"#],
            documents: ["Main": document], first: "Main.widgets.json"
        ).started()
        try widget.tap("go")
        #expect(widget.column("shown") == ["Cy"])
    }

    @Test func `A screen has the height that it was drawn with, and every printer shows it`() throws {
        let widget = try Self.widget(
            S.Screen(name: "Part", views: S.label("shown", "In it", y: 20)), "",
            #"{"kind": "host", "payload": {"document": "Part"}, "style": {"height": 120}}"#)
        #expect(widget.shows("In it"))
        let view = widget.view()
        let placed = ScreenLayout(widget.program, Viewport()).placed(view)
        let frame = try #require(placed.boxes.first { $0.view.identifier == "shown" }).frame
        #expect(frame.width > 0 && frame.height > 0)
        let page = String(
            decoding: PagePrinter(widget.program, PrintOptions()).print(view, NoAssets()), as: UTF8.self)
        #expect(page.contains("In it"))
    }

    @Test(arguments: [
        (
            #"{"kind": "host", "payload": {"document": "Part", "with": {"a": 1}}}"#,
            #""objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": []}}}"#,
            "Part has requests or lists, which see the content of the whole document"
        ),
        (
            #"{"kind": "vstack", "items": {"in": [1, 2]}, "children": [{"kind": "host", "payload": {"document": "Part"}}]}"#,
            "", "Part is a screen, and cannot be repeated for items"
        ),
        (
            #"{"kind": "vstack", "children": [{"kind": "host", "payload": {"document": "Part"}}, {"kind": "host", "payload": {"document": "Part"}}]}"#,
            "", "Part is in this document already, and a screen has one place in it"
        ),
        (
            #"{"kind": "host", "payload": {"document": "Part"}}"#,
            #""elements": {"@self": {"attrs": {"content": {"a": 1}}}}"#,
            "Part sets its content, which here is that of the document"
        ),
        (
            #"{"kind": "host", "payload": {"document": "Part"}}"#,
            #""objects": {"name": {"type": "BaseContentProvider", "attrs": {"items": []}}}"#,
            "Part calls something name, and so does the document"
        ),
        (
            #"{"kind": "host", "payload": {"document": "Part"}}"#, #""elements": {"place": {"document": "Main"}}"#,
            "Part shows documents itself, and cannot be a part of one"
        ),
    ])
    func `A screen that cannot be a part of a document is refused with the reason`(
        host: String, scheme: String, message: String
    ) throws {
        let widget = try Self.widget(S.Screen(name: "Part", views: M.view("place")), scheme, host)
        #expect(widget.diagnostics.filter { $0.severity == .error }.map(\.message) == [message])
        #expect(widget.shows("Before") && widget.shows("After"))
    }
}
