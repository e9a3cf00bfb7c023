internal import RegistryContract
internal import RegistryServer
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetRegistry

// The origin's documents as values of a registry. Each statement is checked: a name becomes the name of a file, a number
// decides about room, a text is shown.

/// Limits of texts that no document of ours reaches.
private enum OriginLimits {
    static let name = 255
    static let author = 1_024
    static let remark = 4_096
    static let salt = 64
    static let channels = 1_000
    static let archive = 1 << 40
}

extension Release {
    /// - Parameter bundle: the one that was asked about.
    init(_ document: ReleaseDocument, of bundle: String) throws(MirrorError) {
        let key = "\(document.shortVersion)~\(document.build)"
        guard document.bundleIdentifier == bundle, ReleaseKey(checking: document.key) != nil,
            document.key == key || document.key.utf8.starts(with: "\(key)+".utf8),
            BundleManifest.isVersion(document.shortVersion), BundleManifest.isVersion(document.build)
        else { throw .contradiction("a release of \(bundle) has the key \(ShownText.quoted(document.key))") }
        let words = "\(bundle) \(document.key)"
        guard let digest = Digest(hex: document.digest), let content = Digest(hex: document.contentDigest),
            let published = Timestamp.seconds(document.published)
        else { throw .contradiction("\(words) has digests or times that are not any") }
        guard (0...OriginLimits.archive).contains(document.byteCount),
            document.name.isText(upTo: OriginLimits.name), document.publishedBy.isText(upTo: OriginLimits.author),
            document.remarks.note?.isText(upTo: OriginLimits.remark) ?? true
        else { throw .contradiction("\(words) has a size or texts beyond all limits") }
        self.init(
            bundleIdentifier: bundle, key: document.key, shortVersion: document.shortVersion, build: document.build,
            name: document.name, digest: digest, contentDigest: content, byteCount: document.byteCount,
            published: published, publishedBy: document.publishedBy, remarks: document.remarks,
            isSnapshot: Release.parts(of: document.key).isSnapshot)
        if let expired = document.expiry {
            guard let at = Timestamp.seconds(expired.at), expired.rule.isText(upTo: OriginLimits.remark) else {
                throw .contradiction("the expiry of \(words) cannot be read")
            }
            expiry = Expiry(at: at, rule: expired.rule)
        }
        guard let withdrawn = document.withdrawal else { return }
        let directive = withdrawn.directive.map(WithdrawalDirective.init(rawValue:)) ?? .keep
        guard let at = Timestamp.seconds(withdrawn.at), withdrawn.reason.isText(upTo: OriginLimits.remark),
            let directive
        else { throw .contradiction("the withdrawal of \(words) cannot be read") }
        withdrawal = Withdrawal(at: at, reason: withdrawn.reason, directive: directive)
    }
}

extension Channel {
    init(_ document: ChannelDocument, of bundle: String) throws(MirrorError) {
        let words = "channel \(ShownText.quoted(document.name)) of \(bundle)"
        guard ChannelName.isName(document.name), ReleaseKey(checking: document.release) != nil,
            document.base.map({ ReleaseKey(checking: $0) != nil }) ?? true
        else { throw .contradiction("\(words) has a name or a release that is not any") }
        guard (0...Rollout.bucketCount).contains(document.rollout), document.sequence > 0,
            document.salt.isText(upTo: OriginLimits.salt), let changedAt = Timestamp.seconds(document.changedAt)
        else { throw .contradiction("\(words) has numbers or times that are not any") }
        self.init(
            named: document.name, of: bundle, release: document.release, rollout: document.rollout,
            base: document.base, isMandatory: document.isMandatory, sequence: Int64(document.sequence),
            salt: document.salt, changedAt: changedAt)
    }

    /// The channels of a bundle, each named once.
    static func list(_ document: BundleDocument) throws(MirrorError) -> [Channel] {
        let names = Set(document.channels.map(\.name))
        guard names.count == document.channels.count, names.count <= OriginLimits.channels else {
            throw .contradiction("\(document.identifier) has too many channels, or two of one name")
        }
        var channels: [Channel] = []
        for channel in document.channels { channels.append(try Channel(channel, of: document.identifier)) }
        return channels
    }
}

extension RegistryChange {
    /// `nil` for a line of a kind that a later version has.
    init?(_ document: ChangeDocument) throws(MirrorError) {
        guard let kind = Kind(rawValue: document.kind) else { return nil }
        guard ReleaseKey(checking: document.release) != nil, document.channel.map(ChannelName.isName) ?? true,
            document.sequence.map({ $0 > 0 }) ?? true, document.by.isText(upTo: OriginLimits.author),
            let at = Timestamp.seconds(document.at)
        else { throw .contradiction("line \(document.tag) of the feed cannot be read") }
        self.init(
            tag: Int64(document.tag), at: at, kind: kind, bundleIdentifier: document.bundleIdentifier,
            release: document.release, channel: document.channel, sequence: document.sequence.map { Int64($0) },
            by: document.by)
    }
}

extension String {
    /// True for a text without NUL, which no catalog takes, of so many bytes at most.
    fileprivate func isText(upTo limit: Int) -> Bool { utf8.count <= limit && !utf8.contains(0) }
}
