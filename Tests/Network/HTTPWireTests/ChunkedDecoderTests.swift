import Testing

@testable import HTTPWire

/// The result of decoding a chunked body, in pieces of the given sizes.
struct ChunkedReading: Equatable {
    var data: [UInt8] = []
    /// The position at which the body ended, if it did.
    var end: Int?
    var malformation: Malformation?

    /// Reads `bytes` cut at `cuts`, which rise.
    init(_ bytes: [UInt8], cuts: [Int] = []) {
        var decoder = ChunkedDecoder()
        var start = 0
        for cut in cuts + [bytes.count] {
            let piece = Array(bytes[start..<cut])
            var position = 0
            while true {
                let step = decoder.next(piece.span, &position)
                if case .data(let range) = step {
                    data.append(contentsOf: piece[range])
                    continue
                }
                if step == .end { end = start + position }
                if case .refused(let malformation) = step { self.malformation = malformation }
                if step != .needsMore { return }
                break
            }
            start = cut
        }
    }
}

@Suite struct `A chunked body` {
    static let accepted: [(String, data: String)] = [
        ("0\r\n\r\n", ""), ("000\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"), ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("00000000000000a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"), ("3\r\n0\r\n\r\n0\r\n\r\n", "0\r\n"),
        ("1;a\r\nx\r\n0\r\n\r\n", "x"), ("1;a=b\r\nx\r\n0;c\r\n\r\n", "x"), ("1;a=\"b\"\r\nx\r\n0\r\n\r\n", "x"),
        ("1;a=\"b;\\\"\\\\ \u{E9}\"\r\nx\r\n0\r\n\r\n", "x"), ("1 ; a = b ; c\r\nx\r\n0\r\n\r\n", "x"),
        ("1\t;\ta\t=\t\"\"\t;b\r\nx\r\n0\r\n\r\n", "x"), ("1;a;b=c;d=\"e\";f\r\nx\r\n0\r\n\r\n", "x"),
        ("0\r\nX: y\r\n\r\n", ""), ("0\r\nX:\r\nY: \u{E9}\t z \r\n\r\n", ""),
        ("0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", ""),
    ]

    @Test(arguments: accepted)
    func `A chunked body gives its data and ends where it ends`(text: String, data: String) {
        for rest in ["", "GET / HTTP/1.1\r\n", "\r\n", "\0"] {
            let reading = ChunkedReading((text + rest).latin1)
            #expect(reading.data == data.latin1 && reading.end == text.latin1.count && reading.malformation == nil)
        }
    }

    @Test(arguments: accepted)
    func `A chunked body is the same byte by byte and when cut at any two positions`(text: String, data: String) {
        let bytes = (text + "GET").latin1
        let whole = ChunkedReading(bytes)
        #expect(ChunkedReading(bytes, cuts: Array(0..<bytes.count)) == whole)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                guard ChunkedReading(bytes, cuts: [first, second]) == whole else {
                    Issue.record("differs when cut at \(first) and \(second)")
                    return
                }
            }
        }
    }

    @Test(arguments: accepted)
    func `A chunked body is incomplete at every prefix`(text: String, data: String) {
        let bytes = text.latin1
        for count in 0..<bytes.count {
            let reading = ChunkedReading(Array(bytes[..<count]))
            #expect(reading.end == nil && reading.malformation == nil && data.latin1.starts(with: reading.data))
        }
    }

    static let refused: [(String, Malformation)] =
        [
            ("\r\n", .chunkSize), ("x", .chunkSize), ("g\r\n", .chunkSize), (" 5\r\n", .chunkSize),
            ("+5\r\n", .chunkSize),
            ("-5\r\n", .chunkSize), ("-0\r\n", .chunkSize), ("0x5\r\n", .chunkSize), ("5_0\r\n", .chunkSize),
            ("5,0\r\n", .chunkSize), ("5.0\r\n", .chunkSize), ("5h\r\n", .chunkSize), ("5\0\r\n", .chunkSize),
            ("5\u{0B}\r\n", .chunkSize), ("5\u{0C}\r\n", .chunkSize), ("5\u{A0}\r\n", .chunkSize),
            ("5\u{85}\r\n", .chunkSize), ("\"5\"\r\n", .chunkSize), (";a\r\n", .chunkSize), ("\t5\r\n", .chunkSize),
            ("0000000000000005\r\n", .chunkSize), ("ffffffffffffffff\r\n", .chunkSize),
            ("8000000000000000\r\n", .chunkSize),
            ("10000000000000005\r\nhello\r\n", .chunkSize), ("1000000000000000\r\n", .chunkSize),
            ("\n", .bareLineFeed), ("5\nhello\r\n", .bareLineFeed), ("0\n\r\n", .bareLineFeed),
            ("5\rhello", .bareCarriageReturn),
            ("5\r\r\n", .bareCarriageReturn), ("0\r\r\n", .bareCarriageReturn),
            ("5 \r\nhello\r\n", .chunkExtension), ("5\t\r\nhello\r\n", .chunkExtension),
            ("5;\r\nhello\r\n", .chunkExtension),
            ("5; \r\n", .chunkExtension), ("5 5\r\n", .chunkExtension), ("5;;a\r\n", .chunkExtension),
            ("5;=a\r\n", .chunkExtension), ("5;a=\r\n", .chunkExtension), ("5;a= \r\n", .chunkExtension),
            ("5;a \r\n", .chunkExtension), ("5;a=b \r\n", .chunkExtension), ("5;a=\"b\" \r\n", .chunkExtension),
            ("5;a=b c\r\n", .chunkExtension), ("5;a b\r\n", .chunkExtension), ("5;a=\"b\"c\r\n", .chunkExtension),
            ("5;a=\"b\r\nhello\r\n0\r\n\r\n", .chunkExtension), ("5;a=\"\\\r\n", .chunkExtension),
            ("5;a\0\r\n", .chunkExtension),
            ("5;a=\"\0\"\r\n", .chunkExtension), ("5;a=\"\u{7F}\"\r\n", .chunkExtension),
            ("5;a\u{A0}\r\n", .chunkExtension),
            ("5;a=b=c\r\n", .chunkExtension), ("5;a,b\r\n", .chunkExtension), ("5;a\rb\r\n", .bareCarriageReturn),
            ("5;a\nb\r\n", .bareLineFeed), ("5;\nhello\r\n0\r\n\r\n", .bareLineFeed), ("5;a=\"\n\"\r\n", .bareLineFeed),
            ("5 \nhello", .bareLineFeed),
            ("5\r\nhelloX\r\n", .chunkEnd), ("5\r\nhello0\r\n\r\n", .chunkEnd), ("5\r\nhello \r\n", .chunkEnd),
            ("5\r\nhello\n0\r\n\r\n", .bareLineFeed), ("5\r\nhello\rX", .bareCarriageReturn),
            ("5\r\nhello\r\r\n", .bareCarriageReturn),
            ("5\r\nhello\r\n\r\n0\r\n\r\n", .chunkSize), ("5\r\nhello\r\nXX\r\n0\r\n\r\n", .chunkSize),
            ("0\r\nX y: z\r\n\r\n", .trailer), ("0\r\nX : y\r\n\r\n", .trailer), ("0\r\n: y\r\n\r\n", .trailer),
            ("0\r\nX\r\n\r\n", .trailer), ("0\r\n X: y\r\n\r\n", .trailer), ("0\r\nX: y\r\n z\r\n\r\n", .trailer),
            ("0\r\nX: \0\r\n\r\n", .trailer), ("0\r\nX: \u{7F}\r\n\r\n", .trailer), ("0\r\nX\0: y\r\n\r\n", .trailer),
            ("0\r\nX: y\n\r\n", .bareLineFeed), ("0\r\nX: y\rz", .bareCarriageReturn), ("0\r\n\n", .bareLineFeed),
            ("0\r\nX: y\r\n\n", .bareLineFeed), ("0\r\n\rX", .bareCarriageReturn),
            ("0\r\nX: y\r\n\rX", .bareCarriageReturn),
            ("0\r\nGET / HTTP/1.1\r\n", .trailer),
        ]

    @Test(arguments: refused)
    func `A malformed chunked body is refused with its fault`(text: String, malformation: Malformation) {
        let bytes = text.latin1
        let whole = ChunkedReading(bytes)
        #expect(whole.malformation == malformation && whole.end == nil)
        #expect(ChunkedReading(bytes, cuts: Array(0..<bytes.count)) == whole)
        for cut in 0...bytes.count { #expect(ChunkedReading(bytes, cuts: [cut]) == whole) }
        for rest in ["\r\n", "0\r\n\r\n", "\"\r\n\r\n"] {
            #expect(ChunkedReading(bytes + rest.latin1).malformation == malformation)
        }
    }

    @Test func `Chunked bodies are refused in more rows than they are accepted`() {
        #expect(Self.refused.count > 2 * Self.accepted.count)
    }

    @Test func `A chunked body that has ended stays ended and leaves the next message alone`() {
        let bytes = "0\r\n\r\nGET".latin1
        var decoder = ChunkedDecoder()
        var position = 0
        for _ in 0..<3 {
            let step = decoder.next(bytes.span, &position)
            #expect(step == .end && position == 5)
        }
    }

    @Test func `A refused chunked body stays refused`() {
        let bytes = "x0\r\n\r\n".latin1
        var decoder = ChunkedDecoder()
        var position = 0
        for start in [0, 0, 1, 2] {
            position = start
            let step = decoder.next(bytes.span, &position)
            #expect(step == .refused(.chunkSize) && position == start)
        }
    }

    @Test func `A chunk may be announced larger than any input`() {
        let reading = ChunkedReading("fffffffffffffff\r\nabc".latin1)
        #expect(reading.data == "abc".latin1 && reading.end == nil && reading.malformation == nil)
    }

    @Test func `The extensions of one chunk are bounded`() {
        func body(_ count: Int) -> [UInt8] { "0;\(String(repeating: "a", count: count - 1))\r\n\r\n".latin1 }
        #expect(ChunkedReading(body(256)).end != nil)
        #expect(ChunkedReading(body(257)).malformation == .chunkExtension)
        #expect(ChunkedReading("0\(String(repeating: " ", count: 257))".latin1).malformation == .chunkExtension)
    }

    @Test func `The extensions of all chunks together are bounded`() {
        func body(_ chunks: Int) -> [UInt8] {
            (String(repeating: "1;\(String(repeating: "a", count: 127))\r\nx\r\n", count: chunks) + "0\r\n\r\n").latin1
        }
        #expect(ChunkedReading(body(128)).end != nil)
        #expect(ChunkedReading(body(129)).malformation == .chunkExtension)
    }

    @Test func `The bytes and lines of a trailer are bounded`() {
        func long(_ count: Int) -> [UInt8] { "0\r\nX:\(String(repeating: "a", count: count))\r\n\r\n".latin1 }
        // The section is the name, the colon, the value, its line end and the empty line's first byte.
        #expect(ChunkedReading(long(8_192 - 5)).end != nil)
        #expect(ChunkedReading(long(8_192 - 4)).malformation == .trailer)
        func many(_ count: Int) -> [UInt8] { "0\r\n\(String(repeating: "X:\r\n", count: count))\r\n".latin1 }
        #expect(ChunkedReading(many(100)).end != nil)
        #expect(ChunkedReading(many(101)).malformation == .trailer)
    }
}
