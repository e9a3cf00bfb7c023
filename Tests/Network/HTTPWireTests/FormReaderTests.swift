import Testing

@testable import HTTPWire

@Suite struct `A form` {
    private static let contentType = "multipart/form-data; boundary=XX"

    /// The file that the reader gives, when the body arrives in pieces of so many bytes.
    private func read(_ body: String, by count: Int, _ contentType: String = contentType) throws(FormReader.Mistake)
        -> String
    {
        var reader = try FormReader(contentType: contentType)
        var file: [UInt8] = []
        let bytes = Array(body.utf8)
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + count)
            try reader.take(Array(bytes[position..<end])) { file += $0 }
            position = end
        }
        try reader.finish()
        return String(decoding: file, as: UTF8.self)
    }

    private static let head =
        "--XX\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"a.zip\"\r\nContent-Type: application/zip\r\n\r\n"

    private static let longName = String(repeating: "b", count: 9_000)

    static let broken: [(String, FormReader.Mistake)] = [
        ("", .truncated), ("--XX--", .noFile), (head + "PK", .truncated),
        (head + "PK\r\n--XX", .truncated), (head + "PK\r\n--XX-", .truncated),
        (head + "PK\r\n" + head + "PK\r\n--XX--", .severalFiles),
        ("--XX\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nbeta\r\n--XX--", .field(name: "channel")),
        ("--XX\r\nContent-Type: application/zip\r\n\r\nPK\r\n--XX--", .partHeadUnreadable),
        ("--XX\r\nContent-Disposition: attachment; filename=a\r\n\r\nPK\r\n--XX--", .partHeadUnreadable),
        ("--XX\r\nContent-Disposition: form-data; filename=\"a\r\n\r\nPK\r\n--XX--", .partHeadUnreadable),
        ("--XX\r\nno colon\r\n\r\nPK\r\n--XX--", .partHeadUnreadable), ("--XXjunk\r\n", .partHeadUnreadable),
        ("--XX\r\nA: \(longName)", .partHeadTooLong(limit: 8_192)),
        ("--XX\(spaces)", .partHeadTooLong(limit: 8_192)),
    ]
    private static let spaces = String(repeating: " ", count: 9_000)

    @Test(arguments: [1, 2, 3, 7, 64, 10_000])
    func `A form gives its file when it arrives in pieces of any size`(_ count: Int) throws {
        for content in [
            "", "PK", "\r\n", "--XX", "\r\n--X", "\r\n--XY\r\n--", "a\r\n-\r\n--\r\n--XZ--",
            String(repeating: "\r", count: 300),
        ] {
            #expect(try read("\(Self.head)\(content)\r\n--XX--\r\n", by: count) == content)
        }
    }

    @Test func `A form may have text around it, and spaces behind a boundary`() throws {
        #expect(
            try read("preamble\r\n\(Self.head.replacingFirstLine(with: "--XX \t"))PK\r\n--XX--\r\nepilogue --XX", by: 5)
                == "PK")
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=\"X X:'\"", "X X:'"),
        ("Multipart/Form-Data; charset=utf-8; Boundary=abc", "abc"),
        ("multipart/form-data; boundary=\"a\\\"b\"", "a\"b"),
    ])
    func `A form has the boundary that its content type names`(_ contentType: String, _ boundary: String) throws {
        let head = "Content-Disposition: form-data; name=f; filename*=UTF-8''a.zip\r\n\r\n"
        #expect(try read("--\(boundary)\r\n\(head)PK\r\n--\(boundary)--", by: 3, contentType) == "PK")
    }

    @Test(arguments: [
        ("multipart/form-data", FormReader.Mistake.noBoundary), ("multipart/form-data; boundary=", .noBoundary),
        ("multipart/form-data; boundary=\"open", .noBoundary),
        ("multipart/form-data; boundary=\(String(repeating: "b", count: 71))", .noBoundary),
    ])
    func `A form without a boundary is refused`(_ contentType: String, _ mistake: FormReader.Mistake) {
        #expect(throws: mistake) { try read("", by: 1, contentType) }
    }

    /// The file and the fields that a reader of both gives.
    private func readAll(_ body: String, by count: Int) throws(FormReader.Mistake) -> [String] {
        var reader = try FormReader(contentType: Self.contentType, takesFields: true)
        var file: [UInt8] = []
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: count) {
            try reader.take(Array(bytes[start..<min(bytes.count, start + count)])) { file += $0 }
        }
        try reader.finish()
        return [String(decoding: file, as: UTF8.self)] + reader.fields.map { "\($0.name)=\($0.value)" }
    }

    private static func field(_ name: String, _ value: String) -> String {
        "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }

    @Test(arguments: [1, 2, 7, 10_000])
    func `A form gives short fields before and after its file where they are wanted`(_ count: Int) throws {
        let body =
            Self.field("a", "1") + Self.field("b", "\r\n--X") + Self.head + "PK\r\n" + Self.field("c", "") + "--XX--"
        #expect(try readAll(body, by: count) == ["PK", "a=1", "b=\r\n--X", "c="])
        #expect(throws: FormReader.Mistake.noFile) { try readAll(Self.field("a", "1") + "--XX--", by: count) }
        #expect(throws: FormReader.Mistake.severalFiles) {
            try readAll(Self.head + "PK\r\n" + Self.field("a", "1") + Self.head + "PK\r\n--XX--", by: count)
        }
    }

    @Test(arguments: [1, 900, 20_000])
    func `A form whose fields are long or many is refused before they are kept`(_ count: Int) {
        let tooLong = FormReader.Mistake.fieldsTooLong(limit: FormReader.fieldsByteLimit)
        #expect(throws: tooLong) { try readAll(Self.field("a", Self.longName), by: count) }
        #expect(throws: tooLong) { try readAll(Self.field("a", "\(Self.longName)\(Self.longName)"), by: count) }
        let many = (0...FormReader.fieldCountLimit).map { Self.field("f\($0)", "x") }.joined()
        #expect(throws: tooLong) { try readAll(many + Self.head + "PK\r\n--XX--", by: count) }
    }

    @Test(arguments: broken)
    func `A form without exactly one file is refused`(_ body: String, _ mistake: FormReader.Mistake) {
        for count in [1, 5, 20_000] {
            #expect(throws: mistake) { try read(body, by: count) }
        }
    }
}

extension String {
    fileprivate func replacingFirstLine(with line: String) -> String {
        guard let end = utf8.firstIndex(of: 0x0D) else { return self }
        return line + self[end...]
    }
}
