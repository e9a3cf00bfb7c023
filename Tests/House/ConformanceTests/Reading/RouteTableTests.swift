import ConformanceSupport
import Testing
import WidgetTestSupport

/// §2: the rules of every route that is read.
@Suite struct `Every route to read` {
    struct Route: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `{…}` is replaced by the name of something that exists.
        var path: String { testDescription }
        /// The methods that write under the same path.
        var writes: [String] = []
    }

    static let routes: [Route] = [
        Route(testDescription: "/v1/widgets/{id}"), Route(testDescription: "/v1/widgets/{id}/bundle"),
        Route(testDescription: "/v1/widgets/{id}/Sample.zip"), Route(testDescription: "/v1/blobs/sha256/{hex}"),
        Route(testDescription: "/v1/bundles", writes: ["POST", "PUT"]),
        // A bundle's address may be a file's name, because archives are put there under any name.
        Route(testDescription: "/v1/bundles/{id}", writes: ["PUT"]),
        Route(testDescription: "/v1/bundles/{id}/channels"),
        Route(testDescription: "/v1/bundles/{id}/channels/stable", writes: ["PUT", "DELETE"]),
        Route(testDescription: "/v1/bundles/{id}/releases"),
        Route(testDescription: "/v1/bundles/{id}/releases/1.0~1", writes: ["PUT", "DELETE"]),
        Route(testDescription: "/v1/bundles/{id}/releases/1.0~1/report"),
        Route(testDescription: "/v1/bundles/{id}/releases/1.0~1/files"),
        Route(testDescription: "/v1/bundles/{id}/releases/1.0~1/files/Info.plist"),
        Route(testDescription: "/v1/bundles/{id}/releases/1.1~1/diff/1.0~1"), Route(testDescription: "/v1/changes"),
        Route(testDescription: "/.well-known/widget-registry"), Route(testDescription: "/openapi.json"),
        Route(testDescription: "/problems/not-found"), Route(testDescription: "/"),
    ]
    static let all = routes + [Route(testDescription: "/livez"), Route(testDescription: "/readyz")]

    /// A bundle of two releases.
    private static let ground = Result {
        let registry = try Registries.open()
        let identifier = fresh()
        try registry.publish(identifier, releases: 2)
        let digest = try registry.resolve(identifier).text("candidates.0.sha256") ?? ""
        return (registry: registry, identifier: identifier, digest: digest)
    }

    let registry: Registry

    init() throws { registry = try Self.ground.get().registry }

    private func path(_ route: Route) throws -> String {
        let ground = try Self.ground.get()
        return route.path.replacing("{id}", with: ground.identifier).replacing("{hex}", with: ground.digest)
    }

    @Test(arguments: all)
    func `Every route to read answers GET`(_ route: Route) throws {
        #expect(try registry.get(try path(route)).status == 200)
    }

    /// Fields that every answer has anew, and those of representations that change by the second.
    private static let volatile: Set<String> = ["date", "request-id"]

    @Test(arguments: all)
    func `Every route to read answers HEAD with the fields of GET and without a body`(_ route: Route) throws {
        let path = try path(route)
        // What others publish, and the clock of the well-known document, may come between the two.
        var pair = (get: try registry.get(path), head: try registry.head(path))
        for _ in 0..<5 where pair.get.value("ETag") != pair.head.value("ETag") {
            pair = (get: try registry.get(path), head: try registry.head(path))
        }
        #expect(pair.head.status == 200)
        func fields(_ answer: WireAnswer) -> [String] {
            answer.fields.filter { !Self.volatile.contains($0.name.lowercased()) }
                .map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        }
        #expect(fields(pair.head) == fields(pair.get))
    }

    @Test(arguments: all)
    func `Every route to read answers OPTIONS with its methods`(_ route: Route) throws {
        let answer = try registry.ask("OPTIONS", try path(route))
        #expect(answer.status == 200 || answer.status == 204)
        let methods = Set((answer.value("Allow") ?? "").split(separator: ",").map { $0.filter { $0 != " " } })
        #expect(methods.isSuperset(of: Set(["GET", "HEAD", "OPTIONS"]).union(route.writes)))
        #expect(methods.isDisjoint(with: Set(["POST", "PUT", "DELETE"]).subtracting(route.writes)))
    }

    @Test(arguments: all)
    func `Every route to read refuses unknown methods, and names its own`(_ route: Route) throws {
        for method in ["PATCH", "PROPFIND", "DELETE", "POST", "PUT"] where !route.writes.contains(method) {
            let answer = try registry.ask(method, try path(route), token: Registry.adminToken)
            #expect(answer.status == 405, "\(method)")
            #expect(answer.problemCode == "method-not-allowed")
            #expect(answer.value("Allow")?.contains("GET") == true)
        }
    }

    @Test(arguments: routes)
    func `Every route to read is open to pages of any origin`(_ route: Route) throws {
        let answer = try registry.get(try path(route), "Origin: https://host.example")
        #expect(answer.value("Access-Control-Allow-Origin") == "*")
    }

    @Test(arguments: routes)
    func `Every route to read lets pages of any origin send conditions and ranges, and read every field`(_ route: Route)
        throws
    {
        let path = try path(route)
        let preflight = try registry.ask(
            "OPTIONS", path,
            [
                "Origin: https://host.example", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: if-none-match, range",
            ])
        #expect(preflight.status == 204 || preflight.status == 200)
        #expect(preflight.value("Access-Control-Allow-Origin") == "*")
        #expect(preflight.value("Access-Control-Allow-Methods")?.contains("GET") == true)
        #expect(preflight.value("Access-Control-Max-Age") == "86400", "a page asks once a day")
        let allowed = (preflight.value("Access-Control-Allow-Headers") ?? "").lowercased()
        #expect(allowed.contains("*") || (allowed.contains("if-none-match") && allowed.contains("range")))
        let exposed = try registry.get(path, "Origin: https://host.example").value("Access-Control-Expose-Headers")
        #expect(exposed?.contains("*") == true || exposed?.lowercased().contains("etag") == true)
    }

    @Test(arguments: routes.filter { $0.path != "/" && !$0.path.hasPrefix("/problems") })
    func `Every route to read has a strong tag and is 304 for it`(_ route: Route) throws {
        let path = try path(route)
        var tag = ""
        var status = 0
        for _ in 0..<10 where status != 304 {
            tag = try #require(try registry.get(path).value("ETag"))
            status = try registry.get(path, "If-None-Match: \(tag)").status
        }
        #expect(tag.hasPrefix("\""))
        #expect(status == 304)
    }

    @Test(arguments: routes)
    func `Every route to read refuses a trailing slash and another case`(_ route: Route) throws {
        guard route.path != "/" else { return }
        let path = try path(route)
        let slashed = try registry.get(path + "/")
        #expect(slashed.status == 404 || slashed.status == 400)
        let (first, rest) = (path.prefix(4).uppercased(), path.dropFirst(4))
        #expect(try registry.get(first + rest).status == 404)
    }

    @Test(arguments: routes)
    func `Every route to read ignores cookies`(_ route: Route) throws {
        let answer = try registry.get(try path(route), "Cookie: session=\(Registry.adminToken)")
        #expect(answer.status == 200)
        #expect(answer.value("Set-Cookie") == nil)
    }
}

/// §2 and §3: the rules of every route that is only written to.
@Suite struct `Every route to write` {
    static let routes = [
        ("/v1/bundles/a.b/channels/stable/rollback", "POST"), ("/v1/bundles/a.b/releases/1.0~1/restore", "POST"),
        ("/v1/tokens/x", "DELETE"), ("/v1/tokens", "POST"),
    ]

    @Test(arguments: routes)
    func `Every route to write answers OPTIONS with its methods`(_ path: String, _ method: String) throws {
        let answer = try Registries.open().ask("OPTIONS", path)
        #expect(answer.status == 204 || answer.status == 200)
        #expect(answer.value("Allow")?.contains(method) == true)
    }

    @Test(arguments: routes)
    func `Every route to write refuses other methods`(_ path: String, _ method: String) throws {
        let answer = try Registries.open().ask("PATCH", path, token: Registry.adminToken)
        #expect(answer.status == 405)
        #expect(answer.value("Allow")?.contains(method) == true)
    }

    @Test func `Every route to write keeps its answers out of caches`() throws {
        let registry = try Registries.open()
        let identifier = fresh()
        for _ in 0..<2 {
            #expect(try registry.publish(BundleForge(identifier)).value("Cache-Control") == "no-store")
        }
        #expect(try registry.rollback(identifier).value("Cache-Control") == "no-store")
    }
}
