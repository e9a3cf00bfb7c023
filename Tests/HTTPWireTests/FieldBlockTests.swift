import HTTPWire
import Testing

@Suite struct `A block of fields` {
    func text(_ block: FieldBlock) -> String { String(decoding: block.bytes, as: UTF8.self) }

    @Test func `holds one line for each field`() {
        var block = FieldBlock(["A": "b", "C-D": ""])
        block.add("E", -5)
        block.add(FieldBlock(["F": "g"]))
        #expect(text(block) == "A: b\r\nC-D: \r\nE: -5\r\nF: g\r\n")
        #expect(FieldBlock().bytes.isEmpty)
    }

    @Test(arguments: [
        ("a\r\nSet-Cookie: b", "a  Set-Cookie: b"), ("a\nb", "a b"), ("a\rb", "a b"), ("a\0b", "a b"),
        ("a\r\n\r\n<script>", "a    <script>"), ("\t", " "), ("\u{7F}", " "), ("\u{1B}[31m", " [31m"), ("é", "??"),
        ("\u{2028}", "???"), ("\u{85}", "??"), ("a\r\n b", "a   b"),
    ])
    func `lets no value end its line`(value: String, written: String) {
        var block = FieldBlock()
        block.add("X", value)
        #expect(text(block) == "X: \(written)\r\n")
    }

    @Test func `keeps every byte a value may have`() {
        let visible = String(decoding: UInt8(0x20)...0x7E, as: UTF8.self)
        var block = FieldBlock()
        block.add("X", visible)
        #expect(text(block) == "X: \(visible)\r\n")
    }
}

@Suite struct `A status` {
    @Test(arguments: Status.allCases)
    func `has a line of its own`(status: Status) {
        let line = String(decoding: StatusLine.bytes(status), as: UTF8.self)
        #expect(line == "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n")
        #expect(!status.reason.isEmpty && status.reason.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        #expect(status.isBodiless == [204, 304].contains(status.rawValue))
    }
}

@Suite struct `What a client is told` {
    @Test(arguments: Malformation.allCases)
    func `is a sentence`(malformation: Malformation) {
        let sentence = malformation.rawValue
        #expect(sentence.first?.isUppercase == true && sentence.last == "." && sentence.contains(" "))
        #expect(sentence.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && sentence.utf8.count <= 110)
        #expect(Refusal.malformed(malformation).status == .badRequest)
    }
}

@Suite struct `A request identifier` {
    func isSane(_ text: String) -> Bool {
        let bytes = text.latin1
        return RequestID.isSane(bytes.span, 0..<bytes.count)
    }

    @Test func `is taken over where it is sane`() {
        for text in [
            "01234567", "a-b_c.d:e", String(repeating: "a", count: 128), "00000000-0000-4000-8000-000000000000",
        ] {
            #expect(isSane(text))
        }
    }

    @Test func `is not taken over otherwise`() {
        for text in [
            "", "0123456", String(repeating: "a", count: 129), "01234567 ", "0123\t4567", "01234567\r\n", "0123/4567",
            "\"01234567\"", "01234567\u{E9}", "01234567\0", "<script>1", "a,b,c,d,e",
        ] {
            #expect(!isSane(text))
        }
    }
}
