import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

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

    @Test func `A new token is shown with its members, and its secret once`() throws {
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

    @Test func `Secrets are long, and begin so that scanners find them`() throws {
        let token = try Tokens.make(registry, name: name, scopes: ["read"], prefix: "com.acme")
        #expect(token.hasPrefix("wdg_"))
        #expect(token.utf8.count >= 4 + 43)
        #expect(token.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    }

    @Test func `Secrets differ each time`() throws {
        let tokens = try (0..<5).map { _ in try Tokens.make(registry, scopes: ["read"], prefix: "com.acme") }
        #expect(Set(tokens).count == 5)
    }

    @Test func `Tokens show when they were last used`() throws {
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: "com.acme")
        #expect(try entry(name)?["lastUsed"] == nil)
        _ = try registry.post([], token: token)
        #expect(try registry.becomes { try entry(name)?["lastUsed"] != nil })
        let used = try #require(try entry(name)?["lastUsed"]?.string)
        #expect(used.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    @Test func `Revoked tokens are refused`() throws {
        let identifier = fresh()
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: identifier)
        #expect(try registry.post(BundleForge(identifier).archive, token: token).status == 201)
        let answer = try registry.write("DELETE", "/v1/tokens/\(name)")
        #expect(answer.status == 200 || answer.status == 204)
        #expect(try registry.post(BundleForge(identifier, "1.1").archive, token: token).status == 401)
        #expect(try entry(name) == nil)
    }

    @Test func `Revoking an unknown token is refused`() throws {
        #expect(try registry.write("DELETE", "/v1/tokens/\(name)").status == 404)
    }

    @Test func `Tokens have unique names`() throws {
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
    func `Invalid members of a token are refused`(_ json: String) throws {
        let answer = try registry.write("POST", "/v1/tokens", json.replacing("NAME", with: name))
        #expect(answer.status == 400 || answer.status == 422)
        #expect(try entry(name) == nil)
    }

    @Test(arguments: [
        ("GET", "/v1/tokens"), ("POST", "/v1/tokens"), ("DELETE", "/v1/tokens/x"), ("POST", "/v1/tokens/x/rotate"),
    ])
    func `Tokens may be managed by administrators only`(_ method: String, _ path: String) throws {
        let body = method == "POST" ? Array("{}".utf8) : nil
        let stranger = try registry.ask(method, path, body: body)
        #expect(stranger.status == 401 || stranger.status == 404)
        let publisher = try Tokens.make(
            registry, scopes: ["publish", "promote", "withdraw", "read"], prefix: "com.acme")
        let other = try registry.ask(method, path, body: body, token: publisher)
        #expect(other.status == 404 || other.status == 403)
    }

    @Test func `Secrets are never logged`() throws {
        try GivenRegistry.requireNone("its log")
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: "com.acme")
        _ = try registry.post([], token: token)
        _ = try registry.get("/livez?access_token=\(token)", "Cookie: t=\(token)", "Referer: http://x/?\(token)")
        _ = try registry.ask("GET", "/v1/\(token)")
        #expect(registry.logs("/livez"))
        let log = registry.log
        #expect(!log.contains(Registry.adminToken))
        #expect(!log.contains(token))
    }

    @Test func `Secrets are never stored`() throws {
        let registry = try Registry()
        let token = try Tokens.make(registry, name: name, scopes: ["publish"], prefix: "com.acme")
        let files = FileWork.files(below: registry.home.data.path).filter { !$0.hasSuffix("/control.sock") }
        #expect(files.contains { $0.hasSuffix("/catalog.sqlite") })
        for file in files {
            let bytes = Data(try FileWork.bytes(file))
            for secret in [token, Registry.adminToken] {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(file)")
            }
        }
    }
}

/// Tokens for cases that need one.
enum Tokens {
    /// A token with these scopes and a unique name.
    static func make(
        _ registry: Registry, name: String? = nil, scopes: [String], prefix: String, channels: [String] = [],
        expires: String? = nil, by token: String? = Registry.adminToken
    ) throws -> String {
        let answer = try create(
            registry, name: name, scopes: scopes, prefix: prefix, channels: channels, expires: expires, by: token)
        guard answer.status == 201, let token = answer.text("token") else {
            throw Registry.NotPublished(description: "no token: \(answer.status) \(answer.text)")
        }
        return token
    }

    /// A moment shortly from now, in whole seconds.
    static func soon(_ seconds: Double = 2) -> String { Date(timeIntervalSinceNow: seconds).formatted(.iso8601) }

    static func create(
        _ registry: Registry, name: String? = nil, scopes: [String], prefix: String, channels: [String] = [],
        expires: String? = nil, by token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let name = name ?? fresh("token").replacing(".", with: "-")
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        let names = channels.map { "\"\($0)\"" }.joined(separator: ", ")
        let limit = channels.isEmpty ? "" : ", \"channels\": [\(names)]"
        let expiry = expires.map { ", \"expires\": \"\($0)\"" } ?? ""
        return try registry.write(
            "POST", "/v1/tokens",
            "{\"name\": \"\(name)\", \"prefix\": \"\(prefix)\", \"scopes\": [\(list)]\(limit)\(expiry)}",
            token: token)
    }
}

/// §5: the first start.
@Suite struct `A first start` {
    @Test func `A first start without a given token makes and keeps one, and prints how to publish with it`() throws {
        let registry = try Registry(["WIDGETD_ADMIN_TOKEN": Registry.none])
        let file = registry.home.data.appending(path: "admin-token").path
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let token = try FileWork.text(file).filter { $0 != "\n" }
        #expect(token.hasPrefix("wdg_"))
        let output = registry.greeting
        #expect(output.contains("curl") && output.contains("admin-token"))
        #expect(!output.contains(token))
        #expect(try registry.post(BundleForge("com.example.First").archive, token: token).status == 201)
        #expect(!registry.log.contains(token))
    }

    @Test func `A first start takes the token from a file`() throws {
        let home = try Home()
        let token = String(repeating: "from-a-file-", count: 4)
        let file = home.folder.appending(path: "secret")
        try token.write(toFile: file.path, atomically: true, encoding: .utf8)
        let registry = try Registry(
            home: home, ["WIDGETD_ADMIN_TOKEN": Registry.none, "WIDGETD_ADMIN_TOKEN_FILE": file.path])
        #expect(try registry.post(BundleForge("com.example.First").archive, token: token).status == 201)
    }

    @Test func `A first start takes any token of 32 visible characters`() throws {
        let token = "!#$%&'*+-.^_`|~0123456789abcdefgh"
        let registry = try Registry(["WIDGETD_ADMIN_TOKEN": token])
        #expect(try registry.post(BundleForge("com.example.First").archive, token: token).status == 201)
    }

    @Test func `Later starts keep the token and the bundles`() throws {
        let home = try Home()
        var registry: Registry? = try Registry(home: home, ["WIDGETD_ADMIN_TOKEN": Registry.none])
        let file = home.data.appending(path: "admin-token").path
        let token = try FileWork.text(file).filter { $0 != "\n" }
        #expect(try registry?.post(BundleForge("com.example.First").archive, token: token).status == 201)
        registry = nil
        let second = try Registry(home: home, ["WIDGETD_ADMIN_TOKEN": Registry.none])
        #expect(try second.resolve("com.example.First").status == 200)
        #expect(try second.post(BundleForge("com.example.First", "1.1").archive, token: token).status == 201)
    }
}

/// Revoking the last token that can make another.
@Suite struct `The last token with every right` {
    private func first() throws -> (registry: Registry, token: String, file: URL) {
        let registry = try Registry(["WIDGETD_ADMIN_TOKEN": Registry.none])
        let file = registry.home.data.appending(path: "admin-token")
        let token = try String(contentsOf: file, encoding: .utf8).filter { !$0.isNewline }
        return (registry, token, file)
    }

    @Test func `Revoking the last token with every right says that it was the last, and removes its file`() throws {
        let (registry, token, file) = try first()
        let answer = try registry.write("DELETE", "/v1/tokens/admin", token: token)
        #expect(answer.status == 200 && answer.text("revoked") == "admin")
        #expect(answer.text("remark")?.contains("widgetd token create NAME --scope admin") == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `The owner's command also says that it was the last token`() throws {
        let (registry, _, file) = try first()
        let result = try registry.owner("token", "revoke", "admin")
        #expect(result.exitCode == 0 && result.output == "admin is revoked\n")
        #expect(result.error.contains("warning: It was the last token with every right"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `Revoking one of several such tokens says nothing, and keeps a file that is still valid`() throws {
        let (registry, token, file) = try first()
        _ = try Tokens.make(registry, name: "other", scopes: ["publish"], prefix: "a.b", by: token)
        #expect(try registry.write("DELETE", "/v1/tokens/other", token: token).status == 204)
        #expect(FileManager.default.fileExists(atPath: file.path))
        let second = try Tokens.make(registry, name: "second", scopes: ["admin"], prefix: "", by: token)
        #expect(try registry.write("DELETE", "/v1/tokens/admin", token: second).status == 204)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
