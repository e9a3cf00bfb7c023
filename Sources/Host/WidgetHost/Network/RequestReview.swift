internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates
package import WidgetTransfers

/// A widget's request that its grant allows, as it would be sent.
package struct GrantedRequest: Sendable {
    package let method: String
    /// The address as it is asked for, in its one spelling.
    package let url: TransferURL
    package let fields: [TransferField]
    package let body: [UInt8]
    /// True if it may be sent again when its answer was lost.
    package let isRepeatable: Bool

    init(_ transfer: TransferRequest) {
        (method, url, fields) = (transfer.method.rawValue, transfer.url, transfer.fields)
        isRepeatable = transfer.isRepeatable
        if case .bytes(let bytes) = transfer.body { body = bytes } else { body = [] }
    }
}

/// A header field that an app adds to a widget's request.
package struct AddedField: Sendable {
    package let field: TransferField
    /// True if no answer may bring the value to the bundle.
    package let isSecret: Bool

    package init(_ field: TransferField, isSecret: Bool) {
        self.field = field
        self.isSecret = isSecret
    }
}

/// An app's decision about a granted request.
package enum RequestVerdict: Sendable {
    case send(adding: [AddedField])
    /// The app has carried the request out by itself.
    case answer(status: Int, body: [UInt8], retryAfter: Int?)
    /// No server has seen the request.
    case refuse(String)
    /// The app has sent the request, and no answer came.
    case unanswered(String)
}

/// An app's function that sees each granted request before it goes.
package typealias RequestReview = @Sendable (GrantedRequest) async -> RequestVerdict

/// The values of an app's fields that no answer may bring to a bundle.
///
/// A server that repeats what it was asked, such as in a page about an error, would show a bundle the session of its
/// user. Values are recognised as they are, not in another encoding.
struct KeptSecrets {
    private var secrets: [(name: String, bytes: [UInt8])] = []

    /// The bytes of a value that is compared, and of a part of one, such as of a token behind `Bearer`. A shorter one occurs
    /// by chance.
    private static let leastByteCount = 8
    /// The bytes at the beginning of a secret that count where a sentence may have been cut.
    private static let beginningByteCount = 16

    init() {}

    init(_ added: [AddedField]) {
        for field in added where field.isSecret { add(field.field) }
    }

    private mutating func add(_ field: TransferField) {
        let whole = Array(field.value.utf8)
        guard whole.count >= KeptSecrets.leastByteCount else { return }
        secrets.append((field.name, whole))
        let separators = Array(" \t;,\"".utf8)
        for piece in whole.split(whereSeparator: { separators.contains($0) }) {
            // Of `session=abc`, the secret is behind the sign.
            let value = piece.firstIndex(of: UInt8(ascii: "=")).map { piece[($0 + 1)...] } ?? piece
            for part in value == piece ? [piece] : [piece, value] where part.count >= KeptSecrets.leastByteCount {
                secrets.append((field.name, Array(part)))
            }
        }
    }

    /// The name of a field whose value a text has.
    func repeated(in bytes: [UInt8]) -> String? {
        secrets.first { bytes.contains(all: $0.bytes) }?.name
    }

    /// The same for an answer. JSON may write characters as escapes.
    func repeated(in bytes: [UInt8], _ outcome: RequestOutcome) -> String? {
        guard !secrets.isEmpty else { return nil }
        if let name = repeated(in: bytes) { return name }
        guard bytes.contains(UInt8(ascii: "\\")), case .response(_, let body) = outcome else { return nil }
        var pending = [body]
        while let value = pending.popLast() {
            switch value {
            case .string(let text): if let name = repeated(in: Array(text.utf8)) { return name }
            case .array(let elements), .set(let elements): pending += elements
            case .dictionary(let members):
                for key in members.keys { if let name = repeated(in: Array(key.utf8)) { return name } }
                pending += members.values
            default: continue
            }
        }
        return nil
    }

    /// A sentence about an error, which servers have a part in: they choose where they redirect to. What they say may be cut,
    /// so the beginning of a secret counts.
    func sentence(_ error: TransferError) -> String {
        let text = "\(error)"
        let bytes = Array(text.utf8)
        let isShown = secrets.contains { bytes.contains(all: Array($0.bytes.prefix(KeptSecrets.beginningByteCount))) }
        return isShown ? "the server repeats a field that the app has added" : text
    }
}

extension [UInt8] {
    fileprivate func contains(all part: [UInt8]) -> Bool {
        guard let first = part.first, part.count <= count else { return false }
        var place = 0
        while place <= count - part.count {
            if self[place] == first, self[place..<place + part.count].elementsEqual(part) { return true }
            place += 1
        }
        return false
    }
}
