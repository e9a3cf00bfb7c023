import HTTPWire
import Testing
import WidgetLogging
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetHTTPServer

/// Goal: a server works below a path of its host, whether a proxy removes the path or not. Method: addresses as settings have
/// them, and a server that repeats what its routes see.
@Suite struct `The public address of a server` {
    @Test(arguments: [
        ("https://x.example", "https://x.example", ""), ("HTTPS://X.Example:443/", "https://x.example", ""),
        ("http://x:80", "http://x", ""), ("http://x:443/a/B-c_d.e~", "http://x:443", "/a/B-c_d.e~"),
        ("https://[::1]:8443/registry//", "https://[::1]:8443", "/registry"),
    ])
    func `An address has an origin as browsers write it, and a path`(_ text: String, _ origin: String, _ path: String) {
        let address = PublicAddress(text)
        #expect(address?.origin == origin && address?.path == path)
    }

    @Test(arguments: [
        "", "x", "ftp://x", "https://", "https:///a", "https://x/a b", "https://x/a//b", "https://x/%61",
        "https://x/a/..",
        "https://x/./a", "https://u@x/", "https://x?a", "https://x/a;b", "https://x/é",
    ])
    func `A path that pages, fields and cookies write differently is refused`(_ text: String) {
        #expect(PublicAddress(text) == nil)
    }

    private static func server(_ url: String?) throws -> Server {
        var routes = Routes()
        routes.get("/") { request in .response(Response(.ok, body: Array("top \(request.path)".utf8))) }
        routes.get("/say/{word}") { (request, word: String) in
            .response(Response(.ok, body: Array("\(word) \(request.path)".utf8)))
        }
        routes.get("/go") { _ in
            .response(
                Response(
                    .seeOther,
                    fields: FieldBlock([
                        "Location": "/say/x", "Link": "</say/y>; rel=\"next\"", "X-Location": "/say/z",
                    ])))
        }
        routes.get("/away") { _ in
            .response(Response(.seeOther, fields: FieldBlock(["Location": "//other.example/"])))
        }
        routes.get("/page") { _ in
            .response(Response(.ok, body: [0x61, RootPath.mark, 0x2F, RootPath.mark], lacksRoot: true))
        }
        routes.get("/raw") { _ in .response(Response(.ok, body: [RootPath.mark])) }
        routes.get("/own/{origin}") { (request, origin: String) in
            let sentences = request.misnamedOrigin?.sentences ?? ""
            return .response(
                Response(.ok, body: Array("\(request.isOwn(origin: "https://\(origin)")) \(sentences)".utf8)))
        }
        var limits = ServerLimits()
        limits.publicAddress = url.flatMap { PublicAddress($0) }
        let server = try Server(
            listeners: [ServerListener(try Endpoint("127.0.0.1:0"), routes: routes)], limits: limits, workers: 1,
            serverName: "widgetd", logger: Logger(level: .error), logsRequests: false, in: World(clock: ManualClock()),
            explain: TestProblems.problem)
        server.start()
        return server
    }

    private struct NoPort: Error {}

    private static func get(_ server: Server, _ path: String, _ fields: String = "") throws -> WireAnswer {
        guard case .ip(_, let port) = server.endpoints[0] else { throw NoPort() }
        return try Conversation(try RawConnection(port: port)).ask(
            "GET \(path) HTTP/1.1\r\nHost: inner:80\r\n\(fields)\r\n")
    }

    @Test func `Requests reach their routes with the path and without it`() throws {
        let server = try Self.server("https://x.example/some/registry")
        defer { server.stop() }
        for (path, text) in [
            ("/", "top /"), ("/some/registry", "top /"), ("/some/registry/", "top /"), ("/say/a", "a /say/a"),
            ("/some/registry/say/a", "a /say/a"), ("/some/registry/say/%C3%A9", "é /say/é"),
            ("/say/%61b", "ab /say/ab"),
            ("/some/r%65gistry/say/a%20b?q", "a b /say/a b"),
        ] {
            #expect(try Self.get(server, path).text == text, "\(path)")
        }
        for path in ["/some", "/some/registry2/say/a", "/some/registry/some/registry/say/a", "/registry/say/a"] {
            #expect(try Self.get(server, path).status == 404, "\(path)")
        }
    }

    @Test func `Answers lead below the path, and pages have it wherever it was left out`() throws {
        for (url, root) in [("https://x.example/registry", "/registry"), ("https://x.example", ""), (nil, "")] {
            let server = try Self.server(url)
            defer { server.stop() }
            let answer = try Self.get(server, "/go")
            #expect(answer.value("Location") == "\(root)/say/x" && answer.value("X-Location") == "/say/z")
            #expect(answer.value("Link") == "<\(root)/say/y>; rel=\"next\"")
            #expect(try Self.get(server, "/away").value("Location") == "//other.example/")
            #expect(try Self.get(server, "/page").text == "a\(root)/\(root)")
            #expect(try Self.get(server, "/raw").body == [RootPath.mark])
        }
    }

    @Test func `The origin of the public address is the server's own, beside that of the host`() throws {
        let server = try Self.server("https://x.example:8443/registry")
        defer { server.stop() }
        for (origin, isOwn) in [
            ("x.example:8443", true), ("X.Example:8443", true), ("inner:80", true), ("x.example", false),
            ("inner", false),
            ("x.example:8443.evil.example", false),
        ] {
            #expect(try Self.get(server, "/own/\(origin)").text.hasPrefix("\(isOwn)"), "\(origin)")
        }
    }

    @Test(arguments: [
        (
            "Origin: https://y.example\r\nSec-Fetch-Site: same-origin\r\n",
            "The browser has this page from https://y.example"
        ),
        ("Origin: https://y.example\r\n", "The page names https://y.example as its origin"),
        ("Origin: https://y.example\r\nSec-Fetch-Site: cross-site\r\n", nil), ("Origin: null\r\n", nil), ("", nil),
        ("Origin: http://inner:80\r\n", nil), ("Origin: https://y.example/a\r\n", nil),
        ("Origin: https://<b>\r\n", nil),
        ("Origin: https://\(String(repeating: "y", count: 400))\r\n", nil),
    ])
    func `The operator of a proxy that asks for another host reads what to change`(
        _ fields: String, _ start: String?
    ) throws {
        for (url, end) in [
            (nil, "or set publicURL to"), ("https://x.example", "correct publicURL, which is https://x.example"),
        ] {
            let server = try Self.server(url)
            defer { server.stop() }
            let text = try Self.get(server, "/own/a", fields).text
            guard let start else {
                #expect(text == "false ")
                continue
            }
            #expect(text.contains(start) && text.contains("the host inner:80"), "\(text)")
            #expect(text.contains("proxy_set_header Host $http_host;") && text.contains(end), "\(text)")
        }
    }
}
