import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §2 and §6: how the registry introduces itself.
@Suite struct `The well-known document` {
    let answer: WireAnswer

    init() throws { answer = try Registries.open().get("/.well-known/widget-registry") }

    @Test func `The well-known document has the members of the contract`() {
        #expect(answer.names() == ["api", "server", "time", "limits", "policy", "reads"])
        #expect(answer["api"]?.array?.compactMap(\.string) == ["v1"])
        #expect(answer.text("server")?.hasPrefix("widgetd/") == true)
        #expect(answer.text("time")?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        #expect(answer.text("reads") == "public")
    }

    // With its type: within the macro the compiler takes seconds to find it.
    static let limits: [(String, Int)] = [
        ("upload", 64 << 20), ("expanded", 256 << 20), ("file", 64 << 20), ("entries", 4_096), ("pathDepth", 16),
        ("pathLength", 512), ("parsedFile", 1 << 20), ("ratio", 200), ("requestLine", 8 << 10), ("header", 8 << 10),
        ("headers", 32 << 10), ("headerCount", 100), ("headTimeout", 10), ("bodyRate", 1 << 10), ("rateWindow", 20),
        ("idleTimeout", 60), ("writesPerMinute", 600), ("failedAuthenticationsPerMinute", 60),
        ("connectionsPerAddress", 1_024), ("concurrentUploads", 16),
        ("channels", 100),
    ]

    @Test(arguments: limits)
    func `The well-known document publishes each limit`(_ name: String, _ value: Int) {
        #expect(answer.number("limits.\(name)") == value)
    }

    @Test func `The well-known document publishes the limit of connections, lowered to what the system allows`() {
        #expect(answer.number("limits.connections").map { $0 > 0 && $0 <= 16_384 } == true)
        #expect(answer.number("limits.diskReserve") == 0)
    }

    @Test func `The well-known document publishes limits as they are set`() throws {
        let narrow = try Registries.narrow().get("/.well-known/widget-registry")
        #expect(narrow.number("limits.upload") == 32 << 10)
        #expect(narrow.number("limits.entries") == 8)
        #expect(narrow.number("limits.headTimeout") == 1)
    }

    @Test func `The well-known document says what bundles may contain and which channels are for snapshots`() {
        let kept = answer["policy.kept"]?.array?.compactMap(\.string) ?? []
        #expect(kept.contains("Info.plist") && kept.contains("*.json") && kept.contains("*.png"))
        #expect(!kept.contains { $0.hasSuffix("html") || $0.hasSuffix("dylib") })
        #expect(answer["policy.snapshotChannels"]?.array?.compactMap(\.string) == ["dev"])
        #expect(answer["policy.protectedChannels"]?.array?.compactMap(\.string) == ["stable"])
    }

    @Test func `The well-known document says to every client when reading needs a token`() throws {
        let reserved = try Registries.reserved().get("/.well-known/widget-registry")
        #expect(reserved.status == 200)
        #expect(reserved.text("reads") == "token")
    }
}

/// §2: the contract for machines.
@Suite struct `The OpenAPI document` {
    let document: JSONValue

    init() throws {
        let answer = try Registries.open().get("/openapi.json")
        #expect(answer.status == 200)
        document = try JSONValue(parsing: answer.body)
    }

    @Test func `The OpenAPI document has version 3.1 and a title`() {
        #expect(document["openapi"]?.string?.hasPrefix("3.1") == true)
        #expect(document["info"]?["title"]?.string?.isEmpty == false)
        #expect(document["info"]?["version"]?.string?.isEmpty == false)
    }

    static let operations: [(String, [String])] = [
        ("/v1/widgets/{}", ["get"]), ("/v1/widgets/{}/bundle", ["get"]), ("/v1/widgets/{}/{}.zip", ["get"]),
        ("/v1/blobs/sha256/{}", ["get"]), ("/v1/bundles", ["get", "post"]), ("/v1/bundles/{}", ["get"]),
        ("/v1/bundles/{}.zip", ["put"]), ("/v1/bundles/{}/channels", ["get"]),
        ("/v1/bundles/{}/channels/{}", ["get", "put"]), ("/v1/bundles/{}/channels/{}/rollback", ["post"]),
        ("/v1/bundles/{}/releases", ["get"]), ("/v1/bundles/{}/releases/{}", ["get", "put", "delete"]),
        ("/v1/bundles/{}/releases/{}/restore", ["post"]), ("/v1/bundles/{}/releases/{}/report", ["get"]),
        ("/v1/bundles/{}/releases/{}/files", ["get"]), ("/v1/bundles/{}/releases/{}/files/{}", ["get"]),
        ("/v1/bundles/{}/releases/{}/diff/{}", ["get"]), ("/v1/changes", ["get"]), ("/v1/tokens", ["get", "post"]),
        ("/v1/tokens/{}", ["delete"]), ("/v1/tokens/{}/rotate", ["post"]), ("/.well-known/widget-registry", ["get"]),
        ("/openapi.json", ["get"]),
        ("/problems/{}", ["get"]), ("/livez", ["get"]), ("/readyz", ["get"]), ("/", ["get"]),
    ]

    @Test(arguments: operations)
    func `The OpenAPI document describes the operations of each path`(_ path: String, _ methods: [String]) throws {
        let paths = try #require(document["paths"]?.object)
        // A path may join the name and its extension, or leave the extension to the text.
        let shapes = [path, path.replacing("{}.zip", with: "{}")]
        let found = paths.members.filter { shapes.contains($0.name.replacing(/\{[^}]*\}/, with: "{}")) }
        #expect(!found.isEmpty)
        for method in methods {
            let operation = found.compactMap { $0.value[method] }.first
            #expect(operation != nil, "\(method)")
            #expect(operation?["responses"]?.object?.isEmpty == false, "\(method)")
        }
    }

    @Test func `The OpenAPI document has all the parts that it refers to`() {
        var pending = [document]
        var references: Set<String> = []
        while let value = pending.popLast() {
            pending += value.array ?? []
            for member in value.object?.members ?? [] {
                if member.name == "$ref", let text = member.value.string { references.insert(text) }
                pending.append(member.value)
            }
        }
        #expect(!references.isEmpty)
        for reference in references {
            let steps = reference.split(separator: "/")
            #expect(steps.first == "#")
            var value: JSONValue? = document
            for step in steps.dropFirst() { value = value?[String(step)] }
            #expect(value != nil, "\(reference)")
        }
    }

    @Test func `The OpenAPI document has a schema for each document of the contract`() {
        let names = Set((document["components"]?["schemas"]?.object?.members ?? []).map { $0.name.lowercased() })
        for name in ["release", "bundle", "channel", "change", "token", "problem", "candidate"] {
            #expect(names.contains { $0.contains(name) }, "\(name)")
        }
    }
}

/// §2 and §4: a page for each problem.
@Suite struct `The page of a problem` {
    static let codes = [
        "malformed-request", "header-too-large", "uri-too-long", "timeout", "unsupported-transfer-coding",
        "unsupported-version", "not-found", "method-not-allowed", "no-such-bundle", "no-such-widget",
        "no-such-release", "no-compatible-release", "withdrawn", "pin-mismatch", "unauthorized", "forbidden",
        "token-expired", "not-a-zip", "archive-refused", "entry-refused", "too-large", "too-many-files",
        "expansion-refused", "info-plist-missing", "info-plist-invalid", "identity-mismatch",
        "identifier-case-conflict", "invalid-json", "policy-refused", "release-exists", "digest-mismatch",
        "precondition-required", "precondition-failed", "range-unsatisfiable", "unsupported-media-type",
        "rate-limited", "overloaded", "draining", "insufficient-storage", "internal",
    ]

    @Test(arguments: codes)
    func `Each problem has a page that explains it`(_ code: String) throws {
        let answer = try Registries.open().get("/problems/\(code)")
        #expect(answer.status == 200)
        #expect(answer.text.contains(code))
        #expect(answer.text.count > code.count + 60)
    }

    @Test(arguments: ["nothing-of-the-kind", "Not-Found", "not-found.html", "..%2Fopenapi.json"])
    func `Other codes have no page`(_ code: String) throws {
        let answer = try Registries.open().get("/problems/\(code)")
        #expect(answer.status == 404 || answer.status == 400)
    }
}

/// §2: the paths for operators and newcomers.
@Suite struct `The registry` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test func `The registry is alive`() throws {
        #expect(try registry.get("/livez").status == 200)
    }

    @Test func `The registry is ready, and lists each check`() throws {
        let answer = try registry.get("/readyz")
        #expect(answer.status == 200)
        #expect(answer.text.contains("ok") || answer.text.contains("true"))
        #expect(answer["checks"]?.array?.count ?? answer["checks"]?.object?.count ?? 0 >= 3)
    }

    @Test func `The registry is not ready without space on the disk, and says which check fails`() throws {
        let answer = try Registries.filled().get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.contains("disk"))
    }

    @Test func `The registry shows its bundles on pages without scripts of others`() throws {
        let identifier = fresh("OnThePage")
        try registry.publish(BundleForge(identifier, "3.2.1"))
        let answer = try registry.get("/")
        #expect(answer.status == 200)
        #expect(answer.value("Content-Type")?.hasPrefix("text/html") == true)
        #expect(answer.value("Content-Security-Policy")?.contains("default-src 'none'") == true)
        #expect(answer.text.lowercased().matches(of: /<script(?! src="\/assets\/gallery\/)/).isEmpty)
        #expect(try registry.get("/w/\(identifier)").text.contains("curl"))
    }

    @Test func `The registry shows a bundle's channel and latest release on its page`() throws {
        let registry = try Registry()
        try registry.publish(BundleForge("com.example.First", "3.2.1"))
        let text = try registry.get("/").text
        for word in ["com.example.First", "3.2.1~1", "stable"] { #expect(text.contains(word), "\(word)") }
    }

    @Test func `The page escapes all texts of bundles`() throws {
        let registry = try Registry()
        let name = "&lt;b&gt;&amp;&quot;'"
        try registry.publish(BundleForge("com.example.Evil").with { $0.info = [("CFBundleDisplayName", name)] })
        #expect(try !registry.get("/").text.contains("<b>&\""))
    }

    @Test func `The page shows first steps while nothing is published`() throws {
        let text = try Registries.filled().get("/").text
        #expect(text.contains("curl") && text.contains("/v1/bundles"))
    }

    @Test func `The registry has metrics for operators only`() throws {
        try GivenRegistry.requireNone("its administration listener")
        #expect(try registry.get("/metrics").status == 404)
        let conversation = Conversation(try RawConnection(port: registry.adminPort))
        let answer = try conversation.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.status == 200)
        #expect(answer.value("Content-Type")?.hasPrefix("text/plain") == true)
        #expect(answer.text.contains("# TYPE "))
    }

    @Test func `The operators' address serves no bundles`() throws {
        try GivenRegistry.requireNone("its administration listener")
        let conversation = Conversation(try RawConnection(port: registry.adminPort))
        #expect(try conversation.ask("GET /v1/bundles HTTP/1.1\r\nHost: x\r\n\r\n").status == 404)
    }
}
