import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

@testable import WidgetFormats

/// Goal: widgets that others write run as well. Method: the samples of this repository, compiled and driven.
@Suite struct `The samples` {
    @Test(arguments: ["HarbourLog", "Herbarium", "Planetarium", "Postcard"])
    func `The samples have no diagnostics, and settle`(name: String) throws {
        let widget = try SampleBundle.widget(name).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.view().alerts.isEmpty, "\(widget.text())")
    }

    @Test func `The harbour log is searched and refreshed, and an entry opens`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        let count = widget.column("titleText").count
        #expect(count > 4)
        try widget.type("FOG", into: "searchBar")
        widget.advance(by: 0.3)
        #expect((1..<count).contains(widget.column("titleText").count))
        try widget.type("", into: "searchBar")
        widget.advance(by: 0.3)
        let requests = widget.log.count { $0.kind == .request }
        try widget.refresh("tableView")
        #expect(widget.log.count { $0.kind == .request } == requests + 1)
        #expect(widget.settle() && widget.column("titleText").count == count)
        try widget.select("tableView", row: 1)
        #expect(widget.store.screens.count == 2)
    }

    @Test func `The planetarium shows the moons of the chosen planet`() throws {
        let widget = try SampleBundle.widget("Planetarium").started()
        try widget.select("tableView", row: 2)
        #expect(widget.settle())
        let moons = widget.column("nameText")
        #expect(moons.contains("Ganymede") && !moons.contains("Titan"))
        try widget.select("tableView", row: 0)
        #expect(widget.shows("a moon of Jupiter"))
        widget.send(.back)
        widget.send(.back)
        #expect(widget.store.screens.count == 1)
        #expect(widget.send(.back) != nil)
    }

    @Test func `The postcard refuses a card without an address, and sends one with it`() throws {
        let widget = try SampleBundle.widget("Postcard").started()
        #expect(try widget.refusal(of: "Post") { .tap($0) } != nil)
        for (key, node) in fields(widget).enumerated() { widget.send(.input(node, .string("text \(key)"))) }
        try widget.tap("Post")
        #expect(widget.settle())
        #expect(!widget.shows("Nothing posted yet"))
    }

    private func fields(_ widget: DrivenWidget) -> [ViewKey] {
        var keys: [ViewKey] = []
        widget.view().visit { node in
            if node.kind == .textField || node.kind == .textArea { keys.append(node.key) }
            return true
        }
        return keys
    }

    @Test func `Samples keep typed text and their data when the bundle changes`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        try widget.type("fog", into: "searchBar")
        widget.advance(by: 1)
        let found = widget.column("titleText")
        let next = try SampleBundle.widget("HarbourLog") { sources in
            let text = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(text.replacing("No signal", with: "Nobody there").utf8)
        }
        widget.change { $0.replace(next.program) }
        #expect(widget.instance.revision == 2)
        #expect(widget.column("titleText") == found && widget.shows("fog"))
    }

    @Test(arguments: ["type", "bindings", "predicateFormat", "\"", "{"])
    func `Samples survive a scheme that is damaged anywhere`(word: String) throws {
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            let text = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(text.replacing(word, with: "x", maxReplacements: 3).utf8)
        }
        widget.send(.start)
        _ = widget.settle()
        #expect(!widget.text().isEmpty && !widget.diagnostics.isEmpty)
        #expect(widget.diagnostics.allSatisfy { $0.place?.line ?? 1 > 0 })
    }
}

/// Goal: every class of mediators works in a realistic widget. Method: the samples are played by the scripts in
/// `Tests/Corpus/samples`, and the acts of each of their mediators are counted.
@Suite struct `The samples, played by their scripts,` {
    static let names = ["Aviary", "HarbourLog", "Herbarium", "Planetarium", "Postcard"]

    struct Played {
        var run: ScriptRun
        /// The mediators of the visited screens: their classes by screens and ids.
        var described: [String: String] = [:]
        /// Those that did something.
        var busy: Set<String> = []

        var idle: Set<String> { Set(described.keys).subtracting(busy) }
        var exercised: Set<String> { Set(busy.compactMap { described[$0] }) }
    }

    static func network(_ name: String) -> any WidgetNetwork {
        name == "Aviary" ? AviaryServer(count: 12) : DeniedNetwork()
    }

    static func play(_ name: String) async throws -> Played {
        let folder = "\(Corpus.repositoryRoot)/Bundles/\(name)"
        let sources = Corpus.tree(at: folder)
        let widget = try SampleBundle.widget(name, now: DemoBundle.evening)
        let run = ScriptRun(widget.instance, network: network(name)) {
            ViewText(width: 72).text($0)
        }
        var played = Played(run: run)
        try await played.run.play(.empty)
        let corpus = Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/samples")
        // Files that scripts pick are named from the root of the repository.
        let written = String(decoding: corpus["\(name).json"] ?? [], as: UTF8.self)
        let script = Array(written.replacing("Bundles/", with: "\(Corpus.repositoryRoot)/Bundles/").utf8)
        let steps = try #require(JSONDocument(parsing: script).root.array)
        try #require(!steps.isEmpty)
        look(&played, sources)
        for step in steps {
            let text = "[" + String(decoding: script[step.span.range], as: UTF8.self) + "]"
            do {
                try await played.run.continue(with: EventScript(Array(text.utf8)))
            } catch {
                Issue.record("\(name), \(text): \(error)")
            }
            look(&played, sources)
        }
        return played
    }

    /// Notes what the mediators of the visible screen have done so far.
    private static func look(_ played: inout Played, _ sources: [String: [UInt8]]) {
        let view = played.run.view()
        Printers.check(view)
        let instance = played.run.instance
        guard let screen = instance.store.visible, let scene = instance.program.scenes[screen.scene],
            let name = scene.identifier, let bytes = sources["\(name).json"]
        else { return }
        let scheme = SchemeFile(bytes, path: "\(name).json", identifier: name)
        for mediator in scheme.mediators {
            played.described["\(name).\(mediator.id)"] = mediator.type
            if did(mediator, screen, scene, instance) { played.busy.insert("\(name).\(mediator.id)") }
        }
        // A screen may be gone before it is printed; its actions are in the log.
        for described in played.described.keys {
            let id = described.drop { $0 != "." }.dropFirst()
            if instance.log.contains(where: { $0.kind == .action && $0.text.hasPrefix("\(id): ") }) {
                played.busy.insert(described)
            }
        }
    }

    private static func did(
        _ mediator: MediatorDescription, _ screen: Screen, _ scene: Scene, _ instance: WidgetInstance
    ) -> Bool {
        let lineage = MediatorClass.lineage(of: mediator.type)
        if lineage.contains("BaseContentProvider") { return (screen.sources[mediator.id]?.items.count ?? 0) > 0 }
        if lineage.contains("ActionStatusController") {
            return screen.statuses[mediator.id].map { $0 != StatusState() } ?? false
        }
        if mediator.type == "StandardMediaPickerController" {
            return instance.log.contains { $0.kind == .event && $0.text.hasPrefix("picked ") }
        }
        if lineage.contains("ActionController") {
            return !(screen.searching[mediator.id] ?? "").isEmpty
                || mediator.type == "SearchActionController" && screen.sources.values.contains { !$0.search.isEmpty }
        }
        guard let source = mediator.outlet("mainContentProvider"), (screen.sources[source]?.items.count ?? 0) > 0 else {
            return false
        }
        if mediator.type == "ContentDisplayController" { return !screen.content.isNull }
        guard let list = mediator.outlet("tableView") ?? mediator.outlet("collectionView") else { return true }
        return scene.nodes.contains { $0.identifier == list && $0.list?.source == source }
    }

    @Test(arguments: names) func `Samples do what their scripts say, and match their golden files`(name: String)
        async throws
    {
        var played = try await Self.play(name)
        try Golden.check("\(name).txt", played.run.output)
        let diagnostics = played.run.instance.diagnostics
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let view = played.run.view()
        #expect(view.alerts.isEmpty)
    }

    @Test(arguments: names) func `Samples give the same bytes every time`(name: String) async throws {
        var first = try await Self.play(name)
        var second = try await Self.play(name)
        #expect(first.run.output == second.run.output)
        let (one, other) = (first.run.view(), second.run.view())
        #expect(ViewJSON.document(one, size: (1, 1)) == ViewJSON.document(other, size: (1, 1)))
        #expect(first.run.instance.log == second.run.instance.log)
    }

    @Test func `The samples use every class of mediators`() async throws {
        var exercised: Set<String> = []
        for name in Self.names {
            let played = try await Self.play(name)
            #expect(played.idle.isEmpty, "\(name) has mediators that never do anything")
            exercised.formUnion(played.exercised)
        }
        let known = Set(MediatorClass.all.keys).subtracting(["CustomIBObject"])
        #expect(known.subtracting(exercised) == [])
        #expect(known.count == 22)
    }
}
