import HostileServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetCore
import WidgetHost
import WidgetHosting
import WidgetRunning
import WidgetTransfers

/// Goal: no request leaves its grant. Method: addresses, redirects and names that try, with
/// only a transport that must never be asked, or a server on this machine, to answer them.
@Suite struct `No request gets out` {
    /// The grant is for `https://api.example.com/v1/` only.
    static let tricks = [
        // Other schemes, hosts, ports and paths.
        "http://api.example.com/v1/", "ftp://api.example.com/v1/", "file:///etc/passwd", "gopher://api.example.com/v1/",
        "javascript:alert(1)", "data:text/plain,x", "//api.example.com/v1/", "https:api.example.com/v1/",
        "https://api.example.com:8443/v1/", "https://api.example.com:80/v1/", "https://api.example.com/",
        "https://api.example.com/v1", "https://api.example.com/v10/", "https://api.example.com/V1/",
        "https://api.example.com//v1/", "https://evil.com/v1/", "https://evil.com/https://api.example.com/v1/",
        // Names that only look like it.
        "https://api.example.com.evil.com/v1/", "https://xapi.example.com/v1/", "https://api.example.com./v1/",
        "https://api.example.com%2eevil.com/v1/", "https://api.example.com%00.evil.com/v1/",
        "https://аpi.example.com/v1/", "https://api。example。com/v2/", "https://api.example.com\u{200B}.evil.com/v1/",
        // The user's part of an address is not its host.
        "https://api.example.com@evil.com/v1/", "https://api.example.com:443@evil.com/v1/",
        "https://user:pw@api.example.com/v1/", "https://api.example.com\\@evil.com/v1/",
        "https://evil.com\\.api.example.com/v1/", "https://evil.com#@api.example.com/v1/",
        "https://evil.com?@api.example.com/v1/",
        // Ways out of the path.
        "https://api.example.com/v1/../v2/", "https://api.example.com/v1/%2e%2e/v2/",
        "https://api.example.com/v1/.%2e/v2", "https://api.example.com/v1/..%2fv2",
        "https://api.example.com/v1/%5c..%5cv2", "https://api.example.com/v1/..\\v2",
        "https://api.example.com/v1/a%00b",
        "https://api.example.com/v1/%252e%252e/%2e%2e/",
        // Paths that leave the grant on servers that stop at a semicolon, or decode a path twice.
        "https://api.example.com/v1/..;/v2", "https://api.example.com/v1/%2e%2e;x/v2",
        "https://api.example.com/v1/..%3b/v2", "https://api.example.com/v1/%252e%252e/v2",
        "https://api.example.com/v1/%25252e./v2", "https://api.example.com/v1/..%252fv2",
        // Numbers in place of names.
        "https://127.0.0.1/v1/", "https://127.1/v1/", "https://2130706433/v1/", "https://0x7f000001/v1/",
        "https://0177.0.0.1/v1/", "https://017700000001/v1/", "https://127.0.0.1.nip.io/v1/", "https://localhost/v1/",
        "https://[::1]/v1/", "https://[::ffff:127.0.0.1]/v1/", "https://[::ffff:7f00:1]/v1/",
        "https://[64:ff9b::7f00:1]/v1/", "https://[2002:7f00:1::]/v1/", "https://[fe80::1%25lo]/v1/",
        "https://[0:0:0:0:0:0:0:1]/v1/", "https://①②⑦.⓪.⓪.①/v1/", "https://169.254.169.254/v1/",
        // Lines that would end a request.
        "https://api.example.com/v1/ HTTP/1.1\r\nHost: evil.com\r\n\r\n", "https://api.example.com\r\n.evil.com/v1/",
        "https://api.example.com\t.evil.com/v1/", "",
    ]

    private static func get(_ url: String, headers: [ServiceRequest.Header] = []) -> ServiceRequest {
        ServiceRequest(method: "GET", url: url, headers: headers, body: [], parts: [])
    }

    @Test(arguments: tricks) func `A request to an address that was not granted is refused`(address: String)
        async throws
    {
        let asked = Guarded<[TransferRequest]>([])
        let network = WebNetwork(
            try NetworkGrant(["https://api.example.com/v1/"]),
            client: TransferClient(transport: AnsweringTransport("{}", asked)))
        guard case .failure(let message) = await network.outcome(of: Self.get(address)) else {
            Issue.record("it was asked: \(asked.withLock { $0.map(\.url.description) })")
            return
        }
        #expect(!message.isEmpty && asked.withLock(\.isEmpty))
    }

    @Test(arguments: tricks.filter { !$0.isEmpty && !$0.contains("\n") && !$0.contains("\t") })
    func `A redirect to an address that was not granted is refused`(address: String) async throws {
        let asked = Guarded<[TransferRequest]>([])
        let network = WebNetwork(
            try NetworkGrant(["https://api.example.com/v1/"]),
            client: TransferClient(transport: RedirectingTransport(address, asked)))
        let outcome = await network.outcome(of: Self.get("https://api.example.com/v1/start"))
        // Some of them are harmless as the rest of an address: then the path they lead to is still within the grant.
        for request in asked.withLock({ $0 }) {
            #expect(request.url.host == "api.example.com" && request.url.scheme == .https && request.url.port == 443)
            let path = request.url.path.lowercased()
            #expect(path.hasPrefix("/v1/") && !["%2e%2e", "..;", "..%", "%25", "%3b"].contains { path.contains($0) })
        }
        if case .response = outcome { #expect(asked.withLock { $0.count } > 1) }
    }

    @Test(arguments: [
        "Host", "host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Proxy-Connection", "Via",
        "X-Forwarded-For", "x-forwarded-host", "X_Forwarded_Proto", "X-Forwarded-Anything", "Forwarded", "X-Real-IP",
        "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "x_http_method_override", "X-Original-URL",
        "X-Rewrite-URL", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP",
    ])
    func `A field that changes a request's target, end or sender is refused`(name: String) async throws {
        let asked = Guarded<[TransferRequest]>([])
        let network = WebNetwork(
            try NetworkGrant(["https://api.example.com/v1/"]),
            client: TransferClient(transport: AnsweringTransport("{}", asked)))
        let request = Self.get("https://api.example.com/v1/x", headers: [.init(name: name, value: "evil.com")])
        guard case .failure = await network.outcome(of: request) else {
            Issue.record("it was sent")
            return
        }
        #expect(asked.withLock(\.isEmpty))
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0"])
    func `A name that leads to this machine is refused, unless its range was granted too`(host: String) async throws {
        let server = try HostileServer { $0.answer(200, text: "{}") }
        let address = "http://\(host):\(server.port)/"
        guard case .failure = await WebNetwork(try NetworkGrant([address])).outcome(of: Self.get(address)) else {
            Issue.record("it got through")
            return
        }
        #expect(server.requests.isEmpty)
        if host == "127.0.0.1" {
            let wide = try NetworkGrant([address], privateRanges: [try #require(.init("127.0.0.0/8"))])
            guard case .response(200, _) = await WebNetwork(wide).outcome(of: Self.get(address)) else {
                Issue.record("it was refused")
                return
            }
            #expect(server.requests.count == 1)
        }
        server.stop()
    }

    @Test func `A real server's redirect to another port of this machine is refused`() async throws {
        let inner = try HostileServer { $0.answer(200, text: "{}") }
        let place = "http://127.0.0.1:\(inner.port)/secret"
        let outer = try HostileServer { $0.answer(302, ["Location: \(place)"], text: "") }
        let grant = try NetworkGrant(
            ["http://127.0.0.1:\(outer.port)/"], privateRanges: [try #require(.init("127.0.0.0/8"))])
        guard case .failure = await WebNetwork(grant).outcome(of: Self.get("http://127.0.0.1:\(outer.port)/")) else {
            Issue.record("it got through")
            return
        }
        #expect(outer.requests.count == 1 && inner.requests.isEmpty)
        outer.stop()
        inner.stop()
    }
}

/// A server that sends everybody elsewhere, once.
private struct RedirectingTransport: Transport {
    private let address: String
    private let asked: Guarded<[TransferRequest]>

    init(_ address: String, _ asked: Guarded<[TransferRequest]>) {
        self.address = address
        self.asked = asked
    }

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        let isFirst = asked.withLock { asked in
            asked.append(request)
            return asked.count == 1
        }
        let fields = isFirst ? [TransferField("Location", address)] : []
        return TransferAnswer(
            TransferHead(status: isFirst ? 302 : 200, fields: fields, url: request.url),
            body: ResponseBody(OneAnswer(Array("{}".utf8))))
    }
}

/// Goal: a grant allows the requests that it covers, and no others. Method: addresses that try.
@Suite struct `A grant` {
    static let grant = try? NetworkGrant(["https://api.example.com/v1/"])

    @Test(arguments: [
        "https://api.example.com/v1/", "https://api.example.com/v1/posts?x=1", "https://API.example.com/v1/a/b",
        "https://api.example.com:443/v1/posts", "https://api.example.com/v1/caf%C3%A9/%E2%82%AC/%F0%9F%90%A6",
        "https://api.example.com/v1/a%20b/c.d..e",
    ]) func `A grant covers addresses below it`(address: String) throws {
        #expect(try #require(Self.grant).allows(try TransferURL(address)))
    }

    @Test(arguments: [
        "http://api.example.com/v1/", "https://api.example.com/v2/", "https://api.example.com/v10/",
        "https://api.example.com/v1", "https://api.example.com:8443/v1/", "https://api.example.com.evil.com/v1/",
        "https://evil.com/v1/", "https://evil.com/https://api.example.com/v1/", "https://api.example.com@evil.com/v1/",
        "https://api.example.com:443@evil.com/v1/", "https://user:pw@api.example.com/v1/",
        "https://api.example.com/v1/../v2/",
        "https://api.example.com/v1/%2e%2e/v2/", "https://api.example.com/v1/%2E%2E/v2",
        "https://api.example.com/v1/.%2e/v2",
        "https://api.example.com/v1/..%2fv2", "https://api.example.com/v1/%5c..%5cv2", "https://api.example.com//v1/",
        "https://api.example.com/V1/", "https://xapi.example.com/v1/", "https://api.example.com./v1/",
        "https://[::1]/v1/", "https://127.0.0.1/v1/", "https://0x7f000001/v1/", "https://2130706433/v1/",
        "https://017700000001/v1/", "https://127.1/v1/", "https://[::ffff:127.0.0.1]/v1/", "https://localhost/v1/",
        "ftp://api.example.com/v1/", "file:///etc/passwd", "javascript:alert(1)", "gopher://api.example.com/v1/",
        "//api.example.com/v1/", "https:api.example.com/v1/", "https://api.example.com\\@evil.com/v1/",
        "https://evil.com\\.api.example.com/v1/", "https://api。example。com/v2/", "https://api.example.com/v1/a%00b",
        "https://api.example.com%2eevil.com/v1/",
        // Bytes that some servers decode to dots, or remove from a path.
        "https://api.example.com/v1/%c0%ae%c0%ae/v2", "https://api.example.com/v1/%C0%AE%C0%AE/v2",
        "https://api.example.com/v1/%25c0%25ae%25c0%25ae/v2", "https://api.example.com/v1/%e0%80%ae%e0%80%ae/v2",
        "https://api.example.com/v1/%f0%80%80%ae/v2", "https://api.example.com/v1/%fe/v2",
        "https://api.example.com/v1/.%09./v2", "https://api.example.com/v1/%09/v2",
        "https://api.example.com/v1/a%0d%0ab",
        "https://api.example.com/v1/a%1fb", "https://api.example.com/v1/a%7fb", "https://api.example.com/v1/..%20/v2",
        "https://api.example.com/v1/%20../v2",
    ]) func `A grant withstands disguised paths`(address: String) throws {
        guard let url = try? TransferURL(address) else { return }
        #expect(!(try #require(Self.grant).allows(url)), "\(url)")
    }

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::", "2001:db8::1", "::127.0.0.1",
    ]) func `A grant leads to no reserved address`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!(try #require(Self.grant).allows(address, port: 443)))
        let wide = try NetworkGrant(
            ["https://api.example.com/"], privateRanges: [try #require(AddressRange("127.0.0.0/8"))])
        #expect(wide.allows(address, port: 443) == (text == "127.0.0.1"))
    }

    @Test func `A grant leads to public addresses at its port only`() throws {
        let address = try #require(IPAddress("93.184.216.34"))
        let grant = try #require(Self.grant)
        #expect(grant.allows(address, port: 443) && !grant.allows(address, port: 22))
    }

    @Test func `Every request needs a grant`() async {
        let request = ServiceRequest(method: "GET", url: "https://example.com/", headers: [], body: [], parts: [])
        guard case .failure(let message) = await DeniedNetwork().outcome(of: request) else {
            Issue.record("nothing may be asked")
            return
        }
        #expect(message.contains("not granted"))
    }
}
