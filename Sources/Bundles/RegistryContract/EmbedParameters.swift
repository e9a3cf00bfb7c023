/// The query of the page of a widget alone: its channel, the reader that it is shown to, and where it begins.
package struct EmbedParameters: Equatable, Sendable {
    /// The most bytes of a link.
    private static let longestLink = 1_024
    private static let linkParameter = QueryParameter.text(
        "open", .pattern(LineText.pattern, atMost: longestLink),
        "A link that the widget declares, which it begins with.",
        expectation: "an address of \(longestLink) bytes at most, without control characters"
    ) { $0.utf8.count <= longestLink && LineText.isLine($0, atMost: longestLink) }

    package static let all = [ResolveParameters.channel.described] + DeviceChoice.reader + [linkParameter.described]

    /// `nil` for the usual one.
    package var channel: String?
    /// Its size is not used: that of the frame decides.
    package var place = DeviceChoice()
    package var link: String?

    package init() {}

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        channel = try ResolveParameters.channel.value(in: query)
        place = try DeviceChoice(reader: query)
        link = try Self.linkParameter.value(in: query)
    }
}
