import HostileServer
import Testing
import WidgetAddresses
import WidgetBytes

@testable import WidgetTransfers

/// Goal: a request goes where it may and nowhere else. Method: addresses as text, and policies over real sockets.
@Suite struct `An address` {
    @Test(arguments: [
        ("http://registry.test", "http://registry.test/"), ("HTTP://Registry.TEST:80/a", "http://registry.test/a"),
        ("https://registry.test:8443/a/../b?c=d#e", "https://registry.test:8443/b?c=d"),
        ("http://[::1]:8080/", "http://[::1]:8080/"), ("http://127.1/", "http://127.0.0.1/"),
        ("http://registry.test/a?", "http://registry.test/a"),
    ])
    func `An address has one spelling`(_ text: String, _ spelling: String) throws {
        #expect(try TransferURL(text).description == spelling)
    }

    @Test(arguments: ["a?", "../v1/bundles", "?limit=1", "//Other.test/a?", "/%2e%2e/b", "#top"])
    func `A resolved address has one spelling`(_ reference: String) throws {
        let url = try TransferURL("https://registry.test/v1/widgets?channel=beta").resolving(reference)
        #expect(try TransferURL(url.description) == url)
    }

    @Test func `An address has parts`() throws {
        let url = try TransferURL("https://Registry.test/v1/widgets/a%2Bb?channel=beta#x")
        #expect(url.scheme == .https)
        #expect(url.host == "registry.test")
        #expect(url.port == 443)
        #expect(url.path == "/v1/widgets/a%2Bb")
        #expect(url.query == "channel=beta")
        #expect(url.withoutQuery == "https://registry.test/v1/widgets/a%2Bb")
    }

    @Test(arguments: [
        "", "registry.test", "/a", "file:///etc/passwd", "gopher://a/", "http://", "http://a b/", "http://a\u{0}b/",
        "http://user@registry.test/", "http://user:password@registry.test/", "http://registry.test:0/",
        "http://registry.test:65536/", "http://registry.test:-1/", "http://[::1/", "http://ä.test/", "http:\\\\a\\",
        "http://" + String(repeating: "a", count: 8_200),
    ])
    func `A malformed address is refused`(_ text: String) {
        #expect(throws: TransferError.self) { try TransferURL(text) }
    }

    @Test func `An address shows no query in an error`() async throws {
        let error = TransferError(.connectionLost, try TransferURL("http://a/b?token=secret"))
        #expect(error.description == "the connection was lost before the answer was complete (http://a/b)")
        #expect(throws: TransferError(.invalidURL("it begins with neither http:// nor https://"), address: "ftp://a/"))
        {
            try TransferURL("ftp://a/?token=secret")
        }
    }

    private struct Policy: TransferPolicy {
        let asked = Guarded([String]())
        var allowsAddress = true
        func allows(_ url: TransferURL) -> Bool { true }
        func allows(_ address: IPAddress, port: UInt16) -> Bool {
            asked.withLock { $0.append("\(address) \(port)") }
            return allowsAddress
        }
    }

    @Test func `An address is shown to the policy before it is connected to`() async throws {
        let server = try HostileServer { $0.answer(200) }
        let policy = Policy()
        var request = try Setting.request(server.url)
        request.policy = policy
        _ = try await Setting.client.send(request).body.collect()
        #expect(Set(policy.asked.withLock { $0 }) == ["127.0.0.1 \(server.port)"])
    }

    @Test func `An address that the policy refuses is not connected to, by name either`() async throws {
        let server = try HostileServer { $0.answer(200) }
        for host in ["127.0.0.1", "localhost"] {
            var request = try Setting.request("http://\(host):\(server.port)/")
            request.policy = Policy(allowsAddress: false)
            let asked = request
            let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
            guard case .addressRefused = reason else {
                Issue.record("\(String(describing: reason))")
                continue
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `An address is shown to the policy even if a connection is established already`() async throws {
        let server = try HostileServer { $0.answer(200) }
        var request = try Setting.request(server.url)
        _ = try await Setting.client.send(request).body.collect()
        request.policy = Policy(allowsAddress: false)
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
        #expect(reason == .addressRefused("127.0.0.1, port \(server.port)"))
        #expect(server.requests.count == 1)
    }

    @Test func `An address without a listener is reported as such`() async throws {
        let server = try HostileServer { $0.answer(200) }
        server.stop()
        var request = try Setting.request(server.url)
        request.retries = .never
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
        #expect(reason == .noConnection)
    }
}
