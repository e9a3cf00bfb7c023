import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §3: publishing by POST and PUT.
@Suite struct `Publishing` {
    let registry: Registry
    let identifier = fresh()
    var bundle: BundleForge { BundleForge(identifier) }

    init() throws { registry = try Registries.open() }

    private func ask(_ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]) throws -> WireAnswer {
        try registry.ask(method, target, fields, body: body, token: Registry.adminToken)
    }

    @Test func `Publishing answers 201 with the release, its place and its report`() throws {
        let answer = try registry.post(bundle.archive)
        #expect(answer.status == 201)
        #expect(answer.value("Location") == "/v1/bundles/\(identifier)/releases/1.0~1")
        #expect(answer.text("bundleIdentifier") == identifier)
        #expect(answer.text("release") == "1.0~1")
        #expect(answer.text("name") == "Sample")
        #expect(answer.text("content") == bundle.contentDigest)
        #expect(answer["channels"]?.array?.compactMap(\.string) == ["stable"])
        #expect(answer["report.kept"]?.array?.count == 2)
        #expect(answer.value("Content-Type") == "application/json")
        #expect(answer.body.last == 10)
    }

    @Test func `The answer's Location leads to the release`() throws {
        let place = try #require(try registry.post(bundle.archive).value("Location"))
        let answer = try registry.get(place)
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.0~1")
    }

    @Test(arguments: [
        nil, "application/octet-stream", "application/zip", "application/x-www-form-urlencoded", "APPLICATION/ZIP",
        "application/zip; name=\"x\"",
    ])
    func `Publishing accepts a zip under each of its media types`(_ type: String?) throws {
        let answer = try ask("POST", "/v1/bundles", type.map { ["Content-Type: \($0)"] } ?? [], body: bundle.archive)
        #expect(answer.status == 201)
    }

    @Test(arguments: ["text/html", "application/json", "text/plain", "image/png", "nonsense"])
    func `Publishing refuses other media types`(_ type: String) throws {
        let answer = try ask("POST", "/v1/bundles", ["Content-Type: \(type)"], body: bundle.archive)
        #expect(answer.status == 415)
        #expect(answer.problemCode == "unsupported-media-type")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `Publishing refuses a content coding`() throws {
        let answer = try ask(
            "POST", "/v1/bundles", ["Content-Type: application/zip", "Content-Encoding: gzip"], body: bundle.archive)
        #expect(answer.status == 415)
    }

    @Test(arguments: ["Sample.zip", "Anything-else_1.zip", "a%20b.zip"])
    func `A PUT of a file's name publishes the same`(_ name: String) throws {
        let answer = try ask("PUT", "/v1/bundles/\(name)", body: bundle.archive)
        #expect(answer.status == 201)
        #expect(answer.value("Location") == "/v1/bundles/\(identifier)/releases/1.0~1")
    }

    @Test func `A PUT under another ending publishes the same, because the content decides`() throws {
        #expect(try ask("PUT", "/v1/bundles/Sample.tar", body: bundle.archive).status == 201)
    }

    @Test func `A chunked upload publishes the same`() throws {
        let archive = bundle.archive
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Transfer-Encoding: chunked"], token: Registry.adminToken))
        for start in stride(from: 0, to: archive.count, by: 100) {
            let piece = archive[start..<min(start + 100, archive.count)]
            conversation.connection.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
        }
        conversation.connection.send("0\r\nX-Trailer: ignored\r\n\r\n")
        #expect(try conversation.next().status == 201)
    }

    // MARK: Asserted

    @Test func `A right assertion is accepted`() throws {
        let answer = try ask("PUT", "/v1/bundles/\(identifier)/releases/1.0~1", body: bundle.archive)
        #expect(answer.status == 201)
    }

    @Test func `An assertion of another identifier is refused`() throws {
        let answer = try ask("PUT", "/v1/bundles/\(identifier)x/releases/1.0~1", body: bundle.archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "identity-mismatch")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test(arguments: ["1.0~2", "1.1~1", "1.0~1.0"])
    func `An assertion of another key is refused`(_ key: String) throws {
        let answer = try ask("PUT", "/v1/bundles/\(identifier)/releases/\(key)", body: bundle.archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "identity-mismatch")
    }

    @Test func `Publishing twice with an assertion changes nothing`() throws {
        _ = try ask("PUT", "/v1/bundles/\(identifier)/releases/1.0~1", body: bundle.archive)
        let answer = try ask("PUT", "/v1/bundles/\(identifier)/releases/1.0~1", body: bundle.archive)
        #expect(answer.status == 200)
        #expect(answer.flag("changed") == false)
    }

    // MARK: With a note

    private let longest = String(repeating: "%C3%A9", count: 500)

    @Test func `A note is shown with the release in every document`() throws {
        let note = "Works on Sundays"
        let answer = try registry.post(bundle.archive, "note=Works%20on%20Sundays")
        #expect(answer.status == 201)
        #expect(answer.text("note") == note)
        let place = "/v1/bundles/\(identifier)/releases"
        #expect(try registry.get("\(place)/1.0~1").text("note") == note)
        #expect(try registry.get("\(place)/1.0~1/report").text("note") == note)
        #expect(try registry.get(place).text("items.0.note") == note)
        #expect(try registry.withdraw(identifier, "1.0~1").text("note") == note)
    }

    @Test func `Another note on a second publication is ignored`() throws {
        try registry.publish(bundle, "note=First")
        for query in ["note=Second", ""] {
            let again = try registry.post(bundle.archive, query)
            #expect(again.status == 200)
            #expect(again.flag("changed") == false)
            #expect(again.text("note") == "First")
        }
        #expect(try registry.release(identifier, "1.0~1").text("note") == "First")
    }

    @Test func `A release without a note has no such member`() throws {
        #expect(try registry.publish(bundle)["note"] == nil)
        #expect(try registry.release(identifier, "1.0~1")["note"] == nil)
    }

    @Test func `A note of 500 characters is accepted`() throws {
        #expect(try registry.publish(bundle, "note=\(longest)").text("note")?.count == 500)
    }

    @Test(arguments: ["x", "%0A", "%E2%80%A8", "%00"])
    func `A longer note, or one of several lines, is refused`(_ end: String) throws {
        let note = end == "x" ? longest + end : "two\(end)lines"
        let answer = try registry.post(bundle.archive, "note=\(note)")
        #expect(answer.status == 400)
        #expect(answer.problemCode == "malformed-request")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    // MARK: Trying

    @Test func `A dry run says everything and stores nothing`() throws {
        let answer = try registry.post(bundle.archive, "dryRun=true")
        #expect(answer.status == 200)
        #expect(answer.value("Location") == nil)
        #expect(answer.text("release") == "1.0~1")
        #expect(answer.text("content") == bundle.contentDigest)
        #expect(answer["report.kept"]?.array?.count == 2)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
        #expect(try registry.get(try #require(answer.text("url"))).status == 404)
        #expect(try registry.resolve(identifier).status == 404)
    }

    @Test func `A dry run is refused for the same reasons as publishing`() throws {
        #expect(try registry.post(Array("no zip".utf8), "dryRun=true").problemCode == "not-a-zip")
        try registry.publish(bundle)
        let answer = try registry.post(BundleForge(identifier, text: "Other").archive, "dryRun=true")
        #expect(answer.status == 409)
        #expect(answer.problemCode == "release-exists")
    }

    @Test func `A dry run has the digest that publishing has then`() throws {
        let tried = try registry.post(bundle.archive, "dryRun=true").text("sha256")
        #expect(try registry.publish(bundle).text("sha256") == tried)
    }

    @Test func `Strict publishing refuses anything that would be stripped, with a list`() throws {
        let answer = try registry.post(
            bundle.withScreen.adding("notes.txt", "x").adding("page.html", "<html>").archive, "strict=true")
        #expect(answer.status == 422)
        #expect(answer.problemCode == "policy-refused")
        #expect(answer["errors"]?.array?.count == 2)
        #expect(answer.names("errors.0") == ["code", "path", "detail"])
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `Strict publishing refuses what would be warned about`() throws {
        #expect(try registry.post(BundleForge(identifier, nil, nil).withScreen.archive, "strict=true").status == 422)
    }

    @Test func `Strict publishing accepts a clean bundle`() throws {
        #expect(try registry.post(bundle.withScreen.archive, "strict=true").status == 201)
    }

    @Test(arguments: ["dryRun=maybe", "strict=1x", "promote=perhaps"])
    func `A switch that is neither on nor off is refused`(_ query: String) throws {
        let answer = try registry.post(bundle.archive, query)
        #expect(answer.status == 400)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    // MARK: Onto a channel

    @Test(arguments: ["beta", "dev2", "B.e-t_a", String(repeating: "c", count: 64)])
    func `Publishing onto a channel moves that channel only`(_ channel: String) throws {
        let answer = try registry.publish(bundle, "channel=\(channel)")
        #expect(answer["channels"]?.array?.compactMap(\.string) == [channel])
        #expect(try registry.channel(identifier, channel).text("release") == "1.0~1")
        #expect(try registry.channel(identifier).status == 404)
    }

    @Test(arguments: ["", "-a", "a%20b", "a%2Fb", "%C3%BC", String(repeating: "c", count: 65)])
    func `Publishing onto an invalid channel is refused`(_ channel: String) throws {
        let answer = try registry.post(bundle.archive, "channel=\(channel)")
        #expect(answer.status == 400 || answer.status == 422)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `A lower version is stored but leaves the channel, and the answer says so`() throws {
        try registry.publish(BundleForge(identifier, "2.0"))
        let before = try registry.channel(identifier)
        let answer = try registry.post(BundleForge(identifier, "1.9").archive)
        #expect(answer.status == 201)
        #expect(answer.texts("report.warnings", "code").contains("older-than-channel"))
        #expect(answer["channels"]?.array?.isEmpty == true)
        #expect(try registry.channel(identifier).body == before.body)
        #expect(try registry.release(identifier, "1.9~1").status == 200)
    }

    @Test func `A forced lower version moves the channel`() throws {
        try registry.publish(BundleForge(identifier, "2.0"))
        let answer = try registry.post(BundleForge(identifier, "1.9").archive, "promote=force")
        #expect(answer.status == 201)
        #expect(try registry.channel(identifier).text("release") == "1.9~1")
    }

    @Test func `Stored content can be published on another channel`() throws {
        try registry.publish(bundle)
        let answer = try registry.post(bundle.archive, "channel=beta")
        #expect(answer.status == 200)
        #expect(try registry.channel(identifier, "beta").text("release") == "1.0~1")
        #expect(try registry.channel(identifier).text("release") == "1.0~1")
    }

    @Test func `Publishing raises the channel's sequence`() throws {
        try registry.publish(bundle)
        let before = try #require(try registry.channel(identifier).number("sequence"))
        try registry.publish(BundleForge(identifier, "1.1"))
        #expect(try registry.channel(identifier).number("sequence").map { $0 > before } == true)
    }

    @Test func `A new release is visible in every document at once`() throws {
        try registry.publish(bundle)
        try registry.publish(BundleForge(identifier, "1.1"))
        #expect(try registry.resolve(identifier).text("candidates.0.release") == "1.1~1")
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == "1.1~1")
        #expect(try registry.channel(identifier).text("release") == "1.1~1")
        #expect(try registry.release(identifier, "1.1~1").status == 200)
    }

    // MARK: The same bytes from the same files

    @Test func `The same upload gives the same archive on any server`() throws {
        let first = try registry.publish(bundle).text("sha256")
        let other = try Registries.reserved().post(bundle.archive)
        #expect(other.status == 201)
        #expect(other.text("sha256") == first)
    }

    @Test(arguments: ["Sample.app", "Payload/Sample.app", ""])
    func `Publishing finds the bundle in other layouts of an archive`(_ folder: String) throws {
        let files = bundle.contents.map { (folder.isEmpty ? $0.path : "\(folder)/\($0.path)", $0.bytes) }
        let answer = try registry.post(ForgedArchive.of(files))
        #expect(answer.status == 201)
        #expect(answer.text("name") == "Sample")
        #expect(answer.text("content") == bundle.contentDigest)
    }
}

/// §3: forms, as browsers and `curl -F` send them.
@Suite struct `A form` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    private func part(_ head: String, _ body: [UInt8]) -> [UInt8] {
        Array("--XyZ\r\n\(head)\r\n\r\n".utf8) + body + [13, 10]
    }

    private func file(_ field: String = "file") -> [UInt8] {
        part(
            "Content-Disposition: form-data; name=\"\(field)\"; filename=\"Sample.zip\"\r\nContent-Type: "
                + "application/zip", BundleForge(identifier).archive)
    }

    private let end = Array("--XyZ--\r\n".utf8)

    private func post(_ body: [UInt8], _ type: String = "multipart/form-data; boundary=XyZ") throws -> WireAnswer {
        try registry.ask("POST", "/v1/bundles", ["Content-Type: \(type)"], body: body, token: Registry.adminToken)
    }

    @Test(arguments: ["file", "bundle", "anything"])
    func `A form with one file is accepted under any field name`(_ field: String) throws {
        let answer = try post(file(field) + end)
        #expect(answer.status == 201)
        #expect(answer.text("bundleIdentifier") == identifier)
    }

    @Test(arguments: ["multipart/form-data; boundary=\"XyZ\"", "Multipart/Form-Data;boundary=XyZ"])
    func `A form may quote its boundary`(_ type: String) throws {
        #expect(try post(file() + end, type).status == 201)
    }

    @Test func `A form may have a preamble and an epilogue`() throws {
        #expect(try post(Array("Hello\r\n".utf8) + file() + end + Array("Goodbye".utf8)).status == 201)
    }

    @Test func `A form may arrive byte by byte`() throws {
        let body = file() + end
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles",
                ["Content-Type: multipart/form-data; boundary=XyZ", "Content-Length: \(body.count)"],
                token: Registry.adminToken))
        for byte in body { conversation.connection.send([byte]) }
        #expect(try conversation.next().status == 201)
    }

    @Test func `A file that contains nearly the boundary is read whole`() throws {
        let bundle = BundleForge(identifier).adding("tricky.json", "[\"\\r\\n--Xy\", \"--XyZ\"]").with {
            $0.isStored = true
        }
        let answer = try post(
            part("Content-Disposition: form-data; name=\"f\"; filename=\"x.zip\"", bundle.archive) + end)
        #expect(answer.status == 201)
        #expect(answer.text("content") == bundle.contentDigest)
    }

    @Test func `A form without a file is refused`() throws {
        let answer = try post(part("Content-Disposition: form-data; name=\"comment\"", Array("x".utf8)) + end)
        #expect(answer.status == 400)
    }

    @Test func `A form with two files is refused`() throws {
        #expect(try post(file("a") + file("b") + end).status == 400)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `An incomplete form is refused`() throws {
        #expect(try post(file()).status == 400)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `An empty form is refused`() throws {
        #expect(try post(end).status == 400)
        #expect(try post([]).status == 400)
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=XyZ",
        "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
    ])
    func `A form without a valid boundary is refused`(_ type: String) throws {
        let answer = try post(file() + end, type)
        #expect(answer.status == 400 || answer.status == 415)
    }

    @Test func `A form sent as a zip is refused`() throws {
        let answer = try registry.post(file() + end)
        #expect(answer.status == 400)
        #expect(answer.problemCode == "not-a-zip")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }
}
