import TestSupport
import Testing

/// One thing a client can send, and all that may come of it.
struct StrictnessRow: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// One problem, then the end; a request behind it is never answered.
        case refused(Int)
        /// These answers in this order, and the connection goes on in step.
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
    /// What the last expected answer has to carry: a body, or a field.
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
