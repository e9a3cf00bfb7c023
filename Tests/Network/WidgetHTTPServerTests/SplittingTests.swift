import Testing
import WidgetTestSupport

/// Accepted messages cut into pieces. Between two pieces the server answers another client: its one loop takes
/// events in order, so by then it has read the first piece.
@Suite struct `A message in pieces` {
    struct Message: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var answers: Int
        var isHead = false

        var testDescription: String { name }
    }

    static let messages = [
        Message(name: "a GET", text: get("/path/a%20b/c?q=d", "X: y\r\n"), answers: 1),
        Message(name: "a HEAD", text: request("HEAD /letters HTTP/1.1"), answers: 1, isHead: true),
        Message(name: "a body", text: echo("Content-Length: 26\r\n", "abcdefghijklmnopqrstuvwxyz"), answers: 1),
        Message(
            name: "chunks", text: chunked("3;a=\"b;\"\r\nabc\r\n00A \t;c\r\ndefghijklm\r\n0\r\nTrailer: x\r\n\r\n"),
            answers: 1),
        Message(
            name: "an unwanted body", text: request("POST /plain HTTP/1.1", "Content-Length: 5\r\n") + "abcde",
            answers: 1),
        Message(
            name: "unwanted chunks",
            text: request("POST /nowhere HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "5\r\nabcde\r\n0\r\n\r\n",
            answers: 1),
        Message(
            name: "several requests", text: get("/later/x") + echo("Content-Length: 2\r\n", "ab") + get("/letters"),
            answers: 3),
        Message(
            name: "empty lines and a request", text: "\r\n\r\n" + get("/letters", "Range: bytes=1-2\r\n"), answers: 1),
    ]

    private let server: TestServer
    private let witness: Conversation

    init() throws {
        server = try TestServer()
        witness = try server.connect()
    }

    @Test(arguments: messages)
    func `A message cut anywhere is answered as one that comes whole`(_ message: Message) throws {
        let bytes = Array(message.text.utf8)
        let whole = try answers([bytes], message)
        #expect(whole.count == message.answers)
        for cut in 1..<bytes.count {
            let split = try answers([Array(bytes[..<cut]), Array(bytes[cut...])], message)
            #expect(split == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: messages)
    func `A message in single bytes is answered as one that comes whole`(_ message: Message) throws {
        let bytes = Array(message.text.utf8)
        #expect(try answers(bytes.map { [$0] }, message) == answers([bytes], message))
    }

    /// The answers, without the parts that differ from answer to answer.
    private func answers(_ pieces: [[UInt8]], _ message: Message) throws -> [String] {
        let conversation = try server.connect()
        for piece in pieces {
            conversation.connection.send(piece)
            if pieces.count > 1 { _ = try witness.ask(get("/livez")) }
        }
        return try (0..<message.answers).map { _ in
            let answer = try conversation.next(isHead: message.isHead)
            let fields = answer.fields.filter { $0.name != "Date" && $0.name != "Request-Id" }.map {
                "\($0.name): \($0.value)"
            }
            let body = answer.status < 400 ? answer.text : ""
            return "\(answer.status) \(fields) \(body)"
        }
    }
}

/// A client that closes its sending side in the middle of a message.
@Suite struct `A message that ends early` {
    static let messages = [
        get("/letters", "X: y\r\n"),
        echo("Content-Length: 5\r\n", "abcde"),
        chunked("3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nT: x\r\n\r\n"),
        request("POST /plain HTTP/1.1", "Content-Length: 5\r\n") + "abcde",
        request("POST /plain HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "5\r\nabcde\r\n0\r\n\r\n",
    ]

    @Test(arguments: messages)
    func `A message that ends early never succeeds, and its connection ends`(_ message: String) throws {
        let server = try TestServer()
        let bytes = Array(message.utf8)
        for count in 0...bytes.count {
            let connection = try RawConnection(port: server.port)
            connection.send(Array(bytes[..<count]))
            connection.finishSending()
            let (received, ending) = connection.receiveToEnd()
            #expect(ending == .end)
            var reader = AnswerReader(received, hasEnded: true)
            if case .answer(let answer) = reader.next() {
                #expect(answer.status == (count == bytes.count ? 200 : 400), "cut at \(count)")
            } else {
                #expect(count == 0, "no answer at \(count)")
            }
            guard case .end = reader.next() else {
                Issue.record("more than one answer at \(count)")
                continue
            }
        }
    }
}
