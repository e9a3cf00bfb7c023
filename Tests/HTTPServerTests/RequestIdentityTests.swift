import Testing

@testable import HTTPServer

@Suite struct `A request's identity` {
    @Test(
        arguments: [
            (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, "0123456789abcdeffedcba9876543210"),
            (0, UInt64.max, "0000000000000000ffffffffffffffff"),
            (0x9A9A_A9A9_0F0F_F0F0, 0x8000_0000_0000_0001, "9a9aa9a90f0ff0f08000000000000001"),
        ] as [(UInt64, UInt64, String)])
    func `is written in hexadecimal digits`(high: UInt64, low: UInt64, expected: String) {
        let identity = RequestIdentity.made(high, low)
        let output = OutputBuffer(capacity: 64)
        identity.append(to: output)
        #expect(String(decoding: output.take(), as: UTF8.self) == expected)
        #expect(identity.text == expected)
    }

    @Test func `is the client's own where it gave one`() {
        let identity = RequestIdentity.given(Array("trace-1".utf8))
        let output = OutputBuffer(capacity: 64)
        identity.append(to: output)
        #expect(String(decoding: output.take(), as: UTF8.self) == "trace-1")
        #expect(identity.text == "trace-1")
    }

    @Test func `differs from request to request`() {
        var maker = RequestIdentityMaker()
        let made = (0..<10_000).map { _ in maker.next().text }
        #expect(Set(made).count == made.count)
    }
}
