import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// Unknown, misspelled and repeated query parameters.
@Suite struct `The names in a query` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        ("dryrun=true", "dryRun"), ("dry-run=true", "dryRun"), ("dry_run=true", "dryRun"), ("DRYRUN=true", "dryRun"),
        ("chanel=beta", "channel"), ("rolout=100", "rollout"), ("Strict", "strict"),
        ("channel=beta&notes=x", "note"), ("promoted=force", "promote"),
    ])
    func `A misspelled publishing parameter refuses the upload, and the likely one is suggested`(
        _ query: String, _ meant: String
    ) throws {
        let answer = try registry.post(BundleForge(identifier).archive, query)
        #expect(answer.status == 400 && answer.problemCode == "malformed-request")
        #expect(answer.text("detail")?.contains("did you mean \(meant)?") == true, "\(answer.text)")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test(arguments: ["force", "x=1", "=true", "dry%52un=true", "channel=beta&later=true", "%F0%9F%A6%8A=1"])
    func `An unknown publishing parameter refuses the upload, and the known ones are listed`(_ query: String) throws {
        for (method, path) in [
            ("POST", "/v1/bundles"), ("PUT", "/v1/bundles"), ("PUT", "/v1/bundles/x.zip"),
            ("PUT", "/v1/bundles/\(identifier)/releases/1.0~1"),
        ] {
            let answer = try registry.ask(
                method, "\(path)?\(query)", body: BundleForge(identifier).archive, token: Registry.adminToken)
            #expect(answer.status == 400, "\(method) \(path)")
            #expect(answer.text("detail")?.contains("channel, rollout, dryRun, strict, promote, note") == true)
        }
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test(arguments: ["channel=a&channel=b", "dryRun=true&dryRun=false", "dryRun&dryRun", "note=a&strict&note=a"])
    func `A repeated publishing parameter refuses the upload`(_ query: String) throws {
        let answer = try registry.post(BundleForge(identifier).archive, query)
        #expect(answer.status == 400)
        #expect(answer.text("detail")?.contains("more than once") == true, "\(answer.text)")
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    /// Derived from the OpenAPI document, so that new routes are included.
    @Test func `Every writing route refuses unknown parameters`() throws {
        let document = try JSONValue(parsing: try registry.get("/openapi.json").body)
        let paths = try #require(document["paths"]?.object)
        var count = 0
        for path in paths.members {
            for operation in path.value.object?.members ?? [] where !["get", "head"].contains(operation.name) {
                // Hosts report outcomes without a token, and are answered alike with any query.
                if operation.value["operationId"]?.string == "reportOutcomes" { continue }
                let target = path.name.replacing("{id}", with: identifier).replacing("{key}", with: "1.0~1")
                    .replacing("{channel}", with: "stable").replacing("{name}", with: "nobody")
                let answer = try registry.ask(
                    operation.name.uppercased(), "\(target)?dryrum=true", ["If-Match: *"], body: [],
                    token: Registry.adminToken)
                #expect(answer.status == 400, "\(operation.name) \(target): \(answer.text)")
                #expect(answer.text("detail")?.contains("dryrum") == true, "\(operation.name) \(target)")
                // A client without the right to write learns that, and nothing about the query.
                let stranger = try registry.ask(operation.name.uppercased(), "\(target)?dryrum=true", body: [])
                #expect(stranger.status == 401, "\(operation.name) \(target)")
                count += 1
            }
        }
        #expect(count >= 10)
    }

    @Test func `An unknown parameter of a withdrawal leaves the release as it is`() throws {
        try registry.publish(BundleForge(identifier))
        let path = "/v1/bundles/\(identifier)/releases/1.0~1"
        #expect(try registry.write("DELETE", "\(path)?dryRun=true").status == 400)
        #expect(
            try registry.write("DELETE", "\(path)?raison=x").text("detail")?.contains("did you mean reason?") == true)
        #expect(try registry.write("DELETE", "\(path)?reason=a&reason=b").status == 400)
        #expect(try registry.get(path).status == 200)
        #expect(try registry.write("DELETE", "\(path)?reason=crashes").status == 200)
    }

    @Test(arguments: [
        ("/v1/widgets/%?chanel=beta", "channel"), ("/v1/widgets/%?OS=17", "os"),
        ("/v1/widgets/%/bundle?buckets=1", "bucket"),
        ("/v1/widgets/%/Sample.zip?hosts=1", "host"), ("/v1/bundles?limits=2", "limit"), ("/v1/bundles?Q=x", "q"),
        ("/v1/bundles/%/releases?curser=a", "cursor"), ("/v1/changes?sinse=1", "since"), ("/?limt=1", "limit"),
    ])
    func `A misspelled reading parameter is refused with the likely one`(_ path: String, _ meant: String) throws {
        try registry.publish(BundleForge(identifier))
        let answer = try registry.get(path.replacing("%", with: identifier))
        #expect(answer.status == 400)
        #expect(answer.text("detail")?.hasSuffix("did you mean \(meant)?") == true, "\(answer.text)")
    }

    @Test(arguments: ["_=1700000000", "utm_source=mail", "v=2", "a=1&a=2&b", "&&", ""])
    func `Unrelated reading parameters are ignored, any number of times`(_ query: String) throws {
        try registry.publish(BundleForge(identifier))
        for path in ["/v1/widgets/\(identifier)", "/v1/bundles", "/v1/bundles/\(identifier)", "/v1/changes", "/"] {
            #expect(try registry.get("\(path)?\(query)").status == 200, "\(path)")
        }
        #expect(try registry.resolve(identifier, "x=1&channel=stable&y=2").status == 200)
    }

    @Test func `A repeated reading parameter is refused, because it has two readings`() throws {
        try registry.publish(BundleForge(identifier))
        for path in ["/v1/widgets/\(identifier)?channel=a&channel=stable", "/v1/bundles?limit=1&x&limit=2"] {
            let answer = try registry.get(path)
            #expect(answer.status == 400 && answer.text("detail")?.contains("more than once") == true, "\(path)")
        }
    }

    @Test func `The owner's socket is as strict`() throws {
        try GivenRegistry.requireNone("its socket")
        for (method, path) in [
            ("POST", "/v1/gc?dryrun=true"), ("POST", "/v1/scrub?rates=1"), ("POST", "/v1/scrub?rate=1&rate=2"),
            ("GET", "/v1/backup?force"), ("DELETE", "/v1/tokens/nobody?dryRun=true"), ("POST", "/v1/tokens?name=x"),
        ] {
            let answer = registry.control(method, path)
            #expect(answer.contains("\"status\":400"), "\(method) \(path): \(answer.prefix(200))")
        }
    }

    @Test func `The audit shows refused parameters with their sender`() throws {
        let registry = try Registry()
        #expect(try registry.post(BundleForge(identifier).archive, "dryrun=true").status == 400)
        #expect(registry.logs("\"action\":\"publish\",\"result\":\"malformed-request\",\"by\":\"admin\""))
    }
}
