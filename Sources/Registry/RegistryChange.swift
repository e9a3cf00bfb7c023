/// One line of the feed: something that can be seen has changed.
package struct RegistryChange: Equatable, Sendable {
    package enum Kind: String, Equatable, Sendable { case publish, promote, rollback, withdraw, restore }

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
}
