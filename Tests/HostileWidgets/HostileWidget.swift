internal import Bytes
internal import Files
internal import Predicates
internal import TestSupport
internal import Testing
internal import WidgetBuild
package import WidgetCore
internal import WidgetFormats
internal import WidgetRender
internal import WidgetRunning

/// A bundle that would take more than it may: the harbour log, with other files in place of its own.
package struct HostileWidget: Sendable, CustomTestStringConvertible {
    package let name: String
    /// Of the compiled bundle, by their paths.
    package var files: [String: [UInt8]]
    /// What stops it: one of these is reported, and the first where there are several is the usual one. None: it is
    /// stopped before anything runs.
    package let codes: [Diagnostic.Code]
    /// What is still shown.
    package var intact = ["Harbour Log", "Search the log"]
    /// What a person does with it.
    package var script = "[]"
    /// Whose texts are shown.
    package var locale = ""

    package var testDescription: String { name }

    /// What became of it.
    package struct Outcome: Sendable {
        package var codes: Set<Diagnostic.Code> = []
        /// As text, the whole screen.
        package var shown = ""
        /// Why it did not run.
        package var refusal: String?
        /// Of one thing: reading the files, one event, one evaluation, one printing.
        package var costliest = Cost(what: "nothing", time: 0)
        /// How often each limit was reported, where that was more than once.
        package var repeated: Set<Diagnostic> = []
    }

    package struct Cost: Sendable {
        package var what: String
        package var time: Int64
    }

    /// Measures what lies between two calls.
    private final class Laps: Sendable {
        private let clock: @Sendable () -> Int64
        private let state: Guarded<(last: Int64, costliest: Cost)>

        init(_ clock: @escaping @Sendable () -> Int64) {
            self.clock = clock
            state = Guarded((last: clock(), costliest: Cost(what: "nothing", time: 0)))
        }

        func end(_ what: String) {
            let now = clock()
            state.withLock { state in
                let time = now &- state.last
                if time > state.costliest.time { state.costliest = Cost(what: what, time: time) }
                state.last = clock()
            }
        }

        var costliest: Cost { state.withLock { $0.costliest } }
    }

    /// Loads it, lets it come to rest and a minute go by, does what the script says, and prints it both ways.
    ///
    /// - Parameter clock: what the processor has worked, when somebody wants to know what that costs.
    package func run(
        _ budget: Budget = Budget(), clock: @escaping @Sendable () -> Int64 = { 0 }
    ) async -> Outcome {
        var outcome = Outcome()
        let laps = Laps(clock)
        do {
            let program = try WidgetKitReader.program(
                BundleFiles(
                    files, images: ImageNames.of(files.keys, catalogue: files["Assets.car"]), locale: locale),
                identifier: "test.hostile")
            laps.end("loading")
            var instance = WidgetInstance(program, environment: Environment(now: 803_678_400), budget: budget)
            instance.eventTaken = { laps.end("one event") }
            let text = ViewText(width: 80)
            var run = ScriptRun(instance, network: DeniedNetwork()) { text.text($0) }
            do throws(WidgetError) {
                try await run.play(EventScript(Array(script.utf8)))
            } catch {
                outcome.refusal = "\(error)"
            }
            laps.end("the rest of the script")
            let view = run.view()
            laps.end("one evaluation")
            outcome.shown = text.text(view)
            laps.end("printing as text")
            _ = ViewJSON.document(view, size: (375, 667))
            laps.end("printing as JSON")
            outcome.codes = Set(view.diagnostics.map(\.code))
            let reported = Dictionary(grouping: view.diagnostics) { $0 }
            outcome.repeated = Set(reported.filter { $0.value.count > 1 }.keys)
        } catch {
            outcome.refusal = "\(error)"
        }
        outcome.costliest = laps.costliest
        return outcome
    }

    // MARK: - Making

    init(name: String, files: [String: [UInt8]], codes: [Diagnostic.Code], script: String) {
        self.name = name
        self.files = files
        self.codes = codes
        self.script = script
    }

    package init(
        _ name: String, stoppedBy codes: [Diagnostic.Code], objects: [String] = [], elements: [String] = [],
        actions: [String] = [], script: String = "[]", changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws {
        self.name = name
        self.codes = codes
        self.script = script
        var sources = try SourceFolder.read(
            try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/HarbourLog"))
        let own = #""@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}}"#
        sources["LogViewController.json"] = Array(
            """
            {"LogViewController": {"objects": {\(objects.joined(separator: ",\n"))},
             "elements": {\((elements.contains { $0.contains("@self") } ? elements : [own] + elements).joined(separator: ",\n"))}}}
            """.utf8)
        sources["StubService.json"] = Array(
            #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {\#(actions.joined(separator: ",\n"))}}"#.utf8)
        changing(&sources)
        let compiled = try BundleCompiler(sources, folder: "HarbourLog")
        files = Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
    }
}
