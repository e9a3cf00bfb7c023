import Testing
import WidgetCore
import WidgetDocuments
import WidgetFormats
import WidgetRender

/// Bundles of documents, as the front end finds their files.
@Suite struct DocumentBundleTests {
    private static func text(_ files: [String: String], isDevelopment: Bool = false) throws -> String {
        let files = BundleFiles(files.mapValues { Array($0.utf8) })
        let program = try FrontEnds.program(
            files, ProgramOptions(identifier: "com.example.Note", isDevelopment: isDevelopment))
        var store = Store(model: program.model)
        store = Reducer.reduce(.start, store, in: program, Environment()).store
        let view = Evaluator(program).view(of: store, Environment())
        return ViewText(width: 80).text(view)
    }

    private static func label(_ text: String) -> String { #"[{"kind": "label", "payload": {"text": "\#(text)"}}]"# }

    private static func manifest(_ keys: [String: String]) -> String {
        let members = keys.sorted { $0.key < $1.key }.map { "<key>\($0.key)</key><string>\($0.value)</string>" }
        return #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\#(members.joined())</dict></plist>"#
    }

    @Test func `A bundle with a document of the usual name needs no storyboard`() throws {
        #expect(try Self.text(["Main.widgets.json": Self.label("A"), "Other.json": "{}"]) == "A\n")
    }

    @Test func `The manifest names another first document`() throws {
        let files = [
            "Main.widgets.json": Self.label("A"), "Start.json": Self.label("B"),
            "Info.plist": Self.manifest(["WidgetDocument": "Start.json"]),
        ]
        #expect(try Self.text(files) == "B\n")
    }

    @Test func `A first document that the bundle does not have is named in the error`() {
        let files = ["Info.plist": Self.manifest(["WidgetDocument": "Start.widgets.json"])]
        #expect(throws: FormatError.document(.missing("Start.widgets.json"))) { try Self.text(files) }
    }

    @Test func `The theme of a bundle is that of its documents`() throws {
        let files = BundleFiles(
            [
                "Main.widgets.json": #"[{"kind": "box", "id": "box", "style": {"cornerRadius": "gap"}}]"#,
                "theme.json": #"{"numbers": {"gap": 12}}"#,
            ].mapValues { Array($0.utf8) })
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "com.example.Note"))
        #expect(program.diagnostics.isEmpty)
        let box = program.scenes[program.initial]?.nodes.first { $0.identifier == "box" }
        #expect(box?.look?.appearance.cornerRadius == 12)
    }

    @Test func `A file among the components is a kind of every document`() throws {
        let files = [
            "Main.widgets.json": #"{"kind": "greeting", "payload": {"to": "Ann"}}"#,
            "components/greeting.json":
                #"{"parameters": {"to": ""}, "body": {"kind": "label", "payload": {"text": "$to"}}}"#,
        ]
        #expect(try Self.text(files) == "Ann\n")
    }

    @Test func `Files in the folder of services, and those of the other form, are services of every document`() throws {
        func document(_ service: String) -> String {
            #"""
            {"schema": 1, "sources": {"a": {\#(service)"action": "names"}},
             "root": {"kind": "label", "payload": {"text": "$a.status.phase"}}}
            """#
        }
        let description = #"{"defaults": {"baseUrl": "https://a.example"}, "actions": {"names": {"path": "names"}}}"#
        let alone = ["Main.widgets.json": document(""), "services/Names.json": description]
        #expect(try Self.text(alone) == "loading\n")
        let named = [
            "Main.widgets.json": document(#""service": "StubService", "#), "services/Names.json": description,
            "StubService.json": #"{"actions": {"names": {"response": []}}}"#,
        ]
        #expect(try Self.text(named) == "loading\n")
        let missing = ["Main.widgets.json": document(#""service": "Name", "#), "services/Names.json": description]
        let program = try FrontEnds.program(
            BundleFiles(missing.mapValues { Array($0.utf8) }), ProgramOptions(identifier: "com.example.Note"))
        #expect(program.diagnostics.contains { $0.description.contains("did you mean Names?") })
    }

    @Test func `The description for development is asked during development alone`() throws {
        let files = BundleFiles(
            [
                "Main.widgets.json": #"{"schema": 1, "sources": {"a": {"action": "names"}}, "root": []}"#,
                "services/Names.json": #"{"actions": {"names": {"path": "https://a.example"}}}"#,
                "services/Names.dev.json": #"{"actions": {"names": {"path": "https://dev.example"}}}"#,
            ].mapValues { Array($0.utf8) })
        for (isDevelopment, address) in [(false, "https://a.example"), (true, "https://dev.example")] {
            let program = try FrontEnds.program(
                files, ProgramOptions(identifier: "com.example.Note", isDevelopment: isDevelopment))
            let started = Reducer.reduce(.start, Store(model: program.model), in: program, Environment())
            #expect(started.store.requests.count == 1 && program.services.count == 1)
            #expect(program.services["Names"]?.actions["names"]?.url.source == address)
        }
    }

    @Test func `The document in the reader's language comes before that of the base`() throws {
        let files = BundleFiles(
            [
                "Base.lproj/Main.widgets.json": Array(Self.label("Hello").utf8),
                "de.lproj/Main.widgets.json": Array(Self.label("Hallo").utf8),
            ], locale: "de_AT")
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "com.example.Note"))
        let store = Reducer.reduce(.start, Store(model: program.model), in: program, Environment()).store
        #expect(ViewText(width: 80).text(Evaluator(program).view(of: store, Environment())) == "Hallo\n")
    }

    @Test func `Authors see placeholders while they develop, and the manifest decides otherwise`() throws {
        let broken = #"[{"kind": "nothing"}, {"kind": "label", "payload": {"text": "A"}}]"#
        #expect(try Self.text(["Main.widgets.json": broken]) == "A\n")
        #expect(try Self.text(["Main.widgets.json": broken], isDevelopment: true).hasPrefix("⚠ nothing: "))
        let strict = ["Main.widgets.json": broken, "Info.plist": Self.manifest(["WidgetDocumentPolicy": "strict"])]
        #expect(try Self.text(strict, isDevelopment: true).isEmpty)
        let failing = ["Main.widgets.json": broken, "Info.plist": Self.manifest(["WidgetDocumentPolicy": "fail"])]
        #expect(throws: FormatError.self) { try Self.text(failing) }
    }
}
