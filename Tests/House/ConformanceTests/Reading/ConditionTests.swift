import ConformanceSupport
import Testing
import WidgetTestSupport

/// §2: conditional requests in the precedence of RFC 9110 §13, on an immutable archive.
@Suite struct `A condition on an archive` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `TAG` is replaced by the archive's tag, `DATE` by its date.
        var fields: [String]
        var status: Int

        init(_ name: String, _ fields: [String], _ status: Int) {
            (testDescription, self.fields, self.status) = (name, fields, status)
        }
    }

    private static let past = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let future = "Fri, 01 Jan 2038 00:00:00 GMT"

    static let rows: [Row] = [
        Row("If-None-Match with the tag", ["If-None-Match: TAG"], 304),
        Row("If-None-Match with the weak tag", ["If-None-Match: W/TAG"], 304),
        Row("If-None-Match with a list", ["If-None-Match: \"a\", TAG, \"b\""], 304),
        Row("If-None-Match with everything", ["If-None-Match: *"], 304),
        Row("If-None-Match with another tag", ["If-None-Match: \"a\""], 200),
        Row("If-Match with the tag", ["If-Match: TAG"], 200),
        Row("If-Match with everything", ["If-Match: *"], 200),
        Row("If-Match with a weak tag", ["If-Match: W/TAG"], 412),
        Row("If-Match with another tag", ["If-Match: \"a\""], 412),
        Row("If-Modified-Since the date", ["If-Modified-Since: DATE"], 304),
        Row("If-Modified-Since a later date", ["If-Modified-Since: \(future)"], 304),
        Row("If-Modified-Since an earlier date", ["If-Modified-Since: \(past)"], 200),
        Row("If-Modified-Since no date", ["If-Modified-Since: yesterday"], 200),
        Row("If-Unmodified-Since the date", ["If-Unmodified-Since: DATE"], 200),
        Row("If-Unmodified-Since an earlier date", ["If-Unmodified-Since: \(past)"], 412),
        Row("If-None-Match goes before a date", ["If-None-Match: \"a\"", "If-Modified-Since: DATE"], 200),
        Row("If-Match goes before a date", ["If-Match: TAG", "If-Unmodified-Since: \(past)"], 200),
        Row("If-Match goes before If-None-Match", ["If-Match: \"a\"", "If-None-Match: TAG"], 412),
        Row("If-None-Match goes before a range", ["If-None-Match: TAG", "Range: bytes=0-1"], 304),
        Row("If-Range with the tag", ["If-Range: TAG", "Range: bytes=0-1"], 206),
        Row("If-Range with a weak tag", ["If-Range: W/TAG", "Range: bytes=0-1"], 200),
        Row("If-Range with another tag", ["If-Range: \"a\"", "Range: bytes=0-1"], 200),
        Row("If-Range with the date", ["If-Range: DATE", "Range: bytes=0-1"], 206),
        Row("If-Range with another date", ["If-Range: \(past)", "Range: bytes=0-1"], 200),
        Row("If-Range without a range", ["If-Range: TAG"], 200),
        Row("If-Match and a range", ["If-Match: TAG", "Range: bytes=0-1"], 206),
    ]

    private static let archive = Result {
        let registry = try Registries.open()
        let path = "/v1/blobs/sha256/\(try registry.publish(BundleForge(fresh())).text("sha256") ?? "")"
        return (path: path, answer: try registry.get(path))
    }

    @Test(arguments: rows)
    func `A condition decides between the archive, 304 and 412`(_ row: Row) throws {
        let (path, whole) = try Self.archive.get()
        let registry = try Registries.open()
        let tag = try #require(whole.value("ETag"))
        let date = try #require(whole.value("Last-Modified"))
        let fields = row.fields.map { $0.replacing("TAG", with: tag).replacing("DATE", with: date) }
        for method in ["GET", "HEAD"] {
            let answer = try registry.ask(method, path, fields)
            // Ranges are defined for GET alone.
            #expect(answer.status == (method == "HEAD" && row.status == 206 ? 200 : row.status), "\(method)")
            if row.status == 304 { #expect(answer.value("ETag") == tag) }
            if row.status == 304 { #expect(answer.value("Cache-Control")?.contains("immutable") == true) }
            if row.status == 206, method == "GET" { #expect(answer.body == Array(whole.body[0...1])) }
        }
    }
}

/// §2: ranges of RFC 9110 §14, on an immutable archive.
@Suite struct `A range of an archive` {
    private static let archive = Result {
        let registry = try Registries.open()
        let bundle = BundleForge(fresh(), text: Noise.text(3_000))
        let path = "/v1/blobs/sha256/\(try registry.publish(bundle).text("sha256") ?? "")"
        return (path: path, answer: try registry.get(path))
    }
    let path: String
    let whole: [UInt8]
    let registry: Registry

    init() throws {
        (path, whole) = (try Self.archive.get().path, try Self.archive.get().answer.body)
        registry = try Registries.open()
    }

    @Test(arguments: [
        ("0-0", 0, 0), ("0-99", 0, 99), ("100-199", 100, 199), ("500-", 500, -1), ("-1", -1, -1), ("-300", -300, -1),
        ("0-", 0, -1), ("10-99999999", 10, -1), ("-99999999", 0, -1), ("10-18446744073709551616", 10, -1),
    ])
    func `A range is sent as it was asked for`(_ range: String, _ first: Int, _ last: Int) throws {
        let first = first < 0 ? whole.count + first : first
        let last = last < 0 ? whole.count + last : last
        let answer = try registry.get(path, "Range: bytes=\(range)")
        #expect(answer.status == 206)
        #expect(answer.value("Content-Range") == "bytes \(first)-\(last)/\(whole.count)")
        #expect(answer.value("Content-Length") == "\(last - first + 1)")
        #expect(answer.body == Array(whole[first...last]))
        #expect(answer.value("ETag") != nil && answer.value("Accept-Ranges") == "bytes")
    }

    @Test(arguments: ["99999999-", "99999999-100000000", "-0", "99999999-,88888888-", "18446744073709551616-"])
    func `A range behind the end is 416 with the size`(_ range: String) throws {
        let answer = try registry.get(path, "Range: bytes=\(range)")
        #expect(answer.status == 416)
        #expect(answer.problemCode == "range-unsatisfiable")
        #expect(answer.value("Content-Range") == "bytes */\(whole.count)")
    }

    @Test(arguments: [
        "bytes=5-2", "bytes=a-b", "bytes=", "bytes=-", "lines=0-1", "bytes=+0-1", "bytes 0-1", "0-1",
        "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16", "bytes=0-,0-,0-", "bytes=0-500,100-600,200-700",
    ])
    func `Malformed, too many or abusive ranges get the whole archive`(_ field: String) throws {
        let answer = try registry.get(path, "Range: \(field)")
        #expect(answer.status == 200)
        #expect(answer.body == whole)
    }

    @Test(arguments: [2, 3, 8])
    func `Several ranges come as one part each`(_ count: Int) throws {
        let ranges = (0..<count).map { ($0 * 50, $0 * 50 + 9) }
        let answer = try registry.get(
            path, "Range: bytes=" + ranges.map { "\($0.0)-\($0.1)" }.joined(separator: ", "))
        #expect(answer.status == 206)
        let type = try #require(answer.value("Content-Type"))
        let boundary = try #require(type.firstMatch(of: /^multipart\/byteranges; boundary="?([^"]+)"?$/)?.1)
        #expect(answer.value("Content-Range") == nil)
        var rest = answer.body[...]
        for (first, last) in ranges {
            let head =
                "--\(boundary)\r\nContent-Type: application/zip\r\nContent-Range: bytes \(first)-\(last)/\(whole.count)"
                + "\r\n\r\n"
            rest = rest.drop { $0 == 13 || $0 == 10 }
            #expect(rest.starts(with: Array(head.utf8)))
            rest = rest.dropFirst(head.utf8.count)
            #expect(Array(rest.prefix(10)) == Array(whole[first...last]))
            rest = rest.dropFirst(10)
        }
        #expect(String(decoding: rest, as: UTF8.self).contains("--\(boundary)--"))
    }

    @Test func `A range on HEAD is ignored`() throws {
        let answer = try registry.head(path, "Range: bytes=0-1")
        #expect(answer.status == 200)
        #expect(answer.value("Content-Length") == "\(whole.count)")
    }

    @Test func `A range continues an interrupted download from any offset`() throws {
        for cut in stride(from: 1, to: whole.count, by: max(1, whole.count / 16)) {
            let answer = try registry.get(path, "Range: bytes=\(cut)-")
            #expect(Array(whole[..<cut]) + answer.body == whole)
        }
    }
}
