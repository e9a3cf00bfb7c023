import Addresses
import HostileServer
import Predicates
import TestSupport
import Testing
import WidgetCore
import WidgetHost
import WidgetRunning

/// Goal: what a widget sends that is not repeatable is sent once, over the whole way to a server. Method: scripted servers
/// that count what they read.
@Suite(.timeLimit(.minutes(20)), .ownThreads) struct `A widget's request` {
    private static func outcome(
        _ method: String, _ server: HostileServer, headers: [ServiceRequest.Header] = []
    ) async throws -> RequestOutcome {
        let grant = try NetworkGrant([server.url], privateRanges: [try #require(AddressRange("127.0.0.0/8"))])
        return await WebNetwork(grant).outcome(
            of: ServiceRequest(
                method: method, url: server.url + "/", headers: headers, body: Array("a=b".utf8), parts: []))
    }

    @Test(arguments: ["POST", "PATCH"], [429, 503])
    func `that is not repeatable is sent once to a busy server, and fails with the time it asks for`(
        _ method: String, _ status: Int
    ) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.answer(status, ["Retry-After: 1"], text: #"{"error": "later"}"#)
        }
        guard case .postponed(status, let body, 1) = try await Self.outcome(method, server) else {
            Issue.record("another outcome")
            return
        }
        #expect(body.member("error").string == "later")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["POST", "PATCH"])
    func `that is not repeatable is sent once when its answer is lost, also after one that kept its connection`(
        _ method: String
    ) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if visit.request.method == "GET" { visit.answer(200, text: "{}") }
        }
        _ = try await Self.outcome("GET", server)
        guard case .unanswered(let message) = try await Self.outcome(method, server) else {
            Issue.record("another outcome")
            return
        }
        #expect(message.contains("was not asked again"))
        #expect(server.requests.map(\.method) == ["GET", method])
    }

    @Test func `that reached no server is told from one whose answer was lost`() async throws {
        let server = try HostileServer { _ in }
        server.stop()
        guard case .failure = try await Self.outcome("POST", server) else {
            Issue.record("nobody has seen it")
            return
        }
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func `that is repeatable is sent again, as soon as the server asks`(_ method: String) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if visit.number == 0 { visit.answer(503, ["Retry-After: 0"]) } else { visit.answer(200, text: "{}") }
        }
        guard case .response(200, _) = try await Self.outcome(method, server) else {
            Issue.record("another outcome")
            return
        }
        #expect(server.requests.count == 2)
    }

    @Test func `that is repeatable is not waited for longer than a minute`() async throws {
        let server = try HostileServer { $0.answer(503, ["Retry-After: 120"]) }
        guard case .postponed(503, _, 120) = try await Self.outcome("GET", server) else {
            Issue.record("another outcome")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test func `with a key is sent again, with the same key`() async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            switch visit.number {
            case 0: visit.answer(503, ["Retry-After: 0"])
            case 1: break
            default: visit.answer(200, text: "{}")
            }
        }
        let key = ServiceRequest.Header(name: ServiceRequest.keyField, value: "8e03978e-40d5-43dd-bc93-6894a57f9324")
        guard case .response(200, _) = try await Self.outcome("POST", server, headers: [key]) else {
            Issue.record("another outcome")
            return
        }
        #expect(server.requests.map { $0.value("Idempotency-Key") } == [key.value, key.value, key.value])
    }
}
