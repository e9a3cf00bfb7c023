import ConformanceSupport
import JSONText
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// §5: reading with a token.
@Suite struct `Reading that needs a token` {
    let registry: Registry
    let identifier = fresh()
    let reader: String
    let stranger: String

    init() throws {
        registry = try Registries.reserved()
        _ = try registry.publish(identifier: identifier)
        reader = try Tokens.make(registry, scopes: ["read"], prefix: identifier)
        stranger = try Tokens.make(registry, scopes: ["read"], prefix: "com.stranger")
    }

    static let paths = [
        "/v1/widgets/{id}-1", "/v1/widgets/{id}/bundle", "/v1/widgets/{id}/Sample.zip", "/v1/bundles/{id}",
        "/v1/bundles/{id}/channels", "/v1/bundles/{id}/channels/stable", "/v1/bundles/{id}/releases",
        "/v1/bundles/{id}/releases/1.0~1", "/v1/bundles/{id}/releases/1.0~1/report",
        "/v1/bundles/{id}/releases/1.0~1/files", "/v1/bundles/{id}/releases/1.0~1/files/Info.plist",
        "/v1/bundles/{id}/releases/1.0~1/diff/1.0~1", "/v1/blobs/sha256/{hex}",
    ]

    private func path(_ path: String) throws -> String {
        let digest = try registry.get("/v1/widgets/\(identifier)", token: reader).text("candidates.0.sha256")
        return path.replacing("{id}", with: identifier).replacing("{hex}", with: try #require(digest))
    }

    @Test(arguments: paths + ["/v1/bundles", "/v1/changes"])
    func `A read without a token is 401`(_ path: String) throws {
        let answer = try registry.get(try self.path(path))
        #expect(answer.status == 401)
        #expect(answer.value("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test(arguments: paths)
    func `A token that may see the bundle reads it`(_ path: String) throws {
        let answer = try registry.get(try self.path(path), token: reader)
        #expect(answer.status == 200)
        #expect(answer.value("Cache-Control")?.contains("public") != true)
    }

    @Test(arguments: paths)
    func `A token that may not know of the bundle gets 404`(_ path: String) throws {
        let answer = try registry.get(try self.path(path), token: stranger)
        #expect(answer.status == 404, "\(answer.text)")
    }

    @Test func `Hidden and missing bundles get the same answer`() throws {
        let other = fresh()
        let hidden = try registry.get("/v1/widgets/\(identifier)", token: stranger)
        let missing = try registry.get("/v1/widgets/\(other)", token: stranger)
        #expect(hidden.problemCode == missing.problemCode)
        #expect(hidden.text("detail")?.replacing(identifier, with: other) == missing.text("detail"))
    }

    @Test func `A hidden longest match is not replaced by a shorter one`() throws {
        let longer = "\(identifier)-secret"
        try registry.publish(identifier: longer)
        #expect(try registry.get("/v1/widgets/\(longer)-1", token: reader).status == 404)
    }

    @Test func `Lists have only the bundles that the token may see`() throws {
        let listed = try registry.get("/v1/bundles?limit=200", token: reader)
        #expect(listed.texts("items", "bundleIdentifier") == [identifier])
        #expect(try registry.get("/v1/bundles?limit=200", token: stranger)["items"]?.array?.isEmpty == true)
        let changes = try registry.get("/v1/changes?limit=200", token: reader)
        #expect(Set(changes.texts("items", "bundleIdentifier")).isSubset(of: [identifier]))
    }

    @Test func `An unknown, expired or unsuitable token gets 401`() throws {
        let path = try path(Self.paths[0])
        #expect(try registry.get(path, token: "wdg_" + String(repeating: "A", count: 43)).status == 401)
        let timed = try Registry(["WIDGETD_ACCESS_READ": "token"], clock: .today)
        let expired = try Tokens.make(timed, scopes: ["read"], prefix: identifier, expires: Tokens.soon(20))
        #expect(try timed.get(path, token: expired).status == 404)
        timed.passes(.seconds(21))
        #expect(try timed.get(path, token: expired).status == 401)
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect([403, 404].contains(try registry.get(path, token: publisher).status))
    }

    @Test func `Documents that say nothing of bundles stay open`() throws {
        for path in ["/livez", "/readyz", "/.well-known/widget-registry", "/openapi.json", "/problems/not-found"] {
            #expect(try registry.get(path).status == 200, "\(path)")
        }
    }

    @Test func `The page shows strangers no bundles`() throws {
        let answer = try registry.get("/")
        #expect(!answer.text.contains(identifier))
    }

    @Test func `Pages of any origin may send the token`() throws {
        let answer = try registry.ask(
            "OPTIONS", try path(Self.paths[0]),
            [
                "Origin: https://host.example", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: authorization",
            ])
        // A star does not include this field (Fetch, "CORS-preflight fetch").
        #expect(answer.value("Access-Control-Allow-Headers")?.lowercased().contains("authorization") == true)
    }

    @Test func `Cookies are ignored`() throws {
        #expect(try registry.get(try path(Self.paths[0]), "Cookie: token=\(reader)").status == 401)
    }
}

extension Registry {
    /// Publishes the plainest bundle under an identifier.
    @discardableResult
    fileprivate func publish(identifier: String) throws -> WireAnswer { try publish(BundleForge(identifier)) }
}
