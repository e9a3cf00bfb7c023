import HostileServer
import JSONText
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: a probe reports faults, and only those. Method: a scripted registry with one fault.
@Suite struct `A probe` {
    private static let archive = Array("PK\u{03}\u{04} and so on".utf8)
    private static let digest = Digest.sha256(archive)
    private static let facts = """
        {"api":["v1"],"server":"widgetd/0.1.0","time":"2026-01-01T00:00:00Z","limits":{"upload":1000},\
        "policy":{"kept":[],"snapshotChannels":["dev"]},"reads":"public","publicURL":"https://registry.test"}
        """
    private static let cookie = "__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure"
    private static let bundles = """
        {"items":[{"bundleIdentifier":"com.acme.Clock","channels":[{"channel":"stable"}]}]}
        """
    private static var resolution: String {
        """
        {"candidates":[{"url":"/v1/blobs/sha256/\(digest?.hex ?? "")","sha256":"\(digest?.hex ?? "")",\
        "size":\(archive.count)}]}
        """
    }

    /// A sound registry's answers to the requests of a probe.
    private static func answer(_ request: TransferRequest, now: String) -> Reply {
        let fields = request.fields.reduce(into: [:]) { $0[$1.name] = $1.value }
        switch request.url.path {
        case "/.well-known/widget-registry": return Reply(200, [], facts)
        case "/readyz": return Reply(200, [], "{}")
        case "/v1/tokens": return Reply(request.token == "admin" ? 200 : request.token == "ci" ? 403 : 401, [], "{}")
        case "/v1/bundles" where request.method == .post: return problem(401, now)
        case "/sign-out" where request.method == .post && request.token == nil:
            let isOwn =
                fields["Origin"] == "\(request.url.scheme)://registry.test"
                && fields["Referer"] == "\(request.url.scheme)://registry.test/manage"
            return isOwn ? Reply(303, [("Location", "/"), ("Set-Cookie", cookie)], "") : Reply(403, [], "<html>")
        case "/v1/bundles": return Reply(200, [], bundles)
        case "/v1/widgets/com.acme.Clock":
            if fields["If-None-Match"] == "\"r\"" { return Reply(304, [("ETag", "\"r\"")], "") }
            return Reply(200, [("ETag", "\"r\""), ("Cache-Control", "public, max-age=30")], resolution)
        case "/v1/changes": return Reply(200, [("Content-Type", "text/event-stream")], ": hello\n\n")
        case let path where path.hasPrefix("/v1/blobs/"): return blob(fields)
        default: return problem(404, now)
        }
    }

    private static func problem(_ status: Int, _ now: String) -> Reply {
        Reply(
            status, [("Date", now), ("Content-Type", "application/problem+json")],
            "{\"type\":\"/problems/not-found\",\"title\":\"No\",\"status\":\(status),\"detail\":\"no\"}")
    }

    private static func blob(_ fields: [String: String]) -> Reply {
        let tag = "\"sha256-\(digest?.hex ?? "")\""
        let common = [
            ("ETag", tag), ("Cache-Control", "public, max-age=31536000, immutable"),
            ("Repr-Digest", "sha-256=:\(digest?.base64 ?? ""):"),
        ]
        if fields["Range"] != nil, fields["If-Range"] == tag {
            return Reply(
                206, common + [("Content-Range", "bytes 2-3/\(archive.count)")], bytes: Array(archive[2..<4]))
        }
        return Reply(200, common, bytes: archive)
    }

    struct Reply: Sendable {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        /// The address from which it came, where that is not the one that was asked.
        var place: String?

        init(_ status: Int, _ fields: [(String, String)], _ text: String) {
            self.init(status, fields, bytes: Array(text.utf8))
        }

        init(_ status: Int, _ fields: [(String, String)], bytes: [UInt8]) {
            self.status = status
            self.fields = fields.map { ($0.0, $0.1) }
            body = bytes
        }

        mutating func set(_ name: String, _ value: String?) {
            fields.removeAll { $0.name == name }
            if let value { fields.append((name, value)) }
        }
    }

    /// The findings about a sound registry with one answer changed.
    private static func findings(
        token: String? = nil, now: String = "Thu, 01 Jan 2026 00:00:10 GMT", server: String = "https://registry.test",
        _ change: @escaping @Sendable (TransferRequest, inout Reply) -> Void = { _, _ in }
    ) async throws -> [ProbeFinding] {
        let transport = ProbedTransport { request in
            var reply = answer(request, now: now)
            change(request, &reply)
            return reply
        }
        let client = TransferClient(transport: transport, in: .skipping(SkippingClock(date: .seconds(1_767_225_600))))
        return await RegistryProbe(try RegistryAddress(server), token: token, client: client).run()
    }

    private static func worst(_ findings: [ProbeFinding]) -> [String] {
        findings.filter { $0.verdict == .error || $0.verdict == .warning }.map { "\($0.verdict.rawValue) \($0.check)" }
    }

    @Test func `A probe finds nothing wrong with a sound registry`() async throws {
        let findings = try await Self.findings(token: "admin")
        #expect(Self.worst(findings).isEmpty)
        #expect(
            findings.map(\.check) == [
                "encryption", "reachable", "version", "limits", "ready", "problems", "token", "clock", "upload",
                "publicURL", "forms", "cookie", "resolve", "validators", "caching", "digest", "ranges", "conditions",
                "events",
            ])
    }

    /// One fault of a proxy or an operator, and the finding about it.
    struct Ailment: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var expected: [String]
        var change: @Sendable (TransferRequest, inout Reply) -> Void

        init(
            _ name: String, _ expected: String..., change: @escaping @Sendable (TransferRequest, inout Reply) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.change = change
        }

        static let all = [
            Ailment("another version", "error version") {
                if $0.url.path.hasPrefix("/.well") { $1.body = Array(facts.replacing("\"v1\"", with: "\"v2\"").utf8) }
            },
            Ailment("no registry", "error reachable") {
                $1 = Reply(200, [], "<html>"); _ = $0
            },
            Ailment("not ready", "error ready") { if $0.url.path == "/readyz" { $1.status = 503 } },
            Ailment("error pages", "warning problems") {
                if $0.url.path == "/v1/doctor" { $1.body = Array("<html>".utf8) }
            },
            Ailment("a limit of a proxy", "error upload") {
                if $0.url.path == "/v1/bundles", $0.method == .post { $1 = Reply(413, [], "<html>") }
            },
            Ailment("open writes", "warning upload") {
                if $0.url.path == "/v1/bundles", $0.method == .post { $1.status = 201 }
            },
            Ailment("another public address", "warning publicURL") {
                if $0.url.path.hasPrefix("/.well") {
                    $1.body = Array(facts.replacing("https://registry.test", with: "https://other.test").utf8)
                }
            },
            Ailment("no public address", "warning publicURL") {
                if $0.url.path.hasPrefix("/.well") {
                    $1.body = Array(facts.replacing(",\"publicURL\":\"https://registry.test\"", with: "").utf8)
                }
            },
            Ailment("a host that is not passed on", "error forms") {
                if $0.url.path == "/sign-out" { $1 = Reply(403, [], "<a href=\"/problems/forbidden\">") }
            },
            Ailment("forms that fail", "warning forms") { if $0.url.path == "/sign-out" { $1 = Reply(502, [], "") } },
            Ailment("a forgotten proxy", "warning cookie") {
                if $0.url.path == "/sign-out" {
                    $1.set("Set-Cookie", "session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict")
                }
            },
            Ailment("no tags", "error validators") { if $0.url.path.contains("widgets") { $1.set("ETag", nil) } },
            Ailment("weak tags", "warning validators") {
                guard $0.url.path.contains("widgets") else { return }
                $1.set("ETag", "W/\"r\"")
                if $0.fields.contains(where: { $0.name == "If-None-Match" }) { $1.status = 304 }
            },
            Ailment("ignored conditions", "warning validators") {
                if $1.status == 304 { $1.status = 200 }; _ = $0
            },
            Ailment("cookies", "warning caching") {
                if $0.url.path != "/sign-out" { $1.set("Set-Cookie", "a=b") }
            },
            Ailment("no caching", "warning caching") {
                if $0.url.path.contains("blobs") { $1.set("Cache-Control", "no-store") }
            },
            Ailment("damage", "error digest") { request, reply in
                if request.url.path.contains("blobs"), reply.status == 200 { reply.body[6] ^= 1 }
            },
            Ailment("no digests", "warning digest") {
                if $0.url.path.contains("blobs") { $1.set("Repr-Digest", nil) }
            },
            Ailment("no ranges", "error ranges") { request, reply in
                if reply.status == 206 { reply = Reply(200, reply.fields.map { ($0.name, $0.value) }, bytes: archive) }
                _ = request
            },
            Ailment("wrong ranges", "error ranges") {
                if $1.status == 206 { $1.body = [1, 2] }; _ = $0
            },
            Ailment("ranges without conditions", "error conditions") { request, reply in
                if request.fields.contains(where: { $0.name == "If-Range" && $0.value == "\"sha256-doctor\"" }) {
                    reply.status = 206
                }
            },
            Ailment("no feed", "warning events") { if $0.url.path == "/v1/changes" { $1 = Reply(404, [], "{}") } },
        ]
    }

    @Test(arguments: Ailment.all)
    func `A probe finds a fault`(_ ailment: Ailment) async throws {
        let findings = try await Self.findings(ailment.change)
        #expect(Self.worst(findings) == ailment.expected)
        #expect(findings.filter { $0.verdict == .error || $0.verdict == .warning }.allSatisfy { $0.hint != nil })
    }

    /// The answer of a store to which whole archives are redirected, and the finding about it.
    @Test(arguments: [
        ("https://store.test", 200, "ok", "from the store at store.test"),
        ("https://store.test", 403, "warning", "store.test answers 403"),
        ("http://10.0.0.1", 200, "warning", "http://10.0.0.1"),
    ])
    func `A probe follows archives to a store`(
        _ origin: String, _ status: Int, _ verdict: String, _ words: String
    ) async throws {
        let findings = try await Self.findings(token: "admin") { request, reply in
            guard request.url.path.hasPrefix("/v1/blobs/") else { return }
            guard request.url.host == "registry.test" else {
                // A store has other fields, and must not learn the token.
                reply = Reply(request.token == nil ? status : 400, [("ETag", "\"1\"")], bytes: Self.archive)
                return
            }
            if request.method == .get, !request.fields.contains(where: { $0.name == "If-Range" }) {
                reply = Reply(307, [("Location", "\(origin)/v1/blobs/key?X-Amz-Expires=300")], "")
            }
        }
        let finding = try #require(findings.first { $0.check == "digest" })
        #expect(finding.verdict.rawValue == verdict && finding.detail.contains(words), "\(finding)")
        #expect(Self.worst(findings) == (verdict == "ok" ? [] : ["warning digest"]))
    }

    @Test(arguments: [("admin", "ok"), ("ci", "ok"), ("stranger", "error")])
    func `A probe reports the rights of a token`(_ token: String, _ verdict: String) async throws {
        let findings = try await Self.findings(token: token)
        #expect(findings.first { $0.check == "token" }?.verdict.rawValue == verdict)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 2026 00:00:59 GMT", "ok"), ("Thu, 01 Jan 2026 00:02:00 GMT", "warning"),
        ("Wed, 01 Jan 2025 00:00:00 GMT", "warning"), ("yesterday", "warning"),
    ])
    func `A probe compares clocks`(_ now: String, _ verdict: String) async throws {
        let findings = try await Self.findings(now: now)
        #expect(findings.first { $0.check == "clock" }?.verdict.rawValue == verdict)
    }

    @Test func `A probe warns of plain http, but not on this machine`() async throws {
        let plain = Self.facts.replacing("https", with: "http")
        let findings = try await Self.findings(server: "http://registry.test") {
            if $0.url.path.hasPrefix("/.well") { $1.body = Array(plain.utf8) }
        }
        #expect(Self.worst(findings) == ["warning encryption"])
        let local = try await Self.findings(server: "http://127.0.0.1:8080") {
            if $0.url.path == "/sign-out" { $1 = Reply(303, [("Location", "/")], "") }
        }
        #expect(Self.worst(local).isEmpty)
        #expect(local.contains { $0.check == "publicURL" && $0.verdict == .note })
    }

    /// Places that a form leads to, for a registry that was asked at `https://registry.test/w`.
    @Test(arguments: [
        ("/w/", "ok"), ("https://registry.test/w/", "ok"), ("/", "error"), ("/w", "error"), ("//x/", "error"),
    ])
    func `A probe finds pages that lead out of the path of the registry`(_ place: String, _ verdict: String)
        async throws
    {
        let facts = Self.facts.replacing("registry.test", with: "registry.test/w")
        let findings = try await Self.findings(server: "https://registry.test/w/") { request, reply in
            if request.url.path == "/w/.well-known/widget-registry" { reply = Reply(200, [], facts) }
            guard request.url.path == "/w/sign-out" else { return }
            let isOwn = request.fields.contains { $0.name == "Referer" && $0.value == "https://registry.test/w/manage" }
            reply = Reply(isOwn ? 303 : 403, [("Location", place), ("Set-Cookie", Self.cookie)], "")
        }
        let finding = try #require(findings.first { $0.check == "forms" })
        #expect(finding.verdict.rawValue == verdict, "\(finding)")
        #expect(verdict == "ok" || finding.hint?.contains("set publicURL to https://registry.test/w") == true)
        #expect(findings.contains { $0.check == "publicURL" && $0.verdict == .fine })
    }

    @Test func `A probe knows a mirror, and a registry without pages`() async throws {
        for reply in [Reply(403, [], "<a href=\"/problems/read-only\">"), Reply(404, [], "{}")] {
            let findings = try await Self.findings { if $0.url.path == "/sign-out" { $1 = reply } }
            #expect(findings.contains { $0.check == "forms" && $0.verdict == .note })
            #expect(Self.worst(findings).isEmpty)
        }
    }

    @Test func `A probe ends at once where no server answers`() async throws {
        let transport = ProbedTransport { _ in nil }
        let probe = RegistryProbe(
            try RegistryAddress("https://registry.test"), token: nil,
            client: TransferClient(transport: transport, in: .skipping(SkippingClock(date: .seconds(0)))))
        #expect(Self.worst(await probe.run()) == ["error reachable"])
    }

    @Test(.ownThreads) func `A probe reports a redirect`() async throws {
        let other = try HostileServer { $0.answer(200, text: Self.facts) }
        let target = other.url
        let server = try HostileServer { $0.answer(302, ["Location: \(target)\($0.request.target)"]) }
        let findings = await RegistryProbe(try RegistryAddress(server.url), token: nil).run()
        let finding = try #require(findings.first { $0.check == "redirect" })
        #expect(finding.verdict == .warning)
        #expect(finding.detail.contains(target))
    }
}

/// A registry in place of the network.
struct ProbedTransport: Transport {
    /// `nil`: there is no answer.
    let reply: @Sendable (TransferRequest) -> `A probe`.Reply?

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        guard let reply = reply(request) else { throw TransferError(.noConnection, request.url) }
        let fields = reply.fields.map { TransferField($0.name, $0.value) }
        let bytes = request.method == .head ? [] : reply.body
        return TransferAnswer(
            TransferHead(status: reply.status, fields: fields, url: request.url),
            body: ResponseBody(Pieces(bytes, ending: nil)))
    }
}
