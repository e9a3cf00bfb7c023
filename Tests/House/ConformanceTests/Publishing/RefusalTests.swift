import ConformanceSupport
import Testing
import WidgetTestSupport

/// §3 and §4: refused uploads and their problems.
@Suite struct `An upload that is refused` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var code: String
        /// The file that the problem names.
        var path: String?
        var make: @Sendable (_ identifier: String) -> [UInt8]

        init(
            _ name: String, _ status: Int, _ code: String, path: String? = nil,
            _ make: @escaping @Sendable (_ identifier: String) -> [UInt8]
        ) {
            (testDescription, self.status, self.code, self.path, self.make) = (name, status, code, path, make)
        }
    }

    static let rows: [Row] = [
        Row("no bytes at all", 400, "not-a-zip") { _ in [] },
        Row("a page of HTML", 400, "not-a-zip") { _ in Array("<!DOCTYPE html><title>502</title>".utf8) },
        Row("a JSON document", 400, "not-a-zip") { _ in Array("{\"zip\": false}".utf8) },
        Row("half a zip", 400, "not-a-zip") { Array(BundleForge($0).archive.prefix(200)) },
        Row("a zip with something before it", 400, "not-a-zip") {
            Array("MZ".utf8) + BundleForge($0).archive
        },
        Row("a zip with something behind it", 422, "archive-refused") { BundleForge($0).archive + [1, 2, 3] },
        Row("an empty zip", 422, "info-plist-missing") { _ in ZipForge().build().bytes },
        Row("no bundle in it", 422, "info-plist-missing") { _ in ForgedArchive.of([("a.json", Array("{}".utf8))]) },
        Row("a bundle without Info.plist", 422, "info-plist-missing") { _ in
            ForgedArchive.of([("Sample.bundle/a.json", Array("{}".utf8))])
        },
        Row("Info.plist that is not a property list", 422, "info-plist-invalid") { _ in
            ForgedArchive.of([("Sample.bundle/Info.plist", Array("hello".utf8))])
        },
        Row("Info.plist that is a list", 422, "info-plist-invalid") { _ in
            ForgedArchive.of([("Sample.bundle/Info.plist", Array("<plist version=\"1.0\"><array/></plist>".utf8))])
        },
        Row("Info.plist with entities", 422, "info-plist-invalid") { identifier in
            let text =
                "<!DOCTYPE plist [<!ENTITY x \"y\">]><plist version=\"1.0\"><dict><key>CFBundleIdentifier</key>"
                + "<string>\(identifier)</string></dict></plist>"
            return ForgedArchive.of([("Sample.bundle/Info.plist", Array(text.utf8))])
        },
        Row("a name of more than 128 characters", 422, "info-plist-invalid") {
            BundleForge($0).with { $0.info = [("CFBundleDisplayName", String(repeating: "n", count: 129))] }.archive
        },
        Row("two bundles", 422, "archive-refused") { identifier in
            let files = BundleForge(identifier).contents
            return ForgedArchive.of(
                files.map { ("One.bundle/\($0.path)", $0.bytes) } + files.map { ("Two.bundle/\($0.path)", $0.bytes) })
        },
        Row("something beside the bundle", 422, "entry-refused") { identifier in
            ForgedArchive.of(
                BundleForge(identifier).contents.map { ("Sample.bundle/\($0.path)", $0.bytes) }
                    + [("readme.txt", Array("x".utf8))])
        },
        Row("JSON that does not parse", 422, "invalid-json", path: "bad.json") {
            BundleForge($0).adding("bad.json", "{\"a\": }").archive
        },
        Row("JSON that says a name twice", 422, "invalid-json", path: "bad.json") {
            BundleForge($0).adding("bad.json", "{\"a\": 1, \"a\": 2}").archive
        },
        Row("JSON that is too deep", 422, "invalid-json", path: "bad.json") {
            BundleForge($0).adding(
                "bad.json", String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
            ).archive
        },
        Row("a program disguised as an image", 422, "entry-refused", path: "sun.png") {
            BundleForge($0).adding(
                "sun.png", bytes: [0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1] + Array(repeating: 0, count: 40)
            )
            .archive
        },
        Row("a program disguised as JSON", 422, "entry-refused", path: "a.json") {
            BundleForge($0).adding("a.json", bytes: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]).archive
        },
        Row("an image with something behind its end", 422, "entry-refused", path: "sun.png") {
            BundleForge($0).adding("sun.png", bytes: `A file of a release`.png + [1, 2, 3]).archive
        },
        Row("a predicate that reaches for the host", 422, "policy-refused", path: "Feed.json") {
            BundleForge($0).adding(
                "Feed.json",
                "{\"Feed\": {\"elements\": {\"a\": {\"bindings\": [{\"predicateFormat\": \"a = %@\"}]}}}}"
            ).archive
        },
        Row("a service that reads files", 422, "policy-refused", path: "Service.json") {
            BundleForge($0).adding("Service.json", "{\"defaults\": {\"baseUrl\": \"file:///etc/passwd\"}}").archive
        },
        Row("a path out of the folder", 422, "entry-refused") { identifier in
            ForgedArchive.of(
                BundleForge(identifier).contents.map { ("Sample.bundle/\($0.path)", $0.bytes) }
                    + [("Sample.bundle/../../evil.json", Array("{}".utf8))])
        },
        Row("an absolute path", 422, "entry-refused") { identifier in
            ForgedArchive.of(
                BundleForge(identifier).contents.map { ("Sample.bundle/\($0.path)", $0.bytes) }
                    + [("/etc/evil.json", Array("{}".utf8))])
        },
        Row("one name twice", 422, "entry-refused") { identifier in
            ForgedArchive.of(
                (BundleForge(identifier).contents + [("A.json", Array("{}".utf8)), ("a.json", Array("[]".utf8))])
                    .map { ("Sample.bundle/\($0.path)", $0.bytes) })
        },
        Row("a link", 422, "entry-refused") { identifier in
            var forge = ZipForge(
                BundleForge(identifier).contents.map { .init(Array("Sample.bundle/\($0.path)".utf8), $0.bytes) })
            var link = ZipForge.Entry("Sample.bundle/link.json", "/etc/passwd")
            link.central.externalAttributes = 0o120777 << 16
            forge.entries.append(link)
            return forge.build().bytes
        },
        Row("a checksum that is wrong", 422, "entry-refused") { identifier in
            var forge = ZipForge(
                BundleForge(identifier).contents.map { .init(Array("Sample.bundle/\($0.path)".utf8), $0.bytes) })
            forge.entries[1].both(\.checksum, 7)
            return forge.build().bytes
        },
        Row("headers that contradict each other", 422, "archive-refused") { identifier in
            var forge = ZipForge(
                BundleForge(identifier).contents.map { .init(Array("Sample.bundle/\($0.path)".utf8), $0.bytes) })
            forge.entries[1].local.name = Array("Sample.bundle/XX.lproj/Localizable.strings".utf8)
            return forge.build().bytes
        },
        Row("an encrypted entry", 422, "archive-refused") { identifier in
            var forge = ZipForge(
                BundleForge(identifier).contents.map { .init(Array("Sample.bundle/\($0.path)".utf8), $0.bytes) })
            forge.entries[1].both(\.flags, 1)
            return forge.build().bytes
        },
        Row("a bomb of spaces", 422, "expansion-refused") { identifier in
            BundleForge(identifier).adding("a.strings", bytes: Array(repeating: 32, count: 3 << 20)).archive
        },
        Row("a JSON file over a mebibyte", 413, "too-large", path: "a.json") { identifier in
            var generator = SeededGenerator(seed: 7)
            let text = (0..<160_000).map { _ in "\(generator.next() % 1_000_000)" }.joined(separator: ", ")
            return BundleForge(identifier).adding("a.json", "[\(text)]").archive
        },
    ]

    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    @Test(arguments: rows)
    func `A refused upload gets the reason, and nothing of it is kept`(_ row: Row) throws {
        let answer = try registry.post(row.make(identifier))
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(answer.problemCode == row.code, "\(answer.text)")
        if let path = row.path { #expect(answer.text("path")?.hasSuffix(path) == true, "\(answer.text)") }
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
        #expect(try registry.resolve(identifier).status == 404)
    }

    @Test func `An upload refused for its JSON gets the line and the column`() throws {
        let answer = try registry.post(BundleForge(identifier).adding("bad.json", "{\n  \"a\": }").archive)
        #expect(answer.number("line") == 2)
        #expect(answer.number("column") == 8)
    }

    @Test func `An upload refused for its archive gets the offset`() throws {
        let answer = try registry.post(BundleForge(identifier).archive + [1, 2, 3])
        #expect(answer.number("offset") != nil)
    }

    @Test func `An upload refused for several findings gets each of them`() throws {
        let answer = try registry.post(
            BundleForge(identifier).adding("a/Service.json", "{\"defaults\": {\"baseUrl\": \"file:///a\"}}")
                .adding("b/Service.json", "{\"defaults\": {\"baseUrl\": \"file:///b\"}}").archive)
        #expect(answer.status == 422)
        #expect(Set(answer.texts("errors", "path")) == ["a/Service.json", "b/Service.json"])
    }

    @Test func `A refused upload can be corrected and sent again under the same key`() throws {
        #expect(try registry.post(BundleForge(identifier).adding("bad.json", "{").archive).status == 422)
        #expect(try registry.post(BundleForge(identifier).adding("bad.json", "{}").archive).status == 201)
    }
}

/// §3: digests of uploads (RFC 9530).
@Suite struct `A digest of an upload` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    private var archive: [UInt8] { BundleForge(identifier).archive }

    private func right(_ archive: [UInt8]) -> String { BundleForge.digestField(archive) }
    private let wrong = BundleForge.digestField([1, 2, 3])

    private func post(_ fields: String...) throws -> WireAnswer {
        try registry.ask(
            "POST", "/v1/bundles", ["Content-Type: application/zip"] + fields, body: archive,
            token: Registry.adminToken)
    }

    @Test(arguments: ["Content-Digest", "Repr-Digest"])
    func `The right digest admits the upload`(_ name: String) throws {
        #expect(try post("\(name): \(right(archive))").status == 201)
    }

    @Test(arguments: ["Content-Digest", "Repr-Digest"])
    func `A wrong digest refuses the upload`(_ name: String) throws {
        let answer = try post("\(name): \(wrong)")
        #expect(answer.status == 400)
        #expect(answer.problemCode == "digest-mismatch")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `One wrong digest of two refuses the upload`() throws {
        #expect(try post("Content-Digest: \(right(archive))", "Repr-Digest: \(wrong)").status == 400)
        #expect(try post("Content-Digest: \(wrong)", "Repr-Digest: \(right(archive))").status == 400)
    }

    @Test(arguments: ["md5=:XrY7u+Ae7tCTyyK7j1rNww==:", "unixsum=:AAA=:", "crc32c=:4waSgw==:", "x-mine=:AA==:"])
    func `A digest of an unknown algorithm is ignored`(_ field: String) throws {
        #expect(try post("Content-Digest: \(field)").status == 201)
    }

    @Test func `A digest beside one of an unknown algorithm counts`() throws {
        #expect(try post("Content-Digest: md5=:AA==:, \(wrong)").status == 400)
        #expect(try post("Content-Digest: md5=:AA==:, \(right(archive))").status == 201)
    }

    @Test func `Digests in two lines count as one list`() throws {
        #expect(try post("Content-Digest: md5=:AA==:", "Content-Digest: \(wrong)").status == 400)
    }

    @Test(arguments: [
        "sha-256=abc", "sha-256=:***:", "sha-256", "=:AA==:", "sha-256=:AA==", "sha-256=:AA==:", ",",
        "sha-256=\"AA==\"",
        "SHA-256=:AA==:",
    ])
    func `A malformed digest refuses the upload`(_ field: String) throws {
        let answer = try post("Content-Digest: \(field)")
        #expect(answer.status == 400)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `The digest of a form is that of the whole form`() throws {
        let body =
            Array("--XyZ\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.zip\"\r\n\r\n".utf8) + archive
            + Array("\r\n--XyZ--\r\n".utf8)
        let type = "Content-Type: multipart/form-data; boundary=XyZ"
        let good = try registry.ask(
            "POST", "/v1/bundles", [type, "Content-Digest: \(right(body))"], body: body, token: Registry.adminToken)
        #expect(good.status == 201)
        let bad = try registry.ask(
            "POST", "/v1/bundles", [type, "Content-Digest: \(right(archive))"], body: body, token: Registry.adminToken)
        #expect(bad.status == 400)
    }
}
