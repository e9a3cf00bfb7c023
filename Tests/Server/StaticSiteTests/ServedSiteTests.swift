import Foundation
import RegistryClient
import RegistryContract
import StaticSite
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport
import WidgetTransfers

/// Goal: hosts get their widgets from a static site as from the registry. Method: our own client, through nginx with the
/// configuration that the export writes, and with none.
@Suite(.serialized) struct `A served static site` {
    @Test func `brings hosts up to date with our own client`() async throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let server = try SiteServer(.configured, of: fixture.site)
        let host = try fixture.host(server)
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let first = await host.update(widget)
        #expect(first.error == nil && first.release?.record.release == "1.0~1")
        #expect(await host.update(widget).isSame)
        try fixture.publish("1.1")
        try fixture.export()
        let second = await host.update(widget)
        #expect(second.error == nil && second.release?.record.release == "1.1~1")
        // Only the changed files were fetched, by a range.
        let cost = try #require(second.cost)
        #expect(cost.reusedByteCount > cost.fetchedByteCount)
        _ = try fixture.registry.withdraw("com.example.Sample", "1.1~1", reason: "crashes", by: "tester")
        try fixture.export()
        #expect(await host.update(widget).release?.record.release == "1.0~1")
    }

    @Test func `does not give a host a release that its system is too old for`() async throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        try fixture.publish("1.0", minimumOS: "17.0")
        #expect(try fixture.export().minimums == 2)
        let server = try SiteServer(.configured, of: fixture.site)
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let old = await (try fixture.host(server) { $0.os = "16.4" }).update(widget)
        #expect(old.error?.reason == .nothingOffered && old.release == nil)
        let new = await (try fixture.host(server) { $0.os = "17.0" }).update(widget)
        #expect(new.release?.record.release == "1.0~1")
    }

    @Test func `gives each host its share of a rollout`() async throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.publish("1.1", rollout: 5_000)
        try fixture.export()
        let server = try SiteServer(.configured, of: fixture.site)
        let widget = try WidgetIdentifier("com.example.Sample")
        var keys: Set<String> = []
        // Of thirty hosts all are in one half once in 500 million.
        for _ in 0..<30 where keys.count < 2 {
            if let key = await (try fixture.host(server)).update(widget).release?.record.release { keys.insert(key) }
        }
        #expect(keys == ["1.0~1", "1.1~1"])
    }

    @Test func `shows other channels by the query with nginx, and by no answer without`() async throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.publish("1.1", to: "beta")
        try fixture.export { $0.channels = ["stable", "beta"] }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let nginx = try SiteServer(.configured, of: fixture.site)
        let beta = await (try fixture.host(nginx) { $0.channel = "beta" }).update(widget)
        #expect(beta.release?.record.release == "1.1~1")
        let none = await (try fixture.host(nginx) { $0.channel = "gamma" }).update(widget)
        #expect(none.error?.isAbsence == true)
        // A server that ignores the query answers with another channel, which a host refuses.
        let plain = try SiteServer(.plain, of: fixture.site)
        let refused = await (try fixture.host(plain) { $0.channel = "beta" }).update(widget)
        #expect(refused.error?.reason == .contradiction(.anotherChannel) && refused.release == nil)
    }

    @Test func `is not believed by hosts without the entity tags of its archives`() async throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let plain = try SiteServer(.plain, of: fixture.site)
        let result = await (try fixture.host(plain)).update(try WidgetIdentifier("com.example.Sample-1"))
        guard case .transfer(let failure) = result.error?.reason else {
            throw SiteServer.NoAnswer(description: "\(result)")
        }
        #expect(failure.reason == .changedMeanwhile && result.release == nil)
    }

    @Test func `has the types, tags and times to live of a registry with nginx`() async throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        let digest = try fixture.publish("1.0")
        try fixture.export()
        let server = try SiteServer(.configured, of: fixture.site)
        let document = try server.get("/v1/widgets/com.example.Sample-1?channel=stable&os=17")
        #expect(document.status == 200 && document.value("Content-Type") == "application/json")
        #expect(document.value("Cache-Control") == "public, max-age=30, stale-while-revalidate=300, stale-if-error=600")
        #expect(
            document.value("Access-Control-Allow-Origin") == "*"
                && document.value("X-Content-Type-Options") == "nosniff")
        let tag = try #require(document.value("ETag"))
        #expect(try server.get("/v1/widgets/com.example.Sample-1", "If-None-Match: \(tag)\r\n").status == 304)
        let packed = try server.get("/v1/widgets/com.example.Sample-1", "Accept-Encoding: gzip\r\n")
        #expect(packed.value("Content-Encoding") == "gzip" && packed.value("Vary")?.contains("Accept-Encoding") == true)

        let blob = try server.get("/v1/blobs/sha256/\(digest.hex)", method: "HEAD")
        #expect(blob.status == 200 && blob.value("Content-Type") == "application/zip")
        #expect(blob.value("ETag") == "\"sha256-\(digest.hex)\"")
        #expect(blob.value("Cache-Control") == "public, max-age=31536000, immutable")
        let part = try server.get(
            "/v1/blobs/sha256/\(digest.hex)", "Range: bytes=0-3\r\nIf-Range: \"sha256-\(digest.hex)\"\r\n")
        #expect(part.status == 206 && part.body == Array("PK\u{3}\u{4}".utf8))
        let other = try server.get(
            "/v1/blobs/sha256/\(digest.hex)", "Range: bytes=0-3\r\nIf-Range: \"sha256-0\"\r\n")
        #expect(other.status == 200)

        for name in ["bundle", "Sample.zip", "Sample.bundle.zip"] {
            let archive = try server.get("/v1/widgets/com.example.Sample-1/\(name)", "Range: bytes=0-3\r\n")
            #expect(archive.status == 200 && Digest.sha256(archive.body) == digest)
            #expect(archive.value("Content-Type") == "application/zip" && archive.value("ETag") == nil)
            #expect(
                archive.value("Last-Modified") == nil && archive.value("Cache-Control")?.contains("max-age=30") == true)
        }
    }

    private static let refusals: [(path: String, status: Int, type: String)] = [
        ("/v1/widgets/com.example.None", 404, "/problems/no-such-widget"),
        ("/v1/widgets/com.example.Sample-1?channel=..", 404, "/problems/no-such-widget"),
        ("/v1/widgets/com.example.Sample-1?channel=beta", 404, "/problems/no-such-widget"),
        ("/v1/widgets/com.example.Sample-1/Other.zip", 404, "/problems/no-such-widget"),
        (
            "/v1/blobs/sha256/0000000000000000000000000000000000000000000000000000000000000000", 404,
            "/problems/no-such-blob"
        ),
        ("/v1/bundles", 404, "/problems/not-found"), ("/problems/not-found", 404, ""),
        ("/../site.json", 400, ""), ("/v1/widgets/", 404, "/problems/not-found"),
    ]

    @Test func `refuses other questions as a registry does, and writing, and shows no folder`() throws {
        try #require(SiteServer.isInstalled, "nginx is not installed: run .ci/setup test")
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let server = try SiteServer(.configured, of: fixture.site)
        for (path, status, type) in Self.refusals {
            let answer = try server.get(path)
            #expect(answer.status == status, "\(path)")
            guard !type.isEmpty else { continue }
            #expect(answer.value("Content-Type") == "application/problem+json", "\(path)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"type\":\"\(type)\""), "\(path)")
        }
        #expect(try server.get("/v1/widgets/com.example.Sample", method: "DELETE").status == 405)
    }
}
