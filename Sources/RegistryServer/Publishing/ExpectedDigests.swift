internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import RegistryContract

/// What a request's head says the SHA-256 of its body is (RFC 9530).
///
/// Without a content coding both fields are about the same bytes: the body as it is sent, a form's whole body.
struct ExpectedDigests: Sendable {
    private var all: [(field: String, bytes: [UInt8])] = []

    var isEmpty: Bool { all.isEmpty }

    init(_ request: borrowing Request) throws(Problem) {
        for (name, field) in [("Content-Digest", KnownField.contentDigest), ("Repr-Digest", .reprDigest)] {
            guard let text = request.list(field) else { continue }
            switch DigestField.read(text) {
            case .sha256(let bytes): all.append((name, bytes))
            case .others: break
            case .malformed:
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "\(name) is not readable; write sha-256=:BASE64:, with the 32 bytes of the digest in Base64.")
            }
        }
    }

    /// Throws when the body turned out to be something else.
    func check(_ digest: Digest) throws(Problem) {
        for (field, bytes) in all where bytes != digest.bytes {
            throw ProblemCatalogue.problem(
                .digestMismatch,
                "What arrived has the SHA-256 \(digest.hex), \(field) says \(Hex.string(bytes)). Nothing was stored; send it again."
            )
        }
    }
}
