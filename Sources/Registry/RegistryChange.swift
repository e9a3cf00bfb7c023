/// One line of the feed: something that can be seen has changed.
package struct RegistryChange: Equatable, Sendable {
    package enum Kind: String, Equatable, Sendable {
        case publish, promote, rollback, withdraw, restore
        /// A channel was deleted, which showed the release.
        case delete
    }

    /// Rises by one with each change.
    package var tag: Int64
    /// Seconds since 1970.
    package var at: Int64
    package var kind: Kind
    package var bundleIdentifier: String
    package var release: String
    /// The channel that moved, and its new sequence, if one did.
    package var channel: String?
    package var sequence: Int64?
    package var by: String
    /// Told to observers only; it is not stored.
    package var isNewBundle = false

    package init(
        tag: Int64, at: Int64, kind: Kind, bundleIdentifier: String, release: String, channel: String? = nil,
        sequence: Int64? = nil, by: String
    ) {
        self.tag = tag
        self.at = at
        self.kind = kind
        self.bundleIdentifier = bundleIdentifier
        self.release = release
        self.channel = channel
        self.sequence = sequence
        self.by = by
    }
}
