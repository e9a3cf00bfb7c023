import HTTPWire
import Testing

/// The representation has the tag "a" and changed on Wed, 21 Oct 2015 07:28:00 GMT.
@Suite struct `A request's conditions` {
    static let same = "Wed, 21 Oct 2015 07:28:00 GMT"
    static let earlier = "Wed, 21 Oct 2015 07:27:59 GMT"
    static let later = "Wed, 21 Oct 2015 07:28:01 GMT"

    func outcome(_ method: String, _ lines: String, lastModified: Int64? = 1_445_412_480) -> Preconditions.Outcome {
        let text = "\(method) / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n"
        let bytes = text.latin1
        return Preconditions.evaluate(
            head(text), bytes.span, Validators(entityTag: "\"a\"", lastModified: lastModified))
    }

    @Test(arguments: [
        ("If-Match: \"a\"", Preconditions.Outcome.proceed), ("If-Match: *", .proceed),
        ("If-Match: \"b\", \"a\"", .proceed), ("If-Match: ,, \"a\",", .proceed),
        ("If-Match: \"b\"\r\nIf-Match: \"a\"", .proceed),
        ("If-Match: \"b,\", \"a\"", .proceed), ("If-Match: \"b\\\", \"a\"", .proceed),
        ("If-Match: \"b\"", .failed), ("If-Match: W/\"a\"", .failed), ("If-Match: a", .failed), ("If-Match:", .failed),
        ("If-Match: \"A\"", .failed), ("If-Match: \"a", .failed), ("If-Match: \"b\", *", .failed),
        ("If-Match: \"b,\"a\"", .failed), ("If-Match: \"\"", .failed), ("If-Match: 'a'", .failed),
        ("If-Unmodified-Since: \(same)", .proceed), ("If-Unmodified-Since: \(later)", .proceed),
        ("If-Unmodified-Since: \(earlier)", .failed), ("If-Unmodified-Since: yesterday", .proceed),
        ("If-Unmodified-Since: \(earlier)\r\nIf-Unmodified-Since: \(earlier)", .proceed),
    ])
    func `Conditions fail if the client holds another representation`(lines: String, expected: Preconditions.Outcome) {
        for method in ["GET", "HEAD", "PUT", "DELETE", "POST"] { #expect(outcome(method, lines) == expected) }
    }

    @Test(arguments: [
        "If-None-Match: \"a\"", "If-None-Match: W/\"a\"", "If-None-Match: *", "If-None-Match: \"b\", W/\"a\"",
        "If-None-Match: \"b\"\r\nIf-None-Match: \"a\"", "If-None-Match: \"b\\\",\"a\"",
    ])
    func `Conditions spare a reader the representation it has, and stop a writer`(lines: String) {
        #expect(outcome("GET", lines) == .notModified)
        #expect(outcome("HEAD", lines) == .notModified)
        #expect(outcome("PUT", lines) == .failed)
        #expect(outcome("DELETE", lines) == .failed)
        #expect(outcome("POST", lines) == .failed)
    }

    @Test(arguments: [
        "If-None-Match: \"b\"", "If-None-Match: w/\"a\"", "If-None-Match: a", "If-None-Match:", "If-None-Match: W/",
        "If-None-Match: \"b\", *", "If-None-Match: W/ \"a\"", "If-None-Match: WW/\"a\"", "X: y",
    ])
    func `Conditions hold if no tag matches`(lines: String) {
        for method in ["GET", "PUT"] { #expect(outcome(method, lines) == .proceed) }
    }

    @Test func `Dates are conditions for readers only`() {
        #expect(outcome("GET", "If-Modified-Since: \(Self.same)") == .notModified)
        #expect(outcome("HEAD", "If-Modified-Since: \(Self.later)") == .notModified)
        #expect(outcome("GET", "If-Modified-Since: \(Self.earlier)") == .proceed)
        #expect(outcome("PUT", "If-Modified-Since: \(Self.same)") == .proceed)
        #expect(outcome("GET", "If-Modified-Since: soon") == .proceed)
        #expect(outcome("GET", "If-Modified-Since: \(Self.same)\r\nIf-Modified-Since: \(Self.same)") == .proceed)
        #expect(outcome("GET", "If-Modified-Since: Wednesday, 21-Oct-15 07:28:00 GMT") == .notModified)
        #expect(outcome("GET", "If-Modified-Since: \(Self.same)", lastModified: nil) == .proceed)
        #expect(outcome("GET", "If-Unmodified-Since: \(Self.earlier)", lastModified: nil) == .proceed)
    }

    /// RFC 9110 §13.2.2: If-Match before If-Unmodified-Since, If-None-Match before If-Modified-Since.
    @Test func `Conditions are evaluated in the order of RFC 9110`() {
        #expect(outcome("GET", "If-Match: \"a\"\r\nIf-Unmodified-Since: \(Self.earlier)") == .proceed)
        #expect(outcome("GET", "If-Match: \"b\"\r\nIf-Unmodified-Since: \(Self.later)") == .failed)
        #expect(outcome("GET", "If-Match: \"b\"\r\nIf-None-Match: \"a\"") == .failed)
        #expect(outcome("GET", "If-None-Match: \"a\"\r\nIf-Match: \"a\"") == .notModified)
        #expect(outcome("GET", "If-None-Match: \"b\"\r\nIf-Modified-Since: \(Self.same)") == .proceed)
        #expect(outcome("GET", "If-None-Match: \"a\"\r\nIf-Modified-Since: \(Self.earlier)") == .notModified)
        #expect(outcome("GET", "If-Unmodified-Since: \(Self.earlier)\r\nIf-None-Match: \"a\"") == .failed)
        #expect(outcome("GET", "If-Unmodified-Since: \(Self.later)\r\nIf-None-Match: \"a\"") == .notModified)
    }

    @Test func `Conditions are ignored for methods without a representation`() {
        for method in ["OPTIONS", "TRACE"] { #expect(outcome(method, "If-Match: \"b\"") == .proceed) }
    }

    @Test(arguments: [
        ("X: y", true), ("If-Range: \"a\"", true), ("If-Range: \(same)", true),
        ("If-Range: Wednesday, 21-Oct-15 07:28:00 GMT", true), ("If-Range: Wed Oct 21 07:28:00 2015", true),
        ("If-Range: \"b\"", false), ("If-Range: W/\"a\"", false), ("If-Range: \(earlier)", false),
        ("If-Range: \(later)", false), ("If-Range:", false), ("If-Range: *", false), ("If-Range: a", false),
        ("If-Range: \"a\", \"b\"", false), ("If-Range: W", false), ("If-Range: Wed", false), ("If-Range: \"", false),
    ])
    func `If-Range lets a range count only on an exact match`(line: String, allows: Bool) {
        let validators = Validators(entityTag: "\"a\"", lastModified: 1_445_412_480)
        for (method, isRead) in [("GET", true), ("HEAD", false), ("PUT", false)] {
            let text = "\(method) / HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n\(line)\r\n\r\n"
            let bytes = text.latin1
            let result = Preconditions.allowsRange(head(text), bytes.span, validators)
            #expect(result == (allows && isRead))
        }
    }

    @Test func `Conditions match no date if none is known`() {
        let text = requestHead(with: "If-Range: \(Self.same)")
        let bytes = text.latin1
        let result = Preconditions.allowsRange(head(text), bytes.span, Validators(entityTag: "\"a\""))
        #expect(!result)
    }
}

@Suite struct `A Range field` {
    func ranges(_ value: String, size: Int) -> ByteRanges {
        let bytes = value.latin1
        return ByteRanges(bytes.span, 0..<bytes.count, size: size)
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=0-100", 0..<100), ("bytes=99-99", 99..<100),
        ("bytes=5-", 5..<100), ("bytes=0-", 0..<100), ("bytes=-1", 99..<100), ("bytes=-100", 0..<100),
        ("bytes=-101", 0..<100), ("BYTES=1-2", 1..<3), ("bytes= 1-2 ", 1..<3), ("bytes=,1-2,,", 1..<3),
        ("bytes=0-99999999999999999999999999", 0..<100), ("bytes=-99999999999999999999999999", 0..<100),
        ("bytes=0-9223372036854775807", 0..<100), ("bytes=007-008", 7..<9), ("bytes=100-,3-4", 3..<5),
    ])
    func `A Range field asks for one range`(value: String, range: Range<Int>) {
        #expect(ranges(value, size: 100) == .one(range))
    }

    @Test(arguments: [
        ("bytes=0-1,3-4", [0..<2, 3..<5]), ("bytes=-1, 0-0", [99..<100, 0..<1]), ("bytes=0-9,5-14", [0..<10, 5..<15]),
        ("bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14", (0..<8).map { $0 * 2..<$0 * 2 + 1 }),
        ("bytes=0-49,50-99", [0..<50, 50..<100]),
    ])
    func `A Range field asks for several ranges in its own order`(value: String, expected: [Range<Int>]) {
        #expect(ranges(value, size: 100) == .several(expected))
    }

    @Test(arguments: [
        "bytes=100-", "bytes=100-200", "bytes=-0", "bytes=-00", "bytes=99999999999999999999-",
        "bytes=9223372036854775807-9223372036854775807", "bytes=99999999999999999999-99999999999999999999",
        "bytes=100-,200-", "bytes=-0,100-100",
    ])
    func `A Range field beyond the end, or of an empty suffix, cannot be satisfied`(value: String) {
        #expect(ranges(value, size: 100) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes= ", "bytes=,", "bytes=-", "bytes=--1", "bytes=1", "bytes=a-b", "bytes=1-0",
        "bytes=+1-2", "bytes=1-+2", "bytes=1 -2", "bytes=1- 2", "bytes=0x1-2", "bytes=1-2-3", "bytes=1_0-20",
        "bytes 1-2", "bytes:1-2", "byte=1-2", "items=1-2", "xbytes=1-2", "bytes==1-2", "bytes=1-2;3-4", "bytes=\"1-2\"",
        "bytes=0-1,x", "bytes=0-1,1-0", "bytes=1.0-2", "bytes=\u{A0}1-2", "bytes=1-2\0", "bytes=9-8,0-1", "bytes=*",
    ])
    func `A Range field without meaning gets the whole`(value: String) {
        #expect(ranges(value, size: 100) == .whole)
    }

    @Test(arguments: [
        "bytes=0-,0-", "bytes=0-99,0-0", "bytes=0-10,1-11,2-12", "bytes=0-0,0-0,0-0",
        "bytes=0-,0-,0-,0-,0-,0-,0-,0-", "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16",
        "bytes=\(String(repeating: "0-0,", count: 2_000))",
    ])
    func `A Range field that asks for too much gets the whole`(value: String) {
        #expect(ranges(value, size: 100) == .whole)
    }

    @Test func `The limit of ranges counts specifiers, not ranges`() {
        let beyond = String(repeating: "100-,", count: ByteRanges.limit)
        #expect(ranges("bytes=\(beyond)", size: 100) == .unsatisfiable)
        #expect(ranges("bytes=\(beyond)0-0", size: 100) == .whole)
    }

    @Test func `A Range field asks for nothing of an empty representation`() {
        #expect(ranges("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=0-0", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=-0", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=-5", size: 0) == .whole)
    }

    @Test func `A Range field with the largest number does not overflow`() {
        #expect(ranges("bytes=-1", size: .max) == .one(Int.max - 1..<Int.max))
        #expect(ranges("bytes=0-", size: .max) == .one(0..<Int.max))
        #expect(ranges("bytes=0-9223372036854775806", size: .max) == .one(0..<Int.max))
        #expect(ranges("bytes=0-,0-,0-,0-,0-,0-,0-,0-", size: .max) == .whole)
    }

    @Test func `A Range field is read from a head`() {
        let text = requestHead(with: "Range: bytes=1-2")
        let value = head(text).value(.range) ?? 0..<0
        let bytes = text.latin1
        let ranges = ByteRanges(bytes.span, value, size: 9)
        #expect(ranges == .one(1..<3))
    }
}
