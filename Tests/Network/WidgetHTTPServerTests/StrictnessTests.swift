import Testing
import WidgetTestSupport

/// Raw bytes over a real socket: exactly the expected answers and nothing else, for each input.
///
/// One more request, the canary, follows everything that must end the connection. It is complete and
/// harmless, and its answer would mean that one message was taken for two.
@Suite struct `What a server answers` {
    static let canary = Array("GET /livez HTTP/1.1\r\nHost: canary\r\nRequest-Id: canary-canary\r\n\r\n".utf8)
    static let sentinel = Array(
        "GET /livez HTTP/1.1\r\nHost: test\r\nRequest-Id: sentinel-sentinel\r\nConnection: close\r\n\r\n".utf8)

    static let server = try? TestServer()

    @Test(arguments: StrictnessTable.all)
    func `A server answers each row of the table as it says`(_ row: StrictnessRow) throws {
        let server = try #require(Self.server)
        let connection = try RawConnection(port: server.port)
        switch row.outcome {
        case .refused(let status):
            #expect(try Self.answers(row, connection, sending: row.bytes + Self.canary) == [status])
        case .closes(let statuses):
            #expect(try Self.answers(row, connection, sending: row.bytes + Self.canary) == statuses)
        case .answered(let statuses):
            #expect(
                try Self.answers(row, connection, sending: row.bytes + Self.sentinel, last: "sentinel-sentinel")
                    == statuses + [200])
        case .cutOff(let status):
            #expect(try Self.answers(row, connection, sending: row.bytes, ends: true) == (status.map { [$0] } ?? []))
        }
    }

    /// The statuses of all answers to `bytes`, each one checked.
    static func answers(
        _ row: StrictnessRow, _ connection: RawConnection, sending bytes: [UInt8], ends: Bool = false,
        last identity: String? = nil
    ) throws -> [Int] {
        connection.send(bytes)
        if ends { connection.finishSending() }
        let (received, ending) = connection.receiveToEnd()
        #expect(ending == .end, "the connection did not end but: \(ending)")
        var reader = AnswerReader(received, hasEnded: true)
        var answers: [WireAnswer] = []
        while true {
            let isHead = row.heads.contains(answers.count)
            switch reader.next(isHead: isHead) {
            case .answer(let answer):
                #expect(answer.complaints(isHead: isHead) == [])
                answers.append(answer)
                continue
            case .end: break
            case .incomplete, .malformed: Issue.record("not an answer: \(String(decoding: reader.rest, as: UTF8.self))")
            }
            break
        }
        #expect(!answers.contains { $0.value("Request-Id") == "canary-canary" }, "the canary was answered")
        if let identity { #expect(answers.last?.value("Request-Id") == identity) }
        let decisive = identity == nil ? answers.last : answers.dropLast().last
        if let body = row.body { #expect(decisive?.text == body) }
        if let field = row.field { #expect(decisive?.value(field.name) == field.value) }
        if identity == nil, let last = answers.last { #expect(last.closes, "the last answer does not say that it is") }
        return answers.map(\.status)
    }

    @Test func `The table has at least 250 requests, most of them refused`() {
        let all = StrictnessTable.all
        #expect(all.count >= 250)
        #expect(Set(all.map(\.name)).count == all.count)
        let accepted = all.count { if case .answered = $0.outcome { true } else { false } }
        #expect(all.count - accepted > accepted)
    }
}

/// The table, put together from its parts.
enum StrictnessTable {
    static let all = [
        lengths, codings, chunks, lines, fields, hosts, targets, versions, methods, sizes, pipelines, expectations,
        conditions, ranges, negotiation, late, endings,
    ].flatMap { $0 }
}

/// One thing a client can send, and all that may come of it.
struct StrictnessRow: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// One problem, then the end; a request behind it is never answered.
        case refused(Int)
        /// These answers in this order, and the connection continues in step.
        case answered([Int])
        /// These answers, then the end; a request behind them is never answered.
        case closes([Int])
        /// The client says no more: one problem with this status, or nothing at all, then the end.
        case cutOff(Int?)
    }

    var name: String
    var bytes: [UInt8]
    var outcome: Outcome
    /// Which of the answers are to HEAD requests.
    var heads: Set<Int>
    /// The body or the field that the last expected answer has to carry.
    var body: String?
    var field: (name: String, value: String)?

    /// - Parameter text: one byte for each scalar, so that every byte can be written.
    init(
        _ name: String, _ text: String, _ outcome: Outcome, heads: Set<Int> = [], body: String? = nil,
        field: (String, String)? = nil
    ) {
        self.name = name
        bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        self.outcome = outcome
        self.heads = heads
        self.body = body
        self.field = field
    }

    var testDescription: String { name }

    /// The same row for resources that are answered later; `nil` where it is about something else.
    var late: StrictnessRow? {
        let text = String(decoding: bytes, as: UTF8.self)
        let changed = ["letters", "mutable", "twin", "file"].reduce(text) { text, name in
            text.split(separator: " /\(name) ", omittingEmptySubsequences: false).joined(separator: " /late/\(name) ")
        }
        guard changed != text else { return nil }
        return StrictnessRow("\(name), later", changed, outcome, heads: heads, body: body, field: field)
    }
}

/// A complete request without a body.
func request(_ line: String, _ fields: String = "") -> String { "\(line)\r\nHost: test\r\n\(fields)\r\n" }

func get(_ target: String, _ fields: String = "") -> String { request("GET \(target) HTTP/1.1", fields) }

/// A request with a body to the route that sends it back.
func echo(_ fields: String, _ body: String) -> String { request("POST /echo HTTP/1.1", fields) + body }

func chunked(_ body: String) -> String { echo("Transfer-Encoding: chunked\r\n", body) }
