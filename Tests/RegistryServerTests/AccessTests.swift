import Bytes
import JSONText
import RegistryServer
import TestSupport
import Testing

@Suite struct `Access to the registry` {
    private let service: Service

    init() throws { service = try Service() }

    private func token(_ body: String) throws -> String {
        let answer = try service.send("POST", "/v1/tokens", body)
        try #require(answer.status == 201, "\(answer.text)")
        return try JSONDocument(parsing: answer.body).cursor.require("token")
    }

    @Test func `needs a token that is known, in whatever case its scheme is written`() throws {
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

    @Test func `says what is wrong with a token`() throws {
        let missing = try service.send("GET", "/v1/tokens", token: nil)
        #expect(missing.value("WWW-Authenticate") == "Bearer realm=\"widgetd\"")
        #expect(missing.problemCode == "unauthorized")
        let wrong = try service.send("GET", "/v1/tokens", token: "wrong")
        #expect(wrong.value("WWW-Authenticate") == "Bearer realm=\"widgetd\", error=\"invalid_token\"")
        let expiring = try token(#"{"name": "short", "scopes": ["admin"], "expires": "2h"}"#)
        #expect(try service.send("GET", "/v1/tokens", token: expiring).status == 200)
        service.knobs.withLock { $0.now += 7_200 }
        let expired = try service.send("GET", "/v1/tokens", token: expiring)
        #expect(expired.status == 401)
        #expect(expired.problemCode == "token-expired")
    }

    @Test func `tells the audit whose token it was and what was wanted, when it is refused`() throws {
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
        service.knobs.withLock { $0.now += 7_200 }
        #expect(try service.send("PUT", channel, "{}", token: brief).problemCode == "token-expired")
        #expect(service.audits("\"result\":\"token-expired\",\"by\":\"brief\"", "\"channel\":\"beta\""))
    }

    @Test func `ends when a token is revoked`() throws {
        let token = try token(#"{"name": "brief", "scopes": ["admin"]}"#)
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 204)
        #expect(try service.send("GET", "/v1/tokens", token: token).status == 401)
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 404)
    }

    @Test func `lets an administrator of some bundles make tokens for those alone`() throws {
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
    func `refuses a token that is described wrongly`(_ body: String) throws {
        let answer = try service.send("POST", "/v1/tokens", body)
        #expect(answer.status == 400)
        #expect(answer.problemCode == "malformed-request")
    }

    @Test func `is refused for a while after many failures, and after many writes`() throws {
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

    @Test func `ends for whoever has asked and not yet said what for`() throws {
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
    func `is not given under a name that the server uses itself`(_ name: String) throws {
        #expect(try service.send("POST", "/v1/tokens", "{\"name\": \"\(name)\", \"scopes\": [\"read\"]}").status == 400)
    }

    @Test func `is not refused to those who share an address with somebody who fails`() throws {
        service.knobs.withLock { $0.access.failuresPerMinute = 2 }
        for _ in 0..<4 { _ = try service.send("GET", "/v1/tokens", token: "wrong") }
        #expect(try service.send("GET", "/v1/tokens", token: "wrong").status == 429)
        #expect(try service.send("GET", "/v1/tokens").status == 200)
    }

    @Test func `is not asked for at the owner's own door`() throws {
        let answer = try service.send(
            "POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"], "prefix": "com.acme"}"#, token: nil,
            door: .control)
        #expect(answer.status == 201)
        #expect(try service.send("GET", "/v1/tokens", token: nil, door: .control).text.contains("\"ci\""))
    }

    @Test func `to the feed ends with the token, though the stream is open`() throws {
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
                guard case .bytes(let bytes) = connection.receive(patience: 10_000) else { break }
                head += String(decoding: bytes, as: UTF8.self)
            }
            #expect(head.contains("retry:"))
            return connection
        }
        #expect(try service.send("DELETE", "/v1/tokens/brief").status == 204)
        #expect(try service.send("POST", "/v1/bundles", UploadTests.archive).status == 201)
        guard case .bytes(let seen) = streams[1].receive(patience: 10_000) else {
            Issue.record("nothing was told to whom it could be")
            return
        }
        #expect(String(decoding: seen, as: UTF8.self).contains("com.example.Sample"))
        #expect(streams[0].receive(patience: 300) == .silence)
    }

    @Test func `to reading is open, or given by the scope for the bundles of the prefix`() throws {
        let reader = try token(#"{"name": "reader", "scopes": ["read"], "prefix": "com.acme"}"#)
        #expect(try service.get("/v1/bundles").status == 200)
        service.knobs.withLock { $0.closesReads = true }
        #expect(try service.get("/v1/bundles").status == 401)
        #expect(try service.send("GET", "/v1/bundles", token: reader).status == 200)
        #expect(try service.send("GET", "/v1/bundles/com.other.Thing", token: reader).status == 404)
        #expect(try service.get("/livez").status == 200)
    }
}
