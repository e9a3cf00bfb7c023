import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// §7: spot checks of the engine through the real program; its own tests know every byte.
@Suite struct `The engine` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    private func talk(_ text: String, answers: Int) throws -> [WireAnswer] {
        let conversation = try registry.connect()
        conversation.connection.send(text)
        return try (0..<answers).map { _ in try conversation.next() }
    }

    private func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    }

    @Test func `The server keeps connections and answers in order`() throws {
        let answers = try talk(
            get("/livez") + get("/nowhere") + get("/v1/bundles?limit=1") + get("/livez"), answers: 4)
        #expect(answers.map(\.status) == [200, 404, 200, 200])
        #expect(answers[2]["items"] != nil)
    }

    @Test func `A read pipelined behind a publish is answered after it, with the new release`() throws {
        let identifier = fresh()
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", [], body: BundleForge(identifier).archive, token: Registry.adminToken)
                + Array(get("/v1/widgets/\(identifier)").utf8))
        #expect(try conversation.next().status == 201)
        #expect(try conversation.next().status == 200)
    }

    @Test func `The server closes a connection when asked to`() throws {
        let conversation = try registry.connect()
        let answer = try conversation.ask(get("/livez", "Connection: close\r\n"))
        #expect(answer.closes)
        #expect(conversation.remainder() == ([], .end))
    }

    @Test func `The server speaks HTTP/1.0, and closes then`() throws {
        let conversation = try registry.connect()
        let answer = try conversation.ask("GET /v1/bundles?limit=1 HTTP/1.0\r\n\r\n")
        #expect(answer.status == 200)
        #expect(conversation.remainder().ending == .end)
    }

    @Test func `Targets in absolute form are accepted`() throws {
        #expect(try talk(get("http://x/livez"), answers: 1)[0].status == 200)
    }

    @Test func `A client that has closed its sending side gets its answer`() throws {
        let conversation = try registry.connect()
        conversation.connection.send(get("/livez"))
        conversation.connection.finishSending()
        #expect(try conversation.next().status == 200)
    }

    @Test func `A path is decoded once`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let encoded = identifier.utf8.map { "%" + String($0, radix: 16) }.joined()
        #expect(try registry.get("/v1/widgets/\(encoded)").status == 200)
        let twice = encoded.replacing("%", with: "%25")
        #expect([400, 404].contains(try registry.get("/v1/widgets/\(twice)").status))
    }

    @Test(arguments: [
        "/v1/bundles/../../etc/passwd", "/v1/bundles/%2e%2e/%2e%2e/etc/passwd", "/v1/bundles/..%2f..%2fetc%2fpasswd",
        "/v1/blobs/sha256/..%2f..%2fcatalog.sqlite", "/v1/bundles/a%5cb", "/v1/bundles/a%00b", "/v1//bundles",
        "/v1/./bundles", "/v1/bundles/%ff", "/v1/blobs/sha256/../../admin-token",
    ])
    func `No path reaches a file of the machine`(_ path: String) throws {
        let answer = try registry.get(path)
        #expect(answer.status == 404 || answer.status == 400)
    }

    @Test func `A request hidden in another is not carried out`() throws {
        let hidden = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
        let conversation = try registry.connect()
        conversation.connection.send(
            "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nContent-Length: \(hidden.utf8.count)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden)
        #expect(try conversation.next().status == 400)
        #expect(conversation.remainder().bytes.isEmpty)
    }

    @Test func `Every answer has the server's name and the time`() throws {
        for path in ["/livez", "/nowhere", "/v1/bundles?limit=1"] {
            let answer = try registry.get(path)
            #expect(answer.value("Server") == "widgetd")
            #expect(answer.value("Date")?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `A stopping server finishes the current upload, and keeps it`() throws {
        let home = try Home()
        var registry: Registry? = try Registry(home: home)
        let archive = BundleForge("com.example.Late").archive
        do {
            let running = try #require(registry)
            let conversation = try running.connect()
            conversation.connection.send(
                Registry.request(
                    "POST", "/v1/bundles", ["Content-Length: \(archive.count)", "Expect: 100-continue"],
                    token: Registry.adminToken))
            #expect(try conversation.next().status == 100)
            running.signal(15)
            #expect(running.logs("server.draining"))
            conversation.connection.send(archive)
            #expect(try conversation.next().status == 201)
            #expect(running.waitUntilExit() == 0)
        }
        registry = nil
        #expect(try Registry(home: home).resolve("com.example.Late").status == 200)
    }

    @Test func `A restarted server keeps its releases`() throws {
        let home = try Home()
        var registry: Registry? = try Registry(home: home)
        try registry?.publish("com.example.Kept", releases: 3)
        #expect(try registry?.withdraw("com.example.Kept", "1.2~1").status == 200)
        let paths = [
            "/v1/widgets/com.example.Kept", "/v1/bundles/com.example.Kept/channels/stable", "/v1/changes",
            "/v1/bundles/com.example.Kept/releases", "/v1/bundles/com.example.Kept/releases/1.1~1/report",
        ]
        let before = try paths.map { try registry?.get($0).body }
        registry?.killAtOnce()
        registry = nil
        let second = try Registry(home: home)
        for (path, body) in zip(paths, before) { #expect(try second.get(path).body == body, "\(path)") }
        #expect(try second.publish(BundleForge("com.example.Kept", "1.3")).status == 201)
    }

    @Test func `The first start publishes the bundles of the given folder, and later starts do not`() throws {
        let home = try Home()
        for name in ["One", "Two"] {
            _ = try home.file("\(name).zip", BundleForge("com.example.\(name)").archive)
        }
        let seeds = home.folder.appending(path: "seeds")
        try FileWork.makeFolder(seeds.path)
        for name in ["One.zip", "Two.zip"] {
            try FileWork.move("\(home.folder.path)/\(name)", to: "\(seeds.path)/\(name)")
        }
        var registry: Registry? = try Registry(home: home, arguments: ["--seed", seeds.path])
        let listed = try registry?.get("/v1/bundles").texts("items", "bundleIdentifier")
        #expect(listed == ["com.example.One", "com.example.Two"])
        registry = nil
        for name in ["One.zip", "Two.zip"] { try FileWork.remove("\(seeds.path)/\(name)") }
        let second = try Registry(home: home, arguments: ["--seed", seeds.path])
        #expect(try second.get("/v1/bundles")["items"]?.array?.count == 2)
    }

    @Test func `A data directory is used by one server at a time`() throws {
        let first = try Registry()
        #expect(throws: Registry.DidNotStart.self) { try Registry(home: first.home, in: .process) }
        #expect(try first.get("/readyz").status == 200)
    }

    @Test func `New releases are placed under the public URL when one is set`() throws {
        let registry = try Registry(["WIDGETD_PUBLIC_URL": "https://widgets.example"])
        let answer = try registry.publish(BundleForge("com.example.Public"))
        #expect(answer.value("Location") == "https://widgets.example/v1/bundles/com.example.Public/releases/1.0~1")
    }
}
