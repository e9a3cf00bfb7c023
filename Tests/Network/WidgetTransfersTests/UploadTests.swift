import HostileServer
import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: bodies arrive whole, and only where they are wanted. Method: scripted servers that read them, or do not.
@Suite struct `An upload` {
    private static let large = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static func file(_ bytes: [UInt8]) throws -> SharedFile {
        let file = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try file.write(bytes, at: 0)
        return SharedFile(file)
    }

    @Test(arguments: [TransferMethod.post, .put, .delete, .patch])
    func `An upload sends bytes`(_ method: TransferMethod) async throws {
        let server = try HostileServer { $0.answer(200, body: $0.readBody()) }
        var request = try Setting.request(server.url, method)
        request.body = .bytes(Array("{}".utf8))
        request.fields = [TransferField("Content-Type", "application/json"), TransferField("X-Empty", "")]
        #expect(try await Setting.client.send(request).body.collect() == Array("{}".utf8))
        let seen = try #require(server.requests.first)
        #expect(seen.method == method.rawValue)
        #expect(seen.value("Content-Type") == "application/json")
        #expect(seen.value("X-Empty") == "")
        #expect(seen.value("Expect") == nil)
        #expect(seen.value("Authorization") == nil)
    }

    @Test func `An upload sends part of a file, with its progress and its token`() async throws {
        let server = try HostileServer { $0.answer(200, body: $0.readBody()) }
        var request = try Setting.request(server.url, .post)
        request.body = .file(FileRegion(try Self.file(Self.large), offset: 10, byteCount: 2 << 20))
        request.token = "wdg_abc"
        let reported = Guarded([TransferProgress]())
        request.uploadProgress = { progress in reported.withLock { $0.append(progress) } }
        let echo = try await Setting.client.send(request).body.collect()
        #expect(echo == Array(Self.large[10..<(10 + 2 << 20)]))
        #expect(server.requests[0].value("Authorization") == "Bearer wdg_abc")
        let steps = reported.withLock { $0 }
        #expect(steps.last == TransferProgress(done: 2 << 20, total: 2 << 20))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.done < $1.done })
    }

    @Test func `An upload sends an empty body with its length`() async throws {
        let server = try HostileServer { $0.answer(204) }
        for method in [TransferMethod.post, .put] {
            _ = try await Setting.client.send(try Setting.request(server.url, method))
        }
        #expect(server.requests.map { $0.value("Content-Length") } == ["0", "0"])
    }

    @Test func `An upload waits for 100 Continue`() async throws {
        let server = try HostileServer { visit in
            #expect(visit.request.value("Expect") == "100-continue")
            visit.send("HTTP/1.1 100 Continue\r\n\r\n")
            visit.answer(201, body: Array("\(visit.readBody().count)".utf8))
        }
        var request = try Setting.request(server.url, .post)
        request.body = .bytes(Self.large)
        request.expectsContinue = true
        #expect(try await Setting.client.send(request).body.collect() == Array("\(Self.large.count)".utf8))
    }

    @Test func `An upload that is refused beforehand is not sent`() async throws {
        let arrived = Guarded(0)
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
            while case .bytes(let bytes) = visit.connection.receive(patience: 500) {
                arrived.withLock { $0 += bytes.count }
            }
        }
        var request = try Setting.request(server.url, .post)
        request.body = .bytes(Self.large)
        request.expectsContinue = true
        // A server that takes seconds to answer is sent the body, so a busy one is asked again.
        for attempt in 0..<5 where attempt == 0 || arrived.withLock({ $0 }) > 0 {
            arrived.withLock { $0 = 0 }
            let answer = try await Setting.client.send(request)
            #expect(answer.head.status == 401)
            #expect(try await answer.body.collect() == Array("no".utf8))
        }
        #expect(arrived.withLock { $0 } == 0)
    }

    @Test func `An upload is sent again from its start`() async throws {
        let server = try HostileServer { visit in
            if visit.number == 0 {
                _ = visit.connection.receive(upTo: 1_000)
                visit.reset()
            } else {
                visit.answer(200, body: visit.readBody())
            }
        }
        var request = try Setting.request(server.url, .put)
        request.body = .file(FileRegion(try Self.file(Self.large), byteCount: Self.large.count))
        #expect(try await Setting.client.send(request).body.collect() == Self.large)
        #expect(server.requests.count == 2)
    }

    @Test func `An upload ends if the file is shorter than announced`() async throws {
        let server = try HostileServer { $0.hold() }
        var request = try Setting.request(server.url, .post)
        request.body = .file(FileRegion(try Self.file([1, 2, 3]), byteCount: 10))
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
        #expect(reason == .bodyTooShort)
    }

    @Test(arguments: [
        ("X-A", "b\r\nX-C: d"), ("X-A", "b\n"), ("X-A\r\nX-B", "c"), ("", "c"), ("X A", "c"), ("X-A", "\u{0}"),
    ])
    func `An upload cannot smuggle fields`(_ name: String, _ value: String) async throws {
        let server = try HostileServer { $0.answer(200) }
        var request = try Setting.request(server.url)
        request.fields = [TransferField(name, value)]
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
        #expect(reason == .invalidField(name))
        var bearing = try Setting.request(server.url)
        bearing.token = value
        let borne = bearing
        let refusal = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(borne) }
        #expect(value == "c" || refusal == .invalidField("Authorization"))
    }
}

/// Goal: a request that is not repeatable reaches a server once, with every outcome; a repeatable one is repeated.
/// Method: scripted servers that count the requests they read.
@Suite(.ownThreads) struct `A request that is not repeatable` {
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
    func `A request that is not repeatable is sent once to a busy server, and says when to retry`(
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
    func `A request that is not repeatable is sent once if the connection ends after it was read`(
        _ method: TransferMethod, _ isReset: Bool
    ) async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if isReset { visit.reset() }
        }
        #expect(await Self.reason(try Self.request(server, method)) == .connectionLost)
        #expect(server.requests.count == 1)
    }

    @Test func `A request that is not repeatable is sent once if the answer breaks off or never comes`() async throws {
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
    func `A request that is not repeatable is sent once if a kept connection dies`(_ method: TransferMethod)
        async throws
    {
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

    @Test func `A redirected request that is not repeatable does not start again`() async throws {
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

    @Test func `A request that is not repeatable says whether a server can have seen it`() {
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
    func `Repeatable requests are sent again in these cases`(_ method: TransferMethod) async throws {
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

    @Test func `A request declared repeatable is repeated`() async throws {
        let server = try HostileServer { visit in
            _ = visit.readBody()
            if visit.number < 2 { visit.answer(503) } else { visit.answer(201) }
        }
        var request = try Self.request(server)
        request.isRepeatable = true
        #expect(try await Setting.client.send(request).head.status == 201)
        #expect(server.requests.count == 3)
    }

    @Test func `A request is repeatable by its method, also if that is set later`() throws {
        var request = try Setting.request("http://a/")
        #expect(request.isRepeatable)
        request.method = .post
        #expect(!request.isRepeatable)
    }
}
