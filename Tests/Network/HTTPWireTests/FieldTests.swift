import HTTPWire
import Testing

@testable import HTTPWire

@Suite struct `A block of fields` {
    func text(_ block: FieldBlock) -> String { String(decoding: block.bytes, as: UTF8.self) }

    @Test func `A block of fields holds one line for each field`() {
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
    func `A block of fields does not let a value end its line`(value: String, written: String) {
        var block = FieldBlock()
        block.add("X", value)
        #expect(text(block) == "X: \(written)\r\n")
    }

    @Test func `A block of fields keeps every byte a value may have`() {
        let visible = String(decoding: UInt8(0x20)...0x7E, as: UTF8.self)
        var block = FieldBlock()
        block.add("X", visible)
        #expect(text(block) == "X: \(visible)\r\n")
    }
}

@Suite struct `A status` {
    @Test(arguments: Status.allCases)
    func `A status has a line`(status: Status) {
        let line = String(decoding: StatusLine.bytes(status), as: UTF8.self)
        #expect(line == "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n")
        #expect(!status.reason.isEmpty && status.reason.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        #expect(status.isBodiless == [204, 304].contains(status.rawValue))
    }
}

@Suite struct `What a client is told` {
    @Test(arguments: Malformation.allCases)
    func `The description of a malformation is a sentence`(malformation: Malformation) {
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

    @Test func `A well-formed request identifier is taken over`() {
        for text in [
            "01234567", "a-b_c.d:e", String(repeating: "a", count: 128), "00000000-0000-4000-8000-000000000000",
        ] {
            #expect(isSane(text))
        }
    }

    @Test func `A malformed request identifier is not taken over`() {
        for text in [
            "", "0123456", String(repeating: "a", count: 129), "01234567 ", "0123\t4567", "01234567\r\n", "0123/4567",
            "\"01234567\"", "01234567\u{E9}", "01234567\0", "<script>1", "a,b,c,d,e",
        ] {
            #expect(!isSane(text))
        }
    }
}

@Suite struct `What a client can take` {
    func admits(_ accept: String, _ mediaType: String = "application/json") -> Bool {
        let bytes = accept.latin1
        return Negotiation.admits(bytes.span, 0..<bytes.count, mediaType: mediaType)
    }

    func admitsGzip(_ value: String) -> Bool {
        let bytes = value.latin1
        return Negotiation.admitsGzip(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        "", " ", ",", "*/*", "application/json", "Application/JSON", "application/*", "text/html, */*",
        "text/html;q=0.9, application/json;q=0.1", "application/json; charset=utf-8", "*/*;q=0, application/json",
        "application/*;q=0, application/json;q=0.5", "application/json;q=0.001", "application/json;q=1.000",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", "*/* ; q=1",
        "a/b;c=\"d,e\", */*", "*/*;q=0.8,text/html;q=0.09", "text/html;level=0, */*", "text/html;q=0, */*",
        "image/avif,image/webp\t,\t*/*\t;q=.5", "*/*;q=0,application/json;q=00.10",
    ])
    func `An Accept field admits the media type that it asks for`(accept: String) {
        #expect(admits(accept))
    }

    @Test(arguments: [
        "text/html", "application/problem+json", "application/jso", "application/json5", "json", "text/*", "*/*;q=0",
        "*/*;q=0.0", "*/*; q=0.000", "application/json;q=0", "application/json;q=0, */*", "application/*;q=0, */*",
        "*/json", "*", "/", "application/", "application", "application/json;Q=0", "application/json;a=b;q=0",
        "x-application/json", "\"application/json\"", "text/html;a=\",*/*,\"", "text/html,image/avif,*/*;q=0",
        "text/html,image/avif,*/*;a=b;q=0.", "text/html,x */*,image/webp", "text/html,*/*x,image/webp",
        "application/json;q=0,text/html;q=0.9,*/*;q=0.8", "image/avif,*/*;q=.00 ", "*/*/*,text/html",
    ])
    func `An Accept field does not admit other media types`(accept: String) {
        #expect(!admits(accept))
    }

    @Test func `An Accept field distinguishes an event stream from a document`() {
        #expect(admits("text/event-stream", "text/event-stream"))
        #expect(!admits("text/event-stream"))
        #expect(!admits("text/event-streams", "text/event-stream"))
    }

    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "br, gzip", "gzip;q=0.5", "*", "*;q=0.1", "identity;q=0, gzip", "gzip, *;q=0",
        " deflate , gzip ; q=1 ", "*;q=0, gzip",
    ])
    func `An Accept-Encoding field admits gzip`(value: String) {
        #expect(admitsGzip(value))
    }

    @Test(arguments: [
        "", "br", "identity", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "xgzip", "gzipx", "gz", "gzip x",
        "\"gzip\"",
    ])
    func `An Accept-Encoding field without gzip does not admit it`(value: String) {
        #expect(!admitsGzip(value))
    }

    @Test(arguments: [
        ("br", true), ("gzip, deflate, br, zstd", true), ("BR;q=0.1", true), ("br;q=0", false), ("*", false),
        ("", false),
        ("brx", false), ("gzip", false),
    ])
    func `An Accept-Encoding field admits Brotli where it names that`(value: String, isAdmitted: Bool) {
        let bytes = value.latin1
        #expect(Negotiation.admitsBrotli(bytes.span, 0..<bytes.count) == isAdmitted)
    }

    @Test func `A content type is recognised without regard to its parameters`() {
        func isZip(_ value: String) -> Bool {
            let bytes = value.latin1
            return Negotiation.isOne(of: ["application/zip", "a/b"], bytes.span, 0..<bytes.count)
        }
        for value in ["application/zip", "Application/ZIP", "a/b; c=d", "a/b ;q=0"] { #expect(isZip(value)) }
        for value in ["", "application/zi", "application/zipp", "application/*", "*/*", "a/b, a/b", ";a/b", "a /b"] {
            #expect(!isZip(value))
        }
    }
}

@Suite struct `A digest field` {
    /// The SHA-256 of nothing.
    private static let empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(arguments: [
        "sha-256=:\(empty):", "sha-512=:AA==:, sha-256=:\(empty):", "sha-256=:\(empty):;x=1",
        "unixsum=:AA==: ,sha-256=:\(empty):",
        "sha-256=:AA==:, sha-256=:\(empty):".replacingShort, "sha-256=:\(String(empty.dropLast())):",
    ])
    func `A digest field names a SHA-256`(_ text: String) throws {
        guard case .sha256(let bytes) = DigestField.read(text) else {
            Issue.record("\(text) was not read")
            return
        }
        #expect(bytes.count == 32)
        #expect(bytes.prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
        #expect(bytes.suffix(2) == [0xB8, 0x55])
    }

    @Test(arguments: ["sha-512=:AAAA:", "md5=:AA==:", "sha=::"])
    func `A digest field may name other algorithms only`(_ text: String) {
        #expect(DigestField.read(text) == .others)
    }

    @Test(arguments: [
        "", ",", "sha-256", "sha-256=", "sha-256=abc", "sha-256=:abc", "sha-256=:A:", "sha-256=:AAAA:",
        "sha-256=:\(empty)",
        "SHA-256=:\(empty):", "sha-256 =:\(empty):", "sha-256=:\(empty):x", "sha-256=:\(empty)=:", "sha-256=:%%%%:",
        "sha-256=\"\(empty)\"", "sha-256=:\(empty):, broken",
    ])
    func `A digest field that cannot be read is reported as malformed`(_ text: String) {
        #expect(DigestField.read(text) == .malformed)
    }
}

extension String {
    /// Of two members of one name the last counts, if the first is whole.
    fileprivate var replacingShort: String {
        let whole = String(repeating: "A", count: 43) + "="
        return split(separator: "AA==", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: whole)
    }
}

@Suite struct `The addresses proxies report` {
    func addresses(_ lines: String, limit: Int = 16) -> [String] {
        let text = requestHead(with: lines)
        let bytes = text.latin1
        return ForwardedAddresses.list(head(text), bytes.span, limit: limit)
    }

    @Test(arguments: [
        ("X-Forwarded-For: 1.2.3.4", ["1.2.3.4"]), ("X-Forwarded-For: 1.2.3.4, 5.6.7.8:90", ["1.2.3.4", "5.6.7.8"]),
        ("X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: ::1", ["1.2.3.4", "::1"]),
        ("X-Forwarded-For: [::1]:80, \"[::2]\"", ["::1", "::2"]), ("X-Forwarded-For: , ,1.2.3.4,", ["1.2.3.4"]),
        ("X-Forwarded-For: unknown", ["unknown"]), ("X-Forwarded-For:", []), ("X: y", []),
        ("Forwarded: for=1.2.3.4", ["1.2.3.4"]), ("Forwarded: For=1.2.3.4;proto=http;by=x", ["1.2.3.4"]),
        ("Forwarded: proto=http; for = \"[2001:db8::1]:80\"", ["2001:db8::1"]),
        ("Forwarded: for=a, for=b\r\nForwarded: for=\"c\"", ["a", "b", "c"]),
        ("Forwarded: proto=http", ["unknown"]), ("Forwarded: for=\"_x,y\", for=z", ["_x,y", "z"]),
        ("X-Forwarded-For: 1.1.1.1\r\nForwarded: for=2.2.2.2", ["1.1.1.1"]),
    ])
    func `The addresses that proxies report are read with the nearest last`(lines: String, expected: [String]) {
        #expect(addresses(lines) == expected)
    }

    /// The client's text comes first; the proxy appends a comma and the address it saw.
    @Test(arguments: [
        "\"", "\"1.1.1.1", "1.1.1.1\"", "\"\\", "\\\"", "\"a\\\"", "\"a\", \"", "\"\"\"", "for=\"", "for=\"a\\\"",
        "for=\"x, for=\"y", "for=\"\\\\\\\"", ",\",", "[::1", "for=\"[", ";\"", "=\"=",
    ])
    func `The addresses end with the one that the nearest proxy added, after any prefix`(prefix: String) {
        #expect(addresses("X-Forwarded-For: \(prefix), 9.9.9.9").last == "9.9.9.9")
        #expect(addresses("Forwarded: \(prefix), for=9.9.9.9").last == "9.9.9.9")
        #expect(addresses("Forwarded: \(prefix), for=\"[9::9]:9\";proto=http").last == "9::9")
        #expect(addresses("Forwarded: \(prefix)\r\nForwarded: for=9.9.9.9").last == "9.9.9.9")
    }

    @Test func `Of many addresses the last ones are read`() {
        let many = (0..<1_500).map(String.init).joined(separator: ",")
        #expect(addresses("X-Forwarded-For: \(many)", limit: 3) == ["1497", "1498", "1499"])
        #expect(addresses("X-Forwarded-For: \(many)").count == 16)
        #expect(addresses("X-Forwarded-For: 1,2", limit: 1) == ["2"])
    }
}
