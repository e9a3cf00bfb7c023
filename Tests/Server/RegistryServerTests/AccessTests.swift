import JSONText
import RegistryServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@Suite struct `Access to the registry` {
    private let service: Service

    init() throws { service = try Service() }

    private func token(_ body: String) throws -> String {
        let answer = try service.send("POST", "/v1/tokens", body)
        try #require(answer.status == 201, "\(answer.text)")
        return try JSONDocument(parsing: answer.body).cursor.require("token")
    }

    @Test func `Access needs a known token, with its scheme in any case`() throws {
        #expect(try service.send("GET", "/v1/tokens", token: nil).status == 401)
        #expect(try service.send("GET", "/v1/tokens", token: "").status == 401)
        #expect(try service.send("GET", "/v1/tokens", token: "wrong").status == 401)
        #expect(try service.get("/v1/tokens", "Authorization: Basic \(Service.admin)\r\n").status == 401)
        let token = try token(#"{"name": "root", "scopes": ["admin"]}"#)
        #expect(try service.get("/v1/tokens", "authorization: bEARER \(token)\r\n").status == 200)
        #expect(try service.get("/v1/tokens", "authorization: Bearer    \(token)\r\n").status == 200)
        #expect(try service.get("/v1/tokens", "authorization: Bearer \(token) x\r\n").status == 401)
        #expect(try service.get("/v1/tokens?token=\(token)", "Cookie: token=\(token)\r\n").status == 401)
    }

    @Test func `The refusal of a token says what is wrong with it`() throws {
        let missing = try service.send("GET", "/v1/tokens", token: nil)
        #expect(missing.value("WWW-Authenticate") == "Bearer realm=\"widgetd\"")
        #expect(missing.problemCode == "unauthorized")
        let wrong = try service.send("GET", "/v1/tokens", token: "wrong")
        #expect(wrong.value("WWW-Authenticate") == "Bearer realm=\"widgetd\", error=\"invalid_token\"")
        let expiring = try token(#"{"name": "short", "scopes": ["admin"], "expires": "2h"}"#)
        #expect(try service.send("GET", "/v1/tokens", token: expiring).status == 200)
        service.clock.advance(by: .seconds(7_200))
        let expired = try service.send("GET", "/v1/tokens", token: expiring)
        #expect(expired.status == 401)
        #expect(expired.problemCode == "token-expired")
    }

    @Test func `The audit of a refused request has the token's name and the request`() throws {
        let channel = "/v1/bundles/com.acme.Clock/channels/beta"
        let reader = try token(#"{"name": "reader", "scopes": ["read"]}"#)
        for (path, method) in [(channel, "PUT"), ("\(channel)/rollback", "POST")] {
            #expect(try service.send(method, path, "{}", token: reader).status == 403)
        }
        for action in ["promote", "rollback"] {
            #expect(
                service.audits(
                    "\"action\":\"\(action)\",\"result\":\"forbidden\",\"by\":\"reader\"", "\"channel\":\"beta\"",
                    "\"bundle\":\"com.acme.Clock\""))
        }
        let brief = try token(#"{"name": "brief", "scopes": ["promote"], "expires": "2h"}"#)
        service.clock.advance(by: .seconds(7_200))
        #expect(try service.send("PUT", channel, "{}", token: brief).problemCode == "token-expired")
        #expect(service.audits("\"result\":\"token-expired\",\"by\":\"brief\"", "\"channel\":\"beta\""))
    }

    @Test func `Access ends when a token is revoked`() throws {
        let token = try token(#"{"name": "brief", "scopes": ["admin"]}"#)
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 204)
        #expect(try service.send("GET", "/v1/tokens", token: token).status == 401)
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 404)
    }

    @Test func `An administrator of some bundles can make tokens for those alone`() throws {
        let acme = try token(#"{"name": "acme", "scopes": ["admin"], "prefix": "com.acme"}"#)
        #expect(
            try service.send("POST", "/v1/tokens", #"{"name": "x", "scopes": ["publish"]}"#, token: acme).status == 403)
        let other = #"{"name": "x", "scopes": ["publish"], "prefix": "com.acmeother"}"#
        #expect(try service.send("POST", "/v1/tokens", other, token: acme).status == 403)
        let below = #"{"name": "x", "scopes": ["publish"], "prefix": "com.acme.shop"}"#
        #expect(try service.send("POST", "/v1/tokens", below, token: acme).status == 201)
        let list = try service.send("GET", "/v1/tokens", token: acme)
        #expect(!list.text.contains("\"root\""))
        #expect(list.text.contains("\"x\""))
        _ = try token(#"{"name": "root", "scopes": ["admin"]}"#)
        #expect(try service.send("DELETE", "/v1/tokens/root", token: acme).status == 404)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"name": "x"}"#, #"{"name": "x", "scopes": []}"#, #"{"name": "x", "scopes": ["write"]}"#,
        #"{"name": "x", "scopes": ["read"], "expires": "yesterday"}"#,
        #"{"name": "x", "scopes": ["read"], "expires": "2001-01-01T00:00:00Z"}"#,
        #"{"name": "x", "scopes": ["read"], "expires": "0d"}"#, #"{"name": "x", "scopes": ["read"], "scope": "x"}"#,
        #"{"name": "x", "scopes": ["read"], "prefix": "com..acme"}"#, #"{"name": "", "scopes": ["read"]}"#,
        #"{"name": 1, "scopes": ["read"]}"#,
    ])
    func `A malformed description of a token is refused`(_ body: String) throws {
        let answer = try service.send("POST", "/v1/tokens", body)
        #expect(answer.status == 400)
        #expect(answer.problemCode == "malformed-request")
    }

    @Test func `Access is refused for a while after many failures, and after many writes`() throws {
        service.knobs.withLock {
            $0.access.failuresPerMinute = 5
            $0.access.writesPerMinute = 8
        }
        let statuses = try (0..<7).map { _ in try service.send("GET", "/v1/tokens", token: "wrong").status }
        #expect(statuses == [401, 401, 401, 401, 401, 429, 429])
        let refused = try service.send("GET", "/v1/tokens", token: "wrong")
        #expect(refused.problemCode == "rate-limited")
        #expect(Int(refused.value("Retry-After") ?? "") ?? 0 >= 1)
        service.knobs.withLock { $0.access.isRateLimited = false }
        #expect(try service.send("GET", "/v1/tokens").status == 200)
        service.knobs.withLock {
            $0.access.isRateLimited = true
            $0.access.failuresPerMinute = 1_000_000
        }
        let writes = try (0..<10).map { _ in try service.send("GET", "/v1/tokens").status }
        #expect(writes == Array(repeating: 200, count: 8) + [429, 429])
    }

    @Test func `Access ends for a request that has not sent its body yet`() throws {
        let token = try token(#"{"name": "brief", "scopes": ["admin"]}"#)
        let body = Array(#"{"name": "backdoor", "scopes": ["admin"]}"#.utf8)
        let conversation = Conversation(try service.connect())
        conversation.connection.send(
            Array(
                "POST /v1/tokens HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token)\r\nContent-Length: \(body.count)\r\n\r\n"
                    .utf8) + body.prefix(5))
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 204)
        conversation.connection.send(Array(body.dropFirst(5)))
        #expect(try conversation.next().status == 401)
        #expect(try !service.send("GET", "/v1/tokens").text.contains("backdoor"))
    }

    @Test(arguments: ["admin", "Owner", "seed"])
    func `A token cannot have a name that the server uses itself`(_ name: String) throws {
        #expect(try service.send("POST", "/v1/tokens", "{\"name\": \"\(name)\", \"scopes\": [\"read\"]}").status == 400)
    }

    @Test func `Failures of one client do not refuse others at the same address`() throws {
        service.knobs.withLock { $0.access.failuresPerMinute = 2 }
        for _ in 0..<4 { _ = try service.send("GET", "/v1/tokens", token: "wrong") }
        #expect(try service.send("GET", "/v1/tokens", token: "wrong").status == 429)
        #expect(try service.send("GET", "/v1/tokens").status == 200)
    }

    @Test func `The owner's own listener does not ask for a token`() throws {
        let answer = try service.send(
            "POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"], "prefix": "com.acme"}"#, token: nil,
            door: .control)
        #expect(answer.status == 201)
        #expect(try service.send("GET", "/v1/tokens", token: nil, door: .control).text.contains("\"ci\""))
    }

    @Test func `A stream of the feed ends with its token`() throws {
        service.knobs.withLock { $0.closesReads = true }
        let streams = try ["brief", "lasting"].map { name in
            let token = try token("{\"name\": \"\(name)\", \"scopes\": [\"read\"]}")
            let connection = try service.connect()
            connection.send(
                Array(
                    "GET /v1/changes HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(token)\r\n\r\n"
                        .utf8))
            var head = ""
            while !head.contains("retry:") {
                guard case .bytes(let bytes) = connection.receive() else { break }
                head += String(decoding: bytes, as: UTF8.self)
            }
            #expect(head.contains("retry:"))
            return connection
        }
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 204)
        #expect(try service.send("POST", "/v1/bundles", UploadTests.archive).status == 201)
        guard case .bytes(let seen) = streams[1].receive() else {
            Issue.record("the feed sent nothing to a reader with a valid token")
            return
        }
        #expect(String(decoding: seen, as: UTF8.self).contains("com.example.Sample"))
        // The next change comes when the first has been written to all, and the end comes behind both.
        let key = try #require(try service.registry.releases("com.example.Sample", limit: 1, after: nil).items.first)
            .key
        _ = try service.registry.withdraw("com.example.Sample", key, reason: "late", by: "tester")
        guard case .bytes = streams[1].receive() else {
            Issue.record("the feed sent one change")
            return
        }
        service.server.stop()
        #expect(streams[0].receiveToEnd().bytes.isEmpty)
    }

    @Test func `Reading is open, or allowed by the scope for the bundles of the prefix`() throws {
        let reader = try token(#"{"name": "reader", "scopes": ["read"], "prefix": "com.acme"}"#)
        #expect(try service.get("/v1/bundles").status == 200)
        service.knobs.withLock { $0.closesReads = true }
        #expect(try service.get("/v1/bundles").status == 401)
        #expect(try service.send("GET", "/v1/bundles", token: reader).status == 200)
        #expect(try service.send("GET", "/v1/bundles/com.other.Thing", token: reader).status == 404)
        #expect(try service.get("/livez").status == 200)
    }
}

@Suite struct `A token` {
    @Test func `A token is recognisable, and never the same twice`() {
        let tokens = (0..<200).map { _ in TokenText.make().exposedText }
        #expect(Set(tokens).count == tokens.count)
        for token in tokens {
            #expect(token.hasPrefix("wdg_"))
            #expect(token.utf8.count == 53)
            #expect(TokenText.isWellFormed(token))
        }
    }

    @Test func `A token uses all of its alphabet, everywhere`() {
        let tokens = (0..<2_000).map { _ in Array(TokenText.make().exposedText.utf8) }
        // The last digit of 256 bits in base 62 has fewer values than the others.
        for place in 4..<46 { #expect(Set(tokens.map { $0[place] }).count == 62) }
    }

    @Test func `A token with one letter changed is invalid`() {
        let token = Array(TokenText.make().exposedText.utf8)
        for place in token.indices {
            var other = token
            other[place] = other[place] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            #expect(!TokenText.isWellFormed(String(decoding: other, as: UTF8.self)))
        }
        #expect(!TokenText.isWellFormed(""))
        #expect(!TokenText.isWellFormed(String(decoding: token.dropLast(), as: UTF8.self)))
    }
}

@Suite struct `A rate limit` {
    private let clock = ManualClock()
    private let limiter: RateLimiter

    init() {
        limiter = RateLimiter(clock: clock)
    }

    private func address(_ number: UInt64) -> IPAddress { IPAddress(high: 0, low: 0xFFFF_0000_0000 | number) }
    private func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

    @Test func `A rate limit lets the allowed number pass, then says how long to wait`() {
        for _ in 0..<60 { #expect(limiter.count(address(1), perMinute: 60) == nil) }
        #expect(limiter.count(address(1), perMinute: 60) == 1)
        #expect(limiter.wait(address(1), perMinute: 60) == 1)
        pass(1)
        #expect(limiter.wait(address(1), perMinute: 60) == nil)
        #expect(limiter.count(address(1), perMinute: 60) == nil)
        #expect(limiter.count(address(1), perMinute: 60) == 1)
        #expect(limiter.count(address(1), perMinute: 6) == 550)
    }

    @Test func `A rate limit is separate for each address`() {
        for _ in 0..<3 { _ = limiter.count(address(1), perMinute: 3) }
        #expect(limiter.count(address(1), perMinute: 3) != nil)
        #expect(limiter.count(address(2), perMinute: 3) == nil)
    }

    @Test func `A rate limit takes the addresses of one host as one`() {
        for number in 0..<3 {
            #expect(limiter.count(IPAddress(high: 0x2001_0db8_0000_0001, low: UInt64(number)), perMinute: 3) == nil)
        }
        #expect(limiter.count(IPAddress(high: 0x2001_0db8_0000_0001, low: 99), perMinute: 3) != nil)
        #expect(limiter.count(IPAddress(high: 0x2001_0db8_0000_0002, low: 0), perMinute: 3) == nil)
    }

    @Test func `A rate limit that is used up holds while many addresses come by`() {
        for _ in 0..<10 { _ = limiter.count(address(1), perMinute: 10) }
        for number in 2..<70_000 { #expect(limiter.count(address(UInt64(number)), perMinute: 10) == nil) }
        #expect(limiter.count(address(1), perMinute: 10) != nil)
    }
}
