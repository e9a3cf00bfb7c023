import ConformanceSupport
import Foundation
import JSONText
import TestSupport
import Testing

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
        #expect(
            Set(answer.names()) == ["number", "name", "prefix", "scopes", "channels", "created", "expires", "token"])
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
        let publisher = try Tokens.make(
            registry, scopes: ["publish", "promote", "withdraw", "read"], prefix: "com.acme")
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
