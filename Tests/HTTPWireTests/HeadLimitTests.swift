import HTTPWire
import Testing

@Suite struct `A head at its limits` {
    let limits = HeadLimits(requestLine: 40, field: 30, fields: 60, fieldCount: 4)

    func lines(_ lengths: [Int]) -> String {
        lengths.map { "A:" + String(repeating: "b", count: $0 - 2) + "\r\n" }.joined()
    }

    /// The outcome, which must be the same however the bytes arrive.
    func outcome(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> RequestHeadParser.Outcome {
        let bytes = text.latin1
        let whole = parsed(bytes, limits).0
        for count in 0..<bytes.count {
            let prefix = parsed(Array(bytes[..<count]), limits).0
            #expect(prefix == .incomplete || prefix == whole, sourceLocation: sourceLocation)
        }
        return whole
    }

    @Test(arguments: [
        "GET /%@ HTTP/1.0", "GET /?%@ HTTP/1.0", "%@ / HTTP/1.0", "GET http://%@ HTTP/1.0", "GET http://x/%@ HTTP/1.0",
        "CONNECT %@:1 HTTP/1.0",
    ])
    func `has a request line of exactly the limit and not a byte more`(form: String) {
        let parts = form.split(separator: "%@", omittingEmptySubsequences: false).map(String.init)
        func line(_ count: Int) -> String {
            parts[0] + String(repeating: "a", count: count - form.utf8.count + 2) + parts[1] + "\r\n\r\n"
        }
        #expect(outcome(line(39)) == .complete)
        #expect(outcome(line(40)) == .complete)
        #expect(outcome(line(41)) == .refused(.requestLineTooLong(limit: 40)))
        #expect(outcome(line(400)) == .refused(.requestLineTooLong(limit: 40)))
    }

    @Test func `counts empty lines before the request line`() {
        #expect(outcome(String(repeating: "\r\n", count: 13) + "GET / HTTP/1.0\r\n\r\n") == .complete)
        #expect(
            outcome(String(repeating: "\r\n", count: 14) + "GET / HTTP/1.0\r\n\r\n")
                == .refused(.requestLineTooLong(limit: 40)))
        #expect(outcome(String(repeating: "\r\n", count: 999)) == .refused(.requestLineTooLong(limit: 40)))
    }

    @Test func `has a field of exactly the limit and not a byte more`() {
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([30]) + "\r\n") == .complete)
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([31]) + "\r\n") == .refused(.fieldTooLong(limit: 30)))
        let name = String(repeating: "n", count: 31)
        #expect(outcome("GET / HTTP/1.0\r\n\(name)") == .refused(.fieldTooLong(limit: 30)))
        #expect(
            outcome("GET / HTTP/1.0\r\nA:\(String(repeating: " ", count: 29))") == .refused(.fieldTooLong(limit: 30)))
    }

    @Test func `has fields of exactly the limit and not a byte more`() {
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 28]) + "\r\n") == .complete)
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 29]) + "\r\n") == .refused(.headTooLong(limit: 60)))
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 28, 3]) + "\r\n") == .refused(.headTooLong(limit: 60)))
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([28, 27]) + "B") == .refused(.headTooLong(limit: 60)))
    }

    @Test func `has as many fields as the limit and not one more`() {
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([3, 3, 3, 3]) + "\r\n") == .complete)
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([3, 3, 3, 3, 3]) + "\r\n") == .refused(.tooManyFields(limit: 4)))
        #expect(outcome("GET / HTTP/1.0\r\n" + lines([3, 3, 3, 3]) + "A") == .refused(.tooManyFields(limit: 4)))
    }

    @Test func `takes no more bytes than the limits add up to`() {
        let line = "GET /" + String(repeating: "a", count: 26) + " HTTP/1.0\r\n"
        let longest = line + lines([28, 28]) + "\r\n"
        #expect(line.utf8.count == 42 && outcome(longest) == .complete)
        #expect(longest.utf8.count == limits.total)
        // However long a head goes on, one buffer of that size and a byte tells.
        for filler in ["a", "\r\n", "A:b\r\n", "GET / HTTP/1.0\r\n", "a:", "GET / HTTP/1.0\r\nA:b\r\n", " "] {
            let endless = String(repeating: filler, count: 200).latin1
            #expect(parsed(Array(endless[...limits.total]), limits).0 != .incomplete)
        }
    }

    @Test func `has the limits of the contract`() {
        let limits = HeadLimits()
        #expect(limits.requestLine == 8_192 && limits.field == 8_192 && limits.fields == 32_768)
        #expect(limits.fieldCount == 100)
        #expect(Refusal.requestLineTooLong(limit: 1).status == .uriTooLong)
        #expect(Refusal.fieldTooLong(limit: 1).status == .requestHeaderFieldsTooLarge)
        #expect(Refusal.headTooLong(limit: 1).status == .requestHeaderFieldsTooLarge)
        #expect(Refusal.tooManyFields(limit: 1).status == .requestHeaderFieldsTooLarge)
    }
}
