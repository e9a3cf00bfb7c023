internal import JSONText

/// A line of a registry's feed, as far as a host cares.
package struct RegistryEvent: Equatable, Sendable {
    package var bundleIdentifier: String
    package var channel: String?
    package var sequence: Int?

    /// `nil` for what is none: the feed may have lines of which this version knows nothing.
    package init?(_ data: String) {
        guard
            let json = try? JSONDocument(
                parsing: Array(data.utf8), limits: JSONLimits(byteCount: EventStreamReader.eventLimit, depth: 8),
                root: .container
            ).cursor,
            let bundleIdentifier = try? json.require("bundleIdentifier", as: String.self)
        else { return nil }
        self.bundleIdentifier = bundleIdentifier
        channel = (try? json.optional("channel", as: String.self)) ?? nil
        sequence = (try? json.optional("sequence", as: Int.self)) ?? nil
    }

    /// Whether a widget may have become another with this.
    ///
    /// - Parameter seen: the state of its channel that is known.
    package func concerns(_ widget: WidgetIdentifier, channel wanted: String, seen: Int?) -> Bool {
        guard widget.belongs(to: bundleIdentifier) else { return false }
        if let channel, channel != wanted { return false }
        if channel != nil, let sequence, let seen { return sequence > seen }
        return true
    }
}
