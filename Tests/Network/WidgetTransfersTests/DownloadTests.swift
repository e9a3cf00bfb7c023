import HostileServer
import Testing
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: a download is the right bytes or an error, on any network. Method: scripted answers, and a server that
/// breaks off everywhere.
@Suite(.ownThreads) struct `A download` {
    private static let body = (0..<100).map { UInt8($0) }

    private let asked = Asked()

    private func download(
        into sink: MemorySink, range: Range<Int>? = nil, entityTag: String? = nil, held: Int = 0,
        _ script: @escaping @Sendable (Int, TransferRequest) -> ScriptedTransport.Answer
    ) async throws -> TransferError.Reason? {
        let client = TransferClient(
            transport: ScriptedTransport { [asked] in script(asked.add($0), $0) }, in: .skipping())
        var download = Download(try Setting.request("https://registry.test/x"), range: range, entityTag: entityTag)
        download.heldByteCount = held
        let wanted = download
        return await Setting.reason { () async throws(TransferError) in
            guard case .complete(_, let count) = try await client.download(wanted, into: sink) else {
                Issue.record("no bytes")
                return
            }
            #expect(count == sink.bytes.count)
        }
    }

    private func fields(_ number: Int) -> [String: String] {
        Dictionary(asked.requests[number].fields.map { ($0.name, $0.value) }) { $1 }
    }

    @Test func `A download continues where it broke off, on condition that nothing has changed`() async throws {
        let sink = MemorySink()
        let reason = try await download(into: sink) { number, _ in
            switch number {
            case 0:
                .init(
                    200, ["ETag": "\"a\"", "Content-Length": "100"], [Array(Self.body[..<40])], failure: .connectionLost
                )
            case 1: .failed(.noConnection)
            default:
                .init(
                    206, ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100", "Content-Length": "60"],
                    [Array(Self.body[40...])])
            }
        }
        #expect(reason == nil)
        #expect(sink.bytes == Self.body)
        #expect(sink.restarts == 0)
        #expect(fields(0).isEmpty)
        #expect(fields(2) == ["Range": "bytes=40-", "If-Range": "\"a\""])
        #expect(asked.requests.allSatisfy { !$0.acceptsCompression })
    }

    @Test func `A download begins anew if the server's representation has changed`() async throws {
        let sink = MemorySink()
        let reason = try await download(into: sink) { number, _ in
            number == 0
                ? .init(
                    200, ["ETag": "\"a\"", "Content-Length": "100"], [Array(Self.body[..<40])], failure: .connectionLost
                )
                : .init(200, ["ETag": "\"b\"", "Content-Length": "3"], [[1, 2, 3]])
        }
        #expect(reason == nil)
        #expect(sink.bytes == [1, 2, 3])
        #expect(sink.restarts == 1)
    }

    @Test(arguments: ["W/\"a\"", nil] as [String?])
    func `A download without a strong tag begins anew`(_ tag: String?) async throws {
        let sink = MemorySink()
        let reason = try await download(into: sink) { number, request in
            #expect(request.fields.isEmpty)
            var answer = ScriptedTransport.Answer(
                200, ["Content-Length": "100"], [number == 0 ? Array(Self.body[..<40]) : Self.body],
                failure: number == 0 ? .connectionLost : nil)
            if let tag { answer.fields.append(TransferField("ETag", tag)) }
            return answer
        }
        #expect(reason == nil)
        #expect(sink.bytes == Self.body)
        #expect(sink.restarts == 1)
    }

    @Test(arguments: [
        ["ETag": "\"b\"", "Content-Range": "bytes 40-99/100"], ["ETag": "\"a\"", "Content-Range": "bytes 40-98/99"],
    ])
    func `A download is not pieced together from two representations`(_ fields: [String: String]) async throws {
        let sink = MemorySink()
        let reason = try await download(into: sink) { number, _ in
            switch number {
            case 0:
                return .init(
                    200, ["ETag": "\"a\"", "Content-Length": "100"], [Array(Self.body[..<40])], failure: .connectionLost
                )
            case 1:
                var answer = ScriptedTransport.Answer(206, [:], [Array(Self.body[40...])])
                answer.fields = fields.map { TransferField($0.key, $0.value) }
                return answer
            default: return .init(200, ["ETag": "\"b\"", "Content-Length": "100"], [Self.body])
            }
        }
        #expect(reason == nil)
        #expect(sink.bytes == Self.body)
        #expect(sink.restarts == 1)
    }

    @Test(arguments: [
        "bytes 0-59/100", "bytes 41-99/100", "bytes 40-39/100", "bytes 40-100/100", "bytes */100", "items 40-99/100",
        "bytes 40-99", "bytes 40-99/abc", "bytes 40-99/100 x", "bytes -60/100", "bytes 40-9223372036854775807/*",
        "bytes 40-99999999999999999999/*", "",
    ])
    func `A download refuses another range than it asked for`(_ range: String) async throws {
        let sink = MemorySink()
        let reason = try await download(into: sink) { number, _ in
            number == 0
                ? .init(
                    200, ["ETag": "\"a\"", "Content-Length": "100"], [Array(Self.body[..<40])], failure: .connectionLost
                )
                : .init(
                    206, ["ETag": "\"a\"", "Content-Range": range, "Content-Length": "60"], [Array(Self.body[40...])])
        }
        #expect(reason == .malformedAnswer("it is another part than was asked for"))
    }

    @Test func `A download refuses a range that it did not ask for`() async throws {
        let reason = try await download(into: MemorySink()) { _, _ in
            .init(206, ["Content-Range": "bytes 0-99/100"], [Self.body])
        }
        #expect(reason == .malformedAnswer("it is another part than was asked for"))
    }

    @Test func `A download refuses more bytes than were announced`() async throws {
        let reason = try await download(into: MemorySink()) { _, _ in
            .init(200, ["Content-Length": "99"], [Self.body])
        }
        #expect(reason == .malformedAnswer("it is longer than announced"))
    }

    @Test func `The limit of a download is for its whole, not for each part`() async throws {
        let reason = try await download(into: MemorySink()) { number, _ in
            number == 0
                ? .init(200, ["ETag": "\"a\""], [Self.body], failure: .connectionLost)
                : .init(206, ["ETag": "\"a\"", "Content-Range": "bytes 100-99999999/100000000"], [])
        }
        #expect(reason == .limitReached(.body, 4 << 20))
    }

    @Test func `A download brings a range of a known representation`() async throws {
        let sink = MemorySink()
        let reason = try await download(into: sink, range: 20..<50, entityTag: "\"a\"") { number, _ in
            number == 0
                ? .init(
                    206, ["ETag": "\"a\"", "Content-Range": "bytes 20-49/100"], [Array(Self.body[20..<30])],
                    failure: .timedOut(.stalled))
                : .init(206, ["ETag": "\"a\"", "Content-Range": "bytes 30-49/100"], [Array(Self.body[30..<50])])
        }
        #expect(reason == nil)
        #expect(sink.bytes == Array(Self.body[20..<50]))
        #expect(fields(0) == ["Range": "bytes=20-49", "If-Range": "\"a\""])
        #expect(fields(1) == ["Range": "bytes=30-49", "If-Range": "\"a\""])
    }

    @Test func `A download does not take the whole for a range`() async throws {
        let same = try await download(into: MemorySink(), range: 20..<50, entityTag: "\"a\"") { _, _ in
            .init(200, ["ETag": "\"a\""], [Self.body])
        }
        #expect(same == .malformedAnswer("everything came where a part was asked for"))
        let other = try await download(into: MemorySink(), range: 20..<50, entityTag: "\"a\"") { _, _ in
            .init(200, ["ETag": "\"b\""], [Self.body])
        }
        #expect(other == .changedMeanwhile)
    }

    @Test func `A download continues an earlier one`() async throws {
        let sink = MemorySink(holding: Array(Self.body[..<70]))
        let reason = try await download(into: sink, entityTag: "\"a\"", held: 70) { _, _ in
            .init(206, ["ETag": "\"a\"", "Content-Range": "bytes 70-99/100"], [Array(Self.body[70...])])
        }
        #expect(reason == nil)
        #expect(sink.bytes == Self.body)
    }

    @Test func `A download recognises that everything was held already`() async throws {
        let sink = MemorySink(holding: Self.body)
        let reason = try await download(into: sink, entityTag: "\"a\"", held: 100) { _, _ in
            .init(416, ["Content-Range": "bytes */100"])
        }
        #expect(reason == nil)
        #expect(sink.bytes == Self.body)
    }

    @Test func `A download ends if no attempt brings anything`() async throws {
        let reason = try await download(into: MemorySink()) { number, _ in
            number == 0
                ? .init(200, ["ETag": "\"a\"", "Content-Length": "100"], [[0]], failure: .connectionLost)
                : .init(206, ["ETag": "\"a\"", "Content-Range": "bytes 1-99/100"], [], failure: .connectionLost)
        }
        #expect(reason == .connectionLost)
        #expect(asked.requests.count == 5)
    }

    @Test func `A download ends if a server sends a byte at a time for ever`() async throws {
        let reason = try await download(into: MemorySink()) { number, _ in
            number == 0
                ? .init(200, ["ETag": "\"a\"", "Content-Length": "1000"], [[0]], failure: .connectionLost)
                : .init(
                    206, ["ETag": "\"a\"", "Content-Range": "bytes \(number)-999/1000"], [[0]], failure: .connectionLost
                )
        }
        #expect(reason == .connectionLost)
        #expect(asked.requests.count == 100)
    }

    @Test func `A download returns an error status with its body`() async throws {
        let client = TransferClient(
            transport: ScriptedTransport { _ in .init(404, [:], [[1]]) }, in: .skipping())
        let outcome = try await client.download(
            Download(try Setting.request("https://registry.test/x")), into: MemorySink())
        guard case .other(let answer) = outcome else {
            Issue.record("bytes")
            return
        }
        #expect(answer.head.status == 404)
        #expect(try await answer.body.collect() == [1])
    }

    @Test func `A download stops if its sink has no more room`() async throws {
        final class FullSink: DownloadSink {
            func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
                throw FileError(.write, subject: "the disk", code: 28)
            }
            func restart() throws(FileError) {}
        }
        let server = try HostileServer { $0.answer(200, text: "hello") }
        let download = Download(try Setting.request(server.url))
        let reason = await Setting.reason { () async throws(TransferError) in
            _ = try await Setting.client.download(download, into: FullSink())
        }
        guard case .file(let error) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(error.isOutOfSpace)
        #expect(server.requests.count == 1)
    }

    /// A server of our kind that breaks off after so many bytes, each time.
    @Test(arguments: [1, 7, 20, 41, 60, 99, 130])
    func `A download arrives over a connection that breaks again and again`(after count: Int) async throws {
        let body = Self.body
        let server = try HostileServer { visit in
            let first = visit.request.value("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            #expect(first == 0 || visit.request.value("If-Range") == "\"a\"")
            let head =
                first == 0
                ? "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"a\"\r\n\r\n"
                : "HTTP/1.1 206 Partial Content\r\nContent-Length: \(100 - first)\r\nETag: \"a\"\r\nContent-Range: bytes \(first)-99/100\r\n\r\n"
            visit.send(Array(head.utf8) + Array(body[first...].prefix(count)))
        }
        var download = Download(try Setting.request(server.url))
        download.request.retries.attemptsInAll = 200
        let sink = MemorySink()
        _ = try await Setting.client.download(download, into: sink)
        #expect(sink.bytes == body)
        #expect(server.requests.count == (100 + count - 1) / count)
    }
}
