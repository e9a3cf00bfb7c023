import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §2: the report of a release: kept files, stripped files and warnings.
@Suite struct `A report` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    private let machO: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1] + Array(repeating: 0, count: 64)

    private var raw: BundleForge {
        BundleForge(identifier).with { $0.info = [("CFBundleExecutable", "Sample")] }
            .adding("Sample", bytes: machO).adding("_CodeSignature/CodeResources", "<plist/>")
            .adding("Frameworks/Salute.framework/Salute", bytes: machO).adding(".DS_Store", "x")
            .adding("notes.txt", "to do").adding("page.html", "<html></html>")
    }

    @Test func `A report lists stripped files by rule, with size and digest`() throws {
        let answer = try registry.publish(raw)
        let rules = Dictionary(
            zip(answer.texts("report.stripped", "path"), answer.texts("report.stripped", "rule")),
            uniquingKeysWith: { first, _ in first })
        let expected = [
            "Sample": "executable", "_CodeSignature/CodeResources": "signature",
            "Frameworks/Salute.framework/Salute": "executable", ".DS_Store": "noise", "notes.txt": "not-allowed",
            "page.html": "active-content",
        ]
        for (path, rule) in expected {
            let found = rules["Sample.bundle/\(path)"] ?? rules[path]
            #expect(found == rule, "\(path)")
        }
        let digests = answer.texts("report.stripped", "sha256")
        #expect(digests.contains(BundleForge.sha256(machO)))
        #expect(answer["report.stripped"]?.array?.allSatisfy { $0["size"]?.integer != nil } == true)
        #expect(answer["report.stripped"]?.array?.allSatisfy { $0["kind"]?.string != nil } == true)
    }

    @Test func `A report lists the files that were kept`() throws {
        let answer = try registry.publish(raw)
        #expect(answer.texts("report.kept", "path") == ["Info.plist", "en.lproj/Localizable.strings"])
    }

    @Test func `A report names the upload and its result`() throws {
        let archive = raw.archive
        let answer = try registry.post(archive)
        #expect(answer.text("report.source.sha256") == BundleForge.sha256(archive))
        #expect(answer.number("report.source.size") == archive.count)
        #expect(answer.text("report.content") == answer.text("content"))
        #expect(answer.text("report.sha256") == answer.text("sha256"))
    }

    @Test func `A report is kept with the release`() throws {
        let published = try registry.publish(raw)
        let answer = try registry.get("/v1/bundles/\(identifier)/releases/1.0~1/report")
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.0~1")
        #expect(answer.texts("report.kept", "path") == published.texts("report.kept", "path"))
        #expect(answer.texts("report.stripped", "path") == published.texts("report.stripped", "path"))
        #expect(answer.text("report.source.sha256") == published.text("report.source.sha256"))
    }

    @Test func `A report warns of doubtful files that were kept`() throws {
        let answer = try registry.publish(
            BundleForge(identifier).withScreen
                .adding("Service.json", "{\"defaults\": {\"baseUrl\": \"http://example.com/\"}}"))
        #expect(answer["report.findings"]?.array?.isEmpty == false)
        #expect(answer.text("report.findings.0.severity") == "warning")
        let findings = try #require(answer["report.findings"]?.array)
        #expect(findings.contains { $0["path"]?.string == "Service.json" && $0["line"]?.integer == 1 })
    }

    @Test func `A report of a clean bundle has no findings`() throws {
        let answer = try registry.publish(BundleForge(identifier).withScreen)
        for list in ["stripped", "warnings", "findings"] {
            #expect(answer["report.\(list)"]?.array?.isEmpty == true, "\(list)")
        }
    }

    @Test func `A report is true: no stripped file is served`() throws {
        let answer = try registry.publish(raw)
        let archive = try registry.get(try #require(answer.text("url"))).body
        let text = String(decoding: archive, as: Unicode.ASCII.self)
        for name in ["DS_Store", "CodeResources", "Salute", "notes.txt", "page.html", "Sample.bundle/Sample"] {
            #expect(!text.contains(name), "\(name)")
        }
        #expect(archive.firstRange(of: machO.prefix(8)) == nil)
    }
}

/// §2: the files of a release.
@Suite struct `A file of a release` {
    let registry: Registry
    let identifier = fresh()
    let base: String
    static let png: [UInt8] = {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            let body = Array(type.utf8) + data
            return ZipForge.bytes(UInt32(data.count)).reversed() + body
                + ZipForge.bytes(ZipForge.checksum(body)).reversed()
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 4, 8, 6, 0, 0, 0]) + chunk("IDAT", Array(repeating: 7, count: 40))
            + chunk("IEND", [])
    }()

    init() throws {
        registry = try Registries.open()
        base = "/v1/bundles/\(identifier)/releases/1.0~1/files"
        try registry.publish(
            BundleForge(identifier).adding("data/feed me.json", "{\"feed\": \"me\"}").adding("sun.png", bytes: Self.png)
                .adding("Käse.json", "{}"))
    }

    @Test func `A file is listed with the others, on a page`() throws {
        let answer = try registry.get(base)
        #expect(answer.status == 200)
        #expect(
            answer.texts("items", "path") == [
                "Info.plist", "Käse.json", "data/feed me.json", "en.lproj/Localizable.strings", "sun.png",
            ])
        let resolved = try registry.resolve(identifier)
        #expect(answer.texts("items", "sha256") == resolved.texts("candidates.0.files", "sha256"))
    }

    @Test(arguments: [("data/feed%20me.json", "{\"feed\": \"me\"}"), ("K%C3%A4se.json", "{}")])
    func `A file is sent as it is`(_ path: String, _ content: String) throws {
        let answer = try registry.get("\(base)/\(path)")
        #expect(answer.status == 200)
        #expect(answer.text == content)
    }

    @Test func `A file cannot run in a browser`() throws {
        let answer = try registry.get("\(base)/data/feed%20me.json")
        #expect(answer.value("X-Content-Type-Options") == "nosniff")
        let policy = try #require(answer.value("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("sandbox"))
    }

    @Test func `A file is an attachment`() throws {
        for path in ["Info.plist", "data/feed%20me.json", "en.lproj/Localizable.strings"] {
            #expect(
                try registry.get("\(base)/\(path)").value("Content-Disposition")?.hasPrefix("attachment") == true,
                "\(path)")
        }
    }

    @Test func `An image is shown in place`() throws {
        let answer = try registry.get("\(base)/sun.png")
        #expect(answer.status == 200)
        #expect(answer.body == Self.png)
        #expect(answer.value("Content-Type") == "image/png")
        #expect(answer.value("Content-Disposition")?.hasPrefix("attachment") != true)
        #expect(answer.value("X-Content-Type-Options") == "nosniff")
        #expect(answer.value("Content-Security-Policy")?.contains("default-src 'none'") == true)
    }

    @Test(arguments: [
        "nothing.json", "INFO.PLIST", "data", "data/", "../report", "%2E%2E/report", "..%2Freport", "%2e%2e%2freport",
        "data%2Ffeed%20me.json", "data%5Cfeed%20me.json", "Info.plist%00", "./Info.plist", "data//feed%20me.json",
        "%252E%252E/report", "K%E4se.json",
    ])
    func `An unknown path is 404`(_ path: String) throws {
        let answer = try registry.get("\(base)/\(path)")
        #expect(answer.status == 404 || answer.status == 400)
    }

    @Test func `A file has a tag, and is 304 for a matching condition`() throws {
        let tag = try #require(try registry.get("\(base)/Info.plist").value("ETag"))
        #expect(try registry.get("\(base)/Info.plist", "If-None-Match: \(tag)").status == 304)
    }

    @Test func `A file of a withdrawn release is 410`() throws {
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        for path in ["", "/Info.plist"] {
            let answer = try registry.get(base + path)
            #expect(answer.status == 410)
            #expect(answer.problemCode == "withdrawn")
        }
    }
}

/// §2: the difference between two releases.
@Suite struct `A difference` {
    let registry: Registry
    let identifier = fresh()

    init() throws {
        registry = try Registries.open()
        try registry.publish(
            BundleForge(identifier, "1.0").adding("gone.json", "{\"old\": true}").adding("same.json", "[1, 2]")
                .adding("new.json", "{\"a\": 1}"))
        try registry.publish(
            BundleForge(identifier, "1.1").adding("came.json", "{\"young\": true}").adding("same.json", "[1, 2]")
                .adding("new.json", "{\"a\": 22}"))
    }

    private func difference(_ from: String, _ to: String) throws -> WireAnswer {
        try registry.get("/v1/bundles/\(identifier)/releases/\(from)/diff/\(to)")
    }

    @Test func `A difference names the files that were added, removed and changed`() throws {
        let answer = try difference("1.0~1", "1.1~1")
        #expect(answer.status == 200)
        #expect(answer.texts("added", "path") == ["came.json"])
        #expect(answer.texts("removed", "path") == ["gone.json"])
        #expect(answer.texts("changed", "path") == ["Info.plist", "new.json"])
    }

    @Test func `A difference can be asked in both directions`() throws {
        let answer = try difference("1.1~1", "1.0~1")
        #expect(answer.texts("added", "path") == ["gone.json"])
        #expect(answer.texts("removed", "path") == ["came.json"])
    }

    @Test func `A difference has sizes and the bytes that an update transfers`() throws {
        let answer = try difference("1.0~1", "1.1~1")
        #expect(answer.number("added.0.size") == "{\"young\": true}".utf8.count)
        #expect(answer.number("removed.0.size") == "{\"old\": true}".utf8.count)
        let files = try registry.resolve(identifier)["candidates.0.files"]?.array ?? []
        let fetched = files.filter { ["came.json", "Info.plist", "new.json"].contains($0["path"]?.string) }
            .compactMap { $0["compressedSize"]?.integer }.reduce(0, +)
        #expect(answer.number("transferBytes") == Int(fetched))
    }

    @Test func `A release has no difference from itself`() throws {
        let answer = try difference("1.0~1", "1.0~1")
        for list in ["added", "removed", "changed"] { #expect(answer[list]?.array?.isEmpty == true, "\(list)") }
        #expect(answer.number("transferBytes") == 0)
    }

    @Test func `A difference with an unknown release is 404`() throws {
        for (from, to) in [("1.0~1", "9.9~9"), ("9.9~9", "1.0~1")] {
            let answer = try difference(from, to)
            #expect(answer.status == 404)
            #expect(answer.problemCode == "no-such-release")
        }
    }

    @Test func `A difference with a withdrawn release is 410`() throws {
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        #expect(try difference("1.0~1", "1.1~1").status == 410)
    }
}
