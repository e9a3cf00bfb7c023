import HTTPWire
import Testing

@Suite struct `Percent-decoding` {
    func path(_ text: String) -> Result<[UInt8], Malformation> {
        let bytes = text.latin1
        return Result { () throws(Malformation) in try PercentDecoding.path(bytes.span, 0..<bytes.count) }
    }

    @Test(arguments: [
        ("/", "/"), ("", ""), ("/a/b", "/a/b"), ("/%61", "/a"), ("/%2B+", "/++"), ("/%7e", "/~"), ("/a%20b", "/a b"),
        ("/%C3%A9", "/é"), ("/%c3%a9", "/é"), ("/%F0%9F%98%80", "/😀"), ("/...", "/..."), ("/%2e%2e%2e", "/..."),
        ("/a%2e", "/a."), ("/%3F%23", "/?#"), ("//", "//"),
    ])
    func `Percent-decoding undoes escapes in a path`(text: String, decoded: String) {
        #expect(path(text) == .success(Array(decoded.utf8)))
    }

    @Test func `Percent-decoding happens once`() {
        #expect(path("/%252F") == .success(Array("/%2F".utf8)))
        #expect(path("/%25%32%46") == .success(Array("/%2F".utf8)))
        #expect(path("/%252e%252e/") == .success(Array("/%2e%2e/".utf8)))
        #expect(path("/%2500") == .success(Array("/%00".utf8)))
    }

    @Test(arguments: ["/%", "/%2", "/%zz", "/%2g", "/%g2", "/% 2", "/%+2", "/%-1", "/%0x", "/%%20", "/a%", "/%u0041"])
    func `Percent-decoding refuses half an escape`(text: String) {
        #expect(path(text) == .failure(.percentEncoding))
    }

    @Test(arguments: [
        "/%2F", "/%2f", "/a%2fb", "/..%2f", "/%5C", "/%5c..", "/%00", "/a%00.zip", "/%0A", "/%0d%0a", "/%09", "/%1F",
        "/%7F",
        "/%80", "/%FF", "/%C3", "/%C3/%A9", "/%A9%C3", "/%C0%AF", "/%C0%AE%C0%AE", "/%E0%80%AF", "/%F0%80%80%AF",
        "/%C1%9C", "/%ED%A0%80", "/%F4%90%80%80", "/%F8%88%80%80%80", "/%FE", "/%E2%82",
    ])
    func `Percent-decoding refuses escapes that get past checks`(text: String) {
        #expect(path(text) == .failure(.encodedPath))
    }

    @Test(arguments: [
        "/.", "/..", "/./", "/../a", "/a/..", "/a/./b", "/%2e", "/%2E%2e", "/.%2e/a", "/%2e./", "/a/%2e%2e", ".", "..",
        "%2e",
    ])
    func `Percent-decoding refuses dot segments, encoded or not`(text: String) {
        #expect(path(text) == .failure(.dotSegment))
    }

    @Test func `Percent-decoding reads only its own range`() throws {
        let bytes = "%41%4".latin1
        let path = try PercentDecoding.path(bytes.span, 0..<3)
        #expect(path == [0x41])
        #expect(self.path("%41%") == .failure(.percentEncoding))
        #expect(throws: Malformation.percentEncoding) { _ = try PercentDecoding.path(bytes.span, 0..<4) }
        #expect(throws: Malformation.percentEncoding) { _ = try PercentDecoding.path("%41%42".latin1.span, 0..<5) }
    }
}

@Suite struct `A query` {
    func value(_ query: String) -> String? {
        let bytes = query.latin1
        return Query.value("channel", bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [("channel=a+b", "a b"), ("channel=a%2Bb+c%20d", "a+b c d"), ("channel=+", " "), ("channel", "")])
    func `In words, a plus sign is a blank and its escape is a plus sign`(query: String, expected: String) {
        let bytes = query.latin1
        #expect(Query.value("channel", bytes.span, 0..<bytes.count, isWords: true) == expected)
    }

    func isWellFormed(_ query: String) -> Bool {
        let bytes = query.latin1
        return Query.isWellFormed(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        ("channel=beta", "beta"), ("a=b&channel=beta", "beta"), ("channel=beta&channel=dev", "beta"), ("channel=", ""),
        ("channel", ""), ("&&channel=x&&", "x"), ("channel=a=b", "a=b"), ("channel=a+b", "a+b"),
        ("channel=a%2Bb", "a+b"),
        ("channel=%C3%A9", "é"), ("channel=%2526", "%26"), ("channel=%26x", "&x"), ("channel=a/b?c", "a/b?c"),
        ("xchannel=1&channel=2", "2"), ("channels=1&channel=2", "2"),
    ])
    func `A query gives a parameter's value`(query: String, expected: String) {
        #expect(value(query) == expected)
        #expect(isWellFormed(query))
    }

    @Test(arguments: ["", "&", "=", "=channel", "Channel=x", "channel2=x", "chan%6Eel=x", "a=channel", "channe=l"])
    func `A query has no parameter of another name`(query: String) {
        #expect(value(query) == nil)
        #expect(isWellFormed(query))
    }

    @Test(arguments: [
        "channel=%", "channel=%2", "channel=%zz", "channel=%FF", "channel=%C0%AF", "channel=%00", "channel=%0d%0a",
        "channel=%7F", "channel=%ED%A0%80",
    ])
    func `A query with a broken escape differs from one without the parameter`(query: String) {
        #expect(value(query) == nil)
        #expect(!isWellFormed(query))
        #expect(!isWellFormed("a=b&" + query))
        // What is said of it depends on whether there are two hexadecimal digits.
        let bytes = query.latin1
        let isWhole = !["channel=%", "channel=%2", "channel=%zz"].contains(query)
        #expect(PercentDecoding.hasWholeEscapes(bytes.span, 0..<bytes.count) == isWhole)
    }
}

@Suite struct `The names of a query` {
    private func names(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return Query.names(bytes.span, 0..<bytes.count)
    }

    private func holdsOnly(_ text: String, _ known: [String]) -> Bool {
        let bytes = Array(text.utf8)
        return Query.holdsOnly(known.map { Array($0.utf8) }, bytes.span, 0..<bytes.count)
    }

    @Test func `The names of a query are read as written, and empty parts are skipped`() {
        #expect(names("") == [] && names("&&") == [])
        #expect(names("a=1&b&=c&%61=2&a==&") == ["a", "b", "", "%61", "a"])
    }

    @Test(arguments: ["", "&", "a", "a=", "b=1&a=2", "&a=1&&b", "a=b=a&b=&"])
    func `A query with known names alone is accepted`(_ text: String) { #expect(holdsOnly(text, ["a", "b"])) }

    @Test(arguments: ["c", "a&c=1", "A=1", "aa", "=a", "%61=1", "a&a", "a=1&b&a=2", "ab", "="])
    func `A query with an unknown or repeated name is refused`(_ text: String) {
        #expect(!holdsOnly(text, ["a", "b"]))
    }

    @Test func `A query may have as many names as there are bits, and more on the slow path`() {
        let known = (0..<70).map { "n\($0)" }
        #expect(holdsOnly(known.prefix(64).joined(separator: "&"), known))
        #expect(!holdsOnly("n64", known))
        #expect(!holdsOnly("x", []) && holdsOnly("", []))
    }
}
