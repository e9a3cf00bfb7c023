internal import HTTPServer
internal import WidgetBundles

/// A bundle's identifier, as a path has it.
struct BundleIdentifier: PathParameter, Sendable {
    let text: String

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let text = String(pathSegment: pathSegment), BundleManifest.isIdentifier(text) else {
            throw ProblemCatalogue.problem(
                .noSuchBundle,
                "This is no bundle identifier: labels of A-Z a-z 0-9 and hyphens joined by dots are, two at least and 155 "
                    + "bytes at most.")
        }
        self.text = text
    }
}
