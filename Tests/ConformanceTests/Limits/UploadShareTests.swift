import ConformanceSupport
import TestSupport
import Testing

/// §6: places for uploads, shared by the names that tokens are for.
@Suite struct `A7: Slow uploads with tokens that one administrator has made` {
    @Test func `leave places to others, however many the tokens are`() throws {
        let registry = try Registry()
        let admin = try Tokens.make(registry, scopes: ["admin"], prefix: "com.alpha")
        let slow = try (0..<16).map { number in
            let answer = try Tokens.create(
                registry, scopes: ["publish"], prefix: number % 2 == 0 ? "com.alpha" : "com.alpha.p\(number)", by: admin
            )
            return try #require(answer.text("token"))
        }
        let victim = try Tokens.make(registry, scopes: ["publish"], prefix: "com.beta")
        var held: [RawConnection] = []
        var refused: [String] = []
        for token in slow {
            let connection = try RawConnection(port: registry.port)
            connection.send(
                Registry.request(
                    "POST", "/v1/bundles", ["Content-Length: 1048576", "Expect: 100-continue"], token: token))
            guard case .bytes(let bytes) = connection.receive() else {
                Issue.record("no answer")
                continue
            }
            let answer = String(decoding: bytes, as: UTF8.self)
            if answer.hasPrefix("HTTP/1.1 100 ") { held.append(connection) } else { refused.append(answer) }
        }
        #expect(held.count == 14 && refused.count == 2)
        for answer in refused {
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 2"), "\(answer)")
            #expect(answer.contains("kept for others"), "\(answer)")
        }
        let answer = try registry.post(BundleForge("com.beta.Widget").archive, token: victim)
        #expect(answer.status == 201, "\(answer.text)")
    }
}
