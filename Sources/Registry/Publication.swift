internal import RegistryContract

/// How a bundle is to be published.
package struct PublishRequest: Sendable {
    package var channel: String
    package var rollout: Int
    /// Put it on the channel although its version is lower than what is there.
    package var forcesPromotion: Bool
    /// The name of whoever publishes.
    package var by: String
    /// What the caller said the bundle would be.
    package var assertedIdentifier: String?
    package var assertedKey: String?

    package init(
        channel: String = "stable", rollout: Int = Rollout.bucketCount, forcesPromotion: Bool = false, by: String,
        assertedIdentifier: String? = nil, assertedKey: String? = nil
    ) {
        self.channel = channel
        self.rollout = rollout
        self.forcesPromotion = forcesPromotion
        self.by = by
        self.assertedIdentifier = assertedIdentifier
        self.assertedKey = assertedKey
    }
}

/// What publishing came to, or would come to.
package struct Publication: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case created
        /// The same content was there under that key.
        case unchanged
    }

    /// Something the publisher should know although it went well.
    package struct Warning: Equatable, Sendable {
        package var code: String
        package var detail: String
    }

    package var release: Release
    package var outcome: Outcome
    package var warnings: [Warning]
    /// What happened to this upload on its way in: a JSON object.
    package var report: [UInt8]
    /// The channel named, as it is afterwards; `nil` when it does not exist.
    package var channel: Channel?
}
