import HTTPWire
import Testing

@Suite struct `The addresses proxies report` {
    func addresses(_ lines: String, limit: Int = 16) -> [String] {
        let text = get(lines)
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
    func `are read nearest last`(lines: String, expected: [String]) {
        #expect(addresses(lines) == expected)
    }

    /// What a client writes comes first; the proxy appends a comma and the address it saw.
    @Test(arguments: [
        "\"", "\"1.1.1.1", "1.1.1.1\"", "\"\\", "\\\"", "\"a\\\"", "\"a\", \"", "\"\"\"", "for=\"", "for=\"a\\\"",
        "for=\"x, for=\"y", "for=\"\\\\\\\"", ",\",", "[::1", "for=\"[", ";\"", "=\"=",
    ])
    func `end with what the nearest proxy added, whatever a client wrote before`(prefix: String) {
        #expect(addresses("X-Forwarded-For: \(prefix), 9.9.9.9").last == "9.9.9.9")
        #expect(addresses("Forwarded: \(prefix), for=9.9.9.9").last == "9.9.9.9")
        #expect(addresses("Forwarded: \(prefix), for=\"[9::9]:9\";proto=http").last == "9::9")
        #expect(addresses("Forwarded: \(prefix)\r\nForwarded: for=9.9.9.9").last == "9.9.9.9")
    }

    @Test func `are the last ones where there are many`() {
        let many = (0..<1_500).map(String.init).joined(separator: ",")
        #expect(addresses("X-Forwarded-For: \(many)", limit: 3) == ["1497", "1498", "1499"])
        #expect(addresses("X-Forwarded-For: \(many)").count == 16)
        #expect(addresses("X-Forwarded-For: 1,2", limit: 1) == ["2"])
    }
}
