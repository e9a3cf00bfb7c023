import ConformanceSupport
import TestSupport
import Testing

/// §3 and §7: the checks before the body, so that `Expect: 100-continue` means something.
@Suite struct `An upload that waits for permission` {
    let identifier = fresh()

    /// What comes back before any byte of the body is sent.
    private func first(
        _ registry: Registry, _ method: String = "POST", _ target: String = "/v1/bundles", _ fields: [String] = [],
        count: Int = 1_000, token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request(
                method, target, fields + ["Content-Length: \(count)", "Expect: 100-continue"], token: token))
        return try conversation.next()
    }

    private let tooMuch = (64 << 20) + 1

    @Test func `is told to continue, and is taken`() throws {
        let archive = BundleForge(identifier).archive
        let conversation = try Registries.open().connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Content-Length: \(archive.count)", "Expect: 100-continue"],
                token: Registry.adminToken))
        #expect(try conversation.next().status == 100)
        conversation.connection.send(archive)
        #expect(try conversation.next().status == 201)
    }

    @Test func `in chunks is told to continue`() throws {
        let conversation = try Registries.open().connect()
        conversation.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Transfer-Encoding: chunked", "Expect: 100-continue"],
                token: Registry.adminToken))
        #expect(try conversation.next().status == 100)
    }

    @Test func `without a token is refused at once`() throws {
        let answer = try first(try Registries.open(), token: nil)
        #expect(answer.status == 401)
        #expect(answer.value("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test func `with a token of no avail is refused at once`() throws {
        #expect(try first(try Registries.open(), token: "wdg_" + String(repeating: "a", count: 43)).status == 401)
    }

    @Test func `without the scope is refused at once`() throws {
        let registry = try Registries.open()
        let reader = try Tokens.make(registry, scopes: ["read"], prefix: "com.example")
        #expect(try first(registry, token: reader).status == 403)
    }

    @Test func `to a bundle outside its prefix is refused at once when the path says so`() throws {
        let registry = try Registries.open()
        let token = try Tokens.make(registry, scopes: ["publish"], prefix: "com.example.mine")
        let answer = try first(registry, "PUT", "/v1/bundles/com.example.yours/releases/1.0~1", token: token)
        #expect(answer.status == 403)
    }

    @Test func `of a type that is not taken is refused at once`() throws {
        #expect(try first(try Registries.open(), "POST", "/v1/bundles", ["Content-Type: text/html"]).status == 415)
    }

    @Test func `that is too large is refused at once, with the limit`() throws {
        let answer = try first(try Registries.open(), count: tooMuch)
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(answer.number("limit") == 64 << 20)
        #expect(answer.number("actual") == tooMuch)
    }

    @Test func `for which there is no room is refused at once`() throws {
        let answer = try first(try Registries.filled())
        #expect(answer.status == 507)
        #expect(answer.problemCode == "insufficient-storage")
    }

    @Test func `to nowhere is refused at once`() throws {
        #expect(try first(try Registries.open(), "POST", "/v1/nowhere").status == 404)
    }

    @Test func `by a wrong method is refused at once`() throws {
        #expect(try first(try Registries.open(), "POST", "/v1/changes").status == 405)
    }

    @Test func `is asked for its token before its type`() throws {
        let answer = try first(
            try Registries.open(), "POST", "/v1/bundles", ["Content-Type: text/html"], count: tooMuch, token: nil)
        #expect(answer.status == 401)
    }

    @Test func `is asked for its scope before its type`() throws {
        let registry = try Registries.open()
        let reader = try Tokens.make(registry, scopes: ["read"], prefix: "com.example")
        let answer = try first(
            registry, "POST", "/v1/bundles", ["Content-Type: text/html"], count: tooMuch, token: reader)
        #expect(answer.status == 403)
    }

    @Test func `is asked for its type before its length`() throws {
        let answer = try first(
            try Registries.open(), "POST", "/v1/bundles", ["Content-Type: text/html"], count: tooMuch)
        #expect(answer.status == 415)
    }

    @Test func `is asked for its length before the room it takes`() throws {
        #expect(try first(try Registries.filled(), count: tooMuch).status == 413)
    }

    @Test func `with an unknown expectation is refused`() throws {
        let registry = try Registries.open()
        let answer = try registry.ask(
            "POST", "/v1/bundles", ["Expect: miracles"], body: BundleForge(identifier).archive,
            token: Registry.adminToken)
        #expect(answer.status == 417)
    }

    @Test func `that was refused leaves the connection usable when its body is small`() throws {
        let registry = try Registries.open()
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", [], body: Array(repeating: 0, count: 60_000)))
        let answer = try conversation.next()
        #expect(answer.status == 401)
        #expect(!answer.closes)
        #expect(try conversation.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    }

    @Test func `that was refused ends the connection when its body is large`() throws {
        let registry = try Registries.open()
        let conversation = try registry.connect()
        conversation.connection.send(Registry.request("POST", "/v1/bundles", ["Content-Length: 10000000"]))
        #expect(conversation.connection.push(10_000_000, patience: 20_000) == 10_000_000)
        let answer = try conversation.next()
        #expect(answer.status == 401)
        #expect(answer.closes)
        #expect(conversation.remainder().ending == .end)
    }

    @Test func `in chunks that grow too large is refused on the way`() throws {
        let registry = try Registries.narrow()
        let conversation = try registry.connect()
        conversation.connection.send(
            Registry.request("POST", "/v1/bundles", ["Transfer-Encoding: chunked"], token: Registry.adminToken))
        let chunk = Array("1000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "P"), count: 4_096) + [13, 10]
        for _ in 0..<20 { conversation.connection.send(chunk) }
        let answer = try conversation.next()
        #expect(answer.status == 413)
        #expect(answer.number("limit") == 32 << 10)
    }
}
