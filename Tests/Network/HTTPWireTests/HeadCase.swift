import HTTPWire
import Testing

/// One row of the tables: a message, what must become of it, and why.
struct HeadCase: CustomTestStringConvertible, Sendable {
    var phrase: String
    var bytes: [UInt8]
    var outcome: RequestHeadParser.Outcome

    var testDescription: String { phrase }

    var isAccepted: Bool { outcome == .complete }

    init(_ outcome: RequestHeadParser.Outcome, _ phrase: String, _ text: String) {
        self.phrase = phrase
        self.outcome = outcome
        bytes = text.latin1
    }

    static func good(_ phrase: String, _ text: String) -> HeadCase { HeadCase(.complete, phrase, text) }

    static func bad(_ malformation: Malformation, _ phrase: String, _ text: String) -> HeadCase {
        HeadCase(.refused(.malformed(malformation)), phrase, text)
    }

    static func bad(_ refusal: Refusal, _ phrase: String, _ text: String) -> HeadCase {
        HeadCase(.refused(refusal), phrase, text)
    }

    /// Every table there is.
    static let all = requestLines + targets + hosts + fields + framing

    static let accepted = all.filter(\.isAccepted)
    static let refused = all.filter { !$0.isAccepted }
}

extension String {
    /// One byte for each scalar up to U+00FF, so that tables can hold bytes that are not UTF-8.
    var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    /// The part of a message at these positions.
    func slice(_ range: Range<Int>) -> String { String(decoding: latin1[range], as: UTF8.self) }
}

/// A request whose first line is `line`.
func requestHead(_ line: String) -> String { line + "\r\nHost: x\r\n\r\n" }

/// A request with a Host and these lines.
func requestHead(with lines: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n\r\n" }

/// A request that may have a body, with a Host and these lines.
func post(_ lines: String) -> String { "POST / HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n\r\n" }

func parsed(_ bytes: [UInt8], _ limits: HeadLimits = HeadLimits()) -> (RequestHeadParser.Outcome, RequestHead) {
    var head = RequestHead()
    let outcome = RequestHeadParser.parse(bytes.span, into: &head, limits: limits)
    return (outcome, head)
}

/// The head of a message that has to be accepted.
func head(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> RequestHead {
    let (outcome, head) = parsed(text.latin1)
    #expect(outcome == .complete, sourceLocation: sourceLocation)
    return head
}

extension RequestHead {
    /// Everything a head says, for comparing.
    var account: [String] {
        [
            "\(method) \(methodName)", "\(targetForm) \(path) \(String(describing: query)) \(pathIsEncoded)",
            "\(minorVersion) \(framing) \(keepsAlive) \(expectsContinue) \(byteCount)",
        ] + fields.map { "\($0.name) \($0.value) \(String(describing: $0.known))" }
    }

    func isSame(as other: RequestHead) -> Bool {
        method == other.method && methodName == other.methodName && targetForm == other.targetForm
            && path == other.path && query == other.query && pathIsEncoded == other.pathIsEncoded
            && minorVersion == other.minorVersion && framing == other.framing && keepsAlive == other.keepsAlive
            && expectsContinue == other.expectsContinue && byteCount == other.byteCount
            && fields.elementsEqual(other.fields) {
                $0.name == $1.name && $0.value == $1.value && $0.known == $1.known
            }
    }
}

extension HeadCase {
    static let requestLines: [HeadCase] = [
        .good("the plainest request", requestHead("GET / HTTP/1.1")),
        .good("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n"),
        .good("HTTP/1.0 with Host", requestHead("GET / HTTP/1.0")),
        .good("a later minor version is read as 1.1", requestHead("GET / HTTP/1.2")),
        .good("the latest minor version", requestHead("GET / HTTP/1.9")),
        .good("an unknown method", requestHead("BREW /pot HTTP/1.1")),
        .good("a lower-case method is another method", requestHead("get / HTTP/1.1")),
        .good("a method of every token character", requestHead("!#$%&'*+-.^_`|~09azAZ / HTTP/1.1")),
        .good("one empty line first", "\r\n" + requestHead("GET / HTTP/1.1")),
        .good("several empty lines first", "\r\n\r\n\r\n" + requestHead("GET / HTTP/1.1")),
        .good("no field but Host, no space after its colon", "GET / HTTP/1.1\r\nHost:x\r\n\r\n"),

        .bad(.bareLineFeed, "an empty line that is a line feed", "\n" + requestHead("GET / HTTP/1.1")),
        .bad(.bareCarriageReturn, "an empty line that is a carriage return", "\r" + requestHead("GET / HTTP/1.1")),
        .bad(.bareCarriageReturn, "two carriage returns first", "\r\r\n" + requestHead("GET / HTTP/1.1")),
        .bad(.bareLineFeed, "a request line that ends in a line feed", "GET / HTTP/1.1\nHost: x\r\n\r\n"),
        .bad(.bareLineFeed, "every line ends in a line feed", "GET / HTTP/1.1\nHost: x\n\n"),
        .bad(.bareCarriageReturn, "a request line that ends in a carriage return", "GET / HTTP/1.1\rHost: x\r\n\r\n"),
        .bad(.bareCarriageReturn, "two carriage returns after the version", "GET / HTTP/1.1\r\r\nHost: x\r\n\r\n"),
        .bad(.requestLine, "HTTP/0.9", "GET /\r\n\r\n"),
        .bad(.requestLine, "HTTP/0.9 with a space", "GET \r\n\r\n"),
        .bad(.requestLine, "a method alone", "GET\r\n\r\n"),
        .bad(.bareLineFeed, "a method and a line feed", "GET\n\n"),
        .bad(.bareLineFeed, "HTTP/0.9 with a line feed", "GET /\n"),
        .bad(.requestLine, "no version after the space", "GET / \r\nHost: x\r\n\r\n"),
        .bad(.bareLineFeed, "a line feed where the version was due", "GET / \nHost: x\r\n\r\n"),
        .bad(.requestLine, "two spaces before the target", requestHead("GET  / HTTP/1.1")),
        .bad(.version, "two spaces before the version", requestHead("GET /  HTTP/1.1")),
        .bad(.version, "a space after the version", requestHead("GET / HTTP/1.1 ")),
        .bad(.version, "a tab after the version", requestHead("GET / HTTP/1.1\t")),
        .bad(.method, "a space before the method", requestHead(" GET / HTTP/1.1")),
        .bad(.method, "a tab before the method", requestHead("\tGET / HTTP/1.1")),
        .bad(.method, "tabs between the parts", requestHead("GET\t/\tHTTP/1.1")),
        .bad(.target, "a tab after the target", requestHead("GET /\tHTTP/1.1")),
        .bad(.target, "a vertical tab in the target", requestHead("GET /\u{0B} HTTP/1.1")),
        .bad(.target, "a form feed in the target", requestHead("GET /\u{0C} HTTP/1.1")),
        .bad(.method, "NUL in the method", requestHead("G\0ET / HTTP/1.1")),
        .bad(.method, "a colon in the method", requestHead("GET: / HTTP/1.1")),
        .bad(.method, "brackets in the method", requestHead("G[E]T / HTTP/1.1")),
        .bad(.method, "a quote in the method", requestHead("\"GET\" / HTTP/1.1")),
        .bad(.method, "a slash in the method", requestHead("GET/ / HTTP/1.1")),
        .bad(.method, "DEL in the method", requestHead("GET\u{7F} / HTTP/1.1")),
        .bad(.method, "a byte over 0x7F in the method", requestHead("GET\u{A0} / HTTP/1.1")),
        .bad(.method, "a TLS greeting", "\u{16}\u{03}\u{01}\u{02}\0\u{01}\0\u{01}\u{FC}\u{03}\u{03}"),
        .bad(.method, "an answer instead of a request", "HTTP/1.1 200 OK\r\n\r\n"),
        .bad(.targetForm, "HTTP/2's opening with another version", requestHead("PRI * HTTP/1.1")),
        .bad(.targetForm, "HTTP/2's opening with HTTP/1.0", "PRI * HTTP/1.0\r\n\r\n"),
        .bad(.targetForm, "a path of HTTP/2's method", requestHead("PRI *x HTTP/2.0")),
        .bad(.unsupportedVersion, "HTTP/2's opening", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        .bad(.unsupportedVersion, "version 2.0", requestHead("GET / HTTP/2.0")),
        .bad(.unsupportedVersion, "version 3.0", requestHead("GET / HTTP/3.0")),
        .bad(.unsupportedVersion, "version 0.9 spelled out", requestHead("GET / HTTP/0.9")),
        .bad(.unsupportedVersion, "version 9.9", requestHead("GET / HTTP/9.9")),
        .bad(.version, "a version in lower case", requestHead("GET / http/1.1")),
        .bad(.version, "a version in mixed case", requestHead("GET / HtTP/1.1")),
        .bad(.version, "another protocol", requestHead("GET / HTTQ/1.1")),
        .bad(.version, "a short protocol", requestHead("GET / HTT/1.1")),
        .bad(.version, "a protocol with S", requestHead("GET / HTTPS/1.1")),
        .bad(.version, "a version without slash", requestHead("GET / HTTP1.1")),
        .bad(.version, "a version without minor", requestHead("GET / HTTP/1")),
        .bad(.version, "a version without digit after the dot", requestHead("GET / HTTP/1.")),
        .bad(.version, "a version without major", requestHead("GET / HTTP/.1")),
        .bad(.version, "a version with a comma", requestHead("GET / HTTP/1,1")),
        .bad(.version, "a version with two minor digits", requestHead("GET / HTTP/1.10")),
        .bad(.version, "a version with a leading zero", requestHead("GET / HTTP/01.1")),
        .bad(.version, "a version with two major digits", requestHead("GET / HTTP/11.1")),
        .bad(.version, "a version with a sign", requestHead("GET / HTTP/+1.1")),
        .bad(.version, "a version with a letter", requestHead("GET / HTTP/1.x")),
        .bad(.version, "a version with a space inside", requestHead("GET / HTTP/ 1.1")),
        .bad(.version, "a version with NUL at its end", requestHead("GET / HTTP/1.1\0")),
        .bad(.version, "a fourth word", requestHead("GET / HTTP/1.1 HTTP/1.1")),
        .bad(.version, "an unencoded space in the path", requestHead("GET /a b HTTP/1.1")),
    ]
}

extension HeadCase {
    static let targets: [HeadCase] = [
        .good("a path with a query", requestHead("GET /a/b?c=d&e HTTP/1.1")),
        .good("an empty query", requestHead("GET /? HTTP/1.1")),
        .good("question marks and slashes in a query", requestHead("GET /a?b?c/../d HTTP/1.1")),
        .good("every character a path may have", requestHead("GET /azAZ09-._~!$&'()*+,;=:@%20/|[] HTTP/1.1")),
        .good("what browsers leave in a query", requestHead("GET /?{}^`|[] HTTP/1.1")),
        .good("slashes side by side", requestHead("GET //a///b HTTP/1.1")),
        .good("three dots are a name", requestHead("GET /.../a HTTP/1.1")),
        .good("a hidden name", requestHead("GET /.well-known/x HTTP/1.1")),
        .good("two dots at a name's end", requestHead("GET /a../b HTTP/1.1")),
        .good("two dots at a name's start", requestHead("GET /..a HTTP/1.1")),
        .good("an encoded dot segment is the decoder's to refuse", requestHead("GET /%2e%2e/a HTTP/1.1")),
        .good("an absolute target", requestHead("GET http://example.com/a?b HTTP/1.1")),
        .good("an absolute target with port", requestHead("GET http://example.com:8080/a HTTP/1.1")),
        .good("an absolute target without path", requestHead("GET http://example.com HTTP/1.1")),
        .good("an absolute target with query and no path", requestHead("GET http://example.com?a HTTP/1.1")),
        .good("an absolute target in any case", requestHead("GET HtTpS://example.com/ HTTP/1.1")),
        .good("an absolute target with an IPv6 address", requestHead("GET http://[::1]:80/ HTTP/1.1")),
        .good("OPTIONS with an asterisk", requestHead("OPTIONS * HTTP/1.1")),
        .good("OPTIONS with a path", requestHead("OPTIONS /a HTTP/1.1")),
        .good("CONNECT with an authority", requestHead("CONNECT example.com:443 HTTP/1.1")),
        .good("CONNECT with an address", requestHead("CONNECT [::1]:443 HTTP/1.1")),

        .bad(.targetForm, "a target without slash", requestHead("GET a HTTP/1.1")),
        .bad(.targetForm, "an asterisk with GET", requestHead("GET * HTTP/1.1")),
        .bad(.targetForm, "an asterisk with CONNECT", requestHead("CONNECT * HTTP/1.1")),
        .bad(.targetForm, "more than an asterisk", requestHead("OPTIONS ** HTTP/1.1")),
        .bad(.targetForm, "an asterisk with a path", requestHead("OPTIONS */a HTTP/1.1")),
        .bad(.targetForm, "CONNECT with a path", requestHead("CONNECT /a HTTP/1.1")),
        .bad(.targetAuthority, "CONNECT without port", requestHead("CONNECT example.com HTTP/1.1")),
        .bad(.targetAuthority, "CONNECT with an empty port", requestHead("CONNECT example.com: HTTP/1.1")),
        .bad(.targetAuthority, "CONNECT with a URL", requestHead("CONNECT http://example.com:80/ HTTP/1.1")),
        .bad(.targetForm, "an authority with GET", requestHead("GET example.com:80 HTTP/1.1")),
        .bad(.targetForm, "another scheme", requestHead("GET ftp://example.com/ HTTP/1.1")),
        .bad(.targetForm, "a scheme alone", requestHead("GET http: HTTP/1.1")),
        .bad(.targetForm, "a scheme with one slash", requestHead("GET http:/example.com/ HTTP/1.1")),
        .bad(.targetForm, "a file URL", requestHead("GET file:///etc/passwd HTTP/1.1")),
        .bad(.targetForm, "no scheme before the colon", requestHead("GET ://example.com/ HTTP/1.1")),
        .bad(.targetAuthority, "no host", requestHead("GET http:/// HTTP/1.1")),
        .bad(.targetAuthority, "no host but a port", requestHead("GET http://:80/ HTTP/1.1")),
        .bad(.targetAuthority, "user information", requestHead("GET http://a:b@example.com/ HTTP/1.1")),
        .bad(.targetAuthority, "a port that is not a number", requestHead("GET http://example.com:x/ HTTP/1.1")),
        .bad(.targetAuthority, "a port past the last", requestHead("GET http://example.com:65536/ HTTP/1.1")),
        .bad(.targetAuthority, "an open bracket", requestHead("GET http://[::1/ HTTP/1.1")),
        .bad(.target, "a query where the scheme was due", requestHead("GET ?a HTTP/1.1")),
        .bad(.target, "a fragment", requestHead("GET /a#b HTTP/1.1")),
        .bad(.target, "a fragment in the query", requestHead("GET /a?b#c HTTP/1.1")),
        .bad(.target, "a fragment after the authority", requestHead("GET http://example.com#a HTTP/1.1")),
        .bad(.target, "a backslash", requestHead("GET /a\\b HTTP/1.1")),
        .bad(.target, "a backslash in the query", requestHead("GET /a?b\\c HTTP/1.1")),
        .bad(.target, "a backslash first", requestHead("GET \\a HTTP/1.1")),
        .bad(.target, "NUL in the path", requestHead("GET /a\0b HTTP/1.1")),
        .bad(.target, "NUL in the query", requestHead("GET /?a\0b HTTP/1.1")),
        .bad(.target, "DEL in the path", requestHead("GET /a\u{7F} HTTP/1.1")),
        .bad(.target, "a byte over 0x7F in the path", requestHead("GET /\u{C3}\u{A9} HTTP/1.1")),
        .bad(.target, "a byte over 0x7F in the query", requestHead("GET /?\u{E9} HTTP/1.1")),
        .bad(.target, "a quote in the path", requestHead("GET /\"a\" HTTP/1.1")),
        .bad(.target, "angle brackets in the path", requestHead("GET /<a> HTTP/1.1")),
        .bad(.target, "braces in the path", requestHead("GET /{a} HTTP/1.1")),
        .bad(.target, "a back-tick in the path", requestHead("GET /`a` HTTP/1.1")),
        .bad(.bareLineFeed, "a line feed in the path", requestHead("GET /a\nb HTTP/1.1")),
        .bad(.requestLine, "a line end in the query", requestHead("GET /?a\r\nb HTTP/1.1")),
        .bad(.dotSegment, "a dot segment", requestHead("GET /./a HTTP/1.1")),
        .bad(.dotSegment, "a double dot segment", requestHead("GET /../a HTTP/1.1")),
        .bad(.dotSegment, "a dot segment at the end", requestHead("GET /a/. HTTP/1.1")),
        .bad(.dotSegment, "a double dot segment at the end", requestHead("GET /a/.. HTTP/1.1")),
        .bad(.dotSegment, "a double dot segment before the query", requestHead("GET /a/..?b HTTP/1.1")),
        .bad(.dotSegment, "a double dot segment after an authority", requestHead("GET http://x/../a HTTP/1.1")),
        .bad(.dotSegment, "a double dot segment after empty ones", requestHead("GET ///../a HTTP/1.1")),
    ]

    static let hosts: [HeadCase] =
        [
            "x", "example.com", "EXAMPLE.com:80", "example.com:", "127.0.0.1:65535", "[::1]", "[::1]:8080",
            "[::ffff:127.0.0.1]:80", "a_b.example", "xn--nxasmq6b", "a%20b", "!$&'()*+;=~", "-", "1", "x:00080",
            "[::]", "[1::]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]", "[1::8]", "[::FFFF:1.2.3.255]",

            "[1:2:3:4:5:6:1.2.3.4]",
        ].map { .good("the host \($0)", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
        + [
            "", ":80", "a b", "a,b", "a/b", "a?b", "a#b", "a@b", "user@example.com", "http://example.com",
            "x:80:80", "x:-1", "x:+80", "x:65536", "x:99999999999999999999", "x:8 0", "x:80a", "x\\y", "x\"y\"",
            "<x>", "a|b", "a^b", "a`b", "{x}", "%", "%2", "%zz", "x%0", "[", "[]", "[::1", "::1", "[::1]x", "[::1]80",
            "[1]", "[::g]", "[fe80::1%25eth0]", "[v1.a]", "]", "x]", "x\u{E9}", "\u{A0}x", "x\u{85}",
            "[:]", "[:::]", "[1:2]", "[1::2::3]", "[12345::]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]",

            "[1:2:3:4:5:6:7:]",
            "[:1:2:3:4:5:6:7]", "[::1.2.3]", "[::1.2.3.4.5]", "[::256.1.1.1]", "[::01.2.3.4]", "[::1.2.3.]",

            "[1.2.3.4]",
            "[::1.2.3.4:5]", "[1:2:3:4:5:6:7:1.2.3.4]", "[::a.2.3.4]",
        ].map { .bad(.host, "the host \($0.debugDescription)", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
        + [
            .bad(.missingHost, "no host in HTTP/1.1", "GET / HTTP/1.1\r\n\r\n"),
            .bad(.missingHost, "no host beside an absolute target", "GET http://x/ HTTP/1.1\r\n\r\n"),
            .bad(.missingHost, "a name that only starts like Host", "GET / HTTP/1.1\r\nHosts: x\r\n\r\n"),
            .bad(.repeatedField, "two hosts", requestHead(with: "Host: y")),
            .bad(.repeatedField, "the same host twice", requestHead(with: "hOST: x")),
            .bad(.repeatedField, "two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n"),
            .bad(.host, "a wrong host in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n"),
        ]
}

extension HeadCase {
    static let fields: [HeadCase] = [
        .good("an empty value", requestHead(with: "X:")),
        .good("a value of spaces", requestHead(with: "X: \t  ")),
        .good("tabs around and in a value", requestHead(with: "X:\t a\tb \t")),
        .good("bytes over 0x7F in a value", requestHead(with: "X: \u{80}\u{A0}\u{C3}\u{A9}\u{FF}")),
        .good("a name of every token character", requestHead(with: "!#$%&'*+-.^_`|~09azAZ: x")),
        .good("a value with colons, commas and quotes", requestHead(with: "X: a:b, \"c\\\"d\", (e)")),
        .good("an unknown field twice", requestHead(with: "X: 1\r\nX: 2")),
        .good("If-None-Match on two lines", requestHead(with: "If-None-Match: \"a\"\r\nIf-None-Match: \"b\"")),
        .good("Accept on two lines", requestHead(with: "Accept: a/b\r\nAccept: c/d")),
        .good(
            "long values",
            requestHead(with: "X: \(String(repeating: "v", count: 300))\r\nY: \(String(repeating: "\t", count: 99))")),
        .good("a client that will wait", post("Content-Length: 3\r\nExpect: 100-continue")),
        .good("a client that will wait, in capitals", post("Content-Length: 3\r\nExpect: 100-CONTINUE")),
        .good("an expectation that HTTP/1.0 does not have", "GET / HTTP/1.0\r\nExpect: miracles\r\n\r\n"),

        .bad(.fieldName, "a space before the colon", requestHead(with: "X : y")),
        .bad(.fieldName, "a tab before the colon", requestHead(with: "X\t: y")),
        .bad(.fieldName, "a space in the name", requestHead(with: "X Y: z")),
        .bad(.fieldName, "no colon", requestHead(with: "X")),
        .bad(.fieldName, "no name", requestHead(with: ": x")),
        .bad(.fieldName, "NUL in the name", requestHead(with: "X\0Y: z")),
        .bad(.fieldName, "DEL in the name", requestHead(with: "X\u{7F}: z")),
        .bad(.fieldName, "a quote in the name", requestHead(with: "\"X\": z")),
        .bad(.fieldName, "a slash in the name", requestHead(with: "X/Y: z")),
        .bad(.fieldName, "parentheses in the name", requestHead(with: "X(Y): z")),
        .bad(.fieldName, "an at sign in the name", requestHead(with: "X@Y: z")),
        .bad(.fieldName, "brackets in a name of many letters", requestHead(with: "Abcdefghij[k]: z")),
        .bad(.fieldName, "a back-slash in a name of many letters", requestHead(with: "Abcdefghijklmnop\\: z")),
        .bad(.fieldName, "a byte over 0x7F in the name", requestHead(with: "X\u{E9}: z")),
        .bad(.fieldName, "a byte over 0x7F that folds to a letter", requestHead(with: "Host\u{E1}: z")),
        .bad(.fieldName, "NUL first", requestHead(with: "\0X: z")),
        .bad(.fieldName, "a vertical tab before the name", requestHead(with: "\u{0B}X: z")),
        .bad(.fieldName, "a carriage return in the name", requestHead(with: "X\rY: z")),
        .bad(.fieldName, "a line without colon that ends", requestHead(with: "GET / HTTP/1.1")),
        .bad(.bareLineFeed, "a line feed in the name", requestHead(with: "X\nY: z")),
        .bad(.fieldValue, "NUL in the value", requestHead(with: "X: a\0b")),
        .bad(.fieldValue, "DEL in the value", requestHead(with: "X: a\u{7F}b")),
        .bad(.fieldValue, "a vertical tab in the value", requestHead(with: "X: \u{0B}b")),
        .bad(.fieldValue, "a form feed in the value", requestHead(with: "X: a\u{0C}")),
        .bad(.fieldValue, "escape in the value", requestHead(with: "X: \u{1B}[0m")),
        .bad(
            .fieldValue, "a control character far into a value", requestHead(with: "X: 0123456789abcdef01234\u{01}6789")
        ),
        .bad(.fieldValue, "DEL after tabs", requestHead(with: "X: \t\t\t\t\t\t\t\t\t\u{7F}")),
        .bad(.bareCarriageReturn, "a carriage return in the value", requestHead(with: "X: a\rb")),
        .bad(.bareCarriageReturn, "a carriage return and a space", requestHead(with: "X: a\r b")),
        .bad(.bareCarriageReturn, "two carriage returns at the end", requestHead(with: "X: a\r")),
        .bad(.bareLineFeed, "a line feed in the value", requestHead(with: "X: a\nY: b")),
        .bad(.bareLineFeed, "a line feed right after the colon", requestHead(with: "X:\nY: b")),
        .bad(.bareLineFeed, "an empty line that is a line feed", "GET / HTTP/1.1\r\nHost: x\r\n\n"),
        .bad(.bareCarriageReturn, "an empty line that is a carriage return", "GET / HTTP/1.1\r\nHost: x\r\n\rX"),
        .bad(.foldedLine, "a folded line", requestHead(with: "X: a\r\n b")),
        .bad(.foldedLine, "a line folded with a tab", requestHead(with: "X: a\r\n\tb")),
        .bad(.foldedLine, "a folded line with nothing on it", requestHead(with: "X: a\r\n ")),
        .bad(.foldedLine, "a folded first line", "GET / HTTP/1.1\r\n Host: x\r\n\r\n"),
        .bad(.foldedLine, "a folded Content-Length", post("Content-Length:\r\n 5")),
        .bad(.foldedLine, "a folded Transfer-Encoding", post("Transfer-Encoding:\r\n chunked")),
        .bad(.repeatedField, "two authorizations", requestHead(with: "Authorization: a\r\nAuthorization: a")),
        .bad(.repeatedField, "two content types", post("Content-Type: a/b\r\nContent-Type: a/b")),
        .bad(.repeatedField, "two ranges", requestHead(with: "Range: bytes=0-1\r\nRange: bytes=2-3")),
        .bad(.repeatedField, "two If-Range", requestHead(with: "If-Range: \"a\"\r\nIf-Range: \"a\"")),
        .bad(.unsupportedExpectation, "another expectation", post("Content-Length: 1\r\nExpect: 200-ok")),
        .bad(.unsupportedExpectation, "an empty expectation", post("Content-Length: 1\r\nExpect:")),
        .bad(.unsupportedExpectation, "two expectations", post("Content-Length: 1\r\nExpect: 100-continue, x")),
        .bad(
            .unsupportedExpectation, "two expectations on two lines",
            post("Content-Length: 1\r\nExpect: 100-continue\r\nExpect: x")),
    ]
}

extension HeadCase {
    static let framing: [HeadCase] = lengths + codings + contradictions

    private static let lengths: [HeadCase] =
        ["0", "5", " \t5 \t", "00005", "9223372036854775807"]
        .map { .good("the length \($0.debugDescription)", post("Content-Length: \($0)")) }
        + [
            "", " ", "+5", "-5", "-0", "0x5", "5x", "5_0", "5 5", "5,5", "5, 5", "5,6", ",5", "5,", "5;", "5.0", "5e1",
            "1e1", "0b1", "0o7", "five", "\"5\"", "5\u{A0}", "\u{A0}5", "5\u{85}", "\u{85}5", "\u{B2}",
            "\u{D9}\u{A5}", "9223372036854775808", "18446744073709551616", "18446744073709551621",
            "99999999999999999999999999999999999999", "5 chunked", "5\t5", "0x", "0 5", "+0",
        ].map { .bad(.contentLength, "the length \($0.debugDescription)", post("Content-Length: \($0)")) }
        + [
            .bad(.fieldValue, "a length after a vertical tab", post("Content-Length: \u{0B}5")),
            .bad(.fieldValue, "a length before a form feed", post("Content-Length: 5\u{0C}")),
            .bad(.fieldValue, "a length with NUL", post("Content-Length: 5\0")),
            .bad(.bareCarriageReturn, "a length with a carriage return", post("Content-Length: 5\r5")),
            .bad(.fieldName, "a length with a space before the colon", post("Content-Length : 5")),
            .bad(.foldedLine, "a length on a folded line", post("X: y\r\n Content-Length: 5")),
            .bad(.repeatedField, "a length twice", post("Content-Length: 5\r\nContent-Length: 5")),
            .bad(.repeatedField, "two lengths", post("Content-Length: 5\r\nContent-Length: 6")),
            .bad(.repeatedField, "two spellings of a length", post("Content-Length: 5\r\ncontent-length: 05")),
            .bad(.repeatedField, "a length and an empty one", post("Content-Length: 5\r\nContent-Length:")),
            .bad(.contentLength, "a wrong length with GET", requestHead(with: "Content-Length: -1")),
            .bad(.contentLength, "a wrong length in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: +5\r\n\r\n"),
        ]

    private static let codings: [HeadCase] =
        ["chunked", "CHUNKED", "cHuNkEd", "\t chunked \t"]
        .map { .good("the coding \($0.debugDescription)", post("Transfer-Encoding: \($0)")) }
        + [
            "", " ", ",", ",chunked", "chunked,", "chunked, ", " , chunked", "chunked,,", "chunked,chunked",
            "chunked, chunked", "chunked,identity", "chunked, gzip", "chunked, gzip, chunked", "chunked;q=1",
            "chunked;", "chunked ;a=b", "\"chunked\"", "'chunked' x", "chunked chunked", "chunked\tchunked", "ch unked",
            "chunked\u{A0}", "\u{A0}chunked", "chunked\u{85}", "\u{85}chunked", "chunked\u{FF}", "chunked/1",
            "=chunked",
            "(chunked)", "chunked=", "chunked:", "[chunked]", "gzip;q=1, chunked", "a b, chunked", "\"a, chunked",
            "chunk\u{E9}d", "{chunked}", "chunked\\", "gzip, ", "chunked, identity, ",
        ].map { .bad(.transferCoding, "the coding \($0.debugDescription)", post("Transfer-Encoding: \($0)")) }
        + [
            "identity", "xchunked", "chunkedx", "x-chunked", "gzip", "deflate", "gzip, deflate", "gzip, chunked",
            "identity, chunked", "identity,chunked", "chunke", "chunked-", "cow", "'chunked'", "compress, chunked",
        ].map {
            .bad(.unsupportedTransferCoding, "the coding \($0.debugDescription)", post("Transfer-Encoding: \($0)"))
        }
        + [
            .bad(.fieldValue, "a coding after a vertical tab", post("Transfer-Encoding: \u{0B}chunked")),
            .bad(.fieldValue, "a coding before a vertical tab", post("Transfer-Encoding: chunked\u{0B}")),
            .bad(.fieldValue, "a coding with NUL", post("Transfer-Encoding: chunked\0")),
            .bad(.fieldValue, "a coding after a form feed", post("Transfer-Encoding:\u{0C}chunked")),
            .bad(.bareCarriageReturn, "a coding before a carriage return", post("Transfer-Encoding: chunked\r")),
            .bad(.bareLineFeed, "a coding before a line feed", post("Transfer-Encoding: chunked\nX: y")),
            .bad(.bareLineFeed, "a coding after a line feed", post("Transfer-Encoding:\nchunked")),
            .bad(.fieldName, "a coding with a space before the colon", post("Transfer-Encoding : chunked")),
            .bad(.fieldName, "a coding with a tab before the colon", post("Transfer-Encoding\t: chunked")),
            .bad(.fieldName, "a coding with NUL before the colon", post("Transfer-Encoding\0: chunked")),
            .bad(.fieldName, "a coding without colon", post("Transfer-Encoding chunked")),
            .bad(.foldedLine, "a coding on a folded line", post("X: y\r\n Transfer-Encoding: chunked")),
            .bad(
                .transferCoding, "chunked on two lines",
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")),
            .bad(
                .transferCoding, "chunked before another line",
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity")),
            .bad(
                .unsupportedTransferCoding, "another line before chunked",
                post("Transfer-Encoding: x\r\nTransfer-Encoding: chunked")),
            .bad(
                .transferCoding, "an empty line before chunked",
                post("Transfer-Encoding:\r\nTransfer-Encoding: chunked")),
            .bad(.transferCoding, "a wrong coding with GET", requestHead(with: "Transfer-Encoding: chunked, x")),
        ]

    private static let contradictions: [HeadCase] = [
        .good("a name that only looks like one", post("Content_Length: 5\r\nTransfer_Encoding: chunked")),
        .good("a coding inside another value", post("X: Transfer-Encoding: chunked\r\nContent-Length: 1")),
        .good("a body with GET", requestHead(with: "Content-Length: 5")),
        .good("chunks with DELETE", "DELETE / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .good("a length in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n"),

        .bad(.lengthAndCoding, "a length before a coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked")),
        .bad(.lengthAndCoding, "a coding before a length", post("Transfer-Encoding: chunked\r\nContent-Length: 5")),
        .bad(.lengthAndCoding, "a zero length and a coding", post("Content-Length: 0\r\nTransfer-Encoding: chunked")),
        .bad(.lengthAndCoding, "an empty length and a coding", post("Content-Length:\r\nTransfer-Encoding: chunked")),
        .bad(.lengthAndCoding, "a length and an empty coding", post("Content-Length: 5\r\nTransfer-Encoding:")),
        .bad(.lengthAndCoding, "a length and an unknown coding", post("Content-Length: 5\r\nTransfer-Encoding: x")),
        .bad(.lengthAndCoding, "a length and identity", post("Content-Length: 5\r\nTransfer-Encoding: identity")),
        .bad(.lengthAndCoding, "names in odd case", post("cONTENT-lENGTH: 5\r\ntRANSFER-eNCODING: chunked")),
        .bad(
            .lengthAndCoding, "both in HTTP/1.0",
            "POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .bad(.codingInOldVersion, "a coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .bad(
            .codingInOldVersion, "an unknown coding in HTTP/1.0",
            "POST / HTTP/1.0\r\nTransfer-Encoding: identity\r\n\r\n"),
        .bad(
            .codingInOldVersion, "a coding in HTTP/1.0 with keep-alive",
            "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ]
}
