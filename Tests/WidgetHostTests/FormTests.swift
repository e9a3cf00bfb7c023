import Bytes
import Predicates
import Testing
import Transfers
import WidgetCore
import WidgetHost
import WidgetRunning

/// Goal: pictures and films travel as the parts of a form. Method: a transport that notes what it is asked.
@Suite struct `Pictures and films on the wire` {
    static let picture: [UInt8] = [0xFF, 0xD8, 0x0D, 0x0A, 0x2D, 0x2D]

    @Test func `are sent as the parts of a form, byte for byte`() async throws {
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
