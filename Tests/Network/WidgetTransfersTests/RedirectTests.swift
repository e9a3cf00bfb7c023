import HostileServer
import Testing
import WidgetAddresses
import WidgetSurroundings

@testable import WidgetTransfers

/// Goal: a server can send a request elsewhere, but not anywhere. Method: scripted redirects.
@Suite struct `A redirect` {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect is followed`(_ status: Int) async throws {
        let server = try HostileServer { visit in
            if visit.request.target == "/a/b?c" {
                visit.answer(status, ["Location: ../d?e"])
            } else {
                visit.answer(200, text: visit.request.target)
            }
        }
        let answer = try await Setting.client.send(try Setting.request(server.url + "/a/b?c"))
        #expect(answer.head.status == 200)
        #expect(answer.head.url.description == server.url + "/d?e")
        #expect(try await answer.body.collect() == Array("/d?e".utf8))
    }

    @Test func `A redirect that leads in a circle is given up`() async throws {
        let server = try HostileServer { $0.answer(302, ["Location: /\($0.number)"]) }
        let request = try Setting.request(server.url)
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(request) }
        #expect(reason == .limitReached(.redirects, 5))
        #expect(server.requests.count == 6)
    }

    @Test(arguments: [
        "file:///etc/passwd", "gopher://127.0.0.1/x", "ftp://127.0.0.1/x", "javascript:alert(1)", "http://",
        "dict://127.0.0.1:11211/stat", "http://user:secret@127.0.0.1/", "\\\\host\\share", "http://127.0.0.1:99999/",
        "https://", "//", "http://a b/", "HTTP+UNIX://x/", "data:,x",
    ])
    func `A redirect to something other than a web address is refused`(_ target: String) async throws {
        let server = try HostileServer { $0.answer(302, ["Location: \(target)"]) }
        let request = try Setting.request(server.url)
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(request) }
        guard case .redirectRefused = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test func `A redirect from https to http is refused`() async throws {
        let client = TransferClient(
            transport: ScriptedTransport { request in
                #expect(request.url.scheme == .https)
                return .init(302, ["Location": "http://registry.test/"])
            }, in: .skipping())
        let request = try Setting.request("https://registry.test/")
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(request) }
        #expect(reason == .redirectRefused(to: "http://registry.test/"))
    }

    @Test func `A redirect to another origin identifies the client neither there nor on the way back`() async throws {
        let asked = Asked()
        let client = TransferClient(
            transport: ScriptedTransport { request in
                asked.add(request)
                switch request.url.description {
                case "https://registry.test/": return .init(302, ["Location": "/same"])
                case "https://registry.test/same": return .init(302, ["Location": "https://registry.test:444/other"])
                case "https://registry.test:444/other": return .init(302, ["Location": "https://registry.test/back"])
                default: return .init(200)
                }
            }, in: .skipping())
        var request = try Setting.request("https://registry.test/")
        request.token = "secret"
        request.fields = ["cookie", "X-Api-Key", "accept"].map { TransferField($0, "a=b") }
        _ = try await client.send(request)
        #expect(asked.requests.map(\.token) == ["secret", "secret", nil, nil])
        #expect(
            asked.requests.map { $0.fields.map(\.name) } == [
                ["cookie", "X-Api-Key", "accept"], ["cookie", "X-Api-Key", "accept"], ["accept"], ["accept"],
            ])
    }

    @Test(arguments: [(301, false), (302, false), (303, false), (307, true), (308, true)])
    func `A redirect of a POST is followed by 307 and 308 alone`(_ status: Int, _ isFollowed: Bool) async throws {
        let server = try HostileServer { visit in
            let body = visit.readBody()
            if visit.request.target == "/" {
                visit.answer(status, ["Location: /next"])
            } else {
                visit.answer(200, body: Array(visit.request.method.utf8) + body)
            }
        }
        var request = try Setting.request(server.url, .post)
        request.body = .bytes(Array("body".utf8))
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in
            let answer = try await Setting.client.send(asked)
            #expect(try await answer.body.collect() == Array("POSTbody".utf8))
        }
        #expect(reason == (isFollowed ? nil : .redirectRefused(to: server.url + "/next")))
    }

    @Test(arguments: [
        ("https://registry.test/a", "https://registry.test/b", true),
        ("http://registry.test/", "https://registry.test/", true),
        ("http://registry.test/", "https://registry.test:444/", false),
        ("http://registry.test:8080/", "https://registry.test/", false),
        ("http://registry.test/", "http://registry.test:8080/", false), ("http://a.test/", "https://b.test/", false),
        ("https://registry.test/", "https://registry.test.evil.test/", false),
        ("http://registry.test/", "http://127.0.0.1/", false),
    ])
    func `A redirect stays with its origin if it must`(_ from: String, _ to: String, _ isFollowed: Bool) async throws {
        let client = TransferClient(
            transport: ScriptedTransport { $0.url.description == from ? .init(302, ["Location": to]) : .init(200) },
            in: .skipping())
        var request = try Setting.request(from)
        request.followsElsewhere = false
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(asked) }
        #expect(reason == (isFollowed ? nil : .redirectedElsewhere(to: to)))
    }

    @Test func `A redirect in two steps leads no further than in one`() async throws {
        let hops = [
            "http://registry.test/": "https://registry.test/", "https://registry.test/": "https://registry.test:8443/",
        ]
        let client = TransferClient(
            transport: ScriptedTransport { request in
                hops[request.url.description].map { .init(302, ["Location": $0]) } ?? .init(200)
            }, in: .skipping())
        var request = try Setting.request("http://registry.test/")
        request.followsElsewhere = false
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(asked) }
        #expect(reason == .redirectedElsewhere(to: "https://registry.test:8443/"))
    }

    @Test(arguments: [
        ("https://registry.test/a", "https://store.test/b", true),
        ("http://registry.test/", "http://store.test:81/", true),
        ("http://registry.test/", "https://store.test/", true), ("https://registry.test/", "https://8.8.8.8/", true),
        ("https://registry.test/", "https://10.0.0.1/", false), ("http://registry.test/", "http://127.0.0.1/", false),
        ("http://registry.test/", "http://localhost/", false), ("http://registry.test/", "http://x.localhost/", false),
        ("http://registry.test/", "http://[::1]/", false), ("http://registry.test/", "http://2130706433/", false),
        ("http://8.8.8.8/", "http://169.254.169.254/", false), ("http://127.0.0.1:1/", "http://127.0.0.1:2/", true),
        ("http://localhost:1/", "http://[::1]:2/", true), ("http://127.0.0.1:1/", "http://10.0.0.1/", true),
        ("http://10.0.0.1/", "http://10.0.0.2/", true), ("http://10.0.0.1/", "http://127.0.0.1/", false),
        ("http://10.0.0.1/", "http://169.254.169.254/", false), ("http://127.0.0.1:1/", "http://[fe80::1]/", false),
        ("http://127.0.0.1:1/", "http://168.63.129.16/", false), ("http://10.0.0.1/", "http://0.0.0.0/", false),
        ("http://registry.test/", "http://[::ffff:0:7f00:1]/", false),
    ])
    func `Content that its digest proves may come from another public server, or from beside a private one`(
        _ from: String, _ to: String, _ isFollowed: Bool
    ) async throws {
        let asked = Asked()
        let client = TransferClient(
            transport: ScriptedTransport { request in
                asked.add(request)
                return request.url.description == from ? .init(307, ["Location": to]) : .init(200)
            }, in: .skipping())
        var request = try Setting.request(from)
        request.followsElsewhere = false
        request.hasProvenContent = true
        request.token = "secret"
        let sent = request
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(sent) }
        let last = try #require(asked.requests.last)
        guard isFollowed else {
            guard case .redirectedElsewhere = reason else {
                Issue.record("\(String(describing: reason))")
                return
            }
            #expect(asked.requests.count == 1)
            return
        }
        #expect(reason == nil && asked.requests.count == 2 && last.token == nil)
        // A name may lead to a private address: that is found out by the one who connects.
        let policy = try #require(last.policy)
        let isHere = from.contains("127.0.0.1") || from.contains("localhost")
        #expect(policy.allows(try #require(IPAddress("10.0.0.1")), port: 80) == (isHere || from.contains("10.0.0.1")))
        #expect(policy.allows(try #require(IPAddress("::1")), port: 80) == isHere)
        #expect(!policy.allows(try #require(IPAddress("169.254.169.254")), port: 80))
        #expect(policy.allows(try #require(IPAddress("8.8.8.8")), port: 80))
    }

    @Test func `Proven content is not looked for elsewhere by one who uses a proxy`() async throws {
        let asked = Asked()
        var transport = ScriptedTransport { request in
            asked.add(request)
            return request.url.host == "registry.test" ? .init(307, ["Location": "https://store.test/"]) : .init(200)
        }
        transport.usesProxy = true
        let client = TransferClient(transport: transport, in: .skipping())
        var request = try Setting.request("https://registry.test/")
        request.followsElsewhere = false
        request.hasProvenContent = true
        let sent = request
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(sent) }
        #expect(reason == .redirectedElsewhere(to: "https://store.test/") && asked.requests.count == 1)
    }

    @Test func `Proven content is not looked for beyond three redirects`() async throws {
        let asked = Asked()
        let client = TransferClient(
            transport: ScriptedTransport { request in
                asked.add(request)
                return .init(307, ["Location": "https://store\(asked.requests.count).test/"])
            }, in: .skipping())
        var request = try Setting.request("https://registry.test/")
        request.followsElsewhere = false
        request.hasProvenContent = true
        let sent = request
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(sent) }
        #expect(reason == .redirectedElsewhere(to: "https://store4.test/"))
        #expect(asked.requests.count == 4)
    }

    @Test func `Proven content of another server needs no tag, and its rest is asked for at the first one`()
        async throws
    {
        let asked = Asked()
        let body: [UInt8] = Array("0123456789".utf8)
        let client = TransferClient(
            transport: ScriptedTransport { request in
                asked.add(request)
                if request.url.host == "store.test" {
                    return .init(
                        200, ["ETag": "\"of the store\"", "Content-Length": "10"], [Array(body[..<4])],
                        failure: .connectionLost)
                }
                guard request.fields.contains(TransferField("If-Range", "\"ours\"")) else {
                    return .init(307, ["Location": "https://store.test/x"])
                }
                return .init(
                    206, ["ETag": "\"ours\"", "Content-Range": "bytes 4-9/10", "Content-Length": "6"],
                    [Array(body[4...])])
            }, in: .skipping())
        var request = try Setting.request("https://registry.test/x")
        request.followsElsewhere = false
        request.hasProvenContent = true
        let sink = MemorySink()
        let outcome = try await client.download(Download(request, entityTag: "\"ours\""), into: sink)
        guard case .complete(_, let count) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(count == 10 && sink.bytes == body)
        #expect(asked.requests.map(\.url.host) == ["registry.test", "store.test", "registry.test"])
    }

    @Test func `A redirect is judged by the policy`() async throws {
        let server = try HostileServer { $0.answer(302, ["Location: /forbidden"]) }
        var request = try Setting.request(server.url + "/allowed")
        request.policy = PathPolicy(prefix: "/allowed")
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
        #expect(reason == .addressRefused(server.url + "/forbidden"))
        #expect(server.requests.count == 1)
    }
}
