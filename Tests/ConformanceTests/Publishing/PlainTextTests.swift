import ConformanceSupport
import JSONText
import TestSupport
import Testing

/// §3.5: the report that a person reads.
@Suite struct `Asked for plain text` {
    let registry: Registry
    let identifier = fresh()
    var bundle: BundleForge { BundleForge(identifier) }
    private static let accept = "Accept: text/plain"

    init() throws { registry = try Registries.open() }

    private func isText(_ answer: WireAnswer) -> Bool { answer.value("Content-Type") == "text/plain; charset=utf-8" }

    @Test func `publishing answers with the lines that widget publish prints, warnings before files`() throws {
        let answer = try registry.post(bundle.adding("notes.txt", "x").archive, "", Self.accept)
        #expect(answer.status == 201 && isText(answer))
        #expect(answer.value("Location") == "/v1/bundles/\(identifier)/releases/1.0~1")
        let lines = answer.text.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("warning Main.storyboardc: ") == true
                && lines.first?.hasSuffix("[no-interface]") == true)
        #expect(lines.last == "\(identifier) 1.0~1 is published, on stable")
        let stripped = try #require(lines.firstIndex { $0.hasPrefix("stripped ") })
        #expect(lines.lastIndex { $0.hasPrefix("warning ") }.map { $0 < stripped } == true)
    }

    @Test func `by PUT it is the same`() throws {
        let answer = try registry.ask(
            "PUT", "/v1/bundles/Sample.zip", [Self.accept], body: bundle.archive, token: Registry.adminToken)
        #expect(answer.status == 201 && isText(answer) && answer.text.hasSuffix(" is published, on stable\n"))
    }

    @Test func `a dry run says so, and so does its document`() throws {
        let text = try registry.post(bundle.archive, "dryRun", Self.accept)
        #expect(text.status == 200)
        #expect(text.text.hasSuffix(" would be published, on stable; this was a dry run, and nothing was stored\n"))
        let document = try registry.post(bundle.archive, "dryRun")
        #expect(document.flag("dryRun") == true && document.flag("changed") == true)
        #expect(try registry.post(bundle.archive)["dryRun"] == nil)
        #expect(
            try registry.post(bundle.archive, "dryRun", Self.accept).text.contains(" is there already, on stable; "))
    }

    @Test func `a report is what widget report prints, and the document stays beside it`() throws {
        try registry.publish(bundle, "note=first")
        let path = "/v1/bundles/\(identifier)/releases/1.0~1/report"
        let text = try registry.ask("GET", path, [Self.accept])
        let document = try registry.get(path)
        #expect(text.status == 200 && isText(text) && text.text.hasPrefix("note first\nwarning "))
        #expect(document.value("Content-Type") == "application/json" && document["report.kept"] != nil)
        for answer in [text, document] {
            #expect(answer.value("Vary")?.contains("Accept") == true)
        }
        #expect(text.value("ETag") != document.value("ETag"))
        let again = try registry.ask("GET", path, [Self.accept, "If-None-Match: \(text.value("ETag") ?? "")"])
        #expect(again.status == 304)
    }

    @Test(arguments: ["*/*", "application/json, text/plain, */*", "text/plain;q=0, */*"])
    func `among other things, JSON is answered as ever`(_ accept: String) throws {
        let answer = try registry.post(bundle.archive, "", "Accept: \(accept)")
        #expect(answer.status == 201 && answer.value("Content-Type") == "application/json")
        let refused = try registry.post(bundle.archive, "channel=-", "Accept: \(accept)")
        #expect(refused.value("Content-Type") == "application/problem+json")
    }

    @Test func `refusals are text, too, wherever they come from`() throws {
        let refusals = [
            try registry.post(bundle.adding("notes.txt", "x").archive, "strict=true", Self.accept),
            try registry.post(Array("no zip".utf8), "", Self.accept),
            try registry.post(bundle.archive, "", Self.accept, token: nil),
            try registry.ask(
                "POST", "/v1/bundles", ["Content-Type: text/html", Self.accept], body: bundle.archive,
                token: Registry.adminToken),
            try registry.ask("GET", "/v1/nowhere", [Self.accept]),
            try registry.ask("GET", "/v1/bundles/\(identifier)/releases/9~9/report", [Self.accept]),
            try registry.ask("GET", "/v1/bundles", [Self.accept]),
        ]
        for (answer, code) in zip(
            refusals,
            [
                "policy-refused", "not-a-zip", "unauthorized", "unsupported-media-type", "not-found", "no-such-bundle",
                "not-acceptable",
            ])
        {
            #expect(answer.status >= 400 && isText(answer), "\(answer.text)")
            let lines = answer.text.split(separator: "\n")
            #expect(lines.first?.hasPrefix("error: ") == true)
            #expect(
                lines.last?.hasPrefix("for reports: \(code), status \(answer.status), request ") == true,
                "\(answer.text)")
        }
        #expect(refusals[0].text.contains("notes.txt: other, stripped: remove it, or publish without strict"))
        #expect(refusals[0].text.contains("\n  Main.storyboardc: ") && refusals[0].text.contains(" [no-interface]\n"))
    }

    @Test func `a channel that publishing made is named`() throws {
        try registry.publish(bundle)
        let answer = try registry.post(BundleForge(identifier, "1.1").withScreen.archive, "channel=stabel", Self.accept)
        #expect(
            answer.text.hasPrefix(
                "warning Info.plist: the channel stabel did not exist before; there is stable [new-channel]\n"))
        let document = try registry.post(BundleForge(identifier, "1.2").archive, "channel=btea")
        #expect(document.texts("report.warnings", "code").first == "new-channel")
        #expect(document["report.warnings"]?.element(0)?["detail"]?.string?.contains("btea") == true)
        let known = try registry.post(BundleForge(identifier, "1.3").archive, "channel=btea")
        #expect(!known.texts("report.warnings", "code").contains("new-channel"))
    }

    @Test func `in a document what is warned about comes before the files`() throws {
        let names = try registry.post(bundle.archive).names("report")
        #expect(names == ["findings", "warnings", "stripped", "kept", "source", "content", "sha256", "size"])
    }
}
