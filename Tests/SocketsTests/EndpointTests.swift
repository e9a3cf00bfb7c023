import Addresses
import Glibc
import Sockets
import Testing

@Suite struct `An endpoint` {
    static let written: [(text: String, endpoint: Endpoint)] = [
        ("127.0.0.1:8080", .ip(.loopbackV4, port: 8_080)),
        ("[::1]:0", .ip(.loopbackV6, port: 0)),
        ("0.0.0.0:65535", .ip(.anyV4, port: 65_535)),
        ("[::]:80", .ip(IPAddress(high: 0, low: 0), port: 80)),
        ("[::ffff:127.0.0.1]:80", .ip(.loopbackV4, port: 80)),
        ("unix:/run/widgetd.sock", .unix(path: "/run/widgetd.sock")),
        ("unix:relative:with:colons", .unix(path: "relative:with:colons")),
    ]

    @Test(arguments: written)
    func `is read from its text`(_ sample: (text: String, endpoint: Endpoint)) throws {
        #expect(try Endpoint(sample.text) == sample.endpoint)
    }

    static let malformed = [
        "", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+80", "127.0.0.1: 80",
        "127.0.0.1:0x50", "127.0.0.1:80:80", "::1:80", "[::1]", "[::1]80", "[::1:80", "::1]:80", "[localhost]:80",
        "[127.0.0.1]:80", "[::zz]:80", "[fe80::1%eth0]:80", "256.1.1.1:80", "1.2.3:80", "host name:80", "unix:",
        "unix:\(String(repeating: "a", count: 108))", "unix:a\0b",
    ]

    @Test(arguments: malformed)
    func `is refused when its text is none`(_ text: String) {
        #expect(throws: Endpoint.Mistake.form(text)) { try Endpoint(text) }
    }

    @Test func `may be named`() throws {
        guard case .ip(let address, 80) = try Endpoint("localhost:80") else {
            Issue.record("localhost is no address")
            return
        }
        #expect(address.isLoopback)
    }

    @Test func `is refused when its name is unknown`() {
        #expect(throws: Endpoint.Mistake.unknownHost("no-such-host.invalid")) {
            try Endpoint("no-such-host.invalid:80")
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "[::1]:80", "[2001:db8::1]:0", "unix:/a/b"])
    func `is written as it is read`(_ text: String) throws {
        #expect(try Endpoint(text).description == text)
    }

    @Test func `that is everywhere is found on this machine`() throws {
        #expect(try Endpoint("0.0.0.0:80").reachable.description == "127.0.0.1:80")
        #expect(try Endpoint("[::]:80").reachable.description == "[::1]:80")
        #expect(try Endpoint("192.0.2.1:80").reachable.description == "192.0.2.1:80")
    }
}
