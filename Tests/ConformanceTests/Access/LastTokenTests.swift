import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Revoking the token that could have made another.
@Suite struct `The last token with every right` {
    private func first() throws -> (registry: Registry, token: String, file: URL) {
        let registry = try Registry(["WIDGETD_ADMIN_TOKEN": Registry.none])
        let file = registry.home.data.appending(path: "admin-token")
        let token = try String(contentsOf: file, encoding: .utf8).filter { !$0.isNewline }
        return (registry, token, file)
    }

    @Test func `is said to be the last when it is revoked, and its file goes`() throws {
        let (registry, token, file) = try first()
        let answer = try registry.write("DELETE", "/v1/tokens/admin", token: token)
        #expect(answer.status == 200 && answer.text("revoked") == "admin")
        #expect(answer.text("remark")?.contains("widgetd token create NAME --scope admin") == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `is said to be the last by the owner's command too`() throws {
        let (registry, _, file) = try first()
        let result = try registry.owner("token", "revoke", "admin")
        #expect(result.exitCode == 0 && result.output == "admin is revoked\n")
        #expect(result.error.contains("warning: It was the last token with every right"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `is not the last while there is another, and a file that is still good stays`() throws {
        let (registry, token, file) = try first()
        _ = try Tokens.make(registry, name: "other", scopes: ["publish"], prefix: "a.b", by: token)
        #expect(try registry.write("DELETE", "/v1/tokens/other", token: token).status == 204)
        #expect(FileManager.default.fileExists(atPath: file.path))
        let second = try Tokens.make(registry, name: "second", scopes: ["admin"], prefix: "", by: token)
        #expect(try registry.write("DELETE", "/v1/tokens/admin", token: second).status == 204)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
