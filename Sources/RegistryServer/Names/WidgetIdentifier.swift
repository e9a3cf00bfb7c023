internal import Bytes
internal import HTTPServer

/// The name a host asks for, as a path has it.
struct WidgetIdentifier: PathParameter, Sendable {
    static let longest = 255

    let text: String

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard (1...WidgetIdentifier.longest).contains(pathSegment.count),
            pathSegment.holdsOnly({ $0.isLetterOrDigit || [0x2D, 0x2E, 0x5F].contains($0) }),
            let text = String(pathSegment: pathSegment)
        else {
            throw ProblemCatalogue.problem(
                .noSuchWidget,
                "This is no widget identifier: 1 to \(WidgetIdentifier.longest) of A-Z a-z 0-9 . - _ are.")
        }
        self.text = text
    }
}
