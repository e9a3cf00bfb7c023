import ConformanceSupport
import Foundation
import JSONText
import TestSupport
import Testing

/// §6: each limit is a refusal of its own; at the limit things still work.
@Suite struct `A limit` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.narrow() }

    @Test func `of the upload refuses what says that it is larger`() throws {
        let answer = try registry.post([UInt8](repeating: 0, count: (32 << 10) + 1))
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(answer.number("limit") == 32 << 10)
    }

    @Test func `of the entries refuses one more`() throws {
        var bundle = BundleForge(identifier)
        while bundle.contents.count < 8 { bundle = bundle.adding("f\(bundle.contents.count).json", "{}") }
        #expect(try registry.post(bundle.archive).status == 201)
        let answer = try registry.post(bundle.with { $0.version = "1.1" }.adding("one-more.json", "{}").archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "too-many-files")
        #expect(answer.number("limit") == 8)
    }

    @Test func `of what one file expands to refuses one more byte`() throws {
        let bytes = [UInt8](repeating: 0x61, count: (64 << 10) + 1)
        let answer = try registry.post(BundleForge(identifier).adding("a.ttf", bytes: bytes).archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "expansion-refused")
    }

    @Test func `of what everything expands to refuses more`() throws {
        let bytes = [UInt8](repeating: 0x61, count: 60 << 10)
        let bundle = ["a.ttf", "b.ttf", "c.ttf"].reduce(BundleForge(identifier)) { $0.adding($1, bytes: bytes) }
        let answer = try registry.post(bundle.archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "expansion-refused")
    }

    @Test func `of a parsed file refuses more`() throws {
        #expect(
            try registry.post(
                BundleForge(identifier).adding("a.json", "[\"\(String(repeating: "a", count: 2_044))\"]").archive
            ).status == 201)
        let answer = try registry.post(
            BundleForge(identifier, "1.1").adding("a.json", "[\"\(String(repeating: "a", count: 2_045))\"]").archive)
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(answer.text("path")?.hasSuffix("a.json") == true)
    }

    @Test func `of a path's depth refuses one more`() throws {
        #expect(try registry.post(BundleForge(identifier).adding("a/b/c.json", "{}").archive).status == 201)
        let answer = try registry.post(BundleForge(identifier, "1.1").adding("a/b/c/d.json", "{}").archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "entry-refused")
    }

    @Test func `of a path's length refuses one more byte`() throws {
        let room = 64 - "Sample.bundle/.json".utf8.count
        func bundle(_ version: String, _ count: Int) -> [UInt8] {
            BundleForge(identifier, version).adding(String(repeating: "a", count: count) + ".json", "{}").archive
        }
        #expect(try registry.post(bundle("1.0", room)).status == 201)
        let answer = try registry.post(bundle("1.1", room + 1))
        #expect(answer.status == 422)
        #expect(answer.problemCode == "entry-refused")
    }

    @Test func `of the request line refuses more`() throws {
        #expect(try registry.get("/livez?" + String(repeating: "a", count: 450)).status == 200)
        #expect(try registry.get("/livez?" + String(repeating: "a", count: 600)).problemCode == "uri-too-long")
    }

    @Test func `of one header refuses more`() throws {
        #expect(try registry.get("/livez", "X: " + String(repeating: "a", count: 450)).status == 200)
        let answer = try registry.get("/livez", "X: " + String(repeating: "a", count: 600))
        #expect(answer.problemCode == "header-too-large")
    }

    @Test func `of all headers refuses more`() throws {
        let fields = (0..<6).map { "X-\($0): " + String(repeating: "a", count: 400) }
        #expect(try registry.ask("GET", "/livez", fields).problemCode == "header-too-large")
    }

    @Test func `of the number of headers refuses one more`() throws {
        // Host is one of them.
        #expect(try registry.ask("GET", "/livez", (0..<19).map { "X-\($0): y" }).status == 200)
        #expect(try registry.ask("GET", "/livez", (0..<20).map { "X-\($0): y" }).problemCode == "header-too-large")
    }

    @Test func `of a head's time ends a connection that dawdles`() throws {
        let conversation = try registry.connect()
        conversation.connection.send("GET /livez HTTP/1.1\r\nHo")
        let answer = try conversation.next()
        #expect(answer.status == 408)
        #expect(answer.problemCode == "timeout")
        #expect(answer.closes)
    }

    @Test func `of a body's progress ends an upload that dawdles`() throws {
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", ["Content-Length: 1000"], token: Registry.adminToken)
                + BundleForge(identifier).archive.prefix(50))
        let answer = try conversation.next()
        #expect(answer.status == 408)
        #expect(answer.problemCode == "timeout")
    }

    @Test func `of a connection's rest closes it without a word`() throws {
        let conversation = try registry.connect()
        #expect(try conversation.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
        #expect(conversation.remainder() == ([], .end))
    }
}

/// §6: what a bundle may have.
@Suite struct `Channels of a bundle` {
    @Test func `beyond the limit are 409, and nothing is stored`() throws {
        let registry = try Registry(["WIDGETD_LIMITS_CHANNELS": "1", "WIDGETD_RETENTION_SNAPSHOT_CHANNELS": "stable"])
        let identifier = "com.example.Channels"
        let first = try registry.publish(BundleForge(identifier, "1.0"))
        // What a snapshot channel is can be chosen.
        #expect(try #require(first.text("release")).hasPrefix("1.0~1+"))
        #expect(try registry.get("/.well-known/widget-registry")["policy.snapshotChannels"]?.array?.count == 1)
        let published = try registry.post(BundleForge(identifier, "1.1").archive, "channel=beta")
        #expect(published.status == 409 && published.problemCode == "too-many-channels")
        #expect(published.number("limit") == 1)
        #expect(try registry.release(identifier, "1.1~1").status == 404)
    }
}

/// §6: uploads at the same time, each held open by its client.
@Suite(.serialized) struct `Uploads at the same time` {
    @Test func `beyond the limit are 503 and asked to come back, and are taken when others are done`() throws {
        // A window long enough for the uploads to be held open.
        let registry = try Registry(["WIDGETD_LIMITS_CONCURRENT_UPLOADS": "2"])
        let archive = BundleForge("com.example.Busy").archive
        func begin() throws -> Conversation {
            let conversation = try registry.connect()
            conversation.connection.send(
                Registry.request(
                    "POST", "/v1/bundles", ["Content-Length: \(archive.count)", "Expect: 100-continue"],
                    token: Registry.adminToken))
            return conversation
        }
        let held = [try begin(), try begin()]
        for conversation in held { #expect(try conversation.next().status == 100) }
        let refused = try begin().next()
        #expect(refused.status == 503)
        #expect(["overloaded", "too-many-uploads"].contains(refused.problemCode))
        #expect(refused.value("Retry-After") != nil)
        // Reading goes on.
        #expect(try registry.get("/v1/bundles").status == 200)
        for conversation in held { conversation.connection.send(archive) }
        #expect(Set(try held.map { try $0.next().status }) == [200, 201])
        var status = 503
        for _ in 0..<500 where status == 503 { status = try registry.post(archive).status }
        #expect(status == 200)
    }

    @Test func `that dawdle hold up nobody, and leave nothing behind when they break off`() throws {
        let registry = try Registry()
        let archive = BundleForge("com.example.Slow").archive
        // One place of sixteen is kept for other tokens.
        var held = try (0..<14).map { _ in
            let conversation = try registry.connect()
            conversation.connection.send(
                Registry.request(
                    "POST", "/v1/bundles", ["Content-Length: \(archive.count)"], token: Registry.adminToken)
                    + archive.prefix(archive.count / 2))
            return conversation
        }
        #expect(try registry.publish(BundleForge("com.example.Quick")).status == 201)
        #expect(try registry.resolve("com.example.Quick").status == 200)
        for conversation in held { conversation.connection.close() }
        held = []
        let staging = registry.home.data.appending(path: "staging").path
        var left = "?"
        for _ in 0..<500 where !left.isEmpty { left = Shell.run("ls -A '\(staging)'").output }
        #expect(left.isEmpty)
        #expect(try registry.get("/v1/bundles/com.example.Slow").status == 404)
    }
}
