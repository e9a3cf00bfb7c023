import Foundation
import HostileServer
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRuntime
import WidgetTestSupport

/// Goal: an app's own session goes with the requests of its widgets, and the bundle does not get to know it. Method: servers
/// of the test that repeat, redirect and fail, and everything that a session shows and keeps.
@Suite(.ownThreads) struct `An app's part in the requests of a widget` {
    private static let rain = #"{"title": "Rain"}"#

    private static func values(_ name: String, _ request: Visit.Request) -> [String] {
        let plain = { (name: String) in name.lowercased().replacing("_", with: "-") }
        return request.fields.filter { plain($0.name) == name }.map(\.value)
    }

    // MARK: - Seeing and adding

    @Test func `An app sees each granted request before it goes, in the spelling that is asked for`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let app = try NewsApp(granting: [server.url]) { _ in .send }
        let session = try await app.session(
            try NewsBundle(asking: "http://127.0.0.1:\(server.port)/a/%7Eb", in: scratch))
        #expect(await session.screen().text().contains("News: Rain"))
        try await session.tap("send")
        await app.clock.settle()
        let seen = app.seen.withLock { $0 }
        #expect(seen.map(\.method) == ["GET", "POST"] && seen.map(\.isRepeatable) == [true, false])
        #expect(seen.allSatisfy { $0.origin == server.url && $0.widget == "com.example.News" && $0.query == nil })
        #expect(seen.map(\.path) == server.requests.map(\.target) && seen[0].url == server.url + seen[0].path)
        #expect(seen[0].fields.contains { $0.name == "authorization" && $0.value == "of the bundle" })
        #expect(seen[1].body == Array("text=hello".utf8))
        await session.stop()
    }

    @Test func `Fields of the app take the place of the bundle's, in any case and with an underscore`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let app = try NewsApp(granting: [server.url])
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        let request = try #require(server.requests.first)
        #expect(Self.values("authorization", request) == ["Bearer \(NewsApp.token)"])
        #expect(Self.values("x-api-key", request) == [NewsApp.token])
        #expect(await session.screen().text().contains("News: Rain"))
        await session.stop()
    }

    @Test func `A request that was not granted is not shown to the app`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let bundle = try NewsBundle(asking: server.url, in: scratch)
        var app = try NewsApp(granting: ["https://api.example.com/v1"])
        let other = try await app.session(bundle)
        await other.stop()
        app.configuration.network = .none
        let none = try await app.session(bundle)
        await none.stop()
        #expect(app.seen.withLock(\.isEmpty) && server.requests.isEmpty)
    }

    @Test func `A script's prepared answers are asked for through the app`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let bundle = try NewsBundle(asking: "https://api.example.com", in: scratch)
        var app = try NewsApp(granting: []) { $0.path == "/news" ? .send : .refuse("Not that one.") }
        app.configuration.network = .scripted(["https://api.example.com/news": .response(body: ["title": "Fog"])])
        app.configuration.clock = nil
        let script = try WidgetScript(
            #"[{"expect": "News: Fog"}, {"tap": "send"}, {"expect": "Noted: Not that one."}]"#)
        _ = try await script.play(path: bundle.path, configuration: app.configuration)
        #expect(app.seen.withLock { $0.map(\.origin) } == ["https://api.example.com", "https://api.example.com"])
    }

    // MARK: - Answering and refusing

    @Test func `An app answers by its own transport, and no server is asked`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let app = try NewsApp(granting: [server.url]) { request in
            request.method == "GET" ? .answer(body: Array(#"{"title": "Sun"}"#.utf8)) : .answer(body: Array("<p>".utf8))
        }
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        #expect(await session.screen().text().contains("News: Sun"))
        #expect(await session.screen().data.state == .fresh)
        try await session.tap("send")
        await app.clock.settle()
        #expect(await session.screen().text().contains("Noted: The answer is not JSON"))
        #expect(server.requests.isEmpty)
        await session.stop()
    }

    @Test func `A refusal is the failure of the request, and a busy answer says when to ask again`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let app = try NewsApp(granting: [server.url]) { request in
            request.method == "GET"
                ? .answer(status: 503, body: Array("{}".utf8), retryAfter: 90) : .refuse("Sign in first.")
        }
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        #expect(await session.screen().data.failure?.contains("90 s") == true)
        try await session.tap("send")
        await app.clock.settle()
        #expect(await session.screen().text().contains("Noted: Sign in first."))
        #expect(server.requests.isEmpty)
        await session.stop()
    }

    @Test func `The app's work for a request is cancelled when the widget ends, and nothing goes then`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let (begun, ended) = (Observed(false), Observed(false))
        var app = try NewsApp(granting: [server.url]) { _ in
            begun.change { $0 = true }
            // Waits for the end of its task.
            await Observed(false).becomes { $0 }
            ended.change { $0 = true }
            return .send(adding: [.init("Authorization", NewsApp.token)])
        }
        app.configuration.clock = nil
        let session = try await WidgetSession(
            path: try NewsBundle(asking: server.url, in: scratch).path, configuration: app.configuration)
        await begun.becomes { $0 }
        await session.stop()
        await ended.becomes { $0 }
        #expect(ended.value && server.requests.isEmpty)
    }

    // MARK: - Secrets

    @Test func `A redirect to another granted server has no field of the app, even one with a harmless name`()
        async throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let inner = try HostileServer { $0.answer(text: Self.rain) }
        let outer = try HostileServer { [url = inner.url] in
            $0.request.target == "/news"
                ? $0.answer(302, ["Location: /moved"], text: "") : $0.answer(302, ["Location: \(url)/news"], text: "")
        }
        let app = try NewsApp(granting: [outer.url, inner.url]) { _ in
            .send(
                adding: ["Authorization", "Cookie", "User-Agent", "Accept-Language", "X-Session"].map {
                    .init($0, NewsApp.token)
                })
        }
        let session = try await app.session(try NewsBundle(asking: outer.url, in: scratch))
        #expect(await session.screen().text().contains("News: Rain"))
        #expect(outer.requests.map(\.target) == ["/news", "/moved"] && inner.requests.count == 1)
        // The server itself may lead to another of its places.
        #expect(outer.requests.allSatisfy { $0.value("X-Session") == NewsApp.token })
        #expect(inner.requests.allSatisfy { request in !request.fields.contains { $0.value.contains(NewsApp.token) } })
        await session.stop()
    }

    /// Ways of servers to repeat what they were asked.
    private static let echoes: [@Sendable (Visit, String) -> Void] = [
        { visit, value in visit.answer(text: #"{"title": "\#(value)"}"#) },
        { visit, value in visit.answer(text: #"{"\#(value)": 1, "title": "x"}"#) },
        { visit, value in
            let escaped = value.utf16.map { "\\u00" + String($0, radix: 16) }.joined()
            visit.answer(text: #"{"title": "\#(escaped)"}"#)
        },
        { visit, value in visit.answer(500, text: #"{"error": "bad field \#(value.split(separator: " ").last ?? "")"}"#)
        },
        { visit, value in visit.answer(400, ["Content-Type: text/html"], text: "<h1>\(value)</h1>") },
        { visit, value in visit.answer(503, ["Retry-After: 90"], text: #"{"error": "\#(value)"}"#) },
        { visit, value in
            visit.answer(302, ["Location: http://elsewhere.test/\(value.split(separator: " ").last ?? "")"], text: "")
        },
        // Not JSON, because of the second name; the path of the fault has the name as well.
        { visit, value in
            let name = value.utf16.map { "\\u00" + String($0, radix: 16) }.joined()
            visit.answer(text: #"{"\#(name)": 1, "\#(name)": 2}"#)
        },
        { visit, value in
            let name = value.utf16.map { "\\u00" + String($0, radix: 16) }.joined()
            visit.answer(text: #"{"\#(name)": {"x": 1, "x": 2}}"#)
        },
    ]

    @Test func `A short token behind a prefix is kept from the widget like a whole value`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        for (field, value) in [("Authorization", "Bearer tok-4567"), ("Cookie", "a=b; sid=tok-4567")] {
            let server = try HostileServer { $0.answer(text: #"{"title": "you sent tok-4567"}"#) }
            let app = try NewsApp(granting: [server.url]) { _ in .send(adding: [.init(field, value)]) }
            let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
            let words = await NewsApp.words(session)
            #expect(!words.contains("tok-4567") && words.contains("repeats the field \(field)"), "\(words)")
            await session.stop()
        }
    }

    @Test(arguments: echoes.indices) func `An answer that repeats a secret of the app is kept from the widget`(
        number: Int
    ) async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { visit in Self.echoes[number](visit, visit.request.value("Authorization") ?? "")
        }
        var app = try NewsApp(granting: [server.url])
        app.configuration.dataFolder = "\(scratch.path)/data"
        app.configuration.cacheFolder = "\(scratch.path)/cache"
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        let words = await NewsApp.words(session)
        #expect(server.requests.first?.value("Authorization") == "Bearer \(NewsApp.token)")
        #expect(!words.contains(NewsApp.token), "\(words)")
        let screen = await session.screen()
        #expect(screen.data.state == .empty && screen.data.failure != nil)
        if number < 3 { #expect(screen.text().contains("repeats the field"), "\(words)") }
        await session.stop()
        #expect(try Self.files(in: scratch.path).allSatisfy { !$0.bytes.contains(NewsApp.token) })
    }

    @Test(arguments: [
        ("session=abc", "session=abc"),
        ("theme=dark; session=\(NewsApp.token)", "theme=dark; session=\(NewsApp.token)"),
        ("theme=dark; session=\(NewsApp.token)", "session=\(NewsApp.token)"),
        ("theme=dark; session=\(NewsApp.token)", NewsApp.token),
        ("session=\"\(NewsApp.token)\"; theme=dark", NewsApp.token),
    ])
    func `An answer that repeats a cookie of the app, or the value in it, is kept from the widget`(
        cookie: String, repeated: String
    ) async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: #"{"title": "\#(repeated.replacing("\"", with: "\\\""))"}"#) }
        let app = try NewsApp(granting: [server.url]) { _ in .send(adding: [.init("Cookie", cookie)]) }
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        let words = await NewsApp.words(session)
        #expect(server.requests.map { $0.value("Cookie") } == [cookie])
        #expect(words.contains("repeats the field Cookie") && !words.contains(repeated), "\(words)")
        await session.stop()
    }

    @Test func `A value that is not secret may be in an answer`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: #"{"title": "\#($0.request.value("X-Account") ?? "")"}"#) }
        let app = try NewsApp(granting: [server.url]) { _ in
            .send(adding: [.init("X-Account", "account-0123456789", isSecret: false), .init("X-Short", "Rain")])
        }
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        #expect(await session.screen().text().contains("News: account-0123456789"))
        await session.stop()
    }

    /// The files of a folder, with their bytes as text.
    private static func files(in folder: String) throws -> [(path: String, bytes: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { path in
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)") else { return nil }
            return (path, String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func `An answer to an app's session is not kept, and the next user does not get it`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        // Both users have documents with the same tag.
        let server = try HostileServer { visit in
            if visit.request.value("If-None-Match") != nil { return visit.answer(304, ["ETag: \"1\""]) }
            let user = visit.request.value("Authorization")?.hasSuffix("-of-ann-0123456789") == true ? "Ann" : "Ben"
            visit.answer(200, ["ETag: \"1\""], text: #"{"title": "for \#(user)"}"#)
        }
        let bundle = try NewsBundle(asking: server.url, in: scratch)
        for user in ["ann", "ben"] {
            var app = try NewsApp(granting: [server.url], token: "token-of-\(user)-0123456789")
            app.configuration.cacheFolder = "\(scratch.path)/cache"
            let session = try await app.session(bundle)
            #expect(await session.update() == .noData)
            #expect(await session.screen().text().contains("News: for \(user.capitalized)"))
            await session.stop()
        }
        #expect(server.requests.count == 4 && server.requests.allSatisfy { $0.value("If-None-Match") == nil })
        let kept = try Self.files(in: "\(scratch.path)/cache")
        #expect(kept.allSatisfy { !$0.bytes.contains("0123456789") && !$0.bytes.contains("for ") }, "\(kept)")
        // Without a session, the same request is asked on condition.
        var app = try NewsApp(granting: [server.url]) { _ in .send }
        app.configuration.cacheFolder = "\(scratch.path)/cache"
        let session = try await app.session(bundle)
        #expect(await session.update() == .noData)
        #expect(server.requests.suffix(2).map { $0.value("If-None-Match") } == [nil, "\"1\""])
        await session.stop()
    }

    @Test(arguments: [
        ("Host", "elsewhere.test"), ("content-length", "0"), ("Transfer_Encoding", "chunked"),
        ("Accept-Encoding", "br"),
        ("Connection", "x-api-key"), ("X-Session", "one\r\nX-Injected: two"), ("X Session", "one"), ("", "one"),
    ])
    func `A field that would change the request's frame fails it, without its value`(name: String, value: String)
        async throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { $0.answer(text: Self.rain) }
        let app = try NewsApp(granting: [server.url]) { _ in
            .send(adding: [.init("Authorization", NewsApp.token), .init(name, value)])
        }
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        let words = await NewsApp.words(session)
        #expect(server.requests.isEmpty && words.contains("cannot be sent"))
        #expect(!words.contains(NewsApp.token) && !words.contains("X-Injected"))
        await session.stop()
    }

    @Test func `A lost connection says nothing of the app's fields, and a note is sent once`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let server = try HostileServer { visit in
            if visit.request.method == "GET" { return visit.answer(text: Self.rain) }
            visit.reset()
        }
        let app = try NewsApp(granting: [server.url])
        let session = try await app.session(try NewsBundle(asking: server.url, in: scratch))
        try await session.tap("send")
        await app.clock.settle()
        let words = await NewsApp.words(session)
        #expect(words.contains("it was not asked again") && !words.contains(NewsApp.token))
        #expect(server.requests.count { $0.method == "POST" } == 1)
        await session.stop()
    }

    @Test func `A secret is not printed by accident`() {
        let decision = RequestDecision.send(adding: [.init("Authorization", "Bearer \(NewsApp.token)")])
        let field = WidgetRequest.Field("Authorization", NewsApp.token)
        var dumped = ""
        dump(decision, to: &dumped)
        dump(field, to: &dumped)
        for text in ["\(field)", "\([field])", "\(decision)", String(reflecting: decision), dumped] {
            #expect(!text.contains(NewsApp.token), "\(text)")
        }
        #expect("\(WidgetRequest.Field("Accept", "x", isSecret: false))" == "Accept: x")
    }
}
