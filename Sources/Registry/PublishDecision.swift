internal import WidgetBundles

/// What publishing a bundle would do, decided from the catalog as it is.
struct PublishDecision: Sendable {
    /// `nil`: nobody has published under this identifier.
    var bundle: BundleRow?
    /// The release there is, or the one there would be.
    var release: ReleaseRow
    var isNew: Bool
    /// A snapshot of that key and content was retired; it comes back as it is offered now.
    var retired: ReleaseRow?
    /// The channel named, as it is; `nil`: it does not exist.
    var channel: ChannelRow?
    /// What the channel would show; `nil`: it stays.
    var state: ChannelState?
    var warnings: [Publication.Warning] = []

    /// Decides, or refuses.
    ///
    /// - Parameters:
    ///   - draft: the release as it would be stored, without numbers.
    ///   - channelLimit: how many channels the bundle may have.
    init(
        _ draft: ReleaseRow, of identifier: String, _ request: PublishRequest, channelLimit: Int, in catalog: Catalog
    ) throws(RegistryError) {
        release = draft
        isNew = true
        if let found = try catalog.bundle(spelledLike: identifier) {
            guard found.identifier == identifier else {
                throw .identifierCaseConflict(existing: found.identifier, offered: identifier)
            }
            bundle = found
            release.bundle = found.id
            channel = try catalog.channel(request.channel, ofBundle: found.id)
            if channel == nil { try catalog.requireChannelRoom(in: found, limit: channelLimit) }
            if let stored = try catalog.release(draft.key, ofBundle: found.id) {
                if stored.isRetired, stored.contentDigest == draft.contentDigest {
                    retired = stored
                    try decideChannel(request, in: catalog)
                    return
                }
                try PublishDecision.check(stored, against: draft, of: identifier)
                release = stored
                isNew = false
            }
        }
        try decideChannel(request, in: catalog)
    }

    private static func check(
        _ stored: ReleaseRow, against draft: ReleaseRow, of identifier: String
    ) throws(RegistryError) {
        if let withdrawal = stored.withdrawal {
            throw .keyWithdrawn(
                bundle: identifier, key: draft.key, stored: stored.contentDigest, offered: draft.contentDigest,
                withdrawal)
        }
        guard stored.contentDigest == draft.contentDigest else {
            throw .releaseExists(
                bundle: identifier, key: draft.key, stored: stored.contentDigest, offered: draft.contentDigest)
        }
    }

    private mutating func decideChannel(_ request: PublishRequest, in catalog: Catalog) throws(RegistryError) {
        guard let channel else {
            state = .placing(release.id, rollout: request.rollout, over: nil)
            return
        }
        if !isNew, channel.state.release == release.id { return }
        let shown = try catalog.release(channel.state.release)
        if shown.withdrawal == nil, !request.forcesPromotion, VersionOrder.precedes(release.version, shown.version) {
            warnings.append(
                Publication.Warning(
                    code: "older-than-channel",
                    detail: "\(release.key) is lower than \(shown.key), which \(channel.name) goes on showing; "
                        + "raise the version, or force the promotion"))
            return
        }
        state = .placing(release.id, rollout: request.rollout, over: shown.withdrawal == nil ? channel.state : nil)
    }
}
