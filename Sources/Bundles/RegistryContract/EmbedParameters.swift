/// The query of the page of a widget alone: its channel, and the reader that it is shown to.
package struct EmbedParameters: Equatable, Sendable {
    package static let all = [ResolveParameters.channel.described] + DeviceChoice.reader

    /// `nil` for the usual one.
    package var channel: String?
    /// Its size is that of the frame, whatever is said here.
    package var place = DeviceChoice()

    package init() {}

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        channel = try ResolveParameters.channel.value(in: query)
        place = try DeviceChoice(reader: query)
    }

    /// The parameters as an address has them; empty for the usual ones. It is the same for pages that are the same.
    package var query: String {
        let place = place.query
        guard let channel else { return place }
        return "\(place)\(place.isEmpty ? "?" : "&")channel=\(channel)"
    }
}
