import Bytes
import HostileServer
import TestSupport
import Testing

@testable import Transfers

/// Goal: what is not repeatable reaches a server once, whatever becomes of it; what is repeatable is repeated. Method:
/// scripted servers that count what they read.
@Suite(.timeLimit(.minutes(20)), .ownThreads) struct `A request that is not repeatable` {
    private static func request(_ server: HostileServer, _ method: TransferMethod = .post) throws -> TransferRequest {
        var request = try Setting.request(server.url, method)
        request.body = .bytes(Array("{}".utf8))
        return request
    }

    private static func reason(_ request: TransferRequest) async -> TransferError.Reason? {
        await Setting.reason { () async throws(TransferError) in
            try await Setting.client.send(request).body.collect()
        }
    }

    @Test(arguments: [TransferMethod.post, .patch], [429, 503])
    func `is sent once to a server that is busy, and says when to ask again`(
        _ method: TransferMethod, _ status: Int
    ) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.answer(status, ["Retry-After: 1"])
        }
        let head = try await Setting.client.send(try Self.request(server, method)).head
        #expect(head.status == status)
        #expect(head.secondsToRetry(now: 0) == 1)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [TransferMethod.post, .patch], [false, true])
    func `is sent once when the connection ends after it was read`(
        _ method: TransferMethod, _ isReset: Bool
    ) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if isReset { visit.reset() }
        }
        #expect(await Self.reason(try Self.request(server, method)) == .connectionLost)
        #expect(server.requests.count == 1)
    }

    @Test func `is sent once when the answer breaks off, or never comes`() async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")
        }
        #expect(await Self.reason(try Self.request(server)) == .connectionLost)
        #expect(server.requests.count == 1)
        let silent = try HostileServer { $0.hold() }
        var request = try Self.request(silent)
        request.limits.stall = .milliseconds(300)
        #expect(await Self.reason(request) == .timedOut(.stalled))
        #expect(silent.requests.count == 1)
    }

    /// libcurl sends again by itself what it sent over a connection that was kept and turns out to be closed.
    @Test(arguments: [TransferMethod.post, .patch])
    func `is sent once where a kept connection dies`(_ method: TransferMethod) async throws {
        let connections = Guarded([Int32]())
        let server = try HostileServer { visit in
            _ = visit.readBody()
            connections.withLock { $0.append(visit.connection.descriptor) }
            // The connection is kept after the first answer, and closed after everything else was read.
            if visit.request.method == "GET" { visit.answer(200, text: "kept") }
        }
        _ = try await Setting.client.send(try Setting.request(server.url)).body.collect()
        #expect(await Self.reason(try Self.request(server, method)) == .connectionLost)
        #expect(server.requests.map(\.method) == ["GET", method.rawValue])
        #expect(Set(connections.withLock { $0 }).count == 2, "a connection that was kept is not used for it")
    }

    @Test func `is not sent again from the start when the server it was sent on to is not there`() async throws {
        let gone = try HostileServer { _ in }
        gone.stop()
        let target = gone.url
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.answer(307, ["Location: \(target)/next"])
        }
        #expect(await Self.reason(try Self.request(server)) == .noConnection)
        #expect(server.requests.count == 1)
    }

    @Test func `says whether a server can have seen it`() {
        let before: [TransferError.Reason] = [
            .noConnection, .unknownHost, .timedOut(.connecting), .timedOut(.handshake), .tls, .addressRefused("x"),
            .invalidField("x"), .invalidURL("x"),
        ]
        let after: [TransferError.Reason] = [
            .connectionLost, .timedOut(.stalled), .timedOut(.total), .malformedAnswer("x"), .tooSlow(1), .cancelled,
            .limitReached(.body, 1), .failed(code: 1),
        ]
        #expect(before.allSatisfy { TransferError($0).isBeforeRequest })
        #expect(!after.contains { TransferError($0).isBeforeRequest })
        #expect(!TransferError(.noConnection).afterRedirect().isBeforeRequest)
    }

    // MARK: Others

    @Test(arguments: [TransferMethod.get, .put, .delete])
    func `is none of these, which are repeated`(_ method: TransferMethod) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            switch visit.number {
            case 0: visit.answer(503, ["Retry-After: 0"])
            case 1: visit.reset()
            default: visit.answer(200, text: "done")
            }
        }
        var request = try Setting.request(server.url, method)
        if method == .put { request.body = .bytes([1]) }
        #expect(try await Setting.client.send(request).body.collect() == Array("done".utf8))
        #expect(server.requests.count == 3)
    }

    @Test func `may be declared repeatable, and is repeated then`() async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if visit.number < 2 { visit.answer(503) } else { visit.answer(201) }
        }
        var request = try Self.request(server)
        request.isRepeatable = true
        #expect(try await Setting.client.send(request).head.status == 201)
        #expect(server.requests.count == 3)
    }

    @Test func `is told by its method, whenever that is set`() throws {
        var request = try Setting.request("http://a/")
        #expect(request.isRepeatable)
        request.method = .post
        #expect(!request.isRepeatable)
    }
}
