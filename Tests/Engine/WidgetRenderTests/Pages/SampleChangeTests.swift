import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: pages of whole widgets change as they should, with their plans, places, bars and pictures. Method: the samples are
/// played by their scripts and by random acts, and after each act the changed page is compared with a fresh one.
@Suite struct `The page of a sample that changes` {
    private static let names = [
        "Aviary", "Forge", "HarbourLog", "Herbarium", "Orchestra", "Planetarium", "Postcard",
    ]

    /// Pictures whose bytes are their names; those of dark schemes differ.
    private struct Pictures: ViewAssets {
        func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
            .file(PictureFile(Array("\(name) \(isDark)".utf8), .png, width: 20, height: 20, scale: 1))
        }
    }

    private static func widget(_ name: String) throws -> WidgetInstance {
        let (program, _) = try BundleReading.program(at: "\(Corpus.repositoryRoot)/Bundles/\(name)")
        return WidgetInstance(program, environment: Environment(now: 803_678_400))
    }

    private static func shown(_ instance: WidgetInstance, _ view: View) throws -> `A page that changes`.Shown {
        var options = PageOptions()
        options.viewNumber = 7
        let printer = PagePrinter(PlannedProgram(instance.program), options)
        return try `A page that changes`.Shown(printer, view, Pictures())
    }

    /// The screens that a script has led to.
    private final class Seen {
        var views: [View] = []
    }

    @Test(arguments: names)
    func `A page that follows a script is the page that would be printed anew`(name: String) async throws {
        let corpus = Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/samples")
        let script = try EventScript(corpus["\(name).json"] ?? [])
        let seen = Seen()
        var run = ScriptRun(try Self.widget(name), network: DeniedNetwork()) { _ in "" }
        run.settled = { seen.views.append($0) }
        try await run.play(.empty)
        for step in script.steps {
            // Without a network some steps find nothing to act on.
            try? await run.continue(with: EventScript(steps: [step]))
            seen.views.append(run.view())
        }
        var shown = try Self.shown(run.instance, try #require(seen.views.first))
        for view in seen.views { try shown.show(view) }
        #expect(seen.views.count > script.steps.count)
    }

    @Test(arguments: names)
    func `A page after random acts is the page that would be printed anew`(name: String) throws {
        var random = PageChangeRandom(seed: UInt64(name.utf8.count * 31))
        var instance = try Self.widget(name)
        instance.send(.start)
        _ = instance.settle()
        var shown = try Self.shown(instance, instance.view())
        for _ in 0..<40 {
            let acts = Self.acts(instance.view())
            let act = Int.random(in: 0..<8, using: &random) == 0 ? .back : acts.randomElement(using: &random)
            if let act { instance.send(act) }
            try shown.show(instance.view())
            if Bool.random(using: &random) { _ = instance.settle() } else { instance.advance(by: 0.1) }
            try shown.show(instance.view())
        }
        #expect(!shown.letters.isEmpty)
    }

    /// The acts that a person could do.
    private static func acts(_ view: View) -> [Event] {
        if let alert = view.alerts.last { return alert.buttons.map { .tap($0.key) } }
        var acts: [Event] = []
        view.visit { node in
            let key = node.key
            if node.events.contains(.tap) { acts.append(.tap(key)) }
            if node.events.contains(.select) { acts.append(.select(key)) }
            if node.events.contains(.delete) { acts.append(.deleteRow(key)) }
            if node.events.contains(.refresh) { acts.append(.refresh(key)) }
            if node.events.contains(.submit) { acts.append(.submit(key)) }
            if node.events.contains(.scrollEnd) { acts.append(.scroll(key, toEnd: true)) }
            switch node.kind {
            case .textField, .textArea, .searchField:
                acts += ["", "wren & <b>", "42"].map { .input(key, .string($0)) }
            case .toggle: acts.append(.input(key, .boolean(!node.isTrue(.value))))
            case .slider, .stepper: acts += [0, 1, 3].map { .input(key, .double($0)) }
            case .segments, .picker: acts += [0, 1].map { .input(key, .integer($0)) }
            default: break
            }
            return true
        }
        return acts
    }
}
