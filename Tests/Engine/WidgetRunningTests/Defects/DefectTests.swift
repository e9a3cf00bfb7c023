import JSONText
import Testing
import WidgetBundles
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetHosting
import WidgetIntake
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the defects of the framework of 2018 are fixed, and stay so. Method: one test for each defect in its
/// specification, named after the right behaviour; tests of a single module are among that module's tests, under the
/// same word and number.
@Suite struct `Defects of the original` {
    /// A sample of ours as an archive.
    static func archive(folder: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> [UInt8] {
        let compiled = try SampleBundle.compiled("HarbourLog", changing: changing)
        let entries = compiled.sorted { $0.key < $1.key }.map { path, bytes in
            ZipForge.Entry(Array("\(folder)/\(path)".utf8), bytes)
        }
        return ZipForge(entries).build().bytes
    }

    static func take(_ bytes: [UInt8], entryPoint: String = "Main") throws -> Program {
        let source = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try source.write(bytes, at: 0)
        do {
            return try BundleReading.program(
                of: try BundleSource(archive: source).take().opened, entryPoint: entryPoint)
        } catch SourceError.bundle(let error) {
            throw error
        }
    }

    @Test func `defect 1: loading one widget takes nothing from another`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let first = try DrivenWidget(WidgetInstance(Self.take(Self.archive(folder: "First.bundle")))).started()
        try first.save(to: "\(scratch.path)/first.sqlite")
        let shown = first.text()
        let second = try DrivenWidget(WidgetInstance(Self.take(Self.archive(folder: "Second.bundle")))).started()
        _ = try RecordStore(path: "\(scratch.path)/second.sqlite")
        #expect(second.text() == shown && first.text() == shown)
        try first.select("tableView", row: 0)
        let kept = try RecordStore(path: "\(scratch.path)/first.sqlite").load(model: first.program.model)
        #expect(kept.records.count == first.store.records.count && kept.records.count > 0)
    }

    @Test(arguments: ["Sample.bundle", "Named otherwise.bundle", "Payload/Sample.app"])
    func `defect 2: the one bundle in an archive is found under any name`(folder: String) throws {
        let program = try Self.take(Self.archive(folder: folder))
        #expect(program.scenes["LogViewController"] != nil)
    }

    @Test(arguments: ["Sample.bundle/../../x", "/etc/x", "Sample.bundle/a\\..\\..\\x"])
    func `defect 4: an archive whose entries lead out of it is refused`(name: String) throws {
        var entries = [ZipForge.Entry(Array("Sample.bundle/Info.plist".utf8), Array("x".utf8))]
        entries.append(ZipForge.Entry(Array(name.utf8), Array("x".utf8)))
        #expect(throws: BundleError.self) { _ = try Self.take(ZipForge(entries).build().bytes) }
    }

    @Test func `defect 4: an archive of too many entries is refused`() throws {
        let entries = (0..<BundleLimits().entryCount + 1).map {
            ZipForge.Entry(Array("Sample.bundle/\($0).json".utf8), [], stored: true)
        }
        #expect(throws: BundleError.self) { _ = try Self.take(ZipForge(entries).build().bytes) }
    }

    @Test func `defect 15: any storyboard of a bundle may be where it begins`() throws {
        let other = TestStoryboard.text([.init(name: "Other", views: TestStoryboard.label("hello", "Hello"))])
        let archive = try Self.archive(folder: "Sample.bundle") { $0["Second.storyboard"] = Array(other.utf8) }
        let widget = try DrivenWidget(WidgetInstance(Self.take(archive, entryPoint: "Second"))).started()
        #expect(widget.shows("Hello"))
        #expect(throws: WidgetError.program(.missingStoryboard("Third"))) {
            _ = try Self.take(archive, entryPoint: "Third")
        }
    }

    @Test func `defect 15: the caller who runs a widget learns that it runs`() async throws {
        let widget = try SampleBundle.widget("HarbourLog")
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(.empty)
        let isRunning = run.instance.store.visible != nil && run.instance.store.isSettled(now: 0)
        #expect(isRunning)
    }
}

extension `Defects of the original` {
    static func bytes(_ widget: DrivenWidget) -> String {
        String(decoding: ViewJSON.document(widget.view(), size: (375, 667)), as: UTF8.self)
    }

    @Test func `defect 5: widgets do not receive each other's notifications`() throws {
        func widget(_ format: String) throws -> DrivenWidget {
            try SampleBundle.widget("HarbourLog") { sources in
                let text = String(decoding: sources["StubService.json"] ?? [], as: UTF8.self)
                #expect(text.contains("d MMM, HH:mm"))
                sources["StubService.json"] = Array(text.replacing("d MMM, HH:mm", with: format).utf8)
            }.started()
        }
        let first = try widget("yyyy")
        let (second, before) = (try widget("HH:mm"), first.log.count)
        try second.refresh("tableView")
        #expect(second.settle())
        #expect(first.log.count == before, "the other's signals are its own")
        let (years, times) = (Set(first.column("timeText")), second.column("timeText"))
        #expect(years == ["2018"] && times.allSatisfy { $0.contains(":") }, "and so are its transformers")
    }

    @Test func `defect 6: the order in which a scheme names things changes nothing`() throws {
        let objects = [
            `A mediator`.provider, `A mediator`.table(outlets: #", "searchController": "search""#), `A mediator`.load,
            #""search": {"type": "SearchActionController", "attrs": {"filterFormat": "title CONTAINS $input"}, "outlets": {"sender": "searchBar"}}"#,
            #""more": {"type": "InfiniteScrollActionController", "attrs": {"actionName": "log"}, "outlets": {"sender": "tableView"}}"#,
        ]
        let service = `A mediator`.stub(
            #""log": {"resultType": "[Entry]", "response": \#(`A mediator`.entries(1...12))}"#)
        var shown: Set<String> = []
        for objects in [objects, objects.reversed(), [objects[3], objects[1], objects[4], objects[0], objects[2]]] {
            let widget = try `A mediator`.widget(objects, service: service).started()
            try widget.type("1", into: "searchBar")
            widget.advance(by: 1)
            try widget.scroll("tableView")
            #expect(widget.settle() && widget.column("titleText").count == 4)
            shown.insert(Self.bytes(widget))
        }
        #expect(shown.count == 1)
    }

    @Test func `defect 20: a constraint that the root view holds is an element`() throws {
        let gap = """
            <constraint firstItem="text" firstAttribute="top" secondItem="Main-view" secondAttribute="top" constant="24" id="gap">
            <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="gap"/></userDefinedRuntimeAttributes>
            </constraint>
            """
        let widget = try TestStoryboard.widget(
            TestStoryboard.label("text") + TestStoryboard.button("less", "Less", y: 40),
            #"""
            "elements": {"text": {"bindings": [{"from": "gap.wx_value", "format": "%@ points"}]},
              "less": {"action": {"target": "gap", "selector": "collapse"}}}
            """#
        ) { $0.constraints = gap }.started()
        #expect(widget.shows("24 points") && widget.diagnostics.isEmpty)
        try widget.tap("less")
        #expect(widget.shows("0 points"))
    }

    @Test func `defect 21: attributes of the screen are given once, and it may have outlets`() throws {
        let cells = [TestStoryboard.cell("Cell", labels: ["name"])]
        let scheme = #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "a"}, {"name": "b"}]}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "items", "tableView": "list"}}},
            "elements": {"name": {"bindings": [{"from": "content.name"}]},
              "@self": {"attrs": {"content": "once"}, "bindings": [{"to": "title", "from": "content"}]OUTLETS}}
            """#
        func screens(_ outlets: String) throws -> DrivenWidget {
            let list = TestStoryboard.table("list", cells: cells)
            let on = TestStoryboard.button(
                "on", "On", connections: #"<segue destination="Next-controller" kind="show" id="on-segue"/>"#)
            return try TestStoryboard.widget(
                [.init(name: "Main", views: list + on), .init(name: "Next", views: TestStoryboard.label("x", "X"))],
                ["Main": scheme.replacing("OUTLETS", with: outlets)]
            ).started()
        }
        for (outlets, marked) in [("", 1), (#", "outlets": {"tableView": "list"}"#, 0)] {
            let widget = try screens(outlets)
            #expect(widget.view().title == "once" && widget.diagnostics.isEmpty)
            try widget.select("list", row: 1)
            #expect(Self.bytes(widget).split(separator: "\"selected\"").count == 2)
            try widget.tap("on")
            widget.send(.back)
            #expect(Self.bytes(widget).split(separator: "\"selected\"").count == 1 + marked)
        }
        let wrong = try screens(#", "outlets": {"nothing": "list"}"#)
        #expect(wrong.diagnostics.map(\.code) == [.unknownOutlet])
    }

    @Test func `defect 22: attributes take key paths, and null is nothing`() throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.table("list", cells: [TestStoryboard.cell("Cell", labels: ["name"])])
                + TestStoryboard.button("go", "Go", y: 60) + TestStoryboard.label("text", "There", y: 80),
            #"""
            "objects": {
              "items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "b"}, {"name": "a"}]}},
              "table": {"type": "TableDisplayController",
                "attrs": {"mainContentProvider.sortByFields": "name", "tableView.accessibilityLabel": "Names", "allowDeletion": null,
                  "cellIdentifier": null},
                "outlets": {"mainContentProvider": "items", "tableView": "list"}}},
            "elements": {"name": {"bindings": [{"from": "content.name"}]}, "go": {"attrs": {"titleLabel.text": "Gone"}},
              "text": {"attrs": {"text": null}}}
            """#
        ).started()
        #expect(widget.column("name") == ["a", "b"] && widget.diagnostics.isEmpty)
        #expect(widget.shows("Gone") && !widget.shows("There"))
        let list = try widget.key("list")
        #expect(widget.view().node(list)?.text(.accessibleName) == "Names")
    }

    @Test func `defect 30: a host is notified of every request and every answer`() throws {
        let widget = try SampleBundle.widget("HarbourLog")
        widget.send(.start)
        let asked = widget.log.filter { $0.kind == .request }
        #expect(asked.count == 1 && asked.first?.text.hasPrefix("log: GET https://") ?? false)
        #expect(!widget.log.contains { $0.kind == .response })
        #expect(widget.settle())
        let answered = widget.log.filter { $0.kind == .response }
        #expect(answered.count == 1 && answered.first?.text.hasPrefix("log: 200 (") ?? false)
    }

    @Test func `defect 31: any running widget can list its events and the origin of its values`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        #expect(Set(widget.log.map(\.kind)).isSuperset(of: [.action, .request, .response, .signal, .stored, .source]))
        #expect(widget.log.contains { $0.kind == .action && $0.text == "logStatus: log succeeded" })
        let found = Evaluator(widget.program).explanation(
            of: .text, at: try widget.key("keeperText"), in: widget.store, widget.environment)
        let explanation = try #require(found)
        #expect(explanation.source == "content.keeper.name" && explanation.place?.file == "LogViewController.json")
    }
}
