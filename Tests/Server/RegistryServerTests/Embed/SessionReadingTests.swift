import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a person who has signed in reads at `/v1` what a page of this registry asks for, and no other page does it for that
/// person. Method: requests with the cookie of a session, with what browsers say of the page that makes them.
@Suite struct `Reading in a session` {
    private static let own = "Sec-Fetch-Site: same-origin\r\n"
    private static let paths = [
        "/v1/bundles", "/v1/widgets/\(TestBundle.identifier)-1", "/v1/widgets/\(TestBundle.identifier)-1/bundle",
        "/v1/bundles/\(TestBundle.identifier)/releases/1.0~1/files/Info.plist", "/v1/changes",
    ]

    private let service: Service
    private let cookie: String

    init() throws {
        service = try Service()
        _ = try service.send("POST", "/v1/bundles", TestBundle().archive, "Content-Type: application/zip\r\n")
        service.knobs.withLock { $0.closesReads = true }
        let visitor = Visitor(service)
        try visitor.signIn()
        cookie = "Cookie: session=\(try #require(visitor.cookies["session"]))\r\n"
    }

    @Test func `A page of this registry reads as the person, and nothing shares the answer`() throws {
        for path in Self.paths {
            for method in ["GET", "HEAD"] {
                let answer = try service.get(path, cookie + Self.own, method: method)
                #expect(answer.status == 200, "\(method) \(path)")
                #expect(answer.value("Cache-Control")?.hasPrefix("private") == true, "\(path)")
            }
            #expect(try service.get(path, Self.own).status == 401, "without a session: \(path)")
        }
    }

    @Test(arguments: [
        "", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n", "Sec-Fetch-Site: none\r\n",
        "Sec-Fetch-Site: same-origin, cross-site\r\n", "Sec-Fetch-Site: cross-site\r\nReferer: http://test/w/a.b\r\n",
        "Origin: http://test\r\n", "Referer: http://evil.example/w/a.b\r\n", "Referer: http://test.evil.example/\r\n",
        "Referer: http://test:81/\r\n", "Referer: /w/a.b\r\n",
    ]) func `Without a word of the browser that a page of this registry asks, the cookie is nothing`(
        _ fields: String
    ) throws {
        for path in Self.paths { #expect(try service.get(path, cookie + fields).status == 401, "\(path)") }
    }

    /// Browsers send the other field over TLS and on their own machine alone.
    @Test func `Over plain HTTP, the page that asks is named by its address`() throws {
        for path in Self.paths {
            #expect(try service.get(path, "\(cookie)Referer: http://test/w/a.b\r\n").status == 200, "\(path)")
        }
    }

    @Test func `Pages are for the person from any link`() throws {
        for fields in ["", "Sec-Fetch-Site: none\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
            #expect(try service.get("/", "\(cookie)Accept: text/html\r\n\(fields)").status == 200)
        }
    }

    @Test func `Nothing is written in a session at the interface of programs`() throws {
        let origin = "Origin: http://test\r\nReferer: http://test/manage\r\n"
        for (method, path) in [
            ("POST", "/v1/bundles"), ("PUT", "/v1/bundles/x.zip"), ("POST", "/v1/tokens"),
            ("DELETE", "/v1/bundles/\(TestBundle.identifier)/releases/1.0~1"), ("GET", "/v1/tokens"),
            ("GET", "/v1/audit"),
            ("PUT", "/v1/bundles/\(TestBundle.identifier)/channels/beta"),
        ] {
            let answer = try service.send(
                method, path, "{}", "\(cookie)\(Self.own)\(origin)Content-Type: application/json\r\n", token: nil)
            #expect(answer.status == 401, "\(method) \(path)")
        }
    }

    @Test func `A token that is sent decides, and not the cookie`() throws {
        let answer = try service.get("/v1/bundles", "\(cookie)\(Self.own)Authorization: Bearer wdg_wrong\r\n")
        #expect(answer.status == 401)
    }

    @Test func `A session of a prefix reads what its token covers`() throws {
        let other = TestBundle(identifier: "com.other.Timer")
        _ = try service.send("POST", "/v1/bundles", other.archive, "Content-Type: application/zip\r\n")
        let made = try service.send(
            "POST", "/v1/tokens", "{\"name\": \"reader\", \"scopes\": [\"read\"], \"prefix\": \"com.other\"}")
        let token = try #require(made.text.firstMatch(of: /wdg_[A-Za-z0-9_]+/)).0
        let visitor = Visitor(service)
        try visitor.signIn(String(token))
        let fields = "Cookie: session=\(try #require(visitor.cookies["session"]))\r\n\(Self.own)"
        #expect(try service.get("/v1/widgets/com.other.Timer-1", fields).status == 200)
        #expect(try service.get("/v1/widgets/\(TestBundle.identifier)-1", fields).status == 404)
        _ = try service.send("DELETE", "/v1/tokens/reader?prefix=com.other")
        #expect(try service.get("/v1/widgets/com.other.Timer-1", fields).status == 401)
    }
}
