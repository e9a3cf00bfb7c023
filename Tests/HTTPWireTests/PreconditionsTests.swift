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
    func `fail where the client holds something else`(lines: String, expected: Preconditions.Outcome) {
        for method in ["GET", "HEAD", "PUT", "DELETE", "POST"] { #expect(outcome(method, lines) == expected) }
    }

    @Test(arguments: [
        "If-None-Match: \"a\"", "If-None-Match: W/\"a\"", "If-None-Match: *", "If-None-Match: \"b\", W/\"a\"",
        "If-None-Match: \"b\"\r\nIf-None-Match: \"a\"", "If-None-Match: \"b\\\",\"a\"",
    ])
    func `spare a reader what it has, and stop a writer`(lines: String) {
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
    func `proceed where no tag matches`(lines: String) {
        for method in ["GET", "PUT"] { #expect(outcome(method, lines) == .proceed) }
    }

    @Test func `look at dates for readers only`() {
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
    @Test func `are looked at in their order`() {
        #expect(outcome("GET", "If-Match: \"a\"\r\nIf-Unmodified-Since: \(Self.earlier)") == .proceed)
        #expect(outcome("GET", "If-Match: \"b\"\r\nIf-Unmodified-Since: \(Self.later)") == .failed)
        #expect(outcome("GET", "If-Match: \"b\"\r\nIf-None-Match: \"a\"") == .failed)
        #expect(outcome("GET", "If-None-Match: \"a\"\r\nIf-Match: \"a\"") == .notModified)
        #expect(outcome("GET", "If-None-Match: \"b\"\r\nIf-Modified-Since: \(Self.same)") == .proceed)
        #expect(outcome("GET", "If-None-Match: \"a\"\r\nIf-Modified-Since: \(Self.earlier)") == .notModified)
        #expect(outcome("GET", "If-Unmodified-Since: \(Self.earlier)\r\nIf-None-Match: \"a\"") == .failed)
        #expect(outcome("GET", "If-Unmodified-Since: \(Self.later)\r\nIf-None-Match: \"a\"") == .notModified)
    }

    @Test func `do not exist for methods without a representation`() {
        for method in ["OPTIONS", "TRACE"] { #expect(outcome(method, "If-Match: \"b\"") == .proceed) }
    }

    @Test(arguments: [
        ("X: y", true), ("If-Range: \"a\"", true), ("If-Range: \(same)", true),
        ("If-Range: Wednesday, 21-Oct-15 07:28:00 GMT", true), ("If-Range: Wed Oct 21 07:28:00 2015", true),
        ("If-Range: \"b\"", false), ("If-Range: W/\"a\"", false), ("If-Range: \(earlier)", false),
        ("If-Range: \(later)", false), ("If-Range:", false), ("If-Range: *", false), ("If-Range: a", false),
        ("If-Range: \"a\", \"b\"", false), ("If-Range: W", false), ("If-Range: Wed", false), ("If-Range: \"", false),
    ])
    func `let a range count only on an exact match`(line: String, allows: Bool) {
        let validators = Validators(entityTag: "\"a\"", lastModified: 1_445_412_480)
        for (method, isRead) in [("GET", true), ("HEAD", false), ("PUT", false)] {
            let text = "\(method) / HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n\(line)\r\n\r\n"
            let bytes = text.latin1
            let result = Preconditions.allowsRange(head(text), bytes.span, validators)
            #expect(result == (allows && isRead))
        }
    }

    @Test func `match no date where none is known`() {
        let text = get("If-Range: \(Self.same)")
        let bytes = text.latin1
        let result = Preconditions.allowsRange(head(text), bytes.span, Validators(entityTag: "\"a\""))
        #expect(!result)
    }
}
