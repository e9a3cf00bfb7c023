import Testing
import WidgetContract
import WidgetCore
import WidgetDocuments
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

@testable import WidgetFormats

/// Goal: the demos of systems of data-driven widgets are documents that do the same. Method: the samples of documents are
/// played by the scripts in `Tests/Corpus/samples`, and printed as text and as JSON.
@Suite struct `The samples of documents` {
    private static let names = ["Forge", "Orchestra"]

    private static func widget(
        _ name: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws -> DrivenWidget {
        let program = try FrontEnds.program(
            SampleBundle.files(name, changing: changing), ProgramOptions(identifier: "test.\(name)"))
        return DrivenWidget(WidgetInstance(program, environment: Environment(now: DemoBundle.evening)))
    }

    private static func play(_ name: String, print: ((View) -> String)? = nil) async throws -> ScriptRun {
        let script = Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/samples")["\(name).json"] ?? []
        var run = ScriptRun(try widget(name).instance, network: DeniedNetwork(), print: print) {
            ViewText(width: 72).text($0)
        }
        run.settled = Printers.check
        try await run.play(EventScript(script))
        return run
    }

    @Test(arguments: names)
    func `Samples of documents do what their scripts say, and match their golden files`(name: String) async throws {
        let text = try await Self.play(name)
        try Golden.check("\(name).txt", text.output)
        let json = try await Self.play(name) {
            String(decoding: ViewJSON.document($0, size: (375, 667)), as: UTF8.self)
        }
        try Golden.check("\(name).json", json.output)
        #expect(text.instance.diagnostics.isEmpty, "\(text.instance.diagnostics)")
        #expect(text.output.count > 100 && json.output.count > text.output.count)
    }

    @Test func `A call is left to the host, and not asked for without a number`() async throws {
        for (row, expected) in [(0, ["tel:+4315550101"]), (2, [])] {
            var run = ScriptRun(try Self.widget("Orchestra").instance, network: DeniedNetwork()) {
                ViewText().text($0)
            }
            let script = """
                [{"select": "menu", "section": 1, "row": 0}, {"select": "musicians", "row": \(row)}, {"tap": "Call"}]
                """
            try await run.play(EventScript(Array(script.utf8)))
            #expect(Self.opened(&run) == expected)
        }
    }

    private static func opened(_ run: inout ScriptRun) -> [String] {
        run.takeHostRequests().compactMap { request in
            if case .open(let address) = request { address } else { nil }
        }
    }

    @Test func `C20: The newest event has the sign of its type, and is alone where there is little room`() throws {
        let widget = try Self.widget("Forge").started()
        #expect(widget.settle() && widget.shows("⬆") && widget.shows("Something else happened."))
        widget.change { $0.show(in: Display(mode: .compact), abilities: []) }
        #expect(widget.shows("⬆") && widget.shows("lighthouse/lamp") && !widget.shows("lighthouse/stairs"))
    }

    @Test func `C18: A tap on an event opens its address, which C19: leads to its row in the list`() async throws {
        var run = ScriptRun(try Self.widget("Forge").instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(EventScript(Array(#"[{"select": "newest", "row": 4}]"#.utf8)))
        let address = try #require(Self.opened(&run).first)
        #expect(address == "forge://events/1004")
        let widget = try Self.widget("Forge").started()
        let destination = try widget.instance.program.terms.router.destination(of: address).get()
        var visit: LinkVisit?
        widget.change { driver in (_, visit) = driver.follow(destination) }
        #expect(widget.settle() && widget.text().contains("[ Events ]"))
        // Its row comes with the answer.
        let pending = try #require(visit)
        widget.change { driver in #expect(driver.result(of: pending) == .handled) }
        var chosen: [String] = []
        widget.view().visit { node in
            guard node.kind == .row, node.isTrue(.selected) else { return true }
            View(screen: "", title: "", root: node).visit { part in
                chosen.append(part.text(.text))
                return true
            }
            return false
        }
        #expect(chosen.contains("harbour/tides") && chosen.contains("ines watches it"), "\(chosen)")
    }

    /// Plays steps with the sample of a feed whose service answers otherwise.
    private static func playFeed(_ service: String, _ description: String, _ script: String) async throws -> ScriptRun {
        let widget = try widget("Forge") { sources in
            sources["StubService.json"] = nil
            sources["\(service).json"] = Array(description.utf8)
        }
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(EventScript(Array(script.utf8)))
        return run
    }

    @Test func `U3: An event without an identifier is shown, and a tap on it opens nothing`() async throws {
        var run = try await Self.playFeed(
            "StubService", #"{"actions": {"events": {"path": "e", "response": {"events": [{"type": "fork"}]}}}}"#,
            #"[{"expect": "Something else happened."}, {"select": "newest", "row": 0}]"#)
        #expect(Self.opened(&run).isEmpty)
    }

    @Test func `U2: A feed without events has nothing to show, and hosts hide it`() async throws {
        var run = try await Self.playFeed(
            "StubService", #"{"actions": {"events": {"path": "e", "response": {"events": []}}}}"#, "[]")
        #expect(!run.view().isVisible && run.instance.diagnostics.isEmpty, "\(run.instance.diagnostics)")
    }

    @Test func `U1: A feed that does not answer says why`() async throws {
        var run = try await Self.playFeed(
            "Service",
            #"{"defaults": {"baseUrl": "https://forge.example.com"}, "actions": {"events": {"path": "e"}}}"#,
            #"[{"expect": "Not up to date: "}]"#)
        #expect(run.view().isVisible)
    }
}
