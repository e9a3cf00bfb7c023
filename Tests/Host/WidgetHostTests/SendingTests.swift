import Foundation
import HostileServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetCore
import WidgetHost
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetTestSupport
import WidgetTransfers

/// Goal: a widget's request that is not repeatable is sent once, on the whole way to a server. Method: scripted servers
/// that count the requests that they read.
@Suite(.ownThreads) struct `A widget's request` {
    private static func outcome(
        _ method: String, _ server: HostileServer, headers: [ServiceRequest.Header] = []
    ) async throws -> RequestOutcome {
        let grant = try NetworkGrant([server.url], privateRanges: [try #require(AddressRange("127.0.0.0/8"))])
        return await WebNetwork(grant).outcome(
            of: ServiceRequest(
                method: method, url: server.url + "/", headers: headers, body: Array("a=b".utf8), parts: []))
    }

    @Test(arguments: ["POST", "PATCH"], [429, 503])
    func `A request that is not repeatable is sent once to a busy server, and fails with the time to wait`(
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
    func `A request that is not repeatable is sent once when its answer is lost, also on a reused connection`(
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

    @Test func `A request that reached no server is distinguished from one whose answer was lost`() async throws {
        let server = try HostileServer { _ in }
        server.stop()
        guard case .failure = try await Self.outcome("POST", server) else {
            Issue.record("no server has received it")
            return
        }
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func `A repeatable request is sent again as soon as the server asks`(_ method: String) async throws {
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

    @Test func `The numbers about a widget's requests in docs/running.md are those of the program`() throws {
        let text = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/running.md", encoding: .utf8)
        let guide = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let request = TransferRequest(.get, try TransferURL("http://a.test/"))
        let (policy, limits) = (request.retries, request.limits)
        let words = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        func seconds(_ time: Duration) -> String {
            let text = "\(Double(time / .milliseconds(1)) / 1_000)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let pauses = (0..<(policy.attempts - 1)).map { number in
            seconds(min(policy.firstPause * (1 << number), policy.longestPause))
        }
        let all = seconds(WebNetwork.answerTime)
        for sentence in [
            "not within \(seconds(limits.connecting)) s | again",
            "`Retry-After` asks for, \(seconds(policy.longestRetryAfter)) s at most",
            "or \(seconds(limits.stall)) s without a byte",
            "does not end within \(seconds(limits.connecting)) s",
            "cannot be read, \(all) s in all",
            "Again means \(words[policy.attempts]) attempts at most, after about "
                + "\(pauses.dropLast().joined(separator: ", ")) and \(pauses.last ?? "") s",
            "and all within \(all) s.",
        ] {
            #expect(guide.contains(sentence), "docs/running.md does not say: \(sentence)")
        }
    }

    @Test func `A repeatable request waits for a minute at most`() async throws {
        let server = try HostileServer { $0.answer(503, ["Retry-After: 120"]) }
        guard case .postponed(503, _, 120) = try await Self.outcome("GET", server) else {
            Issue.record("another outcome")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test func `A request with a key is sent again with the same key`() async throws {
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

/// Goal: what an app adds reaches the server that it was added for, and no other. Method: a transport that redirects.
@Suite struct `Fields that an app adds` {
    /// A server that leads each address of its map elsewhere, and notes what it was asked.
    private struct Leading: Transport {
        let map: [String: String]
        let asked: Guarded<[TransferRequest]>

        func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
            asked.withLock { $0.append(request) }
            let target = map[request.url.description]
            return TransferAnswer(
                TransferHead(
                    status: target == nil ? 200 : 307,
                    fields: target.map { [TransferField("Location", $0)] } ?? [], url: request.url),
                body: ResponseBody(OneAnswer(Array("{}".utf8))))
        }
    }

    @Test(arguments: ["https://x.example/news", "http://x.example:8080/news", "http://y.example/news"])
    func `A redirect to another scheme, port or host leaves the app's fields behind`(target: String) async throws {
        let asked = Guarded<[TransferRequest]>([])
        let network = WebNetwork(
            try NetworkGrant(["http://x.example/", target]),
            client: TransferClient(
                transport: Leading(
                    map: ["http://x.example/a": "/b", "http://x.example/b": target], asked: asked))
        ).reviewed { _ in
            .send(adding: [AddedField(TransferField("Cookie", "session=0123456789abcdef"), isSecret: true)])
        }
        let outcome = await network.outcome(
            of: ServiceRequest(method: "GET", url: "http://x.example/a", headers: [], body: [], parts: []))
        guard case .response(200, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let sent = asked.withLock { $0 }
        #expect(sent.map(\.url.description) == ["http://x.example/a", "http://x.example/b", target])
        // The server itself may lead to another of its places.
        #expect(sent.map { $0.sentFields.contains { $0.name == "Cookie" } } == [true, true, false])
    }
}

/// Goal: pictures and films travel as the parts of a form. Method: a transport that notes what it is asked.
@Suite struct `Pictures and films on the wire` {
    static let picture: [UInt8] = [0xFF, 0xD8, 0x0D, 0x0A, 0x2D, 0x2D]

    @Test func `Media is sent as the parts of a form, byte for byte`() async throws {
        let asked = Guarded<[TransferRequest]>([])
        let network = WebNetwork(
            try NetworkGrant(["https://x.example/"]),
            client: TransferClient(transport: AnsweringTransport(#"{"media": {"id": "5"}}"#, asked)))
        let parts = [
            ServiceRequest.Part(name: "media", bytes: Self.picture),
            ServiceRequest.Part(name: "fi\"l\r\nm", bytes: [7], contentType: "video/mp4", fileName: "x\ny.mp4"),
        ]
        let outcome = await network.outcome(
            of: ServiceRequest(
                method: "POST", url: "https://x.example/media.json",
                headers: [ServiceRequest.Header(name: "Content-Type", value: "text/plain")], body: [], parts: parts))
        guard case .response(200, let body) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(body.member(at: ["media", "id"]).string == "5")
        let sent = try #require(asked.withLock { $0.first })
        let type = try #require(sent.fields.filter { $0.name.lowercased() == "content-type" }.map(\.value).only)
        let boundary = try #require(type.split(separator: "=").last.map(String.init))
        #expect(type == "multipart/form-data; boundary=\(boundary)" && boundary.hasPrefix("widget-"))
        let head = "Content-Disposition: form-data; name="
        var expected = Array("--\(boundary)\r\n\(head)\"media\"\r\n\r\n".utf8)
        expected += Self.picture
        expected += Array("\r\n--\(boundary)\r\n\(head)\"fi%22l%0D%0Am\"; filename=\"x%0Ay.mp4\"\r\n".utf8)
        expected += Array("Content-Type: video/mp4\r\n\r\n".utf8)
        expected.append(7)
        expected += Array("\r\n--\(boundary)--\r\n".utf8)
        guard case .bytes(let bytes)? = sent.body else {
            Issue.record("no bytes")
            return
        }
        #expect(bytes == expected)
        #expect(MultipartBody(parts)?.bytes == expected, "the same parts give the same bytes")
    }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? first : nil }
}

/// A server that says one thing, and notes what it was asked.
struct AnsweringTransport: Transport {
    private let text: String
    private let asked: Guarded<[TransferRequest]>

    init(_ text: String, _ asked: Guarded<[TransferRequest]>) {
        self.text = text
        self.asked = asked
    }

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        asked.withLock { $0.append(request) }
        return TransferAnswer(
            TransferHead(status: 200, fields: [TransferField("Content-Type", "application/json")], url: request.url),
            body: ResponseBody(OneAnswer(Array(text.utf8))))
    }
}

/// One piece, and no more.
final class OneAnswer: BodySource {
    private let bytes: Guarded<[UInt8]?>

    init(_ bytes: [UInt8]) { self.bytes = Guarded(bytes) }

    func next() async throws(TransferError) -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
    }

    func cancel() {}
}
