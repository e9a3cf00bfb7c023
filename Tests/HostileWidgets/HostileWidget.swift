internal import Files
internal import Predicates
internal import TestSupport
internal import Testing
internal import WidgetBuild
package import WidgetCore
internal import WidgetFormats
internal import WidgetHost
internal import WidgetRender

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

    package var testDescription: String { name }

    /// What became of it.
    package struct Outcome: Sendable {
        package var codes: Set<Diagnostic.Code> = []
        /// As text, the whole screen.
        package var shown = ""
        /// Why it did not run.
        package var refusal: String?
    }

    /// Loads it, lets it come to rest and a minute go by, does what the script says, and prints it both ways.
    package func run(_ budget: Budget = Budget()) async -> Outcome {
        var outcome = Outcome()
        do {
            let program = try WidgetKitReader.program(
                BundleFiles(files, images: ImageNames.of(files.keys, catalogue: files["Assets.car"])),
                identifier: "test.hostile")
            let instance = WidgetInstance(program, environment: Environment(now: 803_678_400), budget: budget)
            let text = ViewText(width: 80)
            var run = ScriptRun(instance, network: DeniedNetwork(), text: text) { text.text($0) }
            do throws(HostError) {
                try await run.play(EventScript(Array(script.utf8)))
            } catch {
                outcome.refusal = "\(error)"
            }
            let view = run.view()
            outcome.shown = text.text(view)
            _ = ViewJSON.document(view, size: (375, 667))
            outcome.codes = Set(view.diagnostics.map(\.code))
        } catch {
            outcome.refusal = "\(error)"
        }
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
