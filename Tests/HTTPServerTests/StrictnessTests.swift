import TestSupport
import Testing

/// Raw bytes over a real socket: exactly the expected answers and nothing else, whatever was sent.
///
/// Behind everything that must end the connection stands one more request, the canary. It is complete and
/// harmless, and its answer would mean that one message was taken for two.
@Suite struct `What a server answers` {
    static let canary = Array("GET /livez HTTP/1.1\r\nHost: canary\r\nRequest-Id: canary-canary\r\n\r\n".utf8)
    static let sentinel = Array(
        "GET /livez HTTP/1.1\r\nHost: test\r\nRequest-Id: sentinel-sentinel\r\nConnection: close\r\n\r\n".utf8)

    static let server = try? TestServer()

    @Test(arguments: StrictnessTable.all)
    func `is what the table says`(_ row: StrictnessRow) throws {
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

    @Test func `is tried with at least 250 requests, refusals before acceptances`() {
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
