import HTTPWire
import Testing

/// One row of the tables: a message, what must become of it, and why.
struct HeadCase: CustomTestStringConvertible, Sendable {
    var phrase: String
    var bytes: [UInt8]
    var outcome: RequestHeadParser.Outcome

    var testDescription: String { phrase }

    var isAccepted: Bool { outcome == .complete }

    init(_ outcome: RequestHeadParser.Outcome, _ phrase: String, _ text: String) {
        self.phrase = phrase
        self.outcome = outcome
        bytes = text.latin1
    }

    static func good(_ phrase: String, _ text: String) -> HeadCase { HeadCase(.complete, phrase, text) }

    static func bad(_ malformation: Malformation, _ phrase: String, _ text: String) -> HeadCase {
        HeadCase(.refused(.malformed(malformation)), phrase, text)
    }

    static func bad(_ refusal: Refusal, _ phrase: String, _ text: String) -> HeadCase {
        HeadCase(.refused(refusal), phrase, text)
    }

    /// Every table there is.
    static let all = requestLines + targets + hosts + fields + framing

    static let accepted = all.filter(\.isAccepted)
    static let refused = all.filter { !$0.isAccepted }
}

extension String {
    /// One byte for each scalar up to U+00FF, so that tables can hold bytes that are not UTF-8.
    var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    /// The part of a message at these positions.
    func slice(_ range: Range<Int>) -> String { String(decoding: latin1[range], as: UTF8.self) }
}

/// A request whose first line is `line`.
func request(_ line: String) -> String { line + "\r\nHost: x\r\n\r\n" }

/// A request with a Host and these lines.
func get(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n\r\n" }

/// A request that may have a body, with a Host and these lines.
func post(_ lines: String) -> String { "POST / HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n\r\n" }

func parsed(_ bytes: [UInt8], _ limits: HeadLimits = HeadLimits()) -> (RequestHeadParser.Outcome, RequestHead) {
    var head = RequestHead()
    let outcome = RequestHeadParser.parse(bytes.span, into: &head, limits: limits)
    return (outcome, head)
}

/// The head of a message that has to be accepted.
func head(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> RequestHead {
    let (outcome, head) = parsed(text.latin1)
    #expect(outcome == .complete, sourceLocation: sourceLocation)
    return head
}

extension RequestHead {
    /// Everything a head says, for comparing.
    var account: [String] {
        [
            "\(method) \(methodName)", "\(targetForm) \(path) \(String(describing: query)) \(pathIsEncoded)",
            "\(minorVersion) \(framing) \(keepsAlive) \(expectsContinue) \(byteCount)",
        ] + fields.map { "\($0.name) \($0.value) \(String(describing: $0.known))" }
    }

    func isSame(as other: RequestHead) -> Bool {
        method == other.method && methodName == other.methodName && targetForm == other.targetForm
            && path == other.path && query == other.query && pathIsEncoded == other.pathIsEncoded
            && minorVersion == other.minorVersion && framing == other.framing && keepsAlive == other.keepsAlive
            && expectsContinue == other.expectsContinue && byteCount == other.byteCount
            && fields.elementsEqual(other.fields) {
                $0.name == $1.name && $0.value == $1.value && $0.known == $1.known
            }
    }
}
