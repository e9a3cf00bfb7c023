import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// §4: every failure is a problem document. `Conversation` checks its shape for each answer of every case.
@Suite struct `A failure` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var code: String
        var request: String

        init(_ name: String, _ status: Int, _ code: String, _ request: String) {
            (testDescription, self.status, self.code, self.request) = (name, status, code, request)
        }
    }

    private static func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    }

    static let rows: [Row] = [
        Row("no request at all", 400, "malformed-request", "hello\r\n\r\n"),
        Row("a request without a host", 400, "malformed-request", "GET / HTTP/1.1\r\n\r\n"),
        Row("two hosts", 400, "malformed-request", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        Row("a space before a colon", 400, "malformed-request", get("/livez", "X : y\r\n")),
        Row("a folded field", 400, "malformed-request", get("/livez", "X: y\r\n z\r\n")),
        Row("a bare line feed", 400, "malformed-request", "GET / HTTP/1.1\nHost: x\n\n"),
        Row(
            "a length and chunks", 400, "malformed-request",
            "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Row(
            "two lengths", 400, "malformed-request",
            "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        Row(
            "a length with a sign", 400, "malformed-request",
            "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n"),
        Row("a long target", 414, "uri-too-long", get("/" + String(repeating: "a", count: 9_000))),
        Row("a long field", 431, "header-too-large", get("/livez", "X: \(String(repeating: "a", count: 9_000))\r\n")),
        Row(
            "many fields", 431, "header-too-large",
            get("/livez", (0..<101).map { "X-\($0): y\r\n" }.joined())),
        Row(
            "another coding", 501, "unsupported-transfer-coding",
            "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
        Row("another version", 505, "unsupported-version", "GET / HTTP/3.0\r\nHost: x\r\n\r\n"),
        Row("an unknown route", 404, "not-found", get("/v2/bundles")),
        Row("an unknown route below a known one", 404, "not-found", get("/v1/widgets")),
        Row("a wrong method", 405, "method-not-allowed", "DELETE /v1/changes HTTP/1.1\r\nHost: x\r\n\r\n"),
        Row("an unknown method", 405, "method-not-allowed", "BREW /v1/bundles HTTP/1.1\r\nHost: x\r\n\r\n"),
        Row("an unpublished widget", 404, "no-such-widget", get("/v1/widgets/no.such.widget")),
        Row("an unpublished bundle", 404, "no-such-bundle", get("/v1/bundles/no.such")),
        Row(
            "a write without a token", 401, "unauthorized",
            "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
        Row("a page that cannot be", 400, "malformed-request", get("/v1/bundles?limit=many")),
        Row("a malformed escape", 400, "malformed-request", get("/v1/widgets/%zz")),
    ]

    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: rows)
    func `A failure is answered with a problem document`(_ row: Row) throws {
        let conversation = try registry.connect()
        conversation.connection.send(row.request)
        let answer = try conversation.next()
        #expect(answer.status == row.status)
        #expect(answer.problemCode == row.code)
        #expect(answer.value("Content-Type") == "application/problem+json")
        #expect(Array(answer.names().prefix(5)) == ["type", "title", "status", "detail", "instance"])
        #expect(answer.text("type") == "/problems/\(row.code)")
        #expect(answer.number("status") == row.status)
        #expect(answer.text("instance") == answer.value("Request-Id"))
        #expect(answer.body.last == 10)
        #expect(try registry.get("/problems/\(row.code)").status == 200)
    }

    @Test func `Each type of problem has one title`() throws {
        let one = try registry.get("/v1/bundles/no.such.one")
        let two = try registry.get("/v1/bundles/no.such.two")
        #expect(one.text("title") == two.text("title"))
        #expect(one.text("detail") != two.text("detail"))
    }

    @Test func `A problem takes over the request's identifier when that is valid`() throws {
        let answer = try registry.get("/v1/nowhere", "Request-Id: abc-123_DEF.4")
        #expect(answer.value("Request-Id") == "abc-123_DEF.4")
        #expect(answer.text("instance") == "abc-123_DEF.4")
    }

    @Test(arguments: ["<script>", "a b", String(repeating: "x", count: 300), "\"", "é"])
    func `A problem has a new identifier when the request's is invalid`(_ identifier: String) throws {
        let answer = try registry.get("/v1/nowhere", "Request-Id: \(identifier)")
        #expect(answer.value("Request-Id") != identifier)
    }

    @Test func `A problem repeats nothing of the request unescaped`() throws {
        let answer = try registry.get("/v1/widgets/a.b?x=%3Cscript%3E")
        #expect(!answer.text.contains("<script>"))
        #expect(answer.value("X-Content-Type-Options") == "nosniff")
    }

    @Test func `A problem is readable by pages of any origin`() throws {
        #expect(try registry.get("/v1/widgets/a.b").value("Access-Control-Allow-Origin") == "*")
    }

    @Test func `A problem is cached for a short time at most`() throws {
        let value = try registry.get("/v1/widgets/\(fresh())").value("Cache-Control")
        #expect(value == nil || value?.contains("no-store") == true || value?.contains("max-age=") == true)
        #expect(value?.contains("immutable") != true)
    }

    @Test func `A problem reveals nothing of the machine`() throws {
        let bodies = try [
            registry.get("/v1/blobs/sha256/" + String(repeating: "0", count: 64)).text,
            registry.post([1, 2, 3]).text, registry.get("/v1/bundles/no.such").text,
            Registries.filled().post([1, 2, 3]).text,
        ]
        for body in bodies {
            for word in ["/tmp", "/var", ".swift", "errno", "SQLite", "sqlite", "Error(", registry.home.folder.path] {
                #expect(!body.contains(word), "\(word) in \(body)")
            }
        }
    }

    @Test func `A full disk does not affect reading`() throws {
        let registry = try Registries.filled()
        let answer = try registry.post(BundleForge(fresh()).archive)
        #expect(answer.status == 507)
        #expect(answer.problemCode == "insufficient-storage")
        #expect(try registry.get("/v1/bundles").status == 200)
    }

    @Test func `A damaged archive is 503, and its bytes are never sent`() throws {
        let registry = try Registry()
        let digest = try #require(try registry.publish(BundleForge("com.example.Damaged")).text("sha256"))
        let archives = FileWork.files(below: registry.home.data.path, endingWith: "/\(digest).zip")
        try FileWork.overwrite(try #require(archives.first), at: 40)
        for target in ["/v1/blobs/sha256/\(digest)", "/v1/widgets/com.example.Damaged/bundle"] {
            let answer = try registry.get(target)
            #expect(answer.status == 503, "\(target)")
            #expect(answer["type"] != nil)
            #expect(answer.value("Retry-After") != nil)
        }
        #expect(try registry.resolve("com.example.Damaged").status == 200)
    }
}
