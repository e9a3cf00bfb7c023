internal import RegistryContract
internal import WidgetBytes

/// A reason why only an author with `promote` may publish this, so that a channel moves in no unexpected direction.
package enum PromotionNeed: Equatable, Sendable {
    case protected
    /// The request says `promote=force`.
    case force
    /// Part of the hosts, on a channel that shows a release.
    case share
    /// The channel shows a release to a part of its hosts, which a further release would end.
    case rollout(of: String)
    /// The version is out of all proportion to those that the channel showed lately: their keys.
    case leap(from: String, to: String)
    /// The version is lower than that of the withdrawn release with which the channel has nothing left to show.
    case lower(than: String)
    /// A new channel, of a bundle that has so many.
    case channelCount(Int)
    /// A new bundle whose identifier continues that of a published one, and so takes its widgets of that name; `nil`: one
    /// that the author does not know.
    case takeover(of: String?)
}

extension PublishDecision {
    /// Why only an author with `promote` may do this; `nil` where nothing changes, and for the first release of a bundle
    /// that takes no widget from another.
    func promotionNeed(
        _ request: PublishRequest, _ policy: ChannelPolicy, at time: Int64, in catalog: any CatalogReader
    ) throws(RegistryError) -> PromotionNeed? {
        guard let bundle else {
            // Resolving takes the longest identifier, so a shorter new one takes nothing.
            return try catalog.longestBundle(beginning: release.release.bundleIdentifier, within: "")
                .map { .takeover(of: $0.identifier) }
        }
        guard isNew || state != nil else { return nil }
        if policy.protected.contains(request.channel) { return .protected }
        if request.forcesPromotion { return .force }
        guard let channel else {
            let count = try catalog.channelCount(ofBundle: bundle.id)
            return count < policy.publisherLimit ? nil : .channelCount(count)
        }
        // A release that is lower than the one shown is stored and not shown.
        guard state != nil else { return nil }
        let shown = try catalog.release(channel.state.release)
        if !shown.isGone {
            if request.rollout < Rollout.bucketCount { return .share }
            if channel.state.rollout < Rollout.bucketCount { return .rollout(of: shown.key) }
        } else if VersionOrder.precedes(release.version, shown.version) {
            return .lower(than: shown.key)
        }
        for earlier in [shown, try base(of: channel, at: time, in: catalog)]
        where VersionGrowth.leaps(from: earlier.release, to: release.release, at: time) {
            return .leap(from: earlier.key, to: release.key)
        }
        return nil
    }

    /// The release from which the growth of versions is measured, so that many small steps are not a leap either: the one
    /// that the channel showed a week ago, or the first since.
    ///
    /// A single step that leaps was the decision of an author with `promote`, so growth is measured from there.
    private func base(
        of channel: ChannelRecord, at time: Int64, in catalog: any CatalogReader
    ) throws(RegistryError) -> ReleaseRecord {
        let start = time.subtracting(VersionGrowth.window) ?? .min
        var step = try catalog.step(channel.head)
        var release = try catalog.release(step.state.release)
        for _ in 0..<VersionGrowth.stepLimit {
            guard step.at > start, let previous = step.previous else { break }
            let earlier = try catalog.step(previous)
            let before = try catalog.release(earlier.state.release)
            if VersionGrowth.leaps(from: before.release, to: release.release, at: step.at) { break }
            (step, release) = (earlier, before)
        }
        return release
    }
}
