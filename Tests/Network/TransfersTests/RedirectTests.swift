import HostileServer
import Testing

@testable import Transfers

/// Goal: a server can send a request elsewhere, but not anywhere. Method: scripted redirects.
@Suite(.timeLimit(.minutes(20))) struct `A redirect` {
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
            }, clock: HastyClock())
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
            }, clock: HastyClock())
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
            clock: HastyClock())
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
            }, clock: HastyClock())
        var request = try Setting.request("http://registry.test/")
        request.followsElsewhere = false
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(asked) }
        #expect(reason == .redirectedElsewhere(to: "https://registry.test:8443/"))
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
