import HostileServer
import JSONText
import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: requests to a registry say what was meant, and its answers are read strictly. Method: scripted servers.
@Suite(.ownThreads) struct `A registry elsewhere` {
    private static let channel = """
        {"channel":"stable","release":"1.1~1","rollout":2500,"mandatory":true,"sequence":3,"salt":"s"}
        """
    private static let release = """
        {"bundleIdentifier":"com.acme.Clock","release":"1.1~1","name":"Clock","sha256":"a","content":"b","size":1,\
        "published":"2026-01-01T00:00:00Z","publishedBy":"ci","channels":[],"withdrawn":{"at":"now","reason":"why"}}
        """

    private static func registry(_ server: HostileServer, token: String? = "secret") throws -> RemoteRegistry {
        RemoteRegistry(try RegistryAddress(server.url), token: token)
    }

    @Test func `A promotion has the condition that the channel is unchanged`() async throws {
        let server = try HostileServer { visit in
            let body = String(decoding: visit.readBody(), as: UTF8.self)
            if visit.request.method == "PUT" {
                #expect(body == "{\"release\":\"1.1~1\",\"rollout\":2500,\"mandatory\":true}\n")
                #expect(visit.request.value("If-Match") == "\"tag\"")
                #expect(visit.request.value("Content-Type") == "application/json")
            }
            visit.answer(200, ["ETag: \"tag\""], text: Self.channel)
        }
        let reply = try await Self.registry(server).promote(
            "com.acme.Clock", "1.1~1", channel: "a/b", rollout: 2_500, isMandatory: true)
        #expect(reply.value.release == "1.1~1" && reply.value.isMandatory && reply.value.rollout == 2_500)
        #expect(server.requests.map(\.method) == ["GET", "PUT"])
        #expect(server.requests.allSatisfy { $0.target == "/v1/bundles/com.acme.Clock/channels/a%2Fb" })
        #expect(server.requests.allSatisfy { $0.value("Authorization") == "Bearer secret" })
    }

    @Test func `A new channel has the condition that it does not exist`() async throws {
        let problem = "{\"type\":\"/problems/no-such-channel\",\"title\":\"t\",\"status\":404,\"detail\":\"d\"}"
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if visit.request.method == "GET" {
                visit.answer(404, text: problem)
            } else {
                visit.answer(200, text: Self.channel)
            }
        }
        _ = try await Self.registry(server).promote("a.b", "1~1", channel: "new", rollout: 10_000, isMandatory: false)
        #expect(server.requests.last?.value("If-None-Match") == "*")
    }

    /// `*` would match what another client made of the channel meanwhile.
    @Test(arguments: [[], ["ETag: W/\"tag\""]], [false, true])
    func `F4: a channel is neither promoted nor deleted without a strong entity tag`(
        _ fields: [String], _ deletes: Bool
    ) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.answer(200, fields, text: Self.channel)
        }
        let registry = try Self.registry(server)
        do throws(FetchError) {
            if deletes {
                try await registry.deleteChannel("com.acme.Clock", "stable")
            } else {
                _ = try await registry.promote(
                    "com.acme.Clock", "1.1~1", channel: "stable", rollout: 10_000, isMandatory: false)
            }
            Issue.record("it was sent without a condition")
        } catch {
            guard case .transfer(let failure) = error.reason, failure.reason == .untagged else { throw error }
            #expect(error.hints.contains { $0.contains("a proxy may take ETag away") })
        }
        #expect(server.requests.map(\.method) == ["GET"])
    }

    /// A portal that wants a login answers everything with success.
    @Test(arguments: [(200, "<html>Log in</html>"), (200, ""), (200, "{}"), (201, ""), (202, ""), (203, "")])
    func `F9: a deletion has happened only if the registry's own answer says so`(_ status: Int, _ text: String)
        async throws
    {
        let server = try HostileServer { visit in
            let isQuestion = visit.request.method == "GET"
            visit.answer(
                isQuestion ? 200 : status, ["ETag: \"tag\""], text: isQuestion ? Self.channel : text)
        }
        await #expect(throws: FetchError(.unexpectedStatus(status))) {
            try await Self.registry(server).deleteChannel("com.acme.Clock", "stable")
        }
        #expect(server.requests.map(\.method) == ["GET", "DELETE"])
    }

    @Test func `F9: a channel is deleted when the answer is 204, and revoking knows its two answers`() async throws {
        let server = try HostileServer { visit in
            if visit.request.method == "GET" {
                visit.answer(200, ["ETag: \"tag\""], text: Self.channel)
            } else if visit.request.target.hasSuffix("last") {
                visit.answer(200, text: "{\"revoked\":\"last\",\"remark\":\"it was the last\"}")
            } else {
                visit.answer(204)
            }
        }
        let registry = try Self.registry(server)
        try await registry.deleteChannel("com.acme.Clock", "stable")
        #expect(server.requests.last?.value("If-Match") == "\"tag\"")
        #expect(try await registry.revokeToken("ci", prefix: nil) == nil)
        #expect(try await registry.revokeToken("last", prefix: nil) == "it was the last")
    }

    @Test(arguments: [(200, "<html>Log in</html>"), (200, ""), (201, ""), (202, "{\"remark\":\"x\"}"), (206, "")])
    func `F9: a token is revoked only if the registry's own answer says so`(_ status: Int, _ text: String)
        async throws
    {
        let server = try HostileServer { $0.answer(status, text: text) }
        let registry = try Self.registry(server)
        do throws(FetchError) {
            _ = try await registry.revokeToken("ci", prefix: nil)
            Issue.record("it was believed")
        } catch {
            switch error.reason {
            case .unexpectedStatus(let found, retryAfter: nil): #expect(status != 200 && found == status)
            case .malformedDocument: #expect(status == 200)
            default: throw error
            }
        }
    }

    @Test func `F9: a page in place of a channel's state stops a promotion and a deletion`() async throws {
        let server = try HostileServer { $0.answer(200, ["ETag: \"page\""], text: "<html>Log in</html>") }
        let registry = try Self.registry(server)
        await #expect(throws: FetchError.self) { try await registry.deleteChannel("a.b", "stable") }
        await #expect(throws: FetchError.self) {
            try await registry.promote("a.b", "1~1", channel: "stable", rollout: 1, isMandatory: false)
        }
        #expect(server.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func `A promotion is not sent when the state of the channel is unknown`() async throws {
        let server = try HostileServer { $0.answer(500, text: "") }
        await #expect(throws: FetchError(.unexpectedStatus(500))) {
            try await Self.registry(server).promote("a.b", "1~1", channel: "c", rollout: 1, isMandatory: false)
        }
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func `A withdrawal is sent with its reason`() async throws {
        let server = try HostileServer { visit in
            #expect(String(decoding: visit.readBody(), as: UTF8.self) == "{\"reason\":\"it \\\"crashes\\\"\"}\n")
            visit.answer(200, text: Self.release)
        }
        let reply = try await Self.registry(server).withdraw("com.acme.Clock", "1.0~1+abc", reason: "it \"crashes\"")
        #expect(reply.value.withdrawal?.reason == "why")
        #expect(server.requests[0].method == "DELETE")
        #expect(server.requests[0].target == "/v1/bundles/com.acme.Clock/releases/1.0~1%2Babc")
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"items\":null}", "{\"items\":[{}]}", "{\"items\":[{\"bundleIdentifier\":7}]}",
        "{\"items\":[]} x", "{\"items\":[],\"items\":[]}", "\u{FEFF}{\"items\":[]}",
        "{\"items\":[{\"bundleIdentifier\":\"a.b\",\"name\":\"n\",\"releases\":99999999999999999999,\"channels\":[]}]}",
    ])
    func `A meaningless answer is refused`(_ text: String) async throws {
        let server = try HostileServer { $0.answer(200, text: text) }
        let registry = try Self.registry(server)
        do throws(FetchError) {
            _ = try await registry.bundles()
            Issue.record("it was believed")
        } catch {
            guard case .malformedDocument = error.reason else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `An endless list is read up to a limit of pages`() async throws {
        let server = try HostileServer { $0.answer(200, text: "{\"items\":[],\"next\":\"\($0.number)\"}") }
        #expect(try await Self.registry(server).bundles().isEmpty)
        #expect(server.requests.count == 1_250)
    }

    @Test func `An archive is returned once it is verified`() async throws {
        let offer = try Offer(.sample("com.acme.Clock"))
        let registry = ScriptedRegistry()
        registry.offer(offer)
        let remote = RemoteRegistry(
            try RegistryAddress("https://registry.test"),
            client: TransferClient(transport: registry, in: .skipping()))
        let file = try await remote.archive(for: try WidgetIdentifier("com.acme.Clock-1"))
        #expect(try file.descriptor.read(at: 0, count: offer.archive.count + 1) == offer.archive)
        registry.change { script in
            script.archive = { bytes in
                var bytes = bytes
                bytes[bytes.count / 2] ^= 1
                return bytes
            }
        }
        await #expect(throws: FetchError.self) {
            try await remote.archive(for: try WidgetIdentifier("com.acme.Clock-1"))
        }
    }
}
