import Addresses
import Bytes
import Deflate
import HTTPServer
import HTTPWire
import JSONText
import Logging
import RegistryContract
import RegistryServer
import Sockets
import TestSupport
import Testing

@Suite struct `The service` {
    @Test func `is alive`() throws {
        let answer = try Service().get("/livez")
        #expect(answer.status == 200)
        #expect(answer.text == "{\"status\":\"ok\"}\n")
        #expect(answer.value("Cache-Control") == "no-store")
    }

    @Test func `is ready when every check passes, and lists them`() throws {
        let service = try Service([.init("data") { nil }, .init("disk") { nil }])
        let answer = try service.get("/readyz")
        #expect(answer.status == 200)
        #expect(
            answer.text == "{\"status\":\"ready\",\"checks\":{\"accepting\":\"ok\",\"data\":\"ok\",\"disk\":\"ok\"}}\n")
    }

    @Test func `is not ready while a check fails, and says which and why`() throws {
        let failure = Guarded<String?>("the disk is full")
        let service = try Service([.init("data") { nil }, .init("disk") { failure.withLock { $0 } }])
        let answer = try service.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.value("Retry-After") == "1")
        let problem = try JSONValue(parsing: answer.body)
        #expect(problem["type"]?.string == "/problems/not-ready")
        #expect(problem["errors"]?.array?.count == 1)
        #expect(problem["errors"]?.array?.first?["code"]?.string == "disk")
        #expect(problem["errors"]?.array?.first?["detail"]?.string == "the disk is full")

        failure.withLock { $0 = nil }
        #expect(try service.get("/readyz").status == 200)
    }

    @Test func `is not ready once it has begun to drain`() throws {
        let service = try Service()
        service.readiness.beginDraining()
        let answer = try service.get("/readyz")
        #expect(answer.status == 503)
        #expect(try JSONValue(parsing: answer.body)["type"]?.string == "/problems/draining")
        #expect(try service.get("/livez").status == 200)
    }

    @Test(arguments: ProblemCode.allCases)
    func `explains each problem where its type leads`(_ code: ProblemCode) throws {
        let answer = try Service().get("/problems/\(code.rawValue)")
        #expect(answer.status == 200)
        #expect(answer.value("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.text.hasPrefix("\(code.title)\n\ncode:   \(code.rawValue)\nstatus: \(code.status)\n"))
    }

    @Test(arguments: ["nonsense", "not-found/", "NOT-FOUND", "%6Eot-found%20"])
    func `knows no other problems`(_ code: String) throws {
        #expect(try Service().get("/problems/\(code)").status == 404)
    }

    @Test func `keeps its counters from the public`() throws {
        let service = try Service()
        #expect(try service.get("/metrics").status == 404)
        _ = try service.get("/livez")
        let text = try service.get("/metrics", admin: true).text
        #expect(text.contains("widgetd_http_requests_total{method=\"GET\",route=\"/livez\",class=\"2xx\"} 1\n"))
        #expect(text.contains("widgetd_problems_total{code=\"not-found\"} 1\n"))
        #expect(text.contains("process_open_fds "))
    }
}

@Suite struct `The well-known document` {
    private static let limits = [(name: "upload", value: 67_108_864), (name: "connections", value: 16_384)]

    @Test func `introduces the registry`() throws {
        let answer = try Service(limits: Self.limits).get("/.well-known/widget-registry")
        #expect(answer.status == 200)
        #expect(answer.value("Cache-Control") == "public, max-age=30, stale-while-revalidate=300, stale-if-error=600")
        #expect(answer.value("Accept-Ranges") == nil)
        let document = try JSONValue(parsing: answer.body)
        #expect(document["api"]?.array?.map(\.string) == ["v1"])
        #expect(document["server"]?.string == "widgetd/test")
        #expect(document["limits"]?["upload"]?.integer == 67_108_864)
        #expect(document["policy"]?["snapshotChannels"]?.array?.map(\.string) == ["dev"])
        #expect(document["policy"]?["kept"]?.array?.map(\.string) == ["Info.plist", "*.json"])
        #expect(document["policy"]?["strict"]?.boolean == true)
        #expect(document["reads"]?.string == "public")
        #expect(try #require(document["time"]?.string).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    @Test func `is compressed for those who take it, under a tag of its own`() throws {
        let many = (0..<100).map { (name: "limit\($0)", value: $0) }
        let service = try Service(limits: many)
        let packed = try service.get("/.well-known/widget-registry", "Accept-Encoding: gzip\r\n")
        #expect(packed.value("Content-Encoding") == "gzip")
        #expect(packed.value("Vary") == "Accept-Encoding")
        #expect(Array(packed.body.prefix(2)) == [0x1F, 0x8B])
        let plain = try service.get("/.well-known/widget-registry", "Accept-Encoding: gzip;q=0\r\n")
        #expect(plain.value("Content-Encoding") == nil)
        #expect(plain.value("Vary") == "Accept-Encoding")
        #expect(plain.body.count > packed.body.count)
        #expect(plain.value("ETag") != packed.value("ETag"))
    }

    @Test func `is not sent again while it is the same`() throws {
        let service = try Service()
        // The document tells the time, so both questions have to fall into one second: a second try always does.
        let isUnchanged = try (0..<3).contains { _ in
            let tag = try #require(try service.get("/.well-known/widget-registry").value("ETag"))
            return try service.get("/.well-known/widget-registry", "If-None-Match: \(tag)\r\n").status == 304
        }
        #expect(isUnchanged)
    }

    @Test func `has the same head for HEAD, and says what else can be asked`() throws {
        let service = try Service()
        let head = try service.get("/.well-known/widget-registry", method: "HEAD")
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        let options = try service.get("/.well-known/widget-registry", method: "OPTIONS")
        #expect(options.value("Allow") == "GET, HEAD, OPTIONS")
        let refused = try service.get("/.well-known/widget-registry", method: "DELETE")
        #expect(refused.status == 405)
        #expect(refused.value("Allow") == "GET, HEAD, OPTIONS")
    }

    @Test func `is refused to those who take something else`() throws {
        #expect(try Service().get("/.well-known/widget-registry", "Accept: text/html\r\n").status == 406)
        #expect(try Service().get("/.well-known/widget-registry", "Accept: text/html, */*;q=0.1\r\n").status == 200)
    }
}
