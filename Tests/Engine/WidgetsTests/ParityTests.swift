import Ensemble
import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetRunning
import WidgetTestSupport

@testable import Widgets

/// Goal: a screen of Swift is a document: a view of one is a view of the other. Method: the samples of documents and the
/// package that has them in Swift take the same steps; after each one their views are equal in every printed form.
struct `The samples of documents and their twins in Swift` {
    @Test(arguments: ["Orchestra", "Forge"])
    func `are equal after each step of the script`(name: String) async throws {
        var run = try TwinRun(name, name == "Forge" ? ForgeApp() : OrchestraApp())
        try await run.play(SampleDocuments.script(name))
        #expect(run.comparisonCount > 5)
        #expect(run.swift.instance.diagnostics.isEmpty, "\(run.swift.instance.diagnostics)")
    }

    @Test func `are equal in what the script of the orchestra leaves out`() async throws {
        var run = try TwinRun("Orchestra", OrchestraApp())
        try await run.play(
            Array(
                """
                [{"select": "menu", "row": 0}, {"wait": 3600}, {"wait": 20000}, {"back": true},
                 {"select": "menu", "row": 1}, {"scroll": "page"}, {"tap": "more"}, {"tap": "more"}, {"back": true},
                 {"select": "menu", "section": 1, "row": 0}, 
                 {"select": "musicians", "row": 0}, {"tap": "call"}, {"back": true}, {"select": "musicians", "row": 3},
                 {"back": true}, {"back": true}, {"select": "menu", "section": 1, "row": 1},
                 {"input": "name", "value": "Dana"}, {"input": "password", "value": "adagio"}, {"tap": "signIn"},
                 {"wait": 0.5}, {"wait": 1}, {"back": true}, {"input": "password", "value": "x"}, {"back": true},
                 {"select": "menu", "section": 1, "row": 2}, {"input": "field", "value": "$name 'quoted'"},
                 {"tap": "loud"}, {"tap": "reset"}, {"tap": "clear"}, {"back": true}, {"select": "menu", "section": 1, "row": 2},
                 {"back": true}, {"tap": "encore"}, {"tap": "enough"}, {"tap": "encore"}, {"tap": "close"},
                 {"wait": 10}]
                """.utf8))
        #expect(run.comparisonCount > 35)
    }

    @Test(arguments: [DisplayMode.compact, .expanded])
    func `are equal in each mode, and where links lead`(mode: DisplayMode) async throws {
        var run = try TwinRun("Forge", ForgeApp(), display: Display(mode: mode))
        try await run.play(Array(#"[{"wait": 1}, {"select": "newest", "row": 0}, {"wait": 600}]"#.utf8))
        try await run.follow("forge://events/1004")
        try await run.play(Array(#"[{"refresh": "feed"}, {"wait": 5}]"#.utf8))
    }

    @Test(arguments: [
        #"{"actions": {"events": {"path": "e", "response": {"events": []}}}}"#,
        #"{"actions": {"events": {"path": "e", "response": {"events": [{"type": "fork"}]}}}}"#,
        #"{"actions": {"events": {"path": "e", "response": {"events": "none"}}}}"#,
        #"{"actions": {"events": {"path": "e"}}}"#,
    ])
    func `are equal for each answer of the service`(service: String) async throws {
        var run = try TwinRun("Forge", ForgeApp()) { $0["StubService.json"] = Array(service.utf8) }
        try await run.play(Array(#"[{"wait": 2}, {"refresh": "newest"}, {"wait": 2}]"#.utf8))
    }

    @Test func `make the same statements about the widget`() throws {
        let run = try TwinRun("Forge", ForgeApp())
        let (one, other) = (run.document.instance.program.terms, run.swift.instance.program.terms)
        #expect(other.modes == one.modes && other.policy.interval == one.policy.interval)
        #expect(other.links.map(\.name) == one.links.map(\.name))
        #expect(other.links.map { "\($0.pattern)" } == one.links.map { "\($0.pattern)" })
    }

    @Test func `need no closure`() {
        for app in [OrchestraApp(), ForgeApp()] as [any WidgetApp] {
            let declaration = DeclaredProgram(app.identifier, first: app.first).declaration
            #expect(declaration.handlers.isEmpty && declaration.faults.isEmpty, "\(declaration.handlers)")
        }
    }
}
