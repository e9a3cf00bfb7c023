internal import Bytes
internal import HTTPServer

/// A release's key, as a path has it: `1.4.0~312`.
struct ReleaseKey: PathParameter, Sendable {
    /// Two versions of 64 bytes, the tilde, and what a snapshot channel appends.
    private static let longest = 64 + 1 + 64 + 13

    let text: String

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard pathSegment.count <= ReleaseKey.longest, let text = String(pathSegment: pathSegment),
            ReleaseKey.isKey(text)
        else {
            throw ProblemCatalogue.problem(
                .noSuchRelease, "This is no release key. A key is the short version, a tilde and the build: 1.4.0~312.")
        }
        self.text = text
    }

    private static func isKey(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isLetterOrDigit || [0x2E, 0x5F, 0x2B, 0x2D].contains($0) }
            }
    }
}
