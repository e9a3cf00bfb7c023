import Glibc
import HTTPWire
import JSONText
import RegistryContract
import RegistryServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetDeflate
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets
import WidgetTestSupport

@Suite struct `The service` {
    @Test func `The service is alive`() throws {
        let answer = try Service().get("/livez")
        #expect(answer.status == 200)
        #expect(answer.text == "{\"status\":\"ok\"}\n")
        #expect(answer.value("Cache-Control") == "no-store")
    }

    @Test func `The service is ready when every check passes, and lists them`() throws {
        let service = try Service([.init("data") { nil }, .init("disk") { nil }])
        let answer = try service.get("/readyz")
        #expect(answer.status == 200)
        #expect(
            answer.text == "{\"status\":\"ready\",\"checks\":{\"accepting\":\"ok\",\"data\":\"ok\",\"disk\":\"ok\"}}\n")
    }

    @Test func `The service is not ready while a check fails, and says which and why`() throws {
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

    @Test func `The service is not ready once it has begun to drain`() throws {
        let service = try Service()
        service.readiness.beginDraining()
        let answer = try service.get("/readyz")
        #expect(answer.status == 503)
        #expect(try JSONValue(parsing: answer.body)["type"]?.string == "/problems/draining")
        #expect(try service.get("/livez").status == 200)
    }

    @Test(arguments: [Refusal.tooManyConnections, .draining])
    func `A refusal that ends by itself says when to ask again`(_ refusal: Refusal) {
        let problem = ProblemCatalogue.problem(refusal)
        #expect(String(decoding: problem.fields.bytes, as: UTF8.self).contains("Retry-After: 1\r\n"))
    }

    @Test(arguments: ProblemCode.allCases)
    func `The service explains each problem at the address of its type`(_ code: ProblemCode) throws {
        let answer = try Service().get("/problems/\(code.rawValue)")
        #expect(answer.status == 200)
        #expect(answer.value("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.text.hasPrefix("\(code.title)\n\ncode:   \(code.rawValue)\nstatus: \(code.status)\n"))
    }

    @Test(arguments: ["nonsense", "not-found/", "NOT-FOUND", "%6Eot-found%20"])
    func `The service has no page for unknown problems`(_ code: String) throws {
        #expect(try Service().get("/problems/\(code)").status == 404)
    }

    @Test func `The service does not show its counters to the public`() throws {
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

    @Test func `The well-known document introduces the registry`() throws {
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

    @Test func `The well-known document is compressed for clients that accept it, under another tag`() throws {
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

    @Test func `The well-known document is not sent again while it is the same`() throws {
        let service = try Service()
        // The document tells the time, so both questions have to fall into one second: a second try always does.
        let isUnchanged = try (0..<3).contains { _ in
            let tag = try #require(try service.get("/.well-known/widget-registry").value("ETag"))
            return try service.get("/.well-known/widget-registry", "If-None-Match: \(tag)\r\n").status == 304
        }
        #expect(isUnchanged)
    }

    @Test func `The well-known document has the same head for HEAD, and OPTIONS lists its methods`() throws {
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

    @Test func `The well-known document is refused to clients that accept only other types`() throws {
        #expect(try Service().get("/.well-known/widget-registry", "Accept: text/html\r\n").status == 406)
        #expect(try Service().get("/.well-known/widget-registry", "Accept: text/html, */*;q=0.1\r\n").status == 200)
    }
}

@Suite struct `The problem catalogue` {
    static let refusals: [Refusal] =
        Malformation.allCases.map { .malformed($0) } + [
            .requestLineTooLong(limit: 1), .fieldTooLong(limit: 2), .headTooLong(limit: 3), .tooManyFields(limit: 4),
            .unsupportedVersion, .unsupportedTransferCoding, .unsupportedExpectation,
            .unsupportedMediaType(accepted: "application/zip"), .contentTooLarge(limit: 5), .contentTooSlow,
            .headTooSlow,
            .rangeUnsatisfiable(size: 6), .preconditionFailed, .notAcceptable(available: "application/json"), .noRoute,
            .methodNotAllowed(allowed: "GET"), .tooManyConnections, .draining, .internalFailure,
        ]

    @Test(arguments: refusals)
    func `The problem catalogue gives every refusal a status, a title and a next step`(_ refusal: Refusal) {
        let problem = ProblemCatalogue.problem(refusal)
        #expect(problem.status == refusal.status)
        #expect(ProblemCode(rawValue: problem.code)?.title == problem.title)
        #expect(problem.detail.hasSuffix("."))
    }

    @Test(arguments: ProblemCode.allCases)
    func `The problem catalogue has a distinct title and an explanation for every code`(_ code: ProblemCode) {
        #expect(ProblemCode.allCases.filter { $0.title == code.title } == [code])
        #expect(code.explanation.count > 60)
        #expect(code.status >= 400)
        #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    }

    @Test func `A problem of a limit names the limit`() {
        let problem = ProblemCatalogue.problem(.fieldTooLong(limit: 8_192))
        #expect(problem.detail.contains("8192"))
        guard case .number(8_192)? = problem.members.first(where: { $0.name == "limit" })?.value else {
            Issue.record("no limit member")
            return
        }
    }

    @Test(arguments: [EMFILE, ENFILE]) func `A problem of a shortage of descriptors asks the client to try again`(
        _ code: Int32
    ) {
        let problem = ProblemCatalogue.problem(RegistryError.storage(FileError(.open, subject: "a blob", code: code)))
        #expect(problem.code == "overloaded")
        #expect(problem.status == .serviceUnavailable)
        #expect(
            ProblemCatalogue.problem(RegistryError.storage(FileError(.open, subject: "x", code: EIO))).status
                == .internalServerError)
    }

    @Test func `A problem of a server's failure does not show its inside`() {
        let problem = ProblemCatalogue.problem(.internalFailure)
        #expect(problem.code == "internal")
        #expect(problem.members.isEmpty)
    }
}
