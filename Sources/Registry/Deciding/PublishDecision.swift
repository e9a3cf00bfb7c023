internal import RegistryContract
internal import WidgetBundles

/// What publishing a bundle would do, decided from the catalog as it is.
struct PublishDecision: Sendable {
    /// `nil`: nothing was published under this identifier.
    var bundle: BundleRecord?
    /// The release there is, or the one there would be.
    var release: ReleaseRecord
    var isNew: Bool
    /// A snapshot of that key and content was retired; it comes back as it is offered now.
    var retired: ReleaseRecord?
    /// The channel named, as it is; `nil`: it does not exist.
    var channel: ChannelRecord?
    /// What the channel would show; `nil`: it stays.
    var state: ChannelState?
    /// Whether only force puts the release on the channel.
    var isForced = false
    var warnings: [Publication.Warning] = []

    /// Decides, or refuses.
    ///
    /// - Parameters:
    ///   - draft: the release as it would be stored, without numbers.
    ///   - policy: the operator's rules for channels.
    init(
        _ draft: ReleaseRecord, of identifier: String, _ request: PublishRequest, _ policy: ChannelPolicy,
        in catalog: any CatalogReader
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
            if channel == nil { try catalog.requireChannelRoom(in: found, limit: policy.limit) }
            if let stored = try catalog.release(draft.key, ofBundle: found.id) {
                if stored.isRetired, stored.release.contentDigest == draft.release.contentDigest {
                    retired = stored
                } else {
                    try PublishDecision.check(stored, against: draft, of: identifier)
                    release = stored
                    isNew = false
                }
            }
        }
        try request.rights.require(request.channel, of: request.by.name)
        try decideChannel(request, in: catalog)
        if !request.rights.canPromote, let need = try promotionNeed(request, policy, in: catalog) {
            throw .promotionNeeded(need, by: request.by.name, bundle: identifier, channel: request.channel)
        }
    }

    private static func check(
        _ stored: ReleaseRecord, against draft: ReleaseRecord, of identifier: String
    ) throws(RegistryError) {
        if let withdrawal = stored.withdrawal {
            throw .keyWithdrawn(
                bundle: identifier, key: draft.key, stored: stored.release.contentDigest,
                offered: draft.release.contentDigest,
                withdrawal)
        }
        guard stored.release.contentDigest == draft.release.contentDigest else {
            throw .releaseExists(
                bundle: identifier, key: draft.key, stored: stored.release.contentDigest,
                offered: draft.release.contentDigest)
        }
    }

    private mutating func decideChannel(_ request: PublishRequest, in catalog: any CatalogReader) throws(RegistryError)
    {
        guard let channel else {
            state = .placing(release.id, rollout: request.rollout, over: nil)
            try warnOfNewChannel(request, in: catalog)
            return
        }
        if !isNew, channel.state.release == release.id { return }
        let shown = try catalog.release(channel.state.release)
        isForced = shown.withdrawal == nil && VersionOrder.precedes(release.version, shown.version)
        if isForced, !request.forcesPromotion {
            isForced = false
            warnings.append(
                Publication.Warning(
                    code: .olderThanChannel,
                    detail: "\(release.key) is lower than \(shown.key), which \(channel.name) goes on showing; "
                        + "raise the version, or force the promotion"))
            return
        }
        state = .placing(release.id, rollout: request.rollout, over: shown.withdrawal == nil ? channel.state : nil)
    }

    /// A slip in a channel's name makes a channel that no host follows. Only a bundle's first release makes the standard
    /// channel without a word.
    private mutating func warnOfNewChannel(
        _ request: PublishRequest, in catalog: any CatalogReader
    ) throws(RegistryError) {
        guard bundle != nil || request.channel != ChannelName.standard else { return }
        var others: [String] = []
        if let bundle { others = try catalog.channels(ofBundle: bundle.id).map(\.name) }
        warnings.append(
            Publication.Warning(
                code: .newChannel,
                detail: "the channel \(request.channel) did not exist before; "
                    + (others.isEmpty
                        ? "hosts follow \(ChannelName.standard) unless they name another"
                        : "there \(others.count == 1 ? "is" : "are") \(Self.list(others))")))
    }

    private static let listedChannelCount = 8

    private static func list(_ names: [String]) -> String {
        let rest = names.count - listedChannelCount
        return names.prefix(listedChannelCount).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Why only an author with `promote` may do this; `nil` for the first release of a bundle, and where nothing changes.
    private func promotionNeed(
        _ request: PublishRequest, _ policy: ChannelPolicy, in catalog: any CatalogReader
    ) throws(RegistryError) -> PromotionNeed? {
        guard let bundle, isNew || state != nil else { return nil }
        if policy.protected.contains(request.channel) { return .protected }
        if request.forcesPromotion { return .force }
        guard let channel else {
            let count = try catalog.channelCount(ofBundle: bundle.id)
            return count < policy.publisherLimit ? nil : .channelCount(count)
        }
        // A release that is lower than the one shown is stored and not shown.
        guard state != nil else { return nil }
        let shown = try catalog.release(channel.state.release)
        guard shown.withdrawal == nil else { return nil }
        if request.rollout < Rollout.bucketCount { return .share }
        if channel.state.rollout < Rollout.bucketCount { return .rollout(of: shown.key) }
        guard VersionOrder.leaps(from: shown.release.shortVersion, to: release.release.shortVersion) else { return nil }
        return .leap(from: shown.key, to: release.key)
    }

    // MARK: Carrying out

    /// Does what was decided, in the writer's transaction.
    func carryOut(
        _ documents: ReleaseDocuments, of identifier: String, _ request: PublishRequest, at time: Int64,
        in catalog: any CatalogEditor, _ changes: inout [RegistryChange]
    ) throws(RegistryError) -> Publication {
        var release = release
        if isNew {
            if let bundle {
                release.bundle = bundle.id
            } else {
                release.bundle = try catalog.insertBundle(identifier, name: release.release.name)
            }
            if let retired {
                try catalog.revive(retired.id, as: release, documents)
                release.id = retired.id
            } else {
                release.id = try catalog.insert(release, documents)
            }
            try catalog.updateLatest(ofBundle: release.bundle)
        }
        var sequence: Int64?
        if var state {
            state.release = release.id
            sequence = try ChannelMoves(catalog: catalog, time: time).move(
                channel, named: request.channel, ofBundle: release.bundle, to: state,
                kind: isNew ? .publish : .promote)
        }
        if isNew || sequence != nil {
            var change = RegistryChange(
                tag: 0, at: time, kind: isNew ? .publish : .promote, bundleIdentifier: identifier,
                release: release.key, channel: sequence == nil ? nil : request.channel, sequence: sequence,
                by: request.by.name)
            change = try catalog.append(change)
            change.isNewBundle = bundle == nil
            changes.append(change)
        }
        let channels = try catalog.channels(ofBundle: release.bundle)
        let named = channels.first { $0.name == request.channel }
        if isNew || sequence != nil {
            var record = AuditRecord(.publish, by: request.by, at: time, on: release, of: identifier)
            record.remark = isNew ? release.release.remarks.note : nil
            if sequence != nil {
                record.channel = request.channel
                record.from = try catalog.shown(channel)
                record.to = try catalog.shown(named)
                record.isForced = isForced
            }
            _ = try catalog.insert(record)
        }
        return Publication(
            release: release.release(of: identifier, shownBy: channels), outcome: isNew ? .created : .unchanged,
            warnings: warnings, report: documents.report,
            channel: try named.map { row throws(RegistryError) in try catalog.channel(row, of: identifier) })
    }

    /// Says what would come of it, from what there is.
    func prospect(
        _ documents: ReleaseDocuments, of identifier: String, _ request: PublishRequest, at time: Int64,
        in catalog: any CatalogReader
    ) throws(RegistryError) -> Publication {
        var channels: [ChannelRecord] = []
        if let bundle { channels = try catalog.channels(ofBundle: bundle.id) }
        var named: Channel?
        if let state {
            let sequence: Int64
            if let channel {
                sequence = try channel.nextSequence()
            } else {
                sequence = try catalog.firstSequence(ofChannel: request.channel, ofBundle: release.bundle)
            }
            channels.removeAll { $0.name == request.channel }
            channels.append(
                ChannelRecord(
                    bundle: release.bundle, name: request.channel, state: state,
                    sequence: sequence, changedAt: time, head: channel?.head ?? 0))
            channels.sort { $0.name < $1.name }
            named = Channel(
                bundleIdentifier: identifier, name: request.channel, release: release.key,
                rollout: state.rollout, base: try state.base.map(catalog.releaseKey), isMandatory: state.isMandatory,
                sequence: sequence, salt: state.salt, changedAt: time)
        } else if let channel {
            named = try catalog.channel(channel, of: identifier)
        }
        return Publication(
            release: release.release(of: identifier, shownBy: channels), outcome: isNew ? .created : .unchanged,
            warnings: warnings, report: documents.report, channel: named)
    }
}
