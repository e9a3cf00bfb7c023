internal import RegistryContract

/// A named pointer from a bundle to what it shows.
package struct Channel: Equatable, Sendable {
    package var bundleIdentifier: String
    package var name: String
    /// The key of the release it shows, to `rollout` of 10000 buckets.
    package var release: String
    package var rollout: Int
    /// The key of the release that has the other buckets; `nil` when nothing has them, or there are none.
    package var base: String?
    package var isMandatory: Bool
    /// Rises with every change.
    package var sequence: Int64
    /// Decides which hosts go first; stays while a rollout grows.
    package var salt: String
    /// Seconds since 1970.
    package var changedAt: Int64
}

/// What someone wants a channel to show.
package struct ChannelSetting: Equatable, Sendable {
    package var release: String
    package var rollout: Int
    package var isMandatory: Bool

    package init(release: String, rollout: Int = Rollout.bucketCount, isMandatory: Bool = false) {
        self.release = release
        self.rollout = rollout
        self.isMandatory = isMandatory
    }
}
