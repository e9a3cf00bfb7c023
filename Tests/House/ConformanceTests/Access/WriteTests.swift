import ConformanceSupport
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// §5 and threats A1–A15: the rights to write.
@Suite struct `A write` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    struct Write: Sendable, CustomTestStringConvertible {
        var method: String
        var path: String
        var testDescription: String { "\(method) \(path)" }
    }

    static let writes = [
        Write(method: "POST", path: "/v1/bundles"), Write(method: "PUT", path: "/v1/bundles/Sample.zip"),
        Write(method: "PUT", path: "/v1/bundles/{id}/releases/1.0~1"),
        Write(method: "DELETE", path: "/v1/bundles/{id}/releases/1.0~1"),
        Write(method: "POST", path: "/v1/bundles/{id}/releases/1.0~1/restore"),
        Write(method: "PUT", path: "/v1/bundles/{id}/channels/stable"),
        Write(method: "POST", path: "/v1/bundles/{id}/channels/stable/rollback"),
    ]

    private func ask(_ write: Write, _ fields: [String] = [], query: String = "") throws -> WireAnswer {
        let path = write.path.replacing("{id}", with: identifier) + query
        return try registry.ask(write.method, path, fields, body: Array("{}".utf8))
    }

    /// True if the request was refused with 401, as RFC 6750 says, and nothing has changed.
    private func isUnauthorized(_ answer: WireAnswer) throws -> Bool {
        let isUntouched = try registry.resolve(identifier).texts("candidates", "release") == ["1.0~1"]
        return answer.status == 401 && answer.value("WWW-Authenticate")?.hasPrefix("Bearer") == true && isUntouched
    }

    @Test(arguments: writes)
    func `A write without a token is 401`(_ write: Write) throws {
        try registry.publish(BundleForge(identifier))
        let answer = try ask(write)
        #expect(try isUnauthorized(answer))
        #expect(answer.problemCode == "unauthorized")
    }

    @Test(arguments: writes)
    func `A write with an unknown token is 401`(_ write: Write) throws {
        try registry.publish(BundleForge(identifier))
        #expect(try isUnauthorized(try ask(write, ["Authorization: Bearer wdg_\(String(repeating: "A", count: 43))"])))
    }

    @Test(arguments: writes)
    func `A write without the scope is 403`(_ write: Write) throws {
        try registry.publish(BundleForge(identifier))
        let reader = try Tokens.make(registry, scopes: ["read"], prefix: identifier)
        let answer = try ask(write, ["Authorization: Bearer \(reader)"])
        #expect(answer.status == 403)
        #expect(answer.problemCode == "forbidden")
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.0~1"])
    }

    @Test(arguments: [
        "Authorization: Bearer", "Authorization: Bearer ", "Authorization: Basic dTpw", "Authorization: x",
    ])
    func `A write without a bearer token is 401`(_ field: String) throws {
        try registry.publish(BundleForge(identifier))
        #expect(try isUnauthorized(try ask(Self.writes[0], [field])))
    }

    @Test(arguments: ["bearer", "BEARER", "Bearer"])
    func `The authorization scheme may be in any case`(_ scheme: String) throws {
        let answer = try registry.ask(
            "POST", "/v1/bundles", ["Authorization: \(scheme) \(Registry.adminToken)"],
            body: BundleForge(identifier).archive)
        #expect(answer.status == 201)
    }

    @Test func `A write with two Authorization fields is 400 or 401, and changes nothing`() throws {
        let token = "Authorization: Bearer \(Registry.adminToken)"
        for fields in [[token, token], [token, "Authorization: Bearer x"], ["Authorization: Bearer x", token]] {
            let answer = try registry.ask("POST", "/v1/bundles", fields, body: BundleForge(identifier).archive)
            #expect(answer.status == 400)
        }
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `A write with more text behind its token is 401`() throws {
        try registry.publish(BundleForge(identifier))
        for rest in [" x", "x", ", x", "\u{7F}"] {
            let answer = try ask(Self.writes[0], ["Authorization: Bearer \(Registry.adminToken)\(rest)"])
            #expect(answer.status == 401 || answer.status == 400, "\(rest)")
        }
    }

    @Test func `A write with a token of a megabyte is 431`() throws {
        let answer = try ask(Self.writes[0], ["Authorization: Bearer \(String(repeating: "a", count: 1 << 20))"])
        #expect(answer.status == 431)
        #expect(answer.problemCode == "header-too-large")
    }

    @Test func `A write with a token that contains NUL is 400`() throws {
        #expect(try ask(Self.writes[0], ["Authorization: Bearer \(Registry.adminToken)\u{0}"]).status == 400)
    }

    @Test(arguments: ["token", "access_token", "api_key", "authorization"])
    func `A token in the query is ignored`(_ name: String) throws {
        try registry.publish(BundleForge(identifier))
        #expect(try isUnauthorized(try ask(Self.writes[0], query: "?\(name)=\(Registry.adminToken)")))
    }

    @Test func `A token in a cookie is ignored`() throws {
        try registry.publish(BundleForge(identifier))
        for cookie in ["token=\(Registry.adminToken)", "Authorization=Bearer \(Registry.adminToken)"] {
            #expect(try isUnauthorized(try ask(Self.writes[0], ["Cookie: \(cookie)"])))
        }
    }

    @Test func `A method in a header is ignored`() throws {
        try registry.publish(BundleForge(identifier))
        for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
            let path = "/v1/bundles/\(identifier)/releases/1.0~1/report"
            let answer = try registry.ask(
                "POST", path, ["\(name): DELETE"], body: [], token: Registry.adminToken)
            #expect(answer.status == 405)
        }
        #expect(try registry.release(identifier, "1.0~1").status == 200)
    }

    // MARK: Scopes

    @Test(arguments: [
        ("publish", [201, 403, 403]), ("promote", [403, 200, 403]), ("withdraw", [403, 403, 200]),
        ("read", [403, 403, 403]), ("admin", [201, 200, 200]),
    ])
    func `A write needs only its own scope`(_ scope: String, _ expected: [Int]) throws {
        try registry.publish(identifier, releases: 2)
        let token = try Tokens.make(registry, scopes: [scope], prefix: scope == "admin" ? "" : identifier)
        let published = try registry.post(BundleForge(identifier, "3.0").archive, "channel=beta", token: token)
        let tag = try #require(try registry.channel(identifier).value("ETag"))
        let promoted = try registry.write(
            "PUT", "/v1/bundles/\(identifier)/channels/stable", "{\"release\": \"1.0~1\"}", "If-Match: \(tag)",
            token: token)
        let withdrawn = try registry.write("DELETE", "/v1/bundles/\(identifier)/releases/1.1~1", token: token)
        #expect([published.status, promoted.status, withdrawn.status] == expected)
    }

    @Test func `Rolling back needs the scope promote`() throws {
        try registry.publish(identifier, releases: 2)
        let path = "/v1/bundles/\(identifier)/channels/stable/rollback"
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.write("POST", path, token: publisher).status == 403)
        #expect(try registry.write("POST", "\(path)?dryRun=true", token: publisher).status == 403)
        let promoter = try Tokens.make(registry, scopes: ["promote"], prefix: identifier)
        #expect(try registry.write("POST", path, token: promoter).status == 200)
    }

    @Test func `Restoring needs the scope promote`() throws {
        try registry.publish(identifier, releases: 1)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let path = "/v1/bundles/\(identifier)/releases/1.0~1/restore"
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.write("POST", path, token: publisher).status == 403)
        let withdrawer = try Tokens.make(registry, scopes: ["withdraw"], prefix: identifier)
        #expect(try registry.write("POST", path, token: withdrawer).status == 403)
        let promoter = try Tokens.make(registry, scopes: ["promote"], prefix: identifier)
        #expect(try registry.write("POST", path, token: promoter).status == 200)
    }

    @Test func `A second release on a protected channel needs the scope promote`() throws {
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.post(BundleForge(identifier).archive, token: publisher).status == 201)
        for query in ["", "dryRun=true"] {
            let answer = try registry.post(BundleForge(identifier, "1.1").archive, query, token: publisher)
            #expect(answer.status == 403)
            #expect(answer.problemCode == "forbidden")
            #expect(answer.text("detail")?.contains("scope promote") == true)
        }
        #expect(
            try registry.post(BundleForge(identifier, "1.1").archive, "channel=beta", token: publisher).status == 201)
        let both = try Tokens.make(registry, scopes: ["publish", "promote"], prefix: identifier)
        #expect(try registry.post(BundleForge(identifier, "1.2").archive, token: both).status == 201)
    }

    // MARK: Channels

    @Test func `A write stays on its token's channels`() throws {
        try registry.publish(identifier, releases: 1)
        let token = try Tokens.make(
            registry, scopes: ["publish", "promote"], prefix: identifier, channels: ["beta", "nightly"])
        #expect(try registry.post(BundleForge(identifier, "1.1").archive, "channel=beta", token: token).status == 201)
        let head = ["Content-Length: 1000000", "Expect: 100-continue"]
        let conversation = try registry.connect()
        conversation.connection.send(Registry.request("POST", "/v1/bundles?channel=stable", head, token: token))
        let refused = try conversation.next()
        #expect(refused.status == 403)
        #expect(refused.text("detail")?.contains("limited to the channels beta, nightly") == true)
        let body = "{\"release\": \"1.1~1\"}"
        for (channel, status) in [("stable", 403), ("third", 403), ("beta", 200)] {
            let path = "/v1/bundles/\(identifier)/channels/\(channel)"
            #expect(try registry.write("PUT", path, body, "If-Match: *", token: token).status == status)
        }
        #expect(try registry.channel(identifier).text("release") == "1.0~1")
    }

    // MARK: Prefixes

    @Test(arguments: [("", 201), (".news", 201), (".news.x", 201), ("b", 403), ("-b", 403)])
    func `A write stays within the labels of its token's prefix`(_ suffix: String, _ status: Int) throws {
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        let answer = try registry.post(BundleForge(identifier + suffix).archive, token: token)
        #expect(answer.status == status)
        #expect(status == 201 || answer.problemCode == "forbidden")
        #expect(try registry.get("/v1/bundles/\(identifier + suffix)").status == (status == 201 ? 200 : 404))
    }

    @Test func `An identifier in another case than the token's prefix is 403`() throws {
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.post(BundleForge(identifier.uppercased()).archive, token: token).status == 403)
    }

    @Test func `A dry run outside the token's prefix is refused too`() throws {
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        let answer = try registry.post(BundleForge(fresh()).archive, "dryRun=true", token: token)
        #expect(answer.status == 403)
    }

    // MARK: Time

    @Test func `A write with an expired token is 401`() throws {
        let registry = try Registry(clock: .today)
        try registry.publish(BundleForge(identifier))
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier, expires: Tokens.soon(20))
        #expect(
            try registry.post(BundleForge(identifier, "1.1").archive, "channel=beta", token: token).status == 201)
        registry.passes(.seconds(21))
        let other = BundleForge(identifier, "1.2").archive
        #expect(try registry.post(other, "channel=beta&dryRun=true", token: token).status == 401)
        let answer = try registry.post(other, "channel=beta", token: token)
        #expect(answer.status == 401)
        #expect(answer.problemCode == "token-expired")
        #expect(answer.value("WWW-Authenticate")?.contains("invalid_token") == true)
        #expect(try registry.release(identifier, "1.2~1").status == 404)
    }

    @Test func `A write whose token is revoked during the upload is refused at its end`() throws {
        let name = fresh("revoked").replacing(".", with: "-")
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: identifier)
        let archive = BundleForge(identifier).archive
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", ["Content-Length: \(archive.count)"], token: token)
                + archive.prefix(100))
        #expect(try registry.write("DELETE", "/v1/tokens/\(name)").status < 300)
        conversation.connection.send(Array(archive.dropFirst(100)))
        let status = try conversation.next().status
        #expect(status == 401 || status == 403)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `A release names its author by the token's name`() throws {
        let name = fresh("ci").replacing(".", with: "-")
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: identifier)
        let answer = try registry.post(BundleForge(identifier).archive, token: token)
        #expect(answer.text("publishedBy") == name)
    }
}
