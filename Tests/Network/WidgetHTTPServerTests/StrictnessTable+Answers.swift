/// Pipelines, expectations, conditions, ranges, negotiation, and clients that stop in the middle.
extension StrictnessTable {
    private static func repeated(_ count: Int) -> [Int] { Array(repeating: 200, count: count) }

    static let pipelines: [StrictnessRow] = [
        .init("two requests in one piece", get("/letters") + get("/letters"), .answered([200, 200])),
        .init("fifty requests in one piece", String(repeating: get("/letters"), count: 50), .answered(repeated(50))),
        .init(
            "fifty requests with bodies in one piece",
            String(repeating: echo("Content-Length: 3\r\n", "abc"), count: 50), .answered(repeated(50)), body: "abc"),
        .init(
            "fifty requests answered later in one piece", (0..<50).map { get("/later/\($0)") }.joined(),
            .answered(repeated(50)), body: "49"),
        .init(
            "early, late and streamed answers in one piece",
            get("/letters") + get("/later/x") + get("/counted") + chunked("1\r\na\r\n0\r\n\r\n") + get("/nowhere")
                + get("/file"), .answered([200, 200, 200, 200, 404, 200])),
        .init(
            "a request behind one that closes", get("/livez", "Connection: close\r\n") + get("/livez"), .closes([200])),
        .init(
            "requests before and behind an error", get("/livez") + get("/livez") + "BAD\r\n\r\n" + get("/livez"),
            .closes([200, 200, 400])),
        .init(
            "an error behind one answered later", get("/later/x") + "BAD\r\n\r\n" + get("/livez"), .closes([200, 400])),
        .init(
            "an error behind a stream", get("/counted") + "GET / HTTP/3.0\r\n\r\n" + get("/livez"), .closes([200, 505])),
        .init("an error behind a file", get("/file") + "\0" + get("/livez"), .closes([200, 400])),
        .init(
            "a malformed body between requests", get("/livez") + chunked("z\r\n") + get("/livez"), .closes([200, 400])),
        .init("two errors", "BAD\r\n\r\nBAD\r\n\r\n", .refused(400)),
        .init(
            "an error and fifty requests", "BAD\r\n\r\n" + String(repeating: get("/livez"), count: 50), .refused(400)),
        .init(
            "an answer too large for the window between others", get("/letters") + get("/large") + get("/letters"),
            .answered([200, 200, 200])),
    ]

    static let expectations: [StrictnessRow] = [
        .init("an unknown expectation", echo("Expect: miracles\r\nContent-Length: 3\r\n", "abc"), .refused(417)),
        .init("an empty expectation", echo("Expect:\r\nContent-Length: 3\r\n", "abc"), .refused(417)),
        .init(
            "two expectations, one unknown", echo("Expect: 100-continue\r\nExpect: x\r\nContent-Length: 3\r\n", "abc"),
            .refused(417)),
        .init(
            "an expectation with a parameter", echo("Expect: 100-continue; x=y\r\nContent-Length: 3\r\n", "abc"),
            .refused(417)),
        .init(
            "an expectation of what is too large",
            request("PUT /small HTTP/1.1", "Expect: 100-continue\r\nContent-Length: 17\r\n"), .refused(413)),
        .init(
            "an expectation to nowhere",
            request("POST /nowhere HTTP/1.1", "Expect: 100-continue\r\nContent-Length: 3\r\n"), .refused(404)),
        .init(
            "an expectation of a wrong method",
            request("POST /livez HTTP/1.1", "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n"), .refused(405)),
        .init(
            "an expectation of a type that is not taken",
            request("POST /typed HTTP/1.1", "Expect: 100-continue\r\nContent-Type: text/html\r\nContent-Length: 3\r\n"),
            .refused(415)),
        .init(
            "an expectation with the body at once", echo("Expect: 100-continue\r\nContent-Length: 3\r\n", "abc"),
            .answered([200]), body: "abc"),
        .init(
            "an expectation in other letters", echo("expect: 100-Continue\r\nContent-Length: 3\r\n", "abc"),
            .answered([200]), body: "abc"),
        .init("an expectation without a body", get("/livez", "Expect: 100-continue\r\n"), .answered([200])),
        .init(
            "an expectation in HTTP/1.0", "POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
            .closes([200]), body: "abc"),
    ]

    static let conditions: [StrictnessRow] = [
        .init("an If-Match of another tag", get("/letters", "If-Match: \"other\"\r\n"), .answered([412])),
        .init("an If-Match of a weak tag", get("/letters", "If-Match: W/\"letters\"\r\n"), .answered([412])),
        .init(
            "an If-Match goes before an If-None-Match",
            get("/letters", "If-Match: \"other\"\r\nIf-None-Match: \"letters\"\r\n"), .answered([412])),
        .init(
            "an If-Unmodified-Since before the change",
            get("/letters", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT\r\n"), .answered([412])),
        .init(
            "an If-None-Match of the tag", get("/letters", "If-None-Match: \"letters\"\r\n"), .answered([304]),
            field: ("ETag", "\"letters\"")),
        .init("an If-None-Match of a weak tag", get("/letters", "If-None-Match: W/\"letters\"\r\n"), .answered([304])),
        .init("an If-None-Match of a list", get("/letters", "If-None-Match: \"a\", \"letters\"\r\n"), .answered([304])),
        .init(
            "an If-None-Match in two lines", get("/letters", "If-None-Match: \"a\"\r\nIf-None-Match: \"letters\"\r\n"),
            .answered([304])),
        .init("an If-None-Match of everything", get("/letters", "If-None-Match: *\r\n"), .answered([304])),
        .init(
            "an If-None-Match with HEAD", request("HEAD /letters HTTP/1.1", "If-None-Match: *\r\n"), .answered([304]),
            heads: [0]),
        .init(
            "an If-None-Match goes before a date",
            get("/letters", "If-None-Match: \"a\"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"),
            .answered([200])),
        .init(
            "an If-Modified-Since of the change",
            get("/letters", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"), .answered([304])),
        .init(
            "an If-Modified-Since in an obsolete form",
            get("/letters", "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT\r\n"), .answered([304])),
        .init(
            "an If-Modified-Since that is not a date", get("/letters", "If-Modified-Since: yesterday\r\n"),
            .answered([200])),
        .init("an If-Match of the tag", get("/letters", "If-Match: \"letters\"\r\n"), .answered([200])),
        .init(
            "a 304 between others", get("/letters") + get("/letters", "If-None-Match: *\r\n") + get("/letters"),
            .answered([200, 304, 200])),
        .init(
            "a condition before a range", get("/letters", "If-None-Match: *\r\nRange: bytes=0-1\r\n"), .answered([304])),
    ]

    static let ranges: [StrictnessRow] = [
        .init(
            "a range behind the end", get("/letters", "Range: bytes=26-\r\n"), .answered([416]),
            field: ("Content-Range", "bytes */26")),
        .init("a suffix of nothing", get("/letters", "Range: bytes=-0\r\n"), .answered([416])),
        .init("ranges all behind the end", get("/letters", "Range: bytes=30-40,50-60\r\n"), .answered([416])),
        .init("a range past 64 bits", get("/letters", "Range: bytes=18446744073709551616-\r\n"), .answered([416])),
        .init(
            "a range", get("/letters", "Range: bytes=0-2\r\n"), .answered([206]), body: "abc",
            field: ("Content-Range", "bytes 0-2/26")),
        .init("a range without an end", get("/letters", "Range: bytes=23-\r\n"), .answered([206]), body: "xyz"),
        .init("a suffix", get("/letters", "Range: bytes=-3\r\n"), .answered([206]), body: "xyz"),
        .init(
            "a suffix longer than everything", get("/letters", "Range: bytes=-100\r\n"), .answered([206]),
            field: ("Content-Length", "26")),
        .init(
            "a range with an end past 64 bits", get("/letters", "Range: bytes=25-99999999999999999999\r\n"),
            .answered([206]), body: "z"),
        .init("a range upside down", get("/letters", "Range: bytes=3-1\r\n"), .answered([200])),
        .init("a range of another unit", get("/letters", "Range: lines=0-1\r\n"), .answered([200])),
        .init("a range with a sign", get("/letters", "Range: bytes=+0-1\r\n"), .answered([200])),
        .init(
            "nine ranges", get("/letters", "Range: bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16\r\n"),
            .answered([200])),
        .init("ranges that overlap much", get("/letters", "Range: bytes=0-,0-,0-\r\n"), .answered([200])),
        .init(
            "a range with HEAD", request("HEAD /letters HTTP/1.1", "Range: bytes=0-2\r\n"), .answered([200]),
            heads: [0], field: ("Content-Length", "26")),
        .init(
            "a range with the right If-Range", get("/letters", "Range: bytes=0-2\r\nIf-Range: \"letters\"\r\n"),
            .answered([206]), body: "abc"),
        .init(
            "a range with the right date",
            get("/letters", "Range: bytes=0-2\r\nIf-Range: Sun, 06 Nov 1994 08:49:37 GMT\r\n"), .answered([206]),
            body: "abc"),
        .init(
            "a range with a wrong If-Range", get("/letters", "Range: bytes=0-2\r\nIf-Range: \"other\"\r\n"),
            .answered([200])),
        .init(
            "a range with a weak If-Range", get("/letters", "Range: bytes=0-2\r\nIf-Range: W/\"letters\"\r\n"),
            .answered([200])),
        .init(
            "a bare range of a mutable name", get("/mutable", "Range: bytes=0-2\r\n"), .answered([200]),
            field: ("Content-Length", "26")),
        .init(
            "a range of a mutable name with If-Range", get("/mutable", "Range: bytes=0-2\r\nIf-Range: \"letters\"\r\n"),
            .answered([206]), body: "abc"),
        .init("a range of a document without ranges", get("/twin", "Range: bytes=0-0\r\n"), .answered([200])),
        .init("a range of a file", get("/file", "Range: bytes=4194300-\r\n"), .answered([206]), body: "\0\0\0\0"),
    ]

    static let negotiation: [StrictnessRow] = [
        .init("an Accept of something else", get("/letters", "Accept: image/png\r\n"), .answered([406])),
        .init(
            "an Accept with the type ruled out", get("/letters", "Accept: text/plain;q=0, */*\r\n"), .answered([406])),
        .init(
            "a Content-Type that is not taken",
            request("POST /typed HTTP/1.1", "Content-Type: text/html\r\nContent-Length: 3\r\n") + "abc",
            .answered([415])),
        .init(
            "a Content-Encoding that is not taken",
            request("POST /typed HTTP/1.1", "Content-Encoding: gzip\r\nContent-Length: 3\r\n") + "abc", .answered([415])
        ),
        .init(
            "a Content-Type that is taken",
            request("POST /typed HTTP/1.1", "Content-Type: APPLICATION/zip; x=y\r\nContent-Length: 3\r\n") + "abc",
            .answered([200]), body: "abc"),
        .init(
            "no Content-Type", request("POST /typed HTTP/1.1", "Content-Length: 3\r\n") + "abc", .answered([200]),
            body: "abc"),
        .init("an Accept of everything", get("/letters", "Accept: */*\r\n"), .answered([200])),
        .init("an Accept of all text", get("/letters", "Accept: image/png, text/*;q=0.1\r\n"), .answered([200])),
        .init(
            "an Accept-Encoding of gzip", get("/twin", "Accept-Encoding: br, gzip\r\n"), .answered([200]),
            field: ("Content-Encoding", "gzip")),
        .init(
            "an Accept-Encoding without gzip", get("/twin", "Accept-Encoding: br\r\n"), .answered([200]), body: "{}",
            field: ("Vary", "Accept-Encoding")),
        .init(
            "an Accept-Encoding that rules gzip out", get("/twin", "Accept-Encoding: gzip;q=0, *\r\n"),
            .answered([200]), body: "{}"),
        .init(
            "the tag of the compressed twin", get("/twin", "Accept-Encoding: gzip\r\nIf-None-Match: \"gz\"\r\n"),
            .answered([304])),
        .init(
            "the tag of the other twin", get("/twin", "Accept-Encoding: gzip\r\nIf-None-Match: \"id\"\r\n"),
            .answered([200])),
    ]

    /// The rows that hold for an immediate resource hold for one that another thread answers with later.
    static let late: [StrictnessRow] = (conditions + ranges + negotiation).compactMap { $0.late }

    static let endings: [StrictnessRow] = [
        .init("nothing, and then the end", "", .cutOff(nil)),
        .init("an empty line, and then the end", "\r\n", .cutOff(nil)),
        .init("half a request line, and then the end", "GET /liv", .cutOff(400)),
        .init("a request line, and then the end", "GET /livez HTTP/1.1\r\n", .cutOff(400)),
        .init("half a field, and then the end", "GET /livez HTTP/1.1\r\nHost: te", .cutOff(400)),
        .init("a head without its empty line, and then the end", "GET /livez HTTP/1.1\r\nHost: test\r\n", .cutOff(400)),
        .init("half of the empty line, and then the end", "GET /livez HTTP/1.1\r\nHost: test\r\n\r", .cutOff(400)),
        .init("no body, and then the end", echo("Content-Length: 3\r\n", ""), .cutOff(400)),
        .init("half a body, and then the end", echo("Content-Length: 3\r\n", "ab"), .cutOff(400)),
        .init("half a chunk size, and then the end", chunked("3"), .cutOff(400)),
        .init("half a chunk, and then the end", chunked("3\r\nab"), .cutOff(400)),
        .init("chunks without the last, and then the end", chunked("3\r\nabc\r\n"), .cutOff(400)),
        .init("the last chunk without its empty line, and then the end", chunked("3\r\nabc\r\n0\r\n"), .cutOff(400)),
        .init("half of the last empty line, and then the end", chunked("3\r\nabc\r\n0\r\n\r"), .cutOff(400)),
        .init("half a trailer, and then the end", chunked("3\r\nabc\r\n0\r\nA: b"), .cutOff(400)),
        .init(
            "half a chunked body without a route, and then the end",
            request("POST /nowhere HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "3\r\nab", .cutOff(400)),
        .init(
            "half a body to a GET, and then the end", get("/letters", "Content-Length: 3\r\n") + "ab", .cutOff(400)),
        .init(
            "half a body to a route that wants none, and then the end",
            request("POST /plain HTTP/1.1", "Content-Length: 3\r\n") + "ab", .cutOff(400)),
        .init(
            "half a body to what would come later, and then the end",
            request("PUT /late HTTP/1.1", "Content-Length: 3\r\n") + "ab", .cutOff(400)),
    ]
}
