import Testing

@testable import HTTPWire

@Suite struct `A whole form` {
    private func form(
        _ body: String, _ type: String = "application/x-www-form-urlencoded", _ limits: PostedForm.Limits = .init()
    ) throws(PostedForm.Mistake) -> PostedForm {
        try PostedForm(Array(body.utf8), contentType: type, limits: limits)
    }

    private static let multipart = "multipart/form-data; boundary=x"

    @Test func `Fields are decoded in their order, and lines end as texts do`() throws {
        let read = try form("n=1&1.2=a+b%26%C3%A9&do=%5B%22enter%22%5D&t=a%0D%0Ab&empty&&")
        #expect(read.fields.map(\.name) == ["n", "1.2", "do", "t", "empty"])
        #expect(read.fields.map(\.value) == ["1", "a b&é", "[\"enter\"]", "a\nb", ""])
    }

    @Test func `A form that is refused is explained by a sentence with the limit`() {
        #expect(PostedForm.Mistake.tooManyFields(limit: 200).description == "The form has more than 200 fields.")
        #expect(PostedForm.Mistake.fieldsTooLong(limit: 1 << 20).description.hasSuffix("more than 1024 KB."))
        #expect(PostedForm.Mistake.filesTooLong(limit: 16 << 20).description.hasSuffix("more than 16 MB."))
    }

    @Test func `Fields and files of a multipart form are read`() throws {
        let body =
            "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n7\r\n--x\r\nContent-Disposition: form-data; "
            + "name=\"1.4\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\r\n--y\r\n--x--\r\n"
        let read = try form(body, Self.multipart)
        #expect(read.fields.map(\.value) == ["7"])
        #expect(
            read.files == [
                .init(field: "1.4", name: "a.png", contentType: "image/png", bytes: Array("\r\n--y".utf8))
            ])
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%FF"])
    func `Escapes that mean nothing are refused`(body: String) {
        #expect(throws: PostedForm.Mistake.unreadable) { try form(body) }
    }

    @Test func `Every cut of a multipart form is refused`() {
        let body = "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n7\r\n--x--"
        for count in 0..<body.utf8.count {
            #expect(throws: PostedForm.Mistake.unreadable) {
                try form(String(decoding: body.utf8.prefix(count), as: UTF8.self), Self.multipart)
            }
        }
    }

    @Test func `More fields and bytes than the limits are refused`() {
        var limits = PostedForm.Limits()
        (limits.fieldCount, limits.fieldByteCount, limits.fileByteCount) = (2, 6, 1)
        let type = "application/x-www-form-urlencoded"
        #expect(throws: PostedForm.Mistake.tooManyFields(limit: 2)) { try form("a&b&c", type, limits) }
        #expect(throws: PostedForm.Mistake.fieldsTooLong(limit: 6)) { try form("a=123456", type, limits) }
        let file = "--x\r\nContent-Disposition: form-data; name=\"n\"; filename=\"f\"\r\n\r\n77\r\n--x--"
        #expect(throws: PostedForm.Mistake.filesTooLong(limit: 1)) { try form(file, Self.multipart, limits) }
        #expect(throws: PostedForm.Mistake.mediaType) { try form("", "text/plain") }
        #expect(throws: PostedForm.Mistake.boundary) { try form("", "multipart/form-data") }
    }
}
