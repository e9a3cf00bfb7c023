import HTTPWire
import Testing

@Suite struct `A request head` {
    @Test(arguments: HeadCase.all)
    func `becomes what its row says`(row: HeadCase) {
        #expect(parsed(row.bytes).0 == row.outcome)
    }

    @Test func `is refused in more rows than it is accepted`() {
        #expect(HeadCase.all.count >= 250)
        #expect(HeadCase.refused.count > 2 * HeadCase.accepted.count)
    }

    @Test(arguments: HeadCase.all)
    func `is never read past its end`(row: HeadCase) throws {
        for count in 0...row.bytes.count {
            let guarded = try GuardedBytes(Array(row.bytes[..<count]))
            guarded.withSpan { span in
                var head = RequestHead()
                let outcome = RequestHeadParser.parse(span, into: &head, limits: HeadLimits())
                if count == row.bytes.count { #expect(outcome == row.outcome) }
            }
        }
    }

    @Test func `says where its parts are`() {
        let text = "PUT /a%20b?c=d HTTP/1.1\r\nHost: x \r\nX-Y:\t z\r\n\r\nrest"
        let head = head(text)
        let bytes = text.latin1
        func at(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(head.method == .put && at(head.methodName) == "PUT")
        #expect(head.targetForm == .origin && at(head.path) == "/a%20b" && head.pathIsEncoded)
        #expect(head.query.map(at) == "c=d")
        #expect(head.fields.map { at($0.name) } == ["Host", "X-Y"])
        #expect(head.fields.map { at($0.value) } == ["x", "z"])
        #expect(head.fields.map(\.known) == [.host, nil])
        #expect(head.byteCount == bytes.count - 4)
    }

    @Test func `knows the four forms of a target`() {
        #expect(head(request("GET /a HTTP/1.1")).targetForm == .origin)
        #expect(head(request("GET http://x/a HTTP/1.1")).targetForm == .absolute)
        #expect(head(request("CONNECT x:1 HTTP/1.1")).targetForm == .authority)
        #expect(head(request("OPTIONS * HTTP/1.1")).targetForm == .asterisk)
    }

    @Test func `finds the path of an absolute target`() {
        let text = request("GET http://x:80/a?b HTTP/1.1")
        #expect(text.slice(head(text).path) == "/a")
        #expect(head(request("GET http://x HTTP/1.1")).path.isEmpty)
        #expect(head(request("GET http://x?q HTTP/1.1")).query != nil)
        #expect(head(request("GET / HTTP/1.1")).query == nil)
    }

    @Test(arguments: Method.allCases)
    func `knows its method`(method: Method) {
        let target = method == .connect ? "x:1" : "/"
        #expect(head(request("\(method.name) \(target) HTTP/1.1")).method == method)
        #expect(head(request("\(method.name.lowercased()) / HTTP/1.1")).method == .other)
    }

    @Test func `frames its body in one way`() {
        #expect(head(get("X: y")).framing == .none)
        #expect(head(post("Content-Length: 0")).framing == .none)
        #expect(head(post("Content-Length: 00042")).framing == .length(42))
        #expect(head(post("Content-Length: 9223372036854775807")).framing == .length(.max))
        #expect(head(post("Transfer-Encoding: Chunked")).framing == .chunked)
        #expect(head(get("Content-Length: 7")).framing == .length(7))
    }

    @Test(arguments: [
        ("1.1", "X: y", true), ("1.1", "Connection: close", false), ("1.1", "Connection: CLOSE", false),
        ("1.1", "Connection: keep-alive", true), ("1.1", "Connection: x, close ,y", false),
        ("1.1", "Connection: keep-alive\r\nConnection: close", false), ("1.1", "Connection: closed", true),
        ("1.1", "Connection:", true), ("1.1", "Connection: \"close, close", false), ("1.0", "X: y", false),
        ("1.0", "Connection: keep-alive", true), ("1.0", "Connection: Keep-Alive, close", false),
        ("1.0", "Connection: x", false),
    ])
    func `decides whether the connection stays`(version: String, line: String, stays: Bool) {
        #expect(head("GET / HTTP/\(version)\r\nHost: x\r\n\(line)\r\n\r\n").keepsAlive == stays)
    }

    @Test func `waits for 100 Continue only where a body comes`() {
        #expect(head(post("Content-Length: 1\r\nExpect: 100-continue")).expectsContinue)
        #expect(head(post("Transfer-Encoding: chunked\r\nExpect: 100-continue")).expectsContinue)
        #expect(!head(post("Content-Length: 0\r\nExpect: 100-continue")).expectsContinue)
        #expect(!head(get("Expect: 100-continue")).expectsContinue)
        #expect(!head("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n").expectsContinue)
    }

    @Test(arguments: KnownField.allCases.filter { $0 != .transferEncoding })
    func `knows a field in any case and by its whole name alone`(field: KnownField) {
        let spelling = field.spelling
        for name in [spelling, spelling.uppercased(), spelling.lowercased()] {
            let text = "GET / HTTP/1.0\r\n\(name): \(field.sampleValue)\r\n\r\n"
            let head = head(text)
            #expect(head.has(field) && head.fields[0].known == field && !head.isRepeated(field))
            #expect(head.value(field).map { text.slice($0) } == field.sampleValue)
        }
        for name in ["x" + spelling, spelling + "x", String(spelling.dropLast()), String(spelling.dropLast()) + "_"] {
            #expect(!head("GET / HTTP/1.0\r\n\(name): \(field.sampleValue)\r\n\r\n").has(field))
        }
    }

    @Test func `gives the first of several lines and says that there are more`() {
        let text = get("If-Match: \"a\"\r\nX: y\r\nIf-Match: \"b\"")
        let head = head(text)
        #expect(head.value(.ifMatch).map { text.slice($0) } == "\"a\"")
        #expect(head.isRepeated(.ifMatch) && !head.isRepeated(.host) && !head.isRepeated(.range))
        #expect(head.candidates(.ifMatch).filter { head.fields[$0].known == .ifMatch } == [1, 3])
        #expect(head.candidates(.range).isEmpty && head.value(.range) == nil)
    }

    @Test func `remembers nothing of the one before it`() {
        var head = RequestHead()
        func parse(_ bytes: [UInt8]) -> RequestHeadParser.Outcome {
            RequestHeadParser.parse(bytes.span, into: &head, limits: HeadLimits())
        }
        #expect(parse("HEAD /x%20?y HTTP/1.0\r\nHost: x\r\nContent-Length: 3\r\n\r\n".latin1) == .complete)
        #expect(parse([]) == .incomplete)
        #expect(head.isSame(as: RequestHead()) && !head.has(.host))
        #expect(parse([0]) == .refused(.malformed(.method)))
        #expect(head.isSame(as: RequestHead()))
    }
}

extension KnownField {
    /// The name as the specifications write it.
    var spelling: String {
        switch self {
        case .host: "Host"
        case .connection: "Connection"
        case .contentLength: "Content-Length"
        case .transferEncoding: "Transfer-Encoding"
        case .expect: "Expect"
        case .ifMatch: "If-Match"
        case .ifNoneMatch: "If-None-Match"
        case .ifModifiedSince: "If-Modified-Since"
        case .ifUnmodifiedSince: "If-Unmodified-Since"
        case .ifRange: "If-Range"
        case .range: "Range"
        case .accept: "Accept"
        case .acceptEncoding: "Accept-Encoding"
        case .contentType: "Content-Type"
        case .contentEncoding: "Content-Encoding"
        case .contentDigest: "Content-Digest"
        case .reprDigest: "Repr-Digest"
        case .authorization: "Authorization"
        case .requestID: "Request-Id"
        case .userAgent: "User-Agent"
        case .lastEventID: "Last-Event-Id"
        case .forwarded: "Forwarded"
        case .xForwardedFor: "X-Forwarded-For"
        }
    }

    /// A value that no rule refuses where the field stands alone in HTTP/1.0.
    var sampleValue: String { "1" }
}
