internal import RegistryContract

/// The rights of an author over channels, which decide within the transaction that changes them.
package struct ChannelRights: Equatable, Sendable {
    /// Whether the author has the scope `promote`, or a token that predates the distinction.
    package var canPromote: Bool
    /// The channels that the author is limited to; empty: all.
    package var channels: [String]

    package init(canPromote: Bool, channels: [String]) {
        self.canPromote = canPromote
        self.channels = channels
    }

    /// The rights of a server's owner.
    package static let all = ChannelRights(canPromote: true, channels: [])

    /// Throws for a channel that is not among those the author is limited to.
    package func require(_ channel: String, of author: String) throws(RegistryError) {
        guard channels.isEmpty || channels.contains(channel) else {
            throw .channelNotGranted(channel, to: author, channels)
        }
    }
}

/// An operator's rules for channels.
package struct ChannelPolicy: Equatable, Sendable {
    /// The most channels of one bundle.
    package var limit: Int
    /// The most channels of one bundle to which authors without `promote` add one.
    package var publisherLimit: Int
    /// The channels that only `promote` moves, but for the first release of a bundle.
    package var protected: [String]

    package init(limit: Int = 100, publisherLimit: Int = 20, protected: [String] = [ChannelName.standard]) {
        self.limit = limit
        self.publisherLimit = publisherLimit
        self.protected = protected
    }
}

/// A reason why only an author with `promote` may publish this, so that a channel moves in no unexpected direction.
package enum PromotionNeed: Equatable, Sendable {
    case protected
    /// The request says `promote=force`.
    case force
    /// Part of the hosts, on a channel that shows a release.
    case share
    /// The channel shows a release to a part of its hosts, which a further release would end.
    case rollout(of: String)
    /// The version is out of all proportion to the one that the channel shows: their keys.
    case leap(from: String, to: String)
    /// A new channel, of a bundle that has so many.
    case channelCount(Int)
}
