import ConformanceSupport
import JSONText
import Foundation
import TestSupport
import Testing

/// §5 and threats A1–A15: who may write.
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

    /// Whether what was asked for has been refused with 401, as RFC 6750 says, and nothing has happened.
    private func isUnauthorized(_ answer: WireAnswer) throws -> Bool {
        let isUntouched = try registry.resolve(identifier).texts("candidates", "release") == ["1.0~1"]
        return answer.status == 401 && answer.value("WWW-Authenticate")?.hasPrefix("Bearer") == true && isUntouched
    }

    @Test(arguments: writes)
    func `without a token is 401`(_ write: Write) throws {
        try registry.publish(BundleForge(identifier))
        let answer = try ask(write)
        #expect(try isUnauthorized(answer))
        #expect(answer.problemCode == "unauthorized")
    }

    @Test(arguments: writes)
    func `with a token nobody was given is 401`(_ write: Write) throws {
        try registry.publish(BundleForge(identifier))
        #expect(try isUnauthorized(try ask(write, ["Authorization: Bearer wdg_\(String(repeating: "A", count: 43))"])))
    }

    @Test(arguments: writes)
    func `without the scope is 403`(_ write: Write) throws {
        try registry.publish(BundleForge(identifier))
        let reader = try Tokens.make(registry, scopes: ["read"], prefix: identifier)
        let answer = try ask(write, ["Authorization: Bearer \(reader)"])
        #expect(answer.status == 403)
        #expect(answer.problemCode == "forbidden")
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.0~1"])
    }

    @Test(arguments: ["Authorization: Bearer", "Authorization: Bearer ", "Authorization: Basic dTpw", "Authorization: x"])
    func `with no bearer token in it is 401`(_ field: String) throws {
        try registry.publish(BundleForge(identifier))
        #expect(try isUnauthorized(try ask(Self.writes[0], [field])))
    }

    @Test(arguments: ["bearer", "BEARER", "Bearer"])
    func `takes the scheme in any case`(_ scheme: String) throws {
        let answer = try registry.ask(
            "POST", "/v1/bundles", ["Authorization: \(scheme) \(Registry.adminToken)"],
            body: BundleForge(identifier).archive)
        #expect(answer.status == 201)
    }

    @Test func `with two Authorization fields is 400 or 401, never done`() throws {
        let token = "Authorization: Bearer \(Registry.adminToken)"
        for fields in [[token, token], [token, "Authorization: Bearer x"], ["Authorization: Bearer x", token]] {
            let answer = try registry.ask("POST", "/v1/bundles", fields, body: BundleForge(identifier).archive)
            #expect(answer.status == 400)
        }
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }

    @Test func `with more behind its token is 401`() throws {
        try registry.publish(BundleForge(identifier))
        for rest in [" x", "x", ", x", "\u{7F}"] {
            let answer = try ask(Self.writes[0], ["Authorization: Bearer \(Registry.adminToken)\(rest)"])
            #expect(answer.status == 401 || answer.status == 400, "\(rest)")
        }
    }

    @Test func `with a token of a megabyte is 431`() throws {
        let answer = try ask(Self.writes[0], ["Authorization: Bearer \(String(repeating: "a", count: 1 << 20))"])
        #expect(answer.status == 431)
        #expect(answer.problemCode == "header-too-large")
    }

    @Test func `with a token that holds NUL is 400`() throws {
        #expect(try ask(Self.writes[0], ["Authorization: Bearer \(Registry.adminToken)\u{0}"]).status == 400)
    }

    @Test(arguments: ["token", "access_token", "api_key", "authorization"])
    func `takes no token from the query`(_ name: String) throws {
        try registry.publish(BundleForge(identifier))
        #expect(try isUnauthorized(try ask(Self.writes[0], query: "?\(name)=\(Registry.adminToken)")))
    }

    @Test func `takes no token from a cookie`() throws {
        try registry.publish(BundleForge(identifier))
        for cookie in ["token=\(Registry.adminToken)", "Authorization=Bearer \(Registry.adminToken)"] {
            #expect(try isUnauthorized(try ask(Self.writes[0], ["Cookie: \(cookie)"])))
        }
    }

    @Test func `takes no other method from a header`() throws {
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
    func `is done with its own scope alone`(_ scope: String, _ expected: [Int]) throws {
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

    @Test func `of rolling back is promoting`() throws {
        try registry.publish(identifier, releases: 2)
        let path = "/v1/bundles/\(identifier)/channels/stable/rollback"
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.write("POST", path, token: publisher).status == 403)
        let promoter = try Tokens.make(registry, scopes: ["promote"], prefix: identifier)
        #expect(try registry.write("POST", path, token: promoter).status == 200)
    }

    @Test func `of restoring is withdrawing`() throws {
        try registry.publish(identifier, releases: 1)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let path = "/v1/bundles/\(identifier)/releases/1.0~1/restore"
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.write("POST", path, token: publisher).status == 403)
        let withdrawer = try Tokens.make(registry, scopes: ["withdraw"], prefix: identifier)
        #expect(try registry.write("POST", path, token: withdrawer).status == 200)
    }

    // MARK: Prefixes

    @Test(arguments: [("", 201), (".news", 201), (".news.x", 201), ("b", 403), ("-b", 403)])
    func `stays within the labels of its token's prefix`(_ suffix: String, _ status: Int) throws {
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        let answer = try registry.post(BundleForge(identifier + suffix).archive, token: token)
        #expect(answer.status == status)
        #expect(status == 201 || answer.problemCode == "forbidden")
        #expect(try registry.get("/v1/bundles/\(identifier + suffix)").status == (status == 201 ? 200 : 404))
    }

    @Test func `in another case than its token's prefix is 403`() throws {
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect(try registry.post(BundleForge(identifier.uppercased()).archive, token: token).status == 403)
    }

    @Test func `outside its token's prefix is refused as a dry run too`() throws {
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        let answer = try registry.post(BundleForge(fresh()).archive, "dryRun=true", token: token)
        #expect(answer.status == 403)
    }

    // MARK: Time

    @Test func `with a token that has expired is 401`() async throws {
        try registry.publish(BundleForge(identifier))
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: identifier, expires: Tokens.soon())
        #expect(try registry.post(BundleForge(identifier, "1.1").archive, token: token).status == 201)
        try await Task.sleep(for: Tokens.afterSoon)
        let answer = try registry.post(BundleForge(identifier, "1.2").archive, token: token)
        #expect(answer.status == 401)
        #expect(answer.problemCode == "token-expired")
        #expect(answer.value("WWW-Authenticate")?.contains("invalid_token") == true)
        #expect(try registry.release(identifier, "1.2~1").status == 404)
    }

    @Test func `with a token revoked during the upload is refused at its end`() throws {
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

    @Test func `names in the release who did it, by the token's name`() throws {
        let name = fresh("ci").replacing(".", with: "-")
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: identifier)
        let answer = try registry.post(BundleForge(identifier).archive, token: token)
        #expect(answer.text("publishedBy") == name)
    }
}

/// §5: administration of tokens.
@Suite struct `Tokens for others` {
    let registry: Registry
    let name = fresh("t").replacing(".", with: "-")

    init() throws { registry = try Registries.open() }

    private func entry(_ name: String) throws -> JSONValue? {
        var target: String? = "/v1/tokens?limit=200"
        while let present = target {
            let answer = try registry.ask("GET", present, token: Registry.adminToken)
            guard answer.status == 200 else { throw Registry.NotPublished(description: answer.text) }
            if let found = answer["items"]?.array?.first(where: { $0["name"]?.string == name }) { return found }
            target = answer.text("next").map { "/v1/tokens?limit=200&cursor=\($0)" }
        }
        return nil
    }

    @Test func `are made with their members, and shown once`() throws {
        let answer = try Tokens.create(
            registry, name: name, scopes: ["publish", "promote"], prefix: "com.acme", expires: "2099-01-01T00:00:00Z")
        #expect(answer.status == 201)
        #expect(Set(answer.names()) == ["name", "prefix", "scopes", "created", "expires", "token"])
        #expect(answer.text("name") == name)
        #expect(answer.text("prefix") == "com.acme")
        #expect(Set(answer["scopes"]?.array?.compactMap(\.string) ?? []) == ["publish", "promote"])
        #expect(answer.text("expires") == "2099-01-01T00:00:00Z")
        #expect(answer.value("Cache-Control")?.contains("no-store") == true)
        let listed = try #require(try entry(name))
        #expect(listed["token"] == nil)
        #expect(listed["prefix"]?.string == "com.acme")
    }

    @Test func `are long, and begin so that scanners find them`() throws {
        let token = try Tokens.make(registry, name: name, scopes: ["read"], prefix: "com.acme")
        #expect(token.hasPrefix("wdg_"))
        #expect(token.utf8.count >= 4 + 43)
        #expect(token.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    }

    @Test func `differ each time`() throws {
        let tokens = try (0..<5).map { _ in try Tokens.make(registry, scopes: ["read"], prefix: "com.acme") }
        #expect(Set(tokens).count == 5)
    }

    @Test func `show when they were last used`() throws {
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: "com.acme")
        #expect(try entry(name)?["lastUsed"] == nil)
        _ = try registry.post([], token: token)
        var used: String?
        for _ in 0..<200 where used == nil { used = try entry(name)?["lastUsed"]?.string }
        #expect(used?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    @Test func `are of no avail once revoked`() throws {
        let identifier = fresh()
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: identifier)
        #expect(try registry.post(BundleForge(identifier).archive, token: token).status == 201)
        let answer = try registry.write("DELETE", "/v1/tokens/\(name)")
        #expect(answer.status == 200 || answer.status == 204)
        #expect(try registry.post(BundleForge(identifier, "1.1").archive, token: token).status == 401)
        #expect(try entry(name) == nil)
    }

    @Test func `that do not exist cannot be revoked`() throws {
        #expect(try registry.write("DELETE", "/v1/tokens/\(name)").status == 404)
    }

    @Test func `have names of their own`() throws {
        #expect(try Tokens.create(registry, name: name, scopes: ["read"], prefix: "com.acme").status == 201)
        #expect(try Tokens.create(registry, name: name, scopes: ["read"], prefix: "com.acme").status == 409)
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"name\": \"NAME\"}", "{\"name\": \"NAME\", \"prefix\": \"com.acme\", \"scopes\": []}",
        "{\"name\": \"NAME\", \"prefix\": \"com.acme\", \"scopes\": [\"fly\"]}",
        "{\"name\": \"NAME\", \"prefix\": \"com.acme\", \"scopes\": \"read\"}",
        "{\"name\": \"\", \"prefix\": \"com.acme\", \"scopes\": [\"read\"]}",
        "{\"name\": \"NAME\", \"prefix\": \"com acme\", \"scopes\": [\"read\"]}",
        "{\"name\": \"NAME\", \"prefix\": \"com.acme\", \"scopes\": [\"read\"], \"expires\": \"soon\"}",
        "{\"name\": \"NAME\", \"prefix\": \"com.acme\", \"scopes\": [\"read\"], \"expires\": \"2001-01-01T00:00:00Z\"}",
        "{\"name\": \"NA/ME\", \"prefix\": \"com.acme\", \"scopes\": [\"read\"]}",
    ])
    func `are not made of what makes no sense`(_ json: String) throws {
        let answer = try registry.write("POST", "/v1/tokens", json.replacing("NAME", with: name))
        #expect(answer.status == 400 || answer.status == 422)
        #expect(try entry(name) == nil)
    }

    @Test(arguments: [("GET", "/v1/tokens"), ("POST", "/v1/tokens"), ("DELETE", "/v1/tokens/x")])
    func `are no business of others`(_ method: String, _ path: String) throws {
        let body = method == "POST" ? Array("{}".utf8) : nil
        let stranger = try registry.ask(method, path, body: body)
        #expect(stranger.status == 401 || stranger.status == 404)
        let publisher = try Tokens.make(registry, scopes: ["publish", "promote", "withdraw", "read"], prefix: "com.acme")
        let other = try registry.ask(method, path, body: body, token: publisher)
        #expect(other.status == 404 || other.status == 403)
    }

    @Test func `never stand in the log, nor does any other token`() throws {
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: "com.acme")
        _ = try registry.post([], token: token)
        _ = try registry.get("/livez?access_token=\(token)", "Cookie: t=\(token)", "Referer: http://x/?\(token)")
        _ = try registry.ask("GET", "/v1/\(token)")
        #expect(registry.logs("/livez"))
        let log = registry.log
        #expect(!log.contains(Registry.adminToken))
        #expect(!log.contains(token))
    }

    @Test func `are stored nowhere on disk`() throws {
        let registry = try Registry()
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: "com.acme")
        let found = Shell.run("grep -rlF -e '\(token)' -e '\(Registry.adminToken)' '\(registry.home.data.path)'")
        #expect(found.output.isEmpty)
        #expect(found.status == 1)
    }
}

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
    func `is 401 without one`(_ path: String) throws {
        let answer = try registry.get(try self.path(path))
        #expect(answer.status == 401)
        #expect(answer.value("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test(arguments: paths)
    func `is done with one that may see the bundle`(_ path: String) throws {
        let answer = try registry.get(try self.path(path), token: reader)
        #expect(answer.status == 200)
        #expect(answer.value("Cache-Control")?.contains("public") != true)
    }

    @Test(arguments: paths)
    func `is 404 with one that may not know of the bundle`(_ path: String) throws {
        let answer = try registry.get(try self.path(path), token: stranger)
        #expect(answer.status == 404, "\(answer.text)")
    }

    @Test func `says the same of a bundle that is hidden and of one that is not there`() throws {
        let other = fresh()
        let hidden = try registry.get("/v1/widgets/\(identifier)", token: stranger)
        let missing = try registry.get("/v1/widgets/\(other)", token: stranger)
        #expect(hidden.problemCode == missing.problemCode)
        #expect(hidden.text("detail")?.replacing(identifier, with: other) == missing.text("detail"))
    }

    @Test func `hides a longest match without falling back to a shorter one`() throws {
        let longer = "\(identifier)-secret"
        try registry.publish(identifier: longer)
        #expect(try registry.get("/v1/widgets/\(longer)-1", token: reader).status == 404)
    }

    @Test func `lists only what the token may see`() throws {
        let listed = try registry.get("/v1/bundles?limit=200", token: reader)
        #expect(listed.texts("items", "bundleIdentifier") == [identifier])
        #expect(try registry.get("/v1/bundles?limit=200", token: stranger)["items"]?.array?.isEmpty == true)
        let changes = try registry.get("/v1/changes?limit=200", token: reader)
        #expect(Set(changes.texts("items", "bundleIdentifier")).isSubset(of: [identifier]))
    }

    @Test func `is 401 with one that is unknown, expired or for something else`() async throws {
        let path = try path(Self.paths[0])
        #expect(try registry.get(path, token: "wdg_" + String(repeating: "A", count: 43)).status == 401)
        let expired = try Tokens.make(registry, scopes: ["read"], prefix: identifier, expires: Tokens.soon())
        try await Task.sleep(for: Tokens.afterSoon)
        #expect(try registry.get(path, token: expired).status == 401)
        let publisher = try Tokens.make(registry, scopes: ["publish"], prefix: identifier)
        #expect([403, 404].contains(try registry.get(path, token: publisher).status))
    }

    @Test func `leaves what says nothing of bundles open`() throws {
        for path in ["/livez", "/readyz", "/.well-known/widget-registry", "/openapi.json", "/problems/not-found"] {
            #expect(try registry.get(path).status == 200, "\(path)")
        }
    }

    @Test func `shows strangers no bundles on the page`() throws {
        let answer = try registry.get("/")
        #expect(!answer.text.contains(identifier))
    }

    @Test func `ignores cookies`() throws {
        #expect(try registry.get(try path(Self.paths[0]), "Cookie: token=\(reader)").status == 401)
    }
}

extension Registry {
    /// Publishes the plainest bundle under an identifier.
    @discardableResult
    fileprivate func publish(identifier: String) throws -> WireAnswer { try publish(BundleForge(identifier)) }
}

/// §5: the first start.
@Suite struct `A first start` {
    @Test func `without a token given makes one, keeps it to the owner, and prints how to publish with it`() throws {
        let registry = try Registry(["WIDGETD_ADMIN_TOKEN": Registry.none])
        let file = registry.home.data.appending(path: "admin-token").path
        let listing = Shell.run("stat -c '%a' '\(file)'; cat '\(file)'").output.split(separator: "\n")
        #expect(listing.first == "600")
        let token = String(try #require(listing.last))
        #expect(token.hasPrefix("wdg_"))
        let output = Shell.run("cat '\(registry.home.folder.path)'/stdout-*").output
        #expect(output.contains("curl") && output.contains("admin-token"))
        #expect(!output.contains(token))
        #expect(try registry.post(BundleForge("com.example.First").archive, token: token).status == 201)
        #expect(!registry.log.contains(token))
    }

    @Test func `takes the token from a file`() throws {
        let home = try Home()
        let token = String(repeating: "from-a-file-", count: 4)
        let file = home.folder.appending(path: "secret")
        try token.write(toFile: file.path, atomically: true, encoding: .utf8)
        let registry = try Registry(
            home: home, ["WIDGETD_ADMIN_TOKEN": Registry.none, "WIDGETD_ADMIN_TOKEN_FILE": file.path])
        #expect(try registry.post(BundleForge("com.example.First").archive, token: token).status == 201)
    }

    @Test func `takes any token of 32 visible characters`() throws {
        let token = "!#$%&'*+-.^_`|~0123456789abcdefgh"
        let registry = try Registry(["WIDGETD_ADMIN_TOKEN": token])
        #expect(try registry.post(BundleForge("com.example.First").archive, token: token).status == 201)
    }

    @Test func `is followed by starts with the same token and the same bundles`() throws {
        let home = try Home()
        var registry: Registry? = try Registry(home: home, ["WIDGETD_ADMIN_TOKEN": Registry.none])
        let file = home.data.appending(path: "admin-token").path
        let token = Shell.run("cat '\(file)'").output.filter { $0 != "\n" }
        #expect(try registry?.post(BundleForge("com.example.First").archive, token: token).status == 201)
        registry = nil
        let second = try Registry(home: home, ["WIDGETD_ADMIN_TOKEN": Registry.none])
        #expect(try second.resolve("com.example.First").status == 200)
        #expect(try second.post(BundleForge("com.example.First", "1.1").archive, token: token).status == 201)
    }
}
