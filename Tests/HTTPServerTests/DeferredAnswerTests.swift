import TestSupport
import Testing

/// An answer that is deferred from one responder to the next is subject to the head of its request all the same.
@Suite struct `An answer deferred more than once` {
    private let path = "/later/twice/letters"

    @Test func `is the whole resource without conditions`() throws {
        let answer = try TestServer().get(path)
        #expect(answer.status == 200)
        #expect(answer.body == TestRoutes.letters)
    }

    @Test func `is 304 where the client has the resource`() throws {
        #expect(try TestServer().get(path, "If-None-Match: \"letters\"\r\n").status == 304)
    }

    @Test func `is the part the client asks for`() throws {
        let answer = try TestServer().get(path, "Range: bytes=2-4\r\n")
        #expect(answer.status == 206)
        #expect(answer.body == Array(TestRoutes.letters[2...4]))
    }
}
