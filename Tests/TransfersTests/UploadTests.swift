import Bytes
import Files
import HostileServer
import TestSupport
import Testing

@testable import Transfers

/// Goal: bodies arrive whole, and only where they are wanted. Method: scripted servers that read them, or do not.
@Suite(.timeLimit(.minutes(20))) struct `An upload` {
    private static let large = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static func file(_ bytes: [UInt8]) throws -> SharedFile {
        let file = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try file.write(bytes, at: 0)
        return SharedFile(file)
    }

    @Test(arguments: [TransferMethod.post, .put, .delete, .patch])
    func `sends bytes`(_ method: TransferMethod) async throws {
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

    @Test func `sends part of a file, with its progress and its token`() async throws {
        let server = try HostileServer { $0.answer(200, body: $0.readBody()) }
        var request = try Setting.request(server.url, .post)
        request.body = .file(FileRegion(try Self.file(Self.large), offset: 10, byteCount: 2 << 20))
        request.token = "wdg_abc"
        let told = Guarded([TransferProgress]())
        request.uploadProgress = { progress in told.withLock { $0.append(progress) } }
        let echo = try await Setting.client.send(request).body.collect()
        #expect(echo == Array(Self.large[10..<(10 + 2 << 20)]))
        #expect(server.requests[0].value("Authorization") == "Bearer wdg_abc")
        let steps = told.withLock { $0 }
        #expect(steps.last == TransferProgress(done: 2 << 20, total: 2 << 20))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.done < $1.done })
    }

    @Test func `sends an empty body with its length`() async throws {
        let server = try HostileServer { $0.answer(204) }
        for method in [TransferMethod.post, .put] {
            _ = try await Setting.client.send(try Setting.request(server.url, method))
        }
        #expect(server.requests.map { $0.value("Content-Length") } == ["0", "0"])
    }

    @Test func `waits to be told to continue`() async throws {
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

    @Test func `is not sent where it is refused beforehand`() async throws {
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
        let answer = try await Setting.client.send(request)
        #expect(answer.head.status == 401)
        #expect(try await answer.body.collect() == Array("no".utf8))
        #expect(arrived.withLock { $0 } == 0)
    }

    @Test func `is sent again from its start`() async throws {
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

    @Test func `ends when the file is shorter than it was said to be`() async throws {
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
    func `cannot smuggle fields`(_ name: String, _ value: String) async throws {
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
