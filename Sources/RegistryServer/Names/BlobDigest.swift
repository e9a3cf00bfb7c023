internal import Bytes
internal import HTTPServer

/// An archive's digest, as a path has it.
struct BlobDigest: PathParameter, Sendable {
    let digest: Digest

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let digest = Digest(hex: pathSegment) else {
            throw ProblemCatalogue.problem(
                .noSuchBlob, "This is no digest: 64 lower-case hexadecimal digits are.")
        }
        self.digest = digest
    }
}
