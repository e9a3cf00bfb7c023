import FoundationEssentials
import Testing
import WidgetBuild
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

/// Goal: whole bundles and bindings that pass the framework's own tests pass here. Method: those tests, case by case;
/// the others are among the tests of their modules, under their numbers.
@Suite struct `A widget` {
    @Test func `case 9: a widget follows what it observes while that is visible, and copies it when it appears`() throws
    {
        func text(_ widget: DrivenWidget) throws -> String {
            try #require(widget.view().node(try widget.key("field"))).text(.text)
        }
        let widget = try widget(isDynamic: true)
        #expect(try text(widget) == "first", "an initial copy")
        widget.send(.setting("info", .string("second")))
        #expect(try text(widget) == "second", "a change is passed on")
        try widget.type("typed", into: "field")
        #expect(try text(widget) == "typed", "what is typed stays until there is a change")
        try widget.tap("next")
        widget.send(.setting("info", .string("third")))
        let slots = widget.store.screens[0].slots.values.map(\.shown)
        #expect(slots == ["typed"], "an invisible source is not followed")
        widget.send(.back)
        #expect(try text(widget) == "third", "what appears is copied")
        let plain = try self.widget(isDynamic: false)
        plain.send(.setting("info", .string("second")))
        #expect(try text(plain) == "first", "bindings that are not dynamic wait until the screen is refreshed")
    }

    private func widget(isDynamic: Bool) throws -> DrivenWidget {
        let next = TestStoryboard.button(
            "next", "Next", y: 40, connections: #"<segue destination="Next-controller" kind="show" id="next-segue"/>"#)
        let widget = try TestStoryboard.widget(
            [
                .init(name: "Main", views: TestStoryboard.element("textField", "field") + next),
                .init(name: "Next", views: TestStoryboard.label("x", "X")),
            ],
            [
                "Main": #"""
                "elements": {"@self": {"attrs": {"useDynamicBindings": \#(isDynamic)}},
                  "field": {"bindings": [{"to": "text", "from": "defaults.info"}]}}
                """#
            ])
        widget.send(.setting("info", .string("first")))
        return try widget.started()
    }

    @Test func `case 10: a scheme assigns several bindings of one element at once`() throws {
        let widget = try TestStoryboard.widget(
            TestStoryboard.label("text"),
            #"""
            "elements": {"@self": {"attrs": {"content": {"info": "test", "tagInfo": 5}}}, "text": {"bindings": [
              {"from": "content", "predicateFormat": "info == 'test'", "ifTrue": "test is '$info'", "ifFalse": "$info is no test", "format": "string %@"},
              {"to": "tag", "from": "content.tagInfo"}]}}
            """#
        ).started()
        let node = try #require(widget.view().node(try widget.key("text")))
        #expect(node.text(.text) == "string test is 'test'" && node["tag"]?.isIdentical(to: .integer(5)) ?? false)
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `case 23: a widget is made of a folder, and reports what it is`()
        throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let source = try FileDescriptor.reading(try #require(DemoBundle.found))
        let taken = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        _ = try BundleIntake().take(source, into: taken)
        let unpacked = try BundleIntake().unpack(taken, into: scratch.directory)
        let folder = try scratch.directory.openDirectory(unpacked.folder)
        let bundle = try BundleSource(opening: folder.path).take()
        let files = try BundleReading.files(of: bundle.opened)
        let program = try BundleReading.program(of: bundle.opened, identifier: "mobi.favio.WidgetDemo")
        #expect(
            program.identifier == "mobi.favio.WidgetDemo" && bundle.bundle.manifest.identifier == program.identifier)
        let widget = try DrivenWidget(WidgetInstance(program)).started()
        #expect(widget.store.records.model.entities.map(\.name).sorted() == ["Account", "Post", "User"])
        #expect(widget.store.visible.flatMap { widget.program.scenes[$0.scene] }?.identifier == "FeedViewController")
        // The framework's own test bundle had neither schemes nor pictures, and still was a widget.
        let bare = BundleFiles(
            Dictionary(
                uniqueKeysWithValues: files.paths.filter { !$0.hasSuffix(".json") }.map { ($0, files[$0] ?? []) }))
        let plain = try DrivenWidget(WidgetInstance(WidgetKitReader.program(bare, identifier: "plain"))).started()
        #expect(plain.shows("( Filter Posts )"))
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `case 24: a widget is made of an archive, as often as the host wants`() throws {
        let spent = try ProcessorTime.spent {
            for identifier in ["mobi.favio.WidgetDemo", "mobi.favio.WidgetDemo-1", "mobi.favio.WidgetDemo-2"] {
                let program = try DemoBundle.program(identifier: identifier)
                #expect(program.identifier == identifier && program.model.entities.count == 3)
            }
        }
        #expect(spent < .seconds(30))
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"), arguments: [20, 24, 37, 100])
    func `case 25: a widget stays within the frame that a host gives it`(width: Int) throws {
        let demo = try DrivenWidget.demo().started()
        let view = demo.view()
        let lines = ViewText(width: width).text(view).split(separator: "\n")
        #expect(lines.count > 12 && lines.allSatisfy { CellWidth.of(String($0)) <= width })
        let words = lines.joined(separator: " ").filter { !$0.isWhitespace }
        for author in demo.column("authorLabel") { #expect(words.contains(author.filter { !$0.isWhitespace })) }
    }
}

/// Goal: a registry, which has no engine, warns of exactly those bundles that show nothing. Method: a sample with parts
/// of its storyboard missing, broken or elsewhere; the report and the engine must agree.
@Suite struct `A bundle's first screen` {
    private typealias Files = [String: [UInt8]]

    private static func built() throws -> Files {
        let folder = try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/HarbourLog")
        let compiled = try BundleCompiler(try SourceFolder.read(folder), folder: "HarbourLog")
        return Dictionary(uniqueKeysWithValues: compiled.files.map { ($0.path, $0.bytes) })
    }

    private static func moved(_ files: Files, to folder: String) -> Files {
        Dictionary(
            uniqueKeysWithValues: files.map { path, bytes in
                (path.hasPrefix("Main.storyboardc/") ? path.replacing("Main.storyboardc", with: folder) : path, bytes)
            })
    }

    private static func isNib(_ path: String) -> Bool { path.hasPrefix("Main.storyboardc/") && path.hasSuffix(".nib") }

    private static let changes: [(name: String, isShown: Bool, change: @Sendable (Files) -> Files)] = [
        ("whole", true, { $0 }),
        ("in the folder for all languages", true, { moved($0, to: "Base.lproj/Main.storyboardc") }),
        ("in a language's folder", true, { moved($0, to: "de.lproj/Main.storyboardc") }),
        ("under another name", false, { moved($0, to: "Other.storyboardc") }),
        ("in some other folder", false, { moved($0, to: "screens/Main.storyboardc") }),
        ("without any storyboard", false, { $0.filter { !$0.key.hasPrefix("Main.storyboardc/") } }),
        ("without its list", false, { $0.filter { $0.key != "Main.storyboardc/Info.plist" } }),
        ("without its interfaces", false, { $0.filter { !isNib($0.key) } }),
        (
            "with a list of nothing", false,
            { files in
                files.merging(["Main.storyboardc/Info.plist": Array("<plist><dict/></plist>".utf8)]) { $1 }
            }
        ),
        (
            "with an empty folder where others look first", false,
            { files in
                moved(files, to: "de.lproj/Main.storyboardc")
                    .merging(["Main.storyboardc/x.plist": Array("<plist><dict/></plist>".utf8)]) { $1 }
            }
        ),
    ]

    @Test(arguments: changes.indices) func `A first screen that the engine misses is missed in the report too`(
        _ index: Int
    ) throws {
        let (name, isShown, change) = Self.changes[index]
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = "\(scratch.path)/HarbourLog.bundle"
        for (path, bytes) in change(try Self.built()) {
            var components = path.split(separator: "/").map(String.init)
            let name = components.removeLast()
            let place = ([folder] + components).joined(separator: "/")
            _ = try Directory(creating: place)
            try Directory(opening: place).replaceFile(name, with: bytes)
        }
        let taken = try BundleSource(opening: folder).take()
        var faults: [Finding] = []
        do throws(WidgetError) {
            _ = try BundleReading.program(of: taken.opened)
        } catch {
            faults = error.faults
        }
        #expect(faults.isEmpty == isShown, "\(name)")
        #expect(faults.map(\.code) == (isShown ? [] : [.noInterface]), "\(name)")
        // The rules for bundles go by the names of files alone.
        #expect(isShown || taken.report.findings.allSatisfy { $0.code == .noInterface })
        #expect(!isShown || taken.report.findings.isEmpty, "\(name)")
    }
}
