import HTTPWire
import Testing

@Suite struct `A request head` {
    @Test(arguments: HeadCase.all)
    func `A request head parses as its row says`(row: HeadCase) {
        #expect(parsed(row.bytes).0 == row.outcome)
    }

    @Test func `A request head is refused in more rows than it is accepted`() {
        #expect(HeadCase.all.count >= 250)
        #expect(HeadCase.refused.count > 2 * HeadCase.accepted.count)
    }

    @Test(arguments: HeadCase.all)
    func `A request head is never read past its end`(row: HeadCase) throws {
        for count in 0...row.bytes.count {
            let guarded = try GuardedBytes(Array(row.bytes[..<count]))
            guarded.withSpan { span in
                var head = RequestHead()
                let outcome = RequestHeadParser.parse(span, into: &head, limits: HeadLimits())
                if count == row.bytes.count { #expect(outcome == row.outcome) }
            }
        }
    }

    @Test func `A request head gives the positions of its parts`() {
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

    @Test func `A request head knows the four forms of a target`() {
        #expect(head(requestHead("GET /a HTTP/1.1")).targetForm == .origin)
        #expect(head(requestHead("GET http://x/a HTTP/1.1")).targetForm == .absolute)
        #expect(head(requestHead("CONNECT x:1 HTTP/1.1")).targetForm == .authority)
        #expect(head(requestHead("OPTIONS * HTTP/1.1")).targetForm == .asterisk)
    }

    @Test func `A request head finds the path of an absolute target`() {
        let text = requestHead("GET http://x:80/a?b HTTP/1.1")
        #expect(text.slice(head(text).path) == "/a")
        #expect(head(requestHead("GET http://x HTTP/1.1")).path.isEmpty)
        #expect(head(requestHead("GET http://x?q HTTP/1.1")).query != nil)
        #expect(head(requestHead("GET / HTTP/1.1")).query == nil)
    }

    @Test(arguments: Method.allCases)
    func `A request head recognises its method`(method: Method) {
        let target = method == .connect ? "x:1" : "/"
        #expect(head(requestHead("\(method.name) \(target) HTTP/1.1")).method == method)
        #expect(head(requestHead("\(method.name.lowercased()) / HTTP/1.1")).method == .other)
    }

    @Test func `A request head frames its body in one way`() {
        #expect(head(requestHead(with: "X: y")).framing == .none)
        #expect(head(post("Content-Length: 0")).framing == .none)
        #expect(head(post("Content-Length: 00042")).framing == .length(42))
        #expect(head(post("Content-Length: 9223372036854775807")).framing == .length(.max))
        #expect(head(post("Transfer-Encoding: Chunked")).framing == .chunked)
        #expect(head(requestHead(with: "Content-Length: 7")).framing == .length(7))
    }

    @Test(arguments: [
        ("1.1", "X: y", true), ("1.1", "Connection: close", false), ("1.1", "Connection: CLOSE", false),
        ("1.1", "Connection: keep-alive", true), ("1.1", "Connection: x, close ,y", false),
        ("1.1", "Connection: keep-alive\r\nConnection: close", false), ("1.1", "Connection: closed", true),
        ("1.1", "Connection:", true), ("1.1", "Connection: \"close, close", false), ("1.0", "X: y", false),
        ("1.0", "Connection: keep-alive", true), ("1.0", "Connection: Keep-Alive, close", false),
        ("1.0", "Connection: x", false),
    ])
    func `A request head decides whether the connection stays open`(version: String, line: String, stays: Bool) {
        #expect(head("GET / HTTP/\(version)\r\nHost: x\r\n\(line)\r\n\r\n").keepsAlive == stays)
    }

    @Test func `A request head waits for 100 Continue only before a body`() {
        #expect(head(post("Content-Length: 1\r\nExpect: 100-continue")).expectsContinue)
        #expect(head(post("Transfer-Encoding: chunked\r\nExpect: 100-continue")).expectsContinue)
        #expect(!head(post("Content-Length: 0\r\nExpect: 100-continue")).expectsContinue)
        #expect(!head(requestHead(with: "Expect: 100-continue")).expectsContinue)
        #expect(!head("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n").expectsContinue)
    }

    @Test(arguments: KnownField.allCases.filter { $0 != .transferEncoding })
    func `A request head recognises a field in any case and by its whole name alone`(field: KnownField) {
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

    @Test func `A request head gives the first of several lines and marks the field as repeated`() {
        let text = requestHead(with: "If-Match: \"a\"\r\nX: y\r\nIf-Match: \"b\"")
        let head = head(text)
        #expect(head.value(.ifMatch).map { text.slice($0) } == "\"a\"")
        #expect(head.isRepeated(.ifMatch) && !head.isRepeated(.host) && !head.isRepeated(.range))
        #expect(head.candidates(.ifMatch).filter { head.fields[$0].known == .ifMatch } == [1, 3])
        #expect(head.candidates(.range).isEmpty && head.value(.range) == nil)
    }

    @Test func `A request head keeps nothing of the one before it`() {
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
        case .origin: "Origin"
        case .referer: "Referer"
        case .secFetchSite: "Sec-Fetch-Site"
        case .secFetchDest: "Sec-Fetch-Dest"
        case .cookie: "Cookie"
        case .xForwardedProto: "X-Forwarded-Proto"
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

    /// A value that no rule refuses if it is the only field of an HTTP/1.0 head.
    var sampleValue: String { "1" }
}

@Suite struct `A head at its limits` {
    let limits = HeadLimits(requestLine: 40, field: 30, fields: 60, fieldCount: 4)

    func lines(_ lengths: [Int]) -> String {
        lengths.map { "A:" + String(repeating: "b", count: $0 - 2) + "\r\n" }.joined()
    }

    /// The outcome, which must be the same however the bytes arrive.
    func outcome(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> RequestHeadParser.Outcome {
        let bytes = text.latin1
        let whole = parsed(bytes, limits).0
        for count in 0..<bytes.count {
            let prefix = parsed(Array(bytes[..<count]), limits).0
            #expect(prefix == .incomplete || prefix == whole, sourceLocation: sourceLocation)
        }
        return whole
    }

    @Test(arguments: [
        "GET /%@ HTTP/1.0", "GET /?%@ HTTP/1.0", "%@ / HTTP/1.0", "GET http://%@ HTTP/1.0", "GET http://x/%@ HTTP/1.0",
        "CONNECT %@:1 HTTP/1.0",
    ])
    func `A request line may have exactly as many bytes as the limit`(form: String) {
        let parts = form.split(separator: "%@", omittingEmptySubsequences: false).map(String.init)
        func line(_ count: Int) -> String {
            parts[0] + String(repeating: "a", count: count - form.utf8.count + 2) + parts[1] + "\r\n\r\n"
        }
        #expect(outcome(line(39)) == .complete)
        #expect(outcome(line(40)) == .complete)
        #expect(outcome(line(41)) == .refused(.requestLineTooLong(limit: 40)))
        #expect(outcome(line(400)) == .refused(.requestLineTooLong(limit: 40)))
    }

    @Test func `Empty lines before the request line count against its limit`() {
        #expect(outcome(String(repeating: "\r\n", count: 13) + "GET / HTTP/1.0\r\n\r\n") == .complete)
        #expect(
            outcome(String(repeating: "\r\n", count: 14) + "GET / HTTP/1.0\r\n\r\n")
                == .refused(.requestLineTooLong(limit: 40)))
        #expect(outcome(String(repeating: "\r\n", count: 999)) == .refused(.requestLineTooLong(limit: 40)))
    }

    @Test func `A field may have exactly as many bytes as the limit`() {
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([30]) + "\r\n") == .complete)
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([31]) + "\r\n") == .refused(.fieldTooLong(limit: 30)))
        let name = String(repeating: "n", count: 31)
        #expect(outcome("GET / HTTP/1.0\r\n\(name)") == .refused(.fieldTooLong(limit: 30)))
        #expect(
            outcome("GET / HTTP/1.0\r\nA:\(String(repeating: " ", count: 29))") == .refused(.fieldTooLong(limit: 30)))
    }

    @Test func `Fields may have exactly as many bytes as the limit`() {
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 28]) + "\r\n") == .complete)
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 29]) + "\r\n") == .refused(.headTooLong(limit: 60)))
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 28, 3]) + "\r\n") == .refused(.headTooLong(limit: 60)))
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 27]) + "B") == .refused(.headTooLong(limit: 60)))
    }

    @Test func `A head may have exactly as many fields as the limit`() {
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([3, 3, 3, 3]) + "\r\n") == .complete)
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([3, 3, 3, 3, 3]) + "\r\n") == .refused(.tooManyFields(limit: 4)))
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([3, 3, 3, 3]) + "A") == .refused(.tooManyFields(limit: 4)))
    }

    @Test func `A head takes no more bytes than its limits add up to`() {
        let line = "GET /" + String(repeating: "a", count: 26) + " HTTP/1.0\r\n"
        let longest = line + lines([28, 28]) + "\r\n"
        #expect(line.utf8.count == 42 && outcome(longest) == .complete)
        #expect(longest.utf8.count == limits.total)
        // One buffer of that size and a byte is enough to refuse an endless head.
        for filler in ["a", "\r\n", "A:b\r\n", "GET / HTTP/1.0\r\n", "a:", "GET / HTTP/1.0\r\nA:b\r\n", " "] {
            let endless = String(repeating: filler, count: 200).latin1
            #expect(parsed(Array(endless[...limits.total]), limits).0 != .incomplete)
        }
    }

    @Test func `A head has the limits of the contract`() {
        let limits = HeadLimits()
        #expect(limits.requestLine == 8_192 && limits.field == 8_192 && limits.fields == 32_768)
        #expect(limits.fieldCount == 100)
        #expect(Refusal.requestLineTooLong(limit: 1).status == .uriTooLong)
        #expect(Refusal.fieldTooLong(limit: 1).status == .requestHeaderFieldsTooLarge)
        #expect(Refusal.headTooLong(limit: 1).status == .requestHeaderFieldsTooLarge)
        #expect(Refusal.tooManyFields(limit: 1).status == .requestHeaderFieldsTooLarge)
    }
}

/// Goal: however a head's bytes arrive, it is read the same. Method: every prefix and every pair of
/// prefixes of every row of the tables goes through one head value before the whole does.
@Suite struct `A head that arrives in pieces` {
    @Test(arguments: HeadCase.accepted)
    func `A head that arrives in pieces is incomplete at every prefix, then the same`(row: HeadCase) {
        let whole = parsed(row.bytes).1
        var head = RequestHead()
        for count in 0..<whole.byteCount {
            let prefix = Array(row.bytes[..<count])
            let outcome = RequestHeadParser.parse(prefix.span, into: &head, limits: HeadLimits())
            #expect(outcome == .incomplete)
        }
        let outcome = RequestHeadParser.parse(row.bytes.span, into: &head, limits: HeadLimits())
        #expect(outcome == .complete)
        #expect(head.account == whole.account)
    }

    @Test(arguments: HeadCase.accepted)
    func `A head is the same when cut at any position, and a short one at any two`(row: HeadCase) {
        let whole = parsed(row.bytes).1
        let prefixes = (0...row.bytes.count).map { Array(row.bytes[..<$0]) }
        let lasts = row.bytes.count <= 60 ? prefixes : [row.bytes]
        for first in prefixes {
            for second in lasts where second.count >= first.count {
                var head = RequestHead()
                for bytes in [first, second, row.bytes] {
                    let outcome = RequestHeadParser.parse(bytes.span, into: &head, limits: HeadLimits())
                    guard outcome == (bytes.count < whole.byteCount ? .incomplete : .complete) else {
                        Issue.record("\(outcome) after \(bytes.count) bytes, first cut at \(first.count)")
                        return
                    }
                }
                guard head.isSame(as: whole) else {
                    Issue.record("another head, cut at \(first.count) and \(second.count)")
                    return
                }
            }
        }
    }

    @Test(arguments: HeadCase.accepted)
    func `A head does not depend on the bytes after it`(row: HeadCase) {
        let whole = parsed(row.bytes).1
        for rest in ["\0", "\r\n", "\n", " ", "X: y\r\n\r\n", requestHead("GET / HTTP/1.1")] {
            let (outcome, head) = parsed(row.bytes + rest.latin1)
            #expect(outcome == .complete && head.account == whole.account)
        }
    }

    @Test(arguments: HeadCase.refused)
    func `A refused head stays refused for the same reason`(row: HeadCase) {
        var isRefused = false
        for count in 0...row.bytes.count {
            let outcome = parsed(Array(row.bytes[..<count])).0
            guard outcome != .complete, !isRefused || outcome == row.outcome else {
                Issue.record("\(outcome) after \(count) bytes")
                return
            }
            isRefused = isRefused || outcome == row.outcome
        }
        #expect(isRefused)
        for rest in ["\0", "\r\n\r\n", "\n\n", " ", "chunked\r\n\r\n", requestHead("GET / HTTP/1.1")] {
            #expect(parsed(row.bytes + rest.latin1).0 == row.outcome)
        }
    }
}
