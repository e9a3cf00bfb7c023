import FoundationEssentials
import HTTPWire
import Testing
import WidgetHTTPServer
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetHTTPServer

@Suite struct `A server's counters` {
    @Test func `A server's counters are in the exposition format`() throws {
        let server = try TestServer(workers: 2)
        for path in ["/letters", "/nowhere", "/path/a/b", "/empty", "/fails"] { _ = try server.get(path) }
        #expect(MetricsReader.complaints(server.server.metrics.text()) == [])
    }

    @Test func `A server's counters count every event`() throws {
        let server = try TestServer(workers: 2)
        for _ in 0..<3 { _ = try server.get("/letters") }
        _ = try server.get("/letters", "If-None-Match: *\r\n")
        _ = try server.get("/letters", "Range: bytes=90-\r\n")
        _ = try server.get("/letters", "Range: bytes=0-0,2-3\r\n")
        _ = try server.get("/nowhere")
        _ = try server.ask("BAD\r\n\r\n")
        _ = try server.ask(echo("Content-Length: 5\r\n", "abcde"))
        _ = try server.ask(get("/fails"))
        let gone = try RawConnection(port: server.port)
        gone.send(get("/held"))
        _ = try #require(server.routes.held.take())
        gone.reset()
        #expect(server.settles())

        let samples = MetricsReader.samples(server.server.metrics.text())
        func requests(_ method: String, _ route: String, _ statusClass: String) -> Double? {
            samples["widgetd_http_requests_total{method=\"\(method)\",route=\"\(route)\",class=\"\(statusClass)\"}"]
        }
        #expect(requests("GET", "/letters", "2xx") == 4)
        #expect(requests("GET", "/letters", "3xx") == 1)
        #expect(requests("GET", "/letters", "4xx") == 1)
        #expect(requests("POST", "/echo", "2xx") == 1)
        #expect(requests("GET", "/fails", "5xx") == 1)
        #expect(requests("none", "none", "4xx") == 2)
        // The client was gone before its answer.
        #expect(requests("GET", "/held", "none") == 1)
        #expect(samples["widgetd_problems_total{code=\"not-found\"}"] == 1)
        #expect(samples["widgetd_problems_total{code=\"malformed-request\"}"] == 1)
        #expect(samples["widgetd_problems_total{code=\"range-unsatisfiable\"}"] == 1)
        #expect(samples["widgetd_problems_total{code=\"internal\"}"] == 1)
        #expect(samples["widgetd_http_requests_in_flight"] == 0)
        #expect(samples["widgetd_http_connections"] == 0)
        #expect(samples["widgetd_http_connections_accepted_total"] == 11)
        #expect(samples["widgetd_http_connections_closed_total"] == 11)
        #expect(samples["widgetd_http_request_duration_seconds_count{method=\"GET\",route=\"/letters\"}"] == 6)
    }

    @Test func `A server's counters include the contents sent, parts of several ranges among them`() throws {
        let server = try TestServer()
        func sent() -> Double {
            MetricsReader.samples(server.server.metrics.text())["widgetd_http_sent_bytes_total"] ?? -1
        }
        _ = try server.get("/letters")
        server.turn()
        #expect(sent() == 26)
        _ = try server.get("/letters", "Range: bytes=0-4\r\n")
        server.turn()
        #expect(sent() == 31)
        _ = try server.get("/letters", "Range: bytes=0-0,2-3\r\n")
        server.turn()
        #expect(sent() == 34)
        _ = try server.get("/counted")
        server.turn()
        #expect(sent() == 34 + Double(CountingStream.text.utf8.count))
    }

    @Test func `A server's counters show the work under way`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        let responder = try #require(server.routes.held.take())
        let samples = MetricsReader.samples(server.server.metrics.text())
        #expect(samples["widgetd_http_requests_in_flight"] == 1)
        #expect(samples["widgetd_http_connections"] == 1)
        responder.answer(.refused(.noRoute))
        #expect(try conversation.next().status == 404)
    }
}

/// Reads the text form of Prometheus, version 0.0.4.
enum MetricsReader {
    static func samples(_ text: String) -> [String: Double] {
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return samples
    }

    static func complaints(_ text: String) -> [String] {
        var complaints: [String] = []
        var declared: [String: String] = [:]
        var seen: Set<String> = []
        var lastBucket: [String: Double] = [:]
        if !text.hasSuffix("\n") { complaints.append("the last line is not ended") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            if line.hasPrefix("# HELP ") {
                if words.count < 4 { complaints.append("no help: \(line)") }
            } else if line.hasPrefix("# TYPE ") {
                if words.count != 4 || !["counter", "gauge", "histogram"].contains(words[3]) {
                    complaints.append("\(line)")
                }
                if declared.updateValue(String(words[3]), forKey: String(words[2])) != nil {
                    complaints.append("twice: \(line)")
                }
            } else {
                guard
                    let sample = line.wholeMatch(
                        of:
                            /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? ([0-9.]+|\+Inf)/
                    )
                else {
                    complaints.append("not a sample: \(line)")
                    continue
                }
                let name = String(sample.1)
                let family = declared.keys.first {
                    name == $0
                        || (declared[$0] == "histogram"
                            && ["_bucket", "_sum", "_count"].contains(String(name.dropFirst($0.count)))
                            && name.hasPrefix($0))
                }
                if family == nil { complaints.append("not declared: \(line)") }
                if !seen.insert(name + (sample.2.map(String.init) ?? "")).inserted {
                    complaints.append("twice: \(line)")
                }
                if declared[name] == "counter", !name.hasSuffix("_total") {
                    complaints.append("a counter's name: \(name)")
                }
                if name.hasSuffix("_bucket"), let labels = sample.2 {
                    let key = String(labels.prefix { $0 != "l" || !labels.hasPrefix("le=") })
                    let series = key.replacing(/,?le="[^"]*"/, with: "")
                    let value = Double(sample.3) ?? -1
                    if value < lastBucket[series, default: 0] { complaints.append("buckets shrink: \(line)") }
                    lastBucket[series] = value
                }
            }
        }
        return complaints
    }
}

@Suite struct `A server's log` {
    private struct Line: Decodable {
        var level: String
        var event: String
        var request: String?
        var method: String?
        var route: String?
        var status: Int?
        var bytes: Int?
        var milliseconds: Double?
        var client: String?
        var aborted: Bool?
        var reason: String?
    }

    private func lines(_ server: TestServer, _ event: String, count: Int) throws -> [Line] {
        _ = server.log.reaches { lines in lines.count { $0.contains("\"event\":\"\(event)\"") } >= count }
        return try server.log.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }.filter {
            $0.event == event
        }
    }

    @Test func `A server's log has a line for every request`() throws {
        let server = try TestServer(logsRequests: true)
        let answer = try server.get("/path/a/b?q=secret", "Request-Id: given-by-client\r\n")
        #expect(answer.value("Request-Id") == "given-by-client")
        let lines = try lines(server, "request", count: 1)
        try #require(lines.count == 1)
        let line = lines[0]
        #expect(line.level == "info")
        #expect(line.request == "given-by-client")
        #expect(line.method == "GET")
        #expect(line.route == "/path/{one}/{two}")
        #expect(line.status == 200)
        #expect(line.bytes == answer.body.count)
        #expect(line.client == "127.0.0.1")
        #expect(line.aborted == nil)
        #expect((line.milliseconds ?? -1) >= 0)
        // A client's query may be confidential.
        #expect(!server.log.lines.joined().contains("secret"))
    }

    @Test func `A server's log notes a client that did not wait`() throws {
        let server = try TestServer(logsRequests: true)
        let connection = try RawConnection(port: server.port)
        connection.send(get("/held"))
        _ = try #require(server.routes.held.take())
        connection.reset()
        let lines = try lines(server, "request", count: 1)
        #expect(lines.map(\.status) == [nil])
        #expect(lines.map(\.aborted) == [true])
    }

    @Test func `A server's log has the reason of a failed route, which the client does not see`() throws {
        let server = try TestServer()
        let answer = try server.get("/fails")
        #expect(answer.status == 500)
        #expect(!answer.text.contains("Unforeseen"))
        let lines = try lines(server, "request.failed", count: 1)
        #expect(lines.map(\.request) == [answer.value("Request-Id")])
        #expect(lines.first?.reason?.contains("Unforeseen") == true)
        #expect(lines.first?.level == "error")
    }

    @Test func `A server's log follows a change of its setting from the next request on`() throws {
        let server = try TestServer()
        _ = try server.get("/letters")
        server.server.reload(ServerLimits(), logsRequests: true)
        _ = try server.get("/path/a/b")
        #expect(try lines(server, "request", count: 1).map(\.route) == ["/path/{one}/{two}"])
    }
}

@Suite struct `A request's identifier` {
    @Test(arguments: ["client-made-1.2:3_4", "12345678", String(repeating: "a", count: 128)])
    func `A request's identifier is the client's own if it is well-formed`(_ identifier: String) throws {
        let server = try TestServer()
        let answer = try server.get("/nowhere", "Request-Id: \(identifier)\r\n")
        #expect(answer.value("Request-Id") == identifier)
    }

    static let insane = [
        "short", String(repeating: "a", count: 129), "with a space", "quote\"quote", "slash/slash", "a,b,c,d,e,f",
        "<script>",
        "caf\u{E9}-caf\u{E9}", "", "semi;colon;", "%0d%0aX:y%20",
    ]

    @Test(arguments: insane)
    func `A request's identifier is made anew if the client's is malformed`(_ identifier: String) throws {
        let server = try TestServer()
        let answer = try server.get("/id", "Request-Id: \(identifier)\r\n")
        let made = try #require(answer.value("Request-Id"))
        #expect(made.utf8.count == 32)
        #expect(made.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(answer.text == made)
    }

    @Test func `A request's identifier is never made twice`() throws {
        let server = try TestServer(workers: 2)
        var seen: Set<String> = []
        let conversation = try server.connect()
        for _ in 0..<20 {
            conversation.connection.send(String(repeating: get("/livez"), count: 50))
            for _ in 0..<50 { seen.insert(try #require(try conversation.next().value("Request-Id"))) }
        }
        #expect(seen.count == 1_000)
    }
}

@Suite struct `A request's identity` {
    @Test(
        arguments: [
            (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, "0123456789abcdeffedcba9876543210"),
            (0, UInt64.max, "0000000000000000ffffffffffffffff"),
            (0x9A9A_A9A9_0F0F_F0F0, 0x8000_0000_0000_0001, "9a9aa9a90f0ff0f08000000000000001"),
        ] as [(UInt64, UInt64, String)])
    func `A request's identity is written in hexadecimal digits`(high: UInt64, low: UInt64, expected: String) {
        let identity = RequestIdentity.made(high, low)
        let output = OutputBuffer(capacity: 64)
        identity.append(to: output)
        #expect(String(decoding: output.take(), as: UTF8.self) == expected)
        #expect(identity.text == expected)
    }

    @Test func `A request's identity is the client's own if it gave one`() {
        let identity = RequestIdentity.given(Array("trace-1".utf8))
        let output = OutputBuffer(capacity: 64)
        identity.append(to: output)
        #expect(String(decoding: output.take(), as: UTF8.self) == "trace-1")
        #expect(identity.text == "trace-1")
    }

    @Test func `A request's identity differs from request to request`() {
        var maker = RequestIdentityMaker(SystemChance())
        let made = (0..<10_000).map { _ in maker.next().text }
        #expect(Set(made).count == made.count)
    }
}
