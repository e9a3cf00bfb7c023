import Files
import Predicates
import TestSupport
import Testing
import WidgetBundles
import WidgetCore
import WidgetFormats
import WidgetIntake
import WidgetRender
import WidgetRunning

/// Goal: what the framework's own tests accepted of whole bundles and of bindings at work is accepted here. Method: those
/// tests, case by case; the others stand with the modules that they are about, under their numbers.
@Suite struct `A widget` {
    @Test func `case 9: follows what it observes, as long as it is seen, and copies it when it appears`() throws {
        func text(_ widget: DrivenWidget) throws -> String {
            try #require(widget.view().node(try widget.key("field"))).text(.text)
        }
        let widget = try widget(isDynamic: true)
        #expect(try text(widget) == "first", "an initial copy")
        widget.send(.setting("info", .string("second")))
        #expect(try text(widget) == "second", "a change goes on")
        try widget.type("typed", into: "field")
        #expect(try text(widget) == "typed", "what is typed stays until there is a change")
        try widget.tap("next")
        widget.send(.setting("info", .string("third")))
        let slots = widget.store.screens[0].slots.values.map(\.shown)
        #expect(slots == ["typed"], "nobody looks, nothing follows")
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

    @Test func `case 10: assigns several bindings of one element at once`() throws {
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

    @Test(.enabled(if: DemoBundle.isThere)) func `case 23: is made of a folder, and knows what it is`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let source = try FileDescriptor.reading(try #require(DemoBundle.found))
        let taken = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        _ = try BundleIntake().take(source, into: taken)
        let unpacked = try BundleIntake().unpack(taken, into: scratch.directory)
        let folder = try scratch.directory.openDirectory(unpacked.folder)
        let bundle = try BundleSource(opening: folder.path).take()
        let files = try BundleReading.files(of: bundle)
        let program = try BundleReading.program(of: bundle, identifier: "mobi.favio.WidgetDemo")
        #expect(
            program.identifier == "mobi.favio.WidgetDemo" && bundle.bundle.manifest.identifier == program.identifier)
        let widget = try DrivenWidget(WidgetInstance(program)).started()
        #expect(widget.store.records.model.entities.map(\.name).sorted() == ["Account", "Post", "User"])
        #expect(widget.store.visible.flatMap { widget.program.scenes[$0.scene] }?.identifier == "FeedViewController")
        // The framework's own test bundle had neither schemes nor pictures, and was a widget.
        let bare = BundleFiles(
            Dictionary(
                uniqueKeysWithValues: files.paths.filter { !$0.hasSuffix(".json") }.map { ($0, files[$0] ?? []) }))
        let plain = try DrivenWidget(WidgetInstance(WidgetKitReader.program(bare, identifier: "plain"))).started()
        #expect(plain.shows("( Filter Posts )"))
    }

    @Test(.enabled(if: DemoBundle.isThere), .timeLimit(.minutes(20)))
    func `case 24: is made of an archive, as often as it is wanted`() throws {
        let start = ContinuousClock.now
        for identifier in ["mobi.favio.WidgetDemo", "mobi.favio.WidgetDemo-1", "mobi.favio.WidgetDemo-2"] {
            let program = try DemoBundle.program(identifier: identifier)
            #expect(program.identifier == identifier && program.model.entities.count == 3)
        }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(.enabled(if: DemoBundle.isThere), arguments: [20, 24, 37, 100])
    func `case 25: stays within the frame that a host gives it`(width: Int) throws {
        let demo = try DrivenWidget.demo().started()
        let view = demo.view()
        let lines = ViewText(width: width).text(view).split(separator: "\n")
        #expect(lines.count > 12 && lines.allSatisfy { CellWidth.of(String($0)) <= width })
        let words = lines.joined(separator: " ").filter { !$0.isWhitespace }
        for author in demo.column("authorLabel") { #expect(words.contains(author.filter { !$0.isWhitespace })) }
    }

    @Test func `every case has its test`() throws {
        var numbers: Set<Int> = []
        for module in ["WidgetCore", "WidgetFormats", "WidgetRunning"] {
            for (path, bytes) in Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/\(module)Tests")
            where path.hasSuffix(".swift") {
                for match in String(decoding: bytes, as: UTF8.self).matches(
                    of: #/func `case ([0-9]+)(?: and ([0-9]+))?: [a-z]/#)
                {
                    numbers.formUnion([Int(match.1), match.2.flatMap { Int($0) }].compactMap { $0 })
                }
            }
        }
        #expect(numbers == Set(1...25))
    }
}
