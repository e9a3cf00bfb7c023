/// The length of a body, declared in every wrong way (RFC 9112 §6).
extension StrictnessTable {
    static let lengths: [StrictnessRow] = [
        .init("two differing lengths", echo("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd"), .refused(400)),
        .init("two equal lengths", echo("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), .refused(400)),
        .init("a list of equal lengths", echo("Content-Length: 3, 3\r\n", "abc"), .refused(400)),
        .init("a list of differing lengths", echo("Content-Length: 3, 4\r\n", "abcd"), .refused(400)),
        .init("a length with a plus", echo("Content-Length: +3\r\n", "abc"), .refused(400)),
        .init("a length with a minus", echo("Content-Length: -3\r\n", "abc"), .refused(400)),
        .init("a length of minus zero", echo("Content-Length: -0\r\n", ""), .refused(400)),
        .init("a hexadecimal length", echo("Content-Length: 0x3\r\n", "abc"), .refused(400)),
        .init("an octal length", echo("Content-Length: 0o3\r\n", "abc"), .refused(400)),
        .init("a length in hexadecimal digits", echo("Content-Length: a\r\n", "abcdefghij"), .refused(400)),
        .init("a length with an underscore", echo("Content-Length: 1_0\r\n", "abcdefghij"), .refused(400)),
        .init("a length with an exponent", echo("Content-Length: 3e0\r\n", "abc"), .refused(400)),
        .init("a length with a fraction", echo("Content-Length: 3.0\r\n", "abc"), .refused(400)),
        .init("a length with a space inside", echo("Content-Length: 1 0\r\n", "abcdefghij"), .refused(400)),
        .init("a length in quotes", echo("Content-Length: \"3\"\r\n", "abc"), .refused(400)),
        .init("a length with a semicolon", echo("Content-Length: 3;\r\n", "abc"), .refused(400)),
        .init("a length with a trailing comma", echo("Content-Length: 3,\r\n", "abc"), .refused(400)),
        .init("a length with a leading comma", echo("Content-Length: ,3\r\n", "abc"), .refused(400)),
        .init("an empty length", echo("Content-Length:\r\n", ""), .refused(400)),
        .init("a length of spaces", echo("Content-Length:   \r\n", ""), .refused(400)),
        .init("a length past 64 bits", echo("Content-Length: 18446744073709551619\r\n", "abc"), .refused(400)),
        .init("a length past 63 bits", echo("Content-Length: 9223372036854775808\r\n", "abc"), .refused(400)),
        .init(
            "a length of a hundred digits", echo("Content-Length: \(String(repeating: "9", count: 100))\r\n", ""),
            .refused(400)),
        .init("a length that wraps to three", echo("Content-Length: 4294967299\r\n", "abc"), .refused(413)),
        .init("a length with a non-breaking space", echo("Content-Length: 3\u{A0}\r\n", "abc"), .refused(400)),
        .init("a length with a next-line byte", echo("Content-Length: \u{85}3\r\n", "abc"), .refused(400)),
        .init("a length with a vertical tab", echo("Content-Length: \u{0B}3\r\n", "abc"), .refused(400)),
        .init("a length with a form feed", echo("Content-Length: 3\u{0C}\r\n", "abc"), .refused(400)),
        .init("a length in full-width digits", echo("Content-Length: \u{EF}\u{BC}\u{93}\r\n", "abc"), .refused(400)),
        .init("a length behind a folded line", echo("Content-Length:\r\n 3\r\n", "abc"), .refused(400)),
        .init("a length with a NUL", echo("Content-Length: 3\0\r\n", "abc"), .refused(400)),
        .init("a space before the length's colon", echo("Content-Length : 3\r\n", "abc"), .refused(400)),
        .init("a tab before the length's colon", echo("Content-Length\t: 3\r\n", "abc"), .refused(400)),
        .init(
            "a length above the route's limit",
            request("PUT /small HTTP/1.1", "Content-Length: 17\r\n") + "aaaaaaaaaaaaaaaaa", .answered([413])),
        .init(
            "a length above the route's limit and 64 KiB", request("PUT /small HTTP/1.1", "Content-Length: 70000\r\n"),
            .refused(413)),
        .init("a length of zero", echo("Content-Length: 0\r\n", ""), .answered([200]), body: ""),
        .init("a length with leading zeros", echo("Content-Length: 0003\r\n", "abc"), .answered([200]), body: "abc"),
        .init(
            "a length surrounded by tabs and spaces", echo("Content-Length: \t 3\t \r\n", "abc"), .answered([200]),
            body: "abc"),
        .init("a length in another case", echo("cOnTeNt-LeNgTh: 3\r\n", "abc"), .answered([200]), body: "abc"),
        .init(
            "a body that looks like a request", echo("Content-Length: \(smuggled.utf8.count)\r\n", smuggled),
            .answered([200]), body: smuggled),
        .init("a body to a GET", request("GET /livez HTTP/1.1", "Content-Length: 3\r\n") + "abc", .answered([200])),
        .init(
            "a body that is a request to a GET",
            request("GET /letters HTTP/1.1", "Content-Length: \(smuggled.utf8.count)\r\n") + smuggled, .answered([200])),
        .init(
            "a body to a HEAD", request("HEAD /letters HTTP/1.1", "Content-Length: 3\r\n") + "abc", .answered([200]),
            heads: [0]),
        .init(
            "a body of 64 KiB without a route",
            request("POST /nowhere HTTP/1.1", "Content-Length: 65536\r\n") + String(repeating: "a", count: 65_536),
            .answered([404])),
        .init(
            "a body of 64 KiB and a byte without a route",
            request("POST /nowhere HTTP/1.1", "Content-Length: 65537\r\n") + String(repeating: "a", count: 65_537),
            .refused(404)),
        .init("a body with no length at all", request("POST /echo HTTP/1.1"), .answered([200]), body: ""),
    ]

    static let codings: [StrictnessRow] = [
        .init(
            "a length and a coding", echo("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init(
            "a coding and a length", echo("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init(
            "a length of zero and a coding", echo("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init(
            "an invalid length and a coding", echo("Content-Length: x\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init("chunked twice in a list", echo("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init(
            "chunked twice in two lines",
            echo("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init(
            "chunked and then another coding", echo("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), .refused(400)),
        .init(
            "chunked and then identity", echo("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), .refused(400)),
        .init(
            "another coding before chunked", echo("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), .refused(501)),
        .init(
            "another coding in a line before chunked",
            echo("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), .refused(501)),
        .init("another coding alone", echo("Transfer-Encoding: gzip\r\n", ""), .refused(501)),
        .init("identity", echo("Transfer-Encoding: identity\r\n", ""), .refused(501)),
        .init("an unknown coding", echo("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), .refused(501)),
        .init("chunked with a suffix", echo("Transfer-Encoding: chunkedx\r\n", "0\r\n\r\n"), .refused(501)),
        .init("chunked with a parameter", echo("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n"), .refused(400)),
        .init("chunked in quotes", echo("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), .refused(400)),
        .init("an empty coding", echo("Transfer-Encoding:\r\n", ""), .refused(400)),
        .init("a coding of commas", echo("Transfer-Encoding: ,,\r\n", ""), .refused(400)),
        .init(
            "chunked behind a vertical tab", echo("Transfer-Encoding: \u{0B}chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init("chunked before a NUL", echo("Transfer-Encoding: chunked\0\r\n", "0\r\n\r\n"), .refused(400)),
        .init(
            "chunked before a non-breaking space", echo("Transfer-Encoding: chunked\u{A0}\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init(
            "chunked with a line feed before it", echo("Transfer-Encoding:\n chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init("chunked on a folded line", echo("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init("a space before the coding's colon", echo("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init("a space before the coding's name", echo(" Transfer-Encoding: chunked\r\n", "0\r\n\r\n"), .refused(400)),
        .init(
            "a coding whose name begins with a NUL", echo("\0Transfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init(
            "a coding hidden behind a bare return", echo("X: y\rTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            .refused(400)),
        .init(
            "a coding hidden behind a bare feed",
            echo("X: y\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n", "abc"), .refused(400)),
        .init(
            "a coding in HTTP/1.0", "POST /echo HTTP/1.0\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .refused(400)),
        .init(
            "a coding with an underscore is another field",
            echo("Transfer_Encoding: chunked\r\nContent-Length: 3\r\n", "abc"), .answered([200]), body: "abc"),
        .init(
            "chunked with tabs around it", echo("Transfer-Encoding: \tchunked\t\r\n", "3\r\nabc\r\n0\r\n\r\n"),
            .answered([200]), body: "abc"),
        .init(
            "chunked in another case", echo("TRANSFER-ENCODING: CHUNKED\r\n", "3\r\nabc\r\n0\r\n\r\n"),
            .answered([200]), body: "abc"),
        // Parsers disagree about what a list with an empty member ends in, which is reason enough.
        .init(
            "chunked with empty list members", echo("Transfer-Encoding: , chunked ,\r\n", "3\r\nabc\r\n0\r\n\r\n"),
            .refused(400)),
    ]

    static let chunks: [StrictnessRow] = [
        .init("a chunk size with 0x", chunked("0x3\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size with a plus", chunked("+3\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size with a minus", chunked("-3\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size with an underscore", chunked("0_3\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size behind a space", chunked(" 3\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size before a space", chunked("3 \r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size before a tab", chunked("3\t\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("no chunk size", chunked("\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size of no digit", chunked("g\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size past 64 bits", chunked("10000000000000003\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size of many zeros", chunked("00000000000000003\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init(
            "a chunk size beyond the limit", chunked("7fffffffffff\r\n" + String(repeating: "a", count: 1_100_000)),
            .refused(413)),
        .init("a chunk size ended by a line feed", chunked("3\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size ended by a return", chunked("3\rabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk size ended by a NUL", chunked("3\0\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("chunk data ended by a line feed", chunked("3\r\nabc\n0\r\n\r\n"), .refused(400)),
        .init("chunk data ended by a return", chunked("3\r\nabc\r0\r\n\r\n"), .refused(400)),
        .init("chunk data ended by other bytes", chunked("3\r\nabcXX0\r\n\r\n"), .refused(400)),
        .init("chunk data longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n"), .refused(400)),
        .init("chunk data shorter than its size", chunked("5\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a last chunk ended by line feeds", chunked("0\n\n"), .refused(400)),
        .init("a last chunk with a line feed at its end", chunked("3\r\nabc\r\n0\r\n\n"), .refused(400)),
        .init("a last chunk with other bytes at its end", chunked("3\r\nabc\r\n0\r\nXX"), .refused(400)),
        .init("a chunk extension without a name", chunked("3;\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk extension without a value", chunked("3;a=\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk extension with a bare feed", chunked("3;a\nb\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk extension with a bare return", chunked("3;a\rb\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk extension with a NUL", chunked("3;a=\0\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk extension with an unclosed quote", chunked("3;a=\"b\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init("a chunk extension with a feed in quotes", chunked("3;a=\"b\nc\"\r\nabc\r\n0\r\n\r\n"), .refused(400)),
        .init(
            "a chunk extension of 300 bytes", chunked("3;a=\(String(repeating: "b", count: 300))\r\nabc\r\n0\r\n\r\n"),
            .refused(400)),
        .init(
            "chunk extensions of 17 KiB together",
            chunked(String(repeating: "1;a=\(String(repeating: "b", count: 200))\r\na\r\n", count: 90) + "0\r\n\r\n"),
            .refused(400)),
        .init("a trailer without a colon", chunked("0\r\nTrailer\r\n\r\n"), .refused(400)),
        .init("a trailer with a space before its colon", chunked("0\r\nA : b\r\n\r\n"), .refused(400)),
        .init("a trailer with a bare feed", chunked("0\r\nA: b\nC: d\r\n\r\n"), .refused(400)),
        .init("a trailer with a bare return", chunked("0\r\nA: b\rC: d\r\n\r\n"), .refused(400)),
        .init("a trailer with a NUL", chunked("0\r\nA: b\0\r\n\r\n"), .refused(400)),
        .init("a folded trailer", chunked("0\r\nA: b\r\n c\r\n\r\n"), .refused(400)),
        .init("trailers of 9 KiB", chunked("0\r\nA: \(String(repeating: "b", count: 9_000))\r\n\r\n"), .refused(400)),
        .init(
            "a hundred and one trailers", chunked("0\r\n" + String(repeating: "A: b\r\n", count: 101) + "\r\n"),
            .refused(400)),
        .init(
            "a trailer that would be a length", chunked("3\r\nabc\r\n0\r\nContent-Length: 50\r\n\r\n"),
            .answered([200]), body: "abc"),
        .init("trailers", chunked("3\r\nabc\r\n0\r\nA: b\r\nC:\r\n\r\n"), .answered([200]), body: "abc"),
        .init(
            "chunk extensions", chunked("3;a=b;c=\"d\\\"e;f\";g\r\nabc\r\n0;last\r\n\r\n"), .answered([200]),
            body: "abc"),
        .init(
            "chunk extensions with spaces around", chunked("3 ; a = b\r\nabc\r\n0\r\n\r\n"), .answered([200]),
            body: "abc"),
        .init(
            "chunk sizes in both cases with zeros", chunked("0A\r\nabcdefghij\r\n00c\r\nklmnopqrstuv\r\n000\r\n\r\n"),
            .answered([200]), body: "abcdefghijklmnopqrstuv"),
        .init("an empty chunked body", chunked("0\r\n\r\n"), .answered([200]), body: ""),
        .init(
            "chunks that hold requests", chunked("27\r\nGET /livez HTTP/1.1\r\nHost: smuggled\r\n\r\n\r\n0\r\n\r\n"),
            .answered([200]), body: "GET /livez HTTP/1.1\r\nHost: smuggled\r\n\r\n"),
        .init(
            "a chunked body without a route",
            request("POST /nowhere HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n0\r\n\r\n",
            .answered([404])),
        .init(
            "a chunked body to a GET", get("/letters", "Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n0\r\n\r\n",
            .answered([200])),
        .init(
            "a malformed chunked body without a route",
            request("POST /nowhere HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "3\r\nabcd\r\n0\r\n\r\n",
            .refused(400)),
        .init(
            "a malformed chunked body to a GET", get("/letters", "Transfer-Encoding: chunked\r\n") + "zz\r\n",
            .refused(400)),
        .init(
            "chunks of more than 64 KiB without a route",
            request("POST /nowhere HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "10001\r\n"
                + String(repeating: "a", count: 65_537) + "\r\n0\r\n\r\n", .refused(404)),
        .init(
            "chunks above the route's limit",
            request("PUT /small HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "11\r\naaaaaaaaaaaaaaaaa\r\n0\r\n\r\n",
            .refused(413)),
    ]
}

/// A request that must stay a body.
private let smuggled = "GET /letters HTTP/1.1\r\nHost: smuggled\r\n\r\n"
