import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §3.9: content that tools leave slightly wrong is read, reported, and refused under `strict`.
@Suite struct `Ordinary content` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    private func bundle(_ files: [(path: String, bytes: [UInt8])]) -> BundleForge {
        var bundle = BundleForge(identifier)
        bundle.files = files
        return bundle
    }

    private func warnings(_ answer: WireAnswer) -> [String] {
        (answer["report.warnings"]?.array ?? []).compactMap { $0["code"]?.string }
    }

    private func findings(_ answer: WireAnswer, of path: String) -> [String] {
        (answer["report.findings"]?.array ?? []).filter { $0["path"]?.string == path }.map {
            "\($0["line"]?.integer ?? 0):\($0["column"]?.integer ?? 0) \($0["code"]?.string ?? "")"
        }
    }

    @Test(arguments: [3, 19] as [UInt16])
    func `An archive of Finder or zip with unmarked names is published, with a warning, and served with the flag`(
        _ host: UInt16
    ) throws {
        let bundle = bundle([("gr\u{F6}\u{DF}e.json", Array("{}".utf8))])
        var forge = ZipForge(
            bundle.contents.map { .init(Array("\(bundle.name).bundle/\($0.path)".utf8), $0.bytes) })
        for index in forge.entries.indices {
            forge.entries[index].both(\.flags, 0)
            forge.entries[index].central.madeBy = host << 8 | 20
        }
        let unmarked = forge.build().bytes
        let strict = try registry.post(unmarked, "strict=true")
        #expect(strict.status == 422 && strict.problemCode == "policy-refused")
        let error = (strict["errors"]?.array ?? []).first { $0["code"]?.string == "name-not-marked" }
        #expect(error?["path"]?.string == "\(bundle.name).bundle/gr\u{F6}\u{DF}e.json")
        let answer = try registry.post(unmarked)
        #expect(answer.status == 201)
        #expect(warnings(answer).contains("name-not-marked"))
        let archive = try registry.get("/v1/blobs/sha256/\(try #require(answer.text("report.sha256")))").body
        let header = try #require(
            archive.indices.last { index in
                archive[index...].starts(with: [0x50, 0x4B, 1, 2])
            })
        #expect(archive[header + 9] == 0x08)
        // A marked archive of the same files is the same content.
        let again = try registry.post(bundle.archive)
        #expect(again.status == 200 && again.flag("changed") == false)
    }

    @Test func `An archive with an unmarked name by a tool of Windows is refused`() throws {
        let bundle = bundle([("\u{E9}.json", Array("{}".utf8))])
        var forge = ZipForge(
            bundle.contents.map { .init(Array("\(bundle.name).bundle/\($0.path)".utf8), $0.bytes) })
        for index in forge.entries.indices {
            forge.entries[index].both(\.flags, 0)
            forge.entries[index].central.madeBy = 20
            forge.entries[index].central.externalAttributes = 0
        }
        let answer = try registry.post(forge.build().bytes)
        #expect(answer.status == 422 && answer.problemCode == "entry-refused")
        #expect(answer.text("detail")?.contains("marked as UTF-8") == true)
    }

    @Test func `Translations with a repeated key and needless backslashes are published, with the places`() throws {
        let path = "en.lproj/Localizable.strings"
        let text = "\"a\" = \"1\";\n\"a\" = \"2\";\n\"b\" = \"\\(x\\u00e9\";\n"
        let archive = bundle([(path, Array(text.utf8))]).archive
        let strict = try registry.post(archive, "strict=true")
        #expect(strict.status == 422 && strict.problemCode == "policy-refused")
        let details = (strict["errors"]?.array ?? []).filter { $0["path"]?.string == path }
        #expect(details.compactMap { $0["code"]?.string } == ["repeated-key", "needless-backslash", "small-u"])
        #expect(details.first?["detail"]?.string?.hasPrefix("line 2, column 1: ") == true)
        let answer = try registry.post(archive)
        #expect(answer.status == 201)
        #expect(findings(answer, of: path) == ["2:1 repeated-key", "3:8 needless-backslash", "3:11 small-u"])
        let served = try registry.get("/v1/bundles/\(identifier)/releases/1.0~1/files/\(path)")
        #expect(served.body == Array(text.utf8))
    }

    @Test func `An Info.plist that repeats a key is published, unless the identity depends on it`() throws {
        let sound = String(decoding: bundle([]).infoPlist, as: UTF8.self)
        func archive(_ more: String) -> [UInt8] {
            let text = sound.replacing("</dict>", with: "\(more)</dict>")
            return ForgedArchive.of([("Sample.bundle/Info.plist", Array(text.utf8))])
        }
        let other = "<key>CFBundleIdentifier</key><string>\(identifier)x</string>"
        let refused = try registry.post(archive(other))
        #expect(refused.status == 422 && refused.problemCode == "info-plist-invalid")
        #expect(refused.text("detail")?.contains("already has the key CFBundleIdentifier") == true)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
        let answer = try registry.post(archive("<key>UIStatus</key><true/><key>UIStatus</key><false/>"))
        #expect(answer.status == 201)
        #expect(findings(answer, of: "Info.plist").first?.hasSuffix("repeated-key") == true)
    }

    @Test func `A service may lead back to its application, but not run a script`() throws {
        func archive(_ callback: String) -> [UInt8] {
            bundle([("Service.json", Array("{\"auth\": {\"callbackUrl\": \"\(callback)\"}}".utf8))]).archive
        }
        for callback in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"] {
            let answer = try registry.post(archive(callback))
            #expect(answer.status == 422 && answer.text("errors.0.code") == "service-url", "\(callback)")
        }
        #expect(try registry.post(archive("twitterdemo://oauth")).status == 201)
    }

    @Test func `A picture under another name is refused with the name that it needs`() throws {
        let webp = Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [UInt8](repeating: 0, count: 14)
        let answer = try registry.post(bundle([("a.png", webp)]).archive)
        #expect(answer.status == 422 && answer.problemCode == "entry-refused")
        #expect(answer.text("detail")?.contains("it is a WebP picture; name it `.webp`") == true)
    }

    @Test func `JSON with two members that are one text to Unicode is refused with their place`() throws {
        let text = "{\"K\": 1,\n \"\u{212A}\": 2}"
        let answer = try registry.post(bundle([("data.json", Array(text.utf8))]).archive)
        #expect(answer.status == 422 && answer.problemCode == "invalid-json")
        #expect(answer["line"]?.integer == 2 && answer["column"]?.integer == 2)
    }

    @Test func `An asterisk belongs to OPTIONS, and to HTTP/2's opening with its own version`() throws {
        for (line, status) in [("PRI * HTTP/1.1", 400), ("PRI * HTTP/2.0", 505), ("OPTIONS * HTTP/1.1", 204)] {
            let conversation = try registry.connect()
            conversation.connection.send(Array("\(line)\r\nHost: x\r\n\r\n".utf8))
            #expect(try conversation.next().status == status, "\(line)")
        }
    }
}
