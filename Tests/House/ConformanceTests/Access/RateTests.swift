import ConformanceSupport
import Testing
import WidgetTestSupport

/// §5 and §6: the rate of costly requests from one address.
@Suite(.serialized) struct `A client that asks too often` {
    let registry: Registry

    init() throws { registry = try Registries.counted() }

    /// A post that arrives through the trusted proxy from an address.
    private func post(_ address: String, token: String?, _ fields: [String] = []) throws -> WireAnswer {
        try registry.ask(
            "POST", "/v1/bundles", ["X-Forwarded-For: \(address)"] + fields, body: Array("no zip".utf8), token: token)
    }

    /// The refusal that ends what the limit allows.
    private func refusal(
        after limit: Int, of expected: Int, _ ask: () throws -> WireAnswer
    ) throws -> WireAnswer {
        var last: WireAnswer?
        try Registries.expectLimit(limit, of: expected) { _ in
            last = try ask()
            return last?.status
        }
        return try #require(last)
    }

    @Test func `A client with many wrong tokens gets 429 with the time to wait`() throws {
        let answer = try refusal(after: 5, of: 401) { try post("192.0.2.1", token: "wrong") }
        #expect(answer.problemCode == "rate-limited")
        #expect(answer.value("Retry-After").flatMap { Int($0) }.map { (1...60).contains($0) } == true)
    }

    @Test func `A client with wrong tokens does not slow down other addresses`() throws {
        for _ in 0..<7 { _ = try post("192.0.2.2", token: "wrong") }
        #expect(try post("192.0.2.2", token: "wrong").status == 429)
        #expect(try post("192.0.2.3", token: "wrong").status == 401)
    }

    @Test func `A client with wrong tokens cannot learn from the answers which token was right`() throws {
        for _ in 0..<7 { _ = try post("192.0.2.4", token: "wrong") }
        #expect([400, 429].contains(try post("192.0.2.4", token: Registry.adminToken).status))
    }

    @Test func `A client with too many writes gets 429 with the time to wait`() throws {
        let answer = try refusal(after: 10, of: 400) { try post("192.0.2.5", token: Registry.adminToken) }
        #expect(answer.problemCode == "rate-limited")
        #expect(answer.value("Retry-After") != nil)
    }

    @Test func `A client with too many writes may still read`() throws {
        for _ in 0..<12 { _ = try post("192.0.2.6", token: Registry.adminToken) }
        #expect(try registry.get("/v1/bundles", "X-Forwarded-For: 192.0.2.6").status == 200)
    }

    @Test func `A client is refused before it sends its body`() throws {
        for _ in 0..<7 { _ = try post("192.0.2.7", token: "wrong") }
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["X-Forwarded-For: 192.0.2.7", "Content-Length: 1000", "Expect: 100-continue"],
                token: "wrong"))
        #expect(try conversation.next().status == 429)
    }

    @Test func `A client's address is the rightmost one that is not a trusted proxy's`() throws {
        for number in 0..<7 { _ = try post("198.51.100.\(number), 192.0.2.8", token: "wrong") }
        #expect(try post("198.51.100.99, 192.0.2.8", token: "wrong").status == 429)
        #expect(try post("192.0.2.8, 198.51.100.99", token: "wrong").status == 401)
    }

    @Test func `A client's address may also come from Forwarded`() throws {
        func post() throws -> Int {
            try registry.ask(
                "POST", "/v1/bundles", ["Forwarded: for=192.0.2.9;proto=https"], body: [], token: "wrong"
            ).status
        }
        try Registries.expectLimit(5, of: 401) { _ in try post() }
    }

    @Test func `A client cannot use another address when no proxy is trusted`() throws {
        let registry = try Registry([
            "WIDGETD_RATE_LIMIT": "on", "WIDGETD_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE": "5",
        ])
        try Registries.expectLimit(5, of: 401) { number in
            try registry.ask(
                "POST", "/v1/bundles", ["X-Forwarded-For: 192.0.2.\(number)"], body: [], token: "wrong"
            ).status
        }
    }

    @Test func `A client with a thousand wrong tokens gets through only as often as published`() throws {
        let registry = try Registry(["WIDGETD_RATE_LIMIT": "on"])
        let conversation = try registry.connect()
        var statuses: [Int] = []
        let start = ContinuousClock.now
        for number in 0..<1_000 {
            conversation.connection.send(
                Registry.request("POST", "/v1/bundles", ["Content-Length: 0"], token: "wrong-\(number)"))
            statuses.append(try conversation.next().status)
        }
        let limit = try #require(
            try registry.get("/.well-known/widget-registry").number("limits.failedAuthenticationsPerMinute"))
        let count = statuses.count { $0 == 401 }
        // The allowance comes back within a minute.
        let back = Int((ContinuousClock.now - start) / .seconds(60) * Double(limit))
        #expect(count >= limit && count <= limit + back)
        #expect(statuses.count { $0 == 429 } == 1_000 - count)
    }
}
