import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// §6: each limit has its own refusal; input at the limit is accepted.
@Suite struct `A limit` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.narrow() }

    @Test func `An upload that declares more bytes than the limit is refused`() throws {
        let answer = try registry.post([UInt8](repeating: 0, count: (32 << 10) + 1))
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(answer.number("limit") == 32 << 10)
    }

    @Test func `An archive with one entry more than the limit is refused`() throws {
        var bundle = BundleForge(identifier)
        while bundle.contents.count < 8 { bundle = bundle.adding("f\(bundle.contents.count).json", "{}") }
        #expect(try registry.post(bundle.archive).status == 201)
        let answer = try registry.post(bundle.with { $0.version = "1.1" }.adding("one-more.json", "{}").archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "too-many-files")
        #expect(answer.number("limit") == 8)
    }

    @Test func `A file that expands to one byte more than the limit is refused`() throws {
        let bytes = [UInt8](repeating: 0x61, count: (64 << 10) + 1)
        let answer = try registry.post(BundleForge(identifier).adding("a.ttf", bytes: bytes).archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "expansion-refused")
    }

    @Test func `An archive that expands to more than the limit is refused`() throws {
        let bytes = [UInt8](repeating: 0x61, count: 60 << 10)
        let bundle = ["a.ttf", "b.ttf", "c.ttf"].reduce(BundleForge(identifier)) { $0.adding($1, bytes: bytes) }
        let answer = try registry.post(bundle.archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "expansion-refused")
    }

    @Test func `A parsed file larger than the limit is refused`() throws {
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

    @Test func `A path one level deeper than the limit is refused`() throws {
        #expect(try registry.post(BundleForge(identifier).adding("a/b/c.json", "{}").archive).status == 201)
        let answer = try registry.post(BundleForge(identifier, "1.1").adding("a/b/c/d.json", "{}").archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "entry-refused")
    }

    @Test func `A path one byte longer than the limit is refused`() throws {
        let room = 64 - "Sample.bundle/.json".utf8.count
        func bundle(_ version: String, _ count: Int) -> [UInt8] {
            BundleForge(identifier, version).adding(String(repeating: "a", count: count) + ".json", "{}").archive
        }
        #expect(try registry.post(bundle("1.0", room)).status == 201)
        let answer = try registry.post(bundle("1.1", room + 1))
        #expect(answer.status == 422)
        #expect(answer.problemCode == "entry-refused")
    }

    @Test func `A request line longer than the limit is refused`() throws {
        #expect(try registry.get("/livez?" + String(repeating: "a", count: 450)).status == 200)
        #expect(try registry.get("/livez?" + String(repeating: "a", count: 600)).problemCode == "uri-too-long")
    }

    @Test func `A header longer than the limit is refused`() throws {
        #expect(try registry.get("/livez", "X: " + String(repeating: "a", count: 450)).status == 200)
        let answer = try registry.get("/livez", "X: " + String(repeating: "a", count: 600))
        #expect(answer.problemCode == "header-too-large")
    }

    @Test func `Headers longer than the limit together are refused`() throws {
        let fields = (0..<6).map { "X-\($0): " + String(repeating: "a", count: 400) }
        #expect(try registry.ask("GET", "/livez", fields).problemCode == "header-too-large")
    }

    @Test func `One header more than the limit is refused`() throws {
        // Host is one of them.
        #expect(try registry.ask("GET", "/livez", (0..<19).map { "X-\($0): y" }).status == 200)
        #expect(try registry.ask("GET", "/livez", (0..<20).map { "X-\($0): y" }).problemCode == "header-too-large")
    }

    @Test func `A head that takes longer than the limit ends the connection`() throws {
        let conversation = try registry.connect()
        conversation.connection.send("GET /livez HTTP/1.1\r\nHo")
        let answer = try conversation.next()
        #expect(answer.status == 408)
        #expect(answer.problemCode == "timeout")
        #expect(answer.closes)
    }

    @Test func `A body that arrives slower than the limit ends the upload`() throws {
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", ["Content-Length: 1000"], token: Registry.adminToken)
                + BundleForge(identifier).archive.prefix(50))
        let answer = try conversation.next()
        #expect(answer.status == 408)
        #expect(answer.problemCode == "timeout")
    }

    @Test func `An idle connection is closed without an answer`() throws {
        let conversation = try registry.connect()
        #expect(try conversation.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
        #expect(conversation.remainder() == ([], .end))
    }
}

/// §6: the number of channels of a bundle.
@Suite struct `Channels of a bundle` {
    @Test func `A channel beyond the limit is 409, and nothing is stored`() throws {
        let registry = try Registry(["WIDGETD_LIMITS_CHANNELS": "1", "WIDGETD_RETENTION_SNAPSHOT_CHANNELS": "stable"])
        let identifier = "com.example.Channels"
        let first = try registry.publish(BundleForge(identifier, "1.0"))
        // The snapshot channels are a setting.
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
    @Test func `An upload beyond the limit is 503 with Retry-After, and accepted when others have finished`() throws {
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
        // Reading still works.
        #expect(try registry.get("/v1/bundles").status == 200)
        for conversation in held { conversation.connection.send(archive) }
        #expect(Set(try held.map { try $0.next().status }) == [200, 201])
        var status = 503
        for _ in 0..<500 where status == 503 { status = try registry.post(archive).status }
        #expect(status == 200)
    }

    @Test func `Slow uploads do not delay others, and leave nothing behind when they break off`() throws {
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
        #expect(registry.becomes { registry.home.staged.isEmpty })
        #expect(try registry.get("/v1/bundles/com.example.Slow").status == 404)
    }
}

/// §6: upload slots, shared among the prefixes of tokens.
@Suite struct `A7: Slow uploads with tokens that one administrator has made` {
    @Test func `Slow uploads leave places to others, for any number of tokens`() throws {
        let registry = try Registry()
        let admin = try Tokens.make(registry, scopes: ["admin"], prefix: "com.alpha")
        let slow = try (0..<16).map { number in
            let answer = try Tokens.create(
                registry, scopes: ["publish"], prefix: number % 2 == 0 ? "com.alpha" : "com.alpha.p\(number)", by: admin
            )
            return try #require(answer.text("token"))
        }
        let victim = try Tokens.make(registry, scopes: ["publish"], prefix: "com.beta")
        var held: [RawConnection] = []
        var refused: [String] = []
        for token in slow {
            let connection = try RawConnection(port: registry.port)
            connection.send(
                Registry.request(
                    "POST", "/v1/bundles", ["Content-Length: 1048576", "Expect: 100-continue"], token: token))
            guard case .bytes(let bytes) = connection.receive() else {
                Issue.record("no answer")
                continue
            }
            let answer = String(decoding: bytes, as: UTF8.self)
            if answer.hasPrefix("HTTP/1.1 100 ") { held.append(connection) } else { refused.append(answer) }
        }
        #expect(held.count == 14 && refused.count == 2)
        for answer in refused {
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 2"), "\(answer)")
            #expect(answer.contains("kept for others"), "\(answer)")
        }
        let answer = try registry.post(BundleForge("com.beta.Widget").archive, token: victim)
        #expect(answer.status == 201, "\(answer.text)")
    }
}
