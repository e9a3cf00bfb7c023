import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §3 and §7: the checks before the body, so that `Expect: 100-continue` means something.
@Suite struct `An upload that waits for permission` {
    let identifier = fresh()

    /// The answer before any byte of the body is sent.
    private func first(
        _ registry: Registry, _ method: String = "POST", _ target: String = "/v1/bundles", _ fields: [String] = [],
        count: Int = 1_000, token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request(
                method, target, fields + ["Content-Length: \(count)", "Expect: 100-continue"], token: token))
        return try conversation.next()
    }

    private let tooMuch = (64 << 20) + 1

    @Test func `An acceptable upload gets 100 Continue, and is accepted`() throws {
        let archive = BundleForge(identifier).archive
        let conversation = try Registries.open().connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Content-Length: \(archive.count)", "Expect: 100-continue"],
                token: Registry.adminToken))
        #expect(try conversation.next().status == 100)
        conversation.connection.send(archive)
        #expect(try conversation.next().status == 201)
    }

    @Test func `A chunked upload gets 100 Continue`() throws {
        let conversation = try Registries.open().connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Transfer-Encoding: chunked", "Expect: 100-continue"],
                token: Registry.adminToken))
        #expect(try conversation.next().status == 100)
    }

    @Test func `An upload without a token is refused at once`() throws {
        let answer = try first(try Registries.open(), token: nil)
        #expect(answer.status == 401)
        #expect(answer.value("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test func `An upload with an invalid token is refused at once`() throws {
        #expect(try first(try Registries.open(), token: "wdg_" + String(repeating: "a", count: 43)).status == 401)
    }

    @Test func `An upload without the scope is refused at once`() throws {
        let registry = try Registries.open()
        let reader = try Tokens.make(registry, scopes: ["read"], prefix: "com.example")
        #expect(try first(registry, token: reader).status == 403)
    }

    @Test func `An upload to a bundle outside its prefix is refused at once when the path names the bundle`() throws {
        let registry = try Registries.open()
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: "com.example.mine")
        let answer = try first(registry, "PUT", "/v1/bundles/com.example.yours/releases/1.0~1", token: token)
        #expect(answer.status == 403)
    }

    @Test func `An upload of an unsupported type is refused at once`() throws {
        #expect(try first(try Registries.open(), "POST", "/v1/bundles", ["Content-Type: text/html"]).status == 415)
    }

    @Test func `An upload that is too large is refused at once, with the limit`() throws {
        let answer = try first(try Registries.open(), count: tooMuch)
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(answer.number("limit") == 64 << 20)
        #expect(answer.number("actual") == tooMuch)
    }

    @Test func `An upload without space on the disk is refused at once`() throws {
        let answer = try first(try Registries.filled())
        #expect(answer.status == 507)
        #expect(answer.problemCode == "insufficient-storage")
    }

    @Test func `An upload to an unknown path is refused at once`() throws {
        #expect(try first(try Registries.open(), "POST", "/v1/nowhere").status == 404)
    }

    @Test func `An upload with a wrong method is refused at once`() throws {
        #expect(try first(try Registries.open(), "POST", "/v1/changes").status == 405)
    }

    @Test func `The token is checked before the type`() throws {
        let answer = try first(
            try Registries.open(), "POST", "/v1/bundles", ["Content-Type: text/html"], count: tooMuch, token: nil)
        #expect(answer.status == 401)
    }

    @Test func `The scope is checked before the type`() throws {
        let registry = try Registries.open()
        let reader = try Tokens.make(registry, scopes: ["read"], prefix: "com.example")
        let answer = try first(
            registry, "POST", "/v1/bundles", ["Content-Type: text/html"], count: tooMuch, token: reader)
        #expect(answer.status == 403)
    }

    @Test func `The type is checked before the length`() throws {
        let answer = try first(
            try Registries.open(), "POST", "/v1/bundles", ["Content-Type: text/html"], count: tooMuch)
        #expect(answer.status == 415)
    }

    @Test func `The length is checked before the space`() throws {
        #expect(try first(try Registries.filled(), count: tooMuch).status == 413)
    }

    @Test func `An unknown expectation is refused`() throws {
        let registry = try Registries.open()
        let answer = try registry.ask(
            "POST", "/v1/bundles", ["Expect: miracles"], body: BundleForge(identifier).archive,
            token: Registry.adminToken)
        #expect(answer.status == 417)
    }

    @Test func `A refused upload leaves the connection usable when its body is small`() throws {
        let registry = try Registries.open()
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", [], body: Array(repeating: 0, count: 60_000)))
        let answer = try conversation.next()
        #expect(answer.status == 401)
        #expect(!answer.closes)
        #expect(try conversation.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    }

    @Test func `A refused upload ends the connection when its body is large`() throws {
        let registry = try Registries.open()
        let conversation = try registry.connect()
        conversation.connection.send(Registry.request("POST", "/v1/bundles", ["Content-Length: 10000000"]))
        #expect(conversation.connection.push(10_000_000) == 10_000_000)
        let answer = try conversation.next()
        #expect(answer.status == 401)
        #expect(answer.closes)
        #expect(conversation.remainder().ending == .end)
    }

    @Test func `A chunked upload that grows too large is refused on the way`() throws {
        let registry = try Registries.narrow()
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", ["Transfer-Encoding: chunked"], token: Registry.adminToken))
        // It begins like an archive, or its beginning might be refused before its size is known.
        let piece = [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: UInt8(ascii: "P"), count: 4_092)
        let chunk = Array("1000\r\n".utf8) + piece + [13, 10]
        for _ in 0..<20 { conversation.connection.send(chunk) }
        let answer = try conversation.next()
        #expect(answer.status == 413)
        #expect(answer.number("limit") == 32 << 10)
    }
}

/// §3.5: the report that a person reads.
@Suite struct `Asked for plain text` {
    let registry: Registry
    let identifier = fresh()
    var bundle: BundleForge { BundleForge(identifier) }
    private static let accept = "Accept: text/plain"

    init() throws { registry = try Registries.open() }

    private func isText(_ answer: WireAnswer) -> Bool { answer.value("Content-Type") == "text/plain; charset=utf-8" }

    @Test func `As text, publishing answers with the lines that widget publish prints, warnings before files`() throws {
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

    @Test func `As text, publishing by PUT answers the same`() throws {
        let answer = try registry.ask(
            "PUT", "/v1/bundles/Sample.zip", [Self.accept], body: bundle.archive, token: Registry.adminToken)
        #expect(answer.status == 201 && isText(answer) && answer.text.hasSuffix(" is published, on stable\n"))
    }

    @Test func `As text, a dry run says so, and so does its document`() throws {
        let text = try registry.post(bundle.archive, "dryRun", Self.accept)
        #expect(text.status == 200)
        #expect(text.text.hasSuffix(" would be published, on stable; this was a dry run, and nothing was stored\n"))
        let document = try registry.post(bundle.archive, "dryRun")
        #expect(document.flag("dryRun") == true && document.flag("changed") == true)
        #expect(try registry.post(bundle.archive)["dryRun"] == nil)
        #expect(
            try registry.post(bundle.archive, "dryRun", Self.accept).text.contains(" is there already, on stable; "))
    }

    @Test func `As text, a report is what widget report prints, and the document stays beside it`() throws {
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
    func `JSON is answered as usual when text is one of several accepted types`(_ accept: String) throws {
        let answer = try registry.post(bundle.archive, "", "Accept: \(accept)")
        #expect(answer.status == 201 && answer.value("Content-Type") == "application/json")
        let refused = try registry.post(bundle.archive, "channel=-", "Accept: \(accept)")
        #expect(refused.value("Content-Type") == "application/problem+json")
    }

    @Test func `Refusals are text too, in every layer of the server`() throws {
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

    @Test func `A channel that publishing made is named`() throws {
        try registry.publish(bundle)
        let answer = try registry.post(BundleForge(identifier, "1.1").withScreen.archive, "channel=stabel", Self.accept)
        #expect(
            answer.text.contains(
                "warning Info.plist: the channel stabel did not exist before; there is stable [new-channel]\n"))
        let document = try registry.post(BundleForge(identifier, "1.2").archive, "channel=btea")
        #expect(document.texts("report.warnings", "code").first == "new-channel")
        #expect(document["report.warnings"]?.element(0)?["detail"]?.string?.contains("btea") == true)
        let known = try registry.post(BundleForge(identifier, "1.3").archive, "channel=btea")
        #expect(!known.texts("report.warnings", "code").contains("new-channel"))
    }

    @Test func `A bundle whose first screen cannot be read is published, and its report says so once`() throws {
        let broken = BundleForge(identifier, "1.4").withScreen.with { bundle in
            bundle.files.removeAll { $0.path.hasSuffix(".nib") }
        }
        let answer = try registry.post(broken.archive)
        #expect(answer.status == 201)
        #expect(answer.texts("report.findings", "code") == ["no-interface"])
        #expect(answer.texts("report.findings", "detail").first?.contains("is named but not there") == true)
    }

    @Test func `A bundle whose program is too large to be read is published, and its report says that it does not run`()
        throws
    {
        var bundle = BundleForge(identifier, "1.5").withScreen
        bundle.isStored = true
        for number in 1...17 {
            let digits = String(repeating: "0123456789abcdef", count: 62_500)
            bundle = bundle.adding("part\(number).json", "[\"\(number)\(digits)\"]")
        }
        let answer = try registry.post(bundle.archive)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.texts("report.findings", "code") == ["bad-file"])
        let detail = answer.texts("report.findings", "detail").first
        #expect(detail?.hasPrefix("the widget does not run") == true && detail?.contains("exceed 16") == true)
    }

    @Test func `A document has warnings before files`() throws {
        let names = try registry.post(bundle.archive).names("report")
        #expect(names == ["findings", "warnings", "stripped", "kept", "source", "content", "sha256", "size"])
    }
}
