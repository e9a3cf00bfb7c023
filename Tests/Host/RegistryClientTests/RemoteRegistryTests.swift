import Bytes
import Files
import HostileServer
import JSONText
import RegistryContract
import TestSupport
import Testing
import Transfers

@testable import RegistryClient

/// Goal: requests to a registry say what was meant, and its answers are read strictly. Method: scripted servers.
@Suite(.timeLimit(.minutes(20)), .ownThreads) struct `A registry elsewhere` {
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

    @Test func `A harmless request is repeated`() async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if visit.number < 2 { visit.reset() } else { visit.answer(200, text: Self.release) }
        }
        _ = try await Self.registry(server).restore("com.acme.Clock", "1.0~1")
        #expect(server.requests.count == 3)
    }

    /// The ways in which a server that has read a request withholds its answer.
    enum Loss: Sendable, CaseIterable { case busy, tooMany, closed, reset }

    private static func losing(_ loss: Loss) throws -> HostileServer {
        try HostileServer { visit in
            _ = visit.readBody()
            switch loss {
            case .busy: visit.answer(503, ["Retry-After: 1"], text: "{}")
            case .tooMany: visit.answer(429, ["Retry-After: 1"], text: "{}")
            case .closed: break
            case .reset: visit.reset()
            }
        }
    }

    @Test(arguments: Loss.allCases, [false, true])
    func `A request that would act twice is sent once`(_ loss: Loss, _ isRollback: Bool) async throws {
        let server = try Self.losing(loss)
        let registry = try Self.registry(server)
        do throws(FetchError) {
            if isRollback {
                _ = try await registry.rollback("com.acme.Clock", channel: "stable")
            } else {
                _ = try await registry.createToken("ci", scopes: ["publish"], prefix: nil, expires: nil)
            }
            Issue.record("nothing was answered")
        } catch {
            switch error.reason {
            case .unexpectedStatus(let status, retryAfter: 1):
                #expect([429, 503].contains(status) && error.hints.contains { $0.contains("1 s") })
            case .unanswered:
                #expect("\(error)".contains("was not asked again"))
                #expect(error.hints.contains { $0.contains("widget show") })
            default: Issue.record("\(error)")
            }
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Loss.allCases)
    func `A request that acts once by promise is repeated`(_ loss: Loss) async throws {
        let server = try Self.losing(loss)
        var registry = RemoteRegistry(
            try RegistryAddress(server.url), client: TransferClient(clock: QuickClock()),
            retries: RetryPolicy(attempts: 3))
        await #expect(throws: FetchError.self) { try await registry.restore("com.acme.Clock", "1.0~1") }
        #expect(server.requests.count == 3)
        let other = try Self.losing(loss)
        registry = RemoteRegistry(
            try RegistryAddress(other.url), client: TransferClient(clock: QuickClock()),
            retries: RetryPolicy(attempts: 3))
        await #expect(throws: FetchError.self) {
            try await registry.rollback("com.acme.Clock", channel: "stable", to: "1.0~1")
        }
        #expect(other.requests.count == 3)
    }

    @Test func `The request for a new token is sent once`() async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.reset()
        }
        await #expect(throws: FetchError.self) {
            try await Self.registry(server).createToken("ci", scopes: ["publish"], prefix: nil, expires: nil)
        }
        #expect(server.requests.count == 1)
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
            client: TransferClient(transport: registry, clock: QuickClock()))
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
