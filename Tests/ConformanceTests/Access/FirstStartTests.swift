import ConformanceSupport
import Foundation
import TestSupport
import Testing

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
