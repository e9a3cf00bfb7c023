import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// §3.10: bundles whose screens are documents.
@Suite struct `Publishing documents` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    /// A bundle with documents, by their paths.
    private func bundle(_ documents: (path: String, text: String)...) -> BundleForge {
        BundleForge(identifier).with { bundle in
            bundle.files = documents.map { ($0.path, Array($0.text.utf8)) }
        }
    }

    /// The findings of an answer's report, as `path:line:column code`.
    private func findings(_ answer: WireAnswer) -> [String] {
        (answer["report.findings"]?.array ?? []).map { finding in
            let place = "\(finding["path"]?.string ?? ""):\(finding["line"]?.integer ?? -1)"
            return "\(place):\(finding["column"]?.integer ?? -1) \(finding["code"]?.string ?? "")"
        }
    }

    private static let faulty = """
        { "schema": 1,
          "components": {
            "unused": { "body": { "kind": "label", "payload": { "text": "x" } } } },
          "root": [
            { "kind": "lable", "payload": { "text": "Hello" } },
            { "kind": "vstack", "payload": { "spacing": "wide" } },
            { "kind": "label", "payload": { "txt": "Hello" } },
            { "kind": "button", "payload": { "text": "Go" }, "on": { "tap": { "do": "push", "scene": "Detial" } } },
            { "kind": "host", "payload": { "document": "Gone" } },
            { "kind": "label", "payload": { "text": "Sound" } } ] }
        """
    private static let sound = #"[{"kind": "label", "payload": {"text": "Hello"}}]"#

    // MARK: - The report

    @Test func `The report names each fault of documents with file, line, column and code`() throws {
        let answer = try registry.post(
            bundle(
                ("Main.widgets.json", Self.faulty), ("Detail.widgets.json", Self.sound),
                ("components/tag.json", #"{"body": {"kind": "label", "payload": {"text": "x"}}}"#)
            ).archive)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(
            findings(answer) == [
                "Main.widgets.json:5:15 unknown-kind", "Main.widgets.json:6:49 bad-payload",
                "Main.widgets.json:8:94 unknown-screen", "Main.widgets.json:9:48 unknown-screen",
                "Main.widgets.json:7:44 unknown-key", "Detail.widgets.json:0:0 unknown-screen",
                "components/tag.json:1:1 unknown-identifier", "Main.widgets.json:3:15 unknown-identifier",
            ])
        // An error leaves a part of the widget out; a warning is about something that has no effect.
        #expect(
            answer.texts("report.findings", "severity") == [
                "error", "error", "error", "error", "warning", "warning", "warning", "warning",
            ])
        let details = answer.texts("report.findings", "detail")
        #expect(details.first == "No kind is called lable; did you mean label?")
        #expect(details.contains { $0.contains("no document or screen Detial; did you mean Detail?") })
        // The report is kept with the release.
        let kept = try registry.get("/v1/bundles/\(identifier)/releases/1.0~1/report")
        #expect(kept.texts("report.findings", "detail") == details)
        let text = try registry.post(
            bundle(("Main.widgets.json", Self.faulty)).with { $0.version = "1.1" }.archive, "dryRun=true",
            "Accept: text/plain")
        #expect(
            text.text.contains(
                "error Main.widgets.json:5:15 (root[0].kind): No kind is called lable [unknown-kind]; did you mean label?"
            ), "\(text.text)")
    }

    @Test func `The report names requests that a screen would send when it opens, and places without a value`() throws {
        let service =
            #"{"defaults": {"baseUrl": "https://a.example"}, "actions": {"order": {"httpMethod": "POST", "path": "o/$id"}}}"#
        let document = """
            { "schema": 1,
              "sources": { "order": { "action": "order", "when": "load", "with": { "id": 1 } } },
              "root": { "kind": "button", "payload": { "text": "Order" },
                "on": { "tap": { "do": "call", "action": "order" } } } }
            """
        let forge = bundle(("Main.widgets.json", document), ("services/Shop.json", service))
        let answer = try registry.post(forge.archive)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(
            findings(answer) == ["Main.widgets.json:2:54 sent-on-load", "Main.widgets.json:4:20 unfilled"],
            "\(findings(answer))")
        #expect(
            answer.texts("report.findings", "detail").last?.hasPrefix("The call of order has no value for $id; ")
                == true)
        let strict = try registry.post(forge.with { $0.version = "1.1" }.archive, "strict=true")
        #expect(strict.status == 422 && Set(strict.texts("errors", "code")) == ["sent-on-load", "unfilled"])
    }

    /// Registries of these tests review bundles in the tests' own process; one of strangers does not.
    @Test func `A report is the same where bundles are reviewed in confined processes`() throws {
        let archive = bundle(("Main.widgets.json", Self.faulty), ("Detail.widgets.json", Self.sound)).archive
        let answers = try [registry, Registries.confined()].map { try $0.post(archive, "dryRun=true") }
        #expect(findings(answers[0]).count > 4 && findings(answers[0]) == findings(answers[1]))
        #expect(answers[0].texts("report.findings", "detail") == answers[1].texts("report.findings", "detail"))
        #expect(!answers[1].text.contains("unreviewed"), "\(answers[1].text)")
    }

    @Test func `Strict publishing refuses a fault of a document with its place`() throws {
        let faulty = bundle(("Main.widgets.json", "[\n {\"kind\": \"lable\"}]"))
        let answer = try registry.post(faulty.archive, "strict=true")
        #expect(answer.status == 422 && answer.problemCode == "policy-refused")
        #expect(answer.texts("errors", "code") == ["unknown-kind"])
        #expect(answer.texts("errors", "detail").first?.hasPrefix("line 2, column 11: No kind is called lable") == true)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
        let clean = bundle(("Main.widgets.json", Self.sound)).archive
        #expect(try registry.post(clean, "strict=true").status == 201)
    }

    @Test func `A document that is not JSON is refused with its line and column`() throws {
        let answer = try registry.post(bundle(("Main.widgets.json", "[\n  {\"kind\" \"label\"}]")).archive)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.text("path")?.hasSuffix("Main.widgets.json") == true)
        #expect(answer["line"]?.integer == 2 && answer["column"]?.integer == 11)
    }

    @Test(arguments: [
        (#"{"no": "scene"}"#, "Main.widgets.json:1:1", "neither an element nor a scene"),
        (#"{"schema": 2, "root": []}"#, "Main.widgets.json:1:12", "schema is 2"),
    ])
    func `A bundle whose first document cannot be shown is loud about it, and refused by strict publishing`(
        document: String, place: String, sentence: String
    ) throws {
        let unshowable = bundle(("Main.widgets.json", document))
        let refused = try registry.post(unshowable.archive, "strict=true")
        #expect(refused.status == 422 && refused.texts("errors", "code") == ["bad-file"])
        let answer = try registry.post(unshowable.archive)
        #expect(answer.status == 201)
        #expect(findings(answer) == ["\(place) bad-file"])
        let detail = try #require(answer.texts("report.findings", "detail").first)
        #expect(detail.hasPrefix("the widget does not run: ") && detail.contains(sentence))
    }

    @Test func `A policy of fail makes one bad element keep the widget from running, and the report says so`() throws {
        let demanding = bundle(("Main.widgets.json", #"[{"kind": "lable"}]"#)).with { bundle in
            bundle.info.append(("WidgetDocumentPolicy", "fail"))
        }
        let answer = try registry.post(demanding.archive)
        #expect(findings(answer) == ["Main.widgets.json:1:11 bad-file"])
        #expect(answer.texts("report.findings", "detail").first?.contains("[unknown-kind]") == true)
    }

    @Test func `A first document that is named and not there is a finding`() throws {
        let missing = bundle(("Other.widgets.json", Self.sound)).with {
            $0.info.append(("WidgetDocument", "Start.widgets.json"))
        }
        let answer = try registry.post(missing.archive)
        #expect(answer.texts("report.findings", "code") == ["no-interface"])
        let beside = missing.withScreen.with { $0.version = "1.1" }
        let second = try registry.post(beside.archive)
        #expect(findings(second).contains("Info.plist:0:0 bad-file"), "\(findings(second))")
    }

    @Test func `Findings of documents end at two hundred, with the number of the others`() throws {
        let elements = Array(repeating: #"{"kind": "lable"}"#, count: 300).joined(separator: ",\n")
        let answer = try registry.post(bundle(("Main.widgets.json", "[\(elements)]")).archive)
        let codes = answer.texts("report.findings", "code")
        #expect(codes.count == 201 && codes.last == "count-budget")
        #expect(answer.texts("report.findings", "detail").last?.contains("100 more faults") == true)
    }

    // MARK: - Hostile documents

    /// Each component has ten of the next one.
    private static let bomb: String = {
        let parts = (0..<8).map {
            #""c\#($0)": {"body": [\#(Array(repeating: #"{"kind": "c\#($0 + 1)"}"#, count: 10).joined(separator: ","))]}"#
        }
        let last = #""c8": {"body": {"kind": "label", "payload": {"text": "x"}}}"#
        return #"{"schema": 1, "components": {\#((parts + [last]).joined(separator: ","))}, "root": {"kind": "c0"}}"#
    }()

    @Test(arguments: [
        ("deep", "depth-budget"), ("wide", "node-budget"), ("cyclic", "binding-cycle"), ("expanding", "node-budget"),
    ])
    func `Hostile documents are stopped by a limit that the report names`(kind: String, code: String) throws {
        let deep = String(repeating: #"{"kind": "box", "children": ["#, count: 20)
        let end = String(repeating: "]}", count: 20)
        let document =
            switch kind {
            case "deep":
                #"{"schema": 1, "components": {"a": {"body": \#(deep){"kind": "b"}\#(end)}, "b": {"body": \#(deep)\#(end)}}, "root": {"kind": "a"}}"#
            case "wide": "[\(Array(repeating: #"{"kind": "label"}"#, count: 11_000).joined(separator: ","))]"
            case "cyclic":
                #"{"schema": 1, "components": {"a": {"body": {"kind": "b"}}, "b": {"body": {"kind": "a"}}}, "root": {"kind": "a"}}"#
            default: Self.bomb
            }
        let registry = try Registries.confined()
        let answer = try registry.post(
            bundle(("Main.widgets.json", document)).archive, "", "Accept: text/plain"
        ).text
        #expect(answer.contains("[\(code)]"), "\(answer.prefix(1_000))")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 200)
    }

    @Test func `Documents that lie deeper than any reader goes are refused or reported, and the server continues`()
        throws
    {
        let registry = try Registries.confined()
        let document = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let answer = try registry.post(bundle(("Main.widgets.json", document)).archive)
        #expect(answer.status == 422 || answer.texts("report.findings", "code") == ["bad-file"], "\(answer.status)")
        #expect(try registry.get("/readyz").status == 200)
    }

    // MARK: - The whole way

    @Test func `A widget of documents is uploaded, resolved, downloaded, and shown as it was installed`() throws {
        let home = try Home()
        let archive = home.folder.appending(path: "Note.zip").path
        let documents = bundle(
            (
                "Main.widgets.json",
                #"{"schema": 1, "title": "Notes", "root": [{"kind": "tag", "payload": {"name": "new"}}, {"kind": "host", "payload": {"document": "Part"}}]}"#
            ),
            ("Part.widgets.json", #"[{"kind": "label", "payload": {"text": "A part"}}]"#),
            (
                "components/tag.json",
                #"{"parameters": {"name": ""}, "body": {"kind": "label", "payload": {"text": {"$": "name"}}}}"#
            ))
        let sent = try registry.post(documents.archive)
        #expect(sent.text.contains("\"findings\":[]"), "\(sent.text)")
        let resolved = try registry.resolve(identifier)
        #expect(resolved.text("candidates.0.release") == "1.0~1")
        let download = try registry.get("/v1/widgets/\(identifier)/bundle").body
        #expect(BundleForge.sha256(download) == resolved.text("candidates.0.sha256"))
        try Data(download).write(to: URL(filePath: archive + ".copy"))
        let widget = BuiltProgram("widget")
        let environment = ["HOME": home.folder.path]
        let copy = try widget.run(["render", "\(archive).copy"], environment: environment)
        #expect(copy.output.contains("Notes") && copy.output.contains("new") && copy.output.contains("A part"))
        let installed = try widget.run(
            ["render", identifier, "--server", registry.url, "--cache", home.folder.appending(path: "cache").path],
            environment: environment)
        #expect(installed.output == copy.output && installed.exitCode == 0, "\(installed.error)")
    }

    @Test func `widget publish shows each fault of a document once`() throws {
        let home = try Home()
        let archive = home.folder.appending(path: "Note.zip").path
        try Data(bundle(("Main.widgets.json", "[\n {\"kind\": \"lable\"}]")).archive).write(to: URL(filePath: archive))
        let published = try BuiltProgram("widget").run(
            ["publish", archive, "--dry-run", "--server", registry.url],
            environment: ["HOME": home.folder.path, "WIDGET_TOKEN": Registry.adminToken])
        #expect(published.exitCode == 0, "\(published.error)")
        let all = published.output + published.error
        #expect(all.components(separatedBy: "Main.widgets.json:2:11").count == 2, "\(all)")
        #expect(all.contains("did you mean label?"))
    }
}
