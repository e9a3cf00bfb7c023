package import RegistryContract
package import WidgetBundles
internal import WidgetBytes
internal import WidgetSurroundings

/// The effect that publishing a bundle would have, decided from the present catalog.
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
    /// The channel's new state; `nil` when it does not change.
    var state: ChannelState?
    /// True when only force puts the release on the channel: it is lower than the one shown, or the channel has left it.
    var isForced = false
    var warnings: [Publication.Warning] = []
    /// The last tag of the feed when quotas were looked at; `nil` if none covers the bundle.
    private var quotaTag: Int64?
    private let chance: any Chance

    /// Decides, or refuses.
    ///
    /// - Parameters:
    ///   - draft: the release as it would be stored, without numbers.
    ///   - policy: the operator's rules for channels.
    ///   - quotas: the operator's limits.
    ///   - earlier: the decision about the same draft and quotas in an earlier transaction.
    init(
        _ draft: ReleaseRecord, of identifier: String, _ request: PublishRequest, _ policy: ChannelPolicy,
        _ quotas: QuotaPolicy, in catalog: any CatalogReader, _ chance: any Chance,
        after earlier: PublishDecision? = nil
    ) throws(RegistryError) {
        self.chance = chance
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
        if channel == nil { try catalog.requireDistinctChannel(request.channel, in: bundle, policy) }
        try request.rights.require(request.channel, of: request.by.name)
        try decideChannel(request, in: catalog)
        if !request.rights.canPromote,
            let need = try promotionNeed(request, policy, at: draft.release.published, in: catalog)
        {
            throw .promotionNeeded(need, by: request.by.name, bundle: identifier, channel: request.channel)
        }
        guard isNew else { return }
        try checkQuotas(quotas, of: identifier, request, at: draft.release.published, in: catalog, after: earlier)
    }

    private mutating func checkQuotas(
        _ quotas: QuotaPolicy, of identifier: String, _ request: PublishRequest, at time: Int64,
        in catalog: any CatalogReader, after earlier: PublishDecision?
    ) throws(RegistryError) {
        // Without a quota this costs nothing.
        guard !quotas.covering(identifier).isEmpty else { return }
        let tag = try catalog.latestTag()
        quotaTag = tag
        // Nothing was published since, so the sums are no larger.
        if let earlier, earlier.quotaTag == tag {
            warnings += earlier.warnings.filter { $0.code == .quotaNear }
            return
        }
        var isStored = false
        for other in try catalog.releases(withDigest: release.digest, limit: 100) where other.bundle == bundle?.id {
            if try catalog.holdsDocuments(other.id) { isStored = true }
        }
        let isCounted = try retired.map { release throws(RegistryError) in try catalog.holdsDocuments(release.id) }
        let added = StoredUsage(
            releases: isCounted == true ? 0 : 1, bytes: isStored ? 0 : release.release.byteCount)
        let check = QuotaCheck(catalog: catalog, time: time, sees: request.sees)
        warnings += try check.notes(about: identifier, quotas, adding: added).map {
            Publication.Warning(code: .quotaNear, detail: $0)
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
        if let expiry = stored.expiry {
            throw .keyExpired(
                bundle: identifier, key: draft.key, stored: stored.release.contentDigest,
                offered: draft.release.contentDigest, expiry)
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
            state = .placing(release.id, rollout: request.rollout, over: nil, chance)
            try warnOfNewChannel(request, in: catalog)
            return
        }
        if !isNew, channel.state.release == release.id { return }
        let shown = try catalog.release(channel.state.release)
        guard !shown.isGone else {
            state = .placing(release.id, rollout: request.rollout, over: nil, chance)
            return
        }
        let isLower = VersionOrder.precedes(release.version, shown.version)
        let wasLeft = try isLower ? false : isLeft(by: channel, in: catalog)
        isForced = isLower || wasLeft
        if isForced, !request.forcesPromotion {
            isForced = false
            warnings.append(
                Publication.Warning(
                    code: .olderThanChannel,
                    detail: isLower
                        ? "\(release.key) is lower than \(shown.key), which \(channel.name) continues to show; "
                            + "raise the version, or force the promotion"
                        : "\(channel.name) has shown \(release.key) before and was taken back from it; it continues to show "
                            + "\(shown.key); raise the version, or force the promotion"))
            return
        }
        // A floor holds for the releases above it, until an author with `promote` lowers it.
        state = .placing(
            release.id, rollout: request.rollout, isMandatory: channel.state.isMandatory && !isLower,
            over: channel.state, chance)
    }

    /// True when the channel has shown the release and left it, as after a rollback. A job that runs again must not undo
    /// that.
    ///
    /// Snapshots are exempt: an edit that is undone has the content from before.
    private func isLeft(by channel: ChannelRecord, in catalog: any CatalogReader) throws(RegistryError) -> Bool {
        guard !isNew, !release.release.isSnapshot else { return false }
        return try catalog.lastStep(of: release.id, onChannel: channel) != nil
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

    // MARK: Carrying out

    /// Carries out the decision, in the writer's transaction.
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
            try catalog.refresh(release.bundle)
        }
        var sequence: Int64?
        if var state {
            state.release = release.id
            sequence = try ChannelMoves(catalog: catalog, time: time, chance: chance).move(
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
            movesChannel: sequence != nil, warnings: warnings, report: documents.report,
            channel: try named.map { row throws(RegistryError) in try catalog.channel(row, of: identifier) })
    }

    /// Predicts the outcome from the present catalog.
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
            movesChannel: state != nil, warnings: warnings, report: documents.report, channel: named)
    }
}

/// The options of a request to publish a bundle.
package struct PublishRequest: Sendable {
    package var options: PublishOptions
    /// The publisher's name.
    package var by: Author
    package var rights: ChannelRights
    /// The identifier that the caller expects the bundle to have.
    package var assertedIdentifier: String?
    package var assertedKey: String?
    /// True for a bundle that the publisher may see.
    package var sees: @Sendable (String) -> Bool = { _ in true }

    package init(
        _ options: PublishOptions = PublishOptions(), by: Author, rights: ChannelRights = .all,
        assertedIdentifier: String? = nil, assertedKey: String? = nil
    ) {
        self.options = options
        self.by = by
        self.rights = rights
        self.assertedIdentifier = assertedIdentifier
        self.assertedKey = assertedKey
    }

    package var channel: String { options.channel ?? ChannelName.standard }
    var rollout: Int { options.rollout ?? Rollout.bucketCount }
    var forcesPromotion: Bool { options.forcesPromotion }

    /// The release of a bundle as it would be stored.
    func release(
        of bundle: WidgetBundle, isSnapshot: Bool, at time: Int64
    ) throws(RegistryError) -> Release {
        let manifest = bundle.manifest
        let key =
            isSnapshot ? "\(manifest.releaseKey)+\(bundle.contentDigest.hex.prefix(12))" : manifest.releaseKey
        if let assertedIdentifier, assertedIdentifier != manifest.identifier {
            throw .identityMismatch(expected: assertedIdentifier, found: manifest.identifier)
        }
        // A client that asserts a snapshot may not know its content digest, so the version alone is enough.
        if let assertedKey, assertedKey != key, assertedKey != manifest.releaseKey {
            throw .identityMismatch(expected: assertedKey, found: key)
        }
        return Release(
            bundle, key: key, published: time, by: by.name, remarks: options.remarks, isSnapshot: isSnapshot)
    }
}

extension Release {
    /// A release of a bundle, as its manifest and its archive tell of it.
    init(
        _ bundle: WidgetBundle, key: String, published: Int64, by: String,
        remarks: PublisherRemarks = PublisherRemarks(), isSnapshot: Bool
    ) {
        let manifest = bundle.manifest
        self.init(
            bundleIdentifier: manifest.identifier, key: key, shortVersion: manifest.shortVersion,
            build: manifest.build, name: bundle.name, digest: bundle.digest, contentDigest: bundle.contentDigest,
            byteCount: bundle.byteCount, published: published, publishedBy: by, remarks: remarks,
            minimumOSVersion: manifest.minimumOSVersion, minimumHostVersion: manifest.minimumHostVersion,
            isSnapshot: isSnapshot)
    }
}

/// The outcome of publishing, or of a dry run.
package struct Publication: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case created
        /// The same content was there under that key.
        case unchanged
    }

    /// Something the publisher should know although it went well.
    package struct Warning: Equatable, Sendable {
        package var code: BundleWarning.Code
        package var detail: String
    }

    package var release: Release
    package var outcome: Outcome
    /// True if the channel was made, or shows something else than before.
    package var movesChannel: Bool
    package var warnings: [Warning]
    /// The report of the intake about this upload: a JSON object.
    package var report: [UInt8]
    /// The channel named, as it is afterwards; `nil` when it does not exist.
    package var channel: Channel?
}
