internal import HTTPServer
internal import Registry

/// A channel's name, as a path has it.
struct ChannelName: PathParameter, Sendable {
    let text: String

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let text = String(pathSegment: pathSegment), Channel.isName(text) else {
            throw ProblemCatalogue.problem(
                .noSuchChannel,
                "This is no channel's name: 1 to 64 of A-Z a-z 0-9 . _ - are, a letter or digit first.")
        }
        self.text = text
    }
}
