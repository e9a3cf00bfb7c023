import HTTPWire
import Testing

@Suite struct `A request head` {
    @Test func `is taken whole or not at all`() {
        let bytes = Array("GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        for count in 0..<bytes.count {
            var head = RequestHead()
            #expect(
                RequestHeadParser.parse(Array(bytes[..<count]).span, into: &head, limits: HeadLimits()) == .incomplete)
        }
        var head = RequestHead()
        #expect(RequestHeadParser.parse(bytes.span, into: &head, limits: HeadLimits()) == .complete)
        #expect(head.byteCount == bytes.count)
    }
}
