internal import RegistryContract
internal import WidgetBytes
internal import WidgetRegistry

// The documents of the contract, made of what the registry has.

extension ResolutionDocument {
    init(_ resolution: Resolution, for widgetIdentifier: String, isUpToDate: Bool) {
        self.init()
        self.widgetIdentifier = widgetIdentifier
        self.isUpToDate = isUpToDate
        bundleIdentifier = resolution.bundleIdentifier
        channel = resolution.channel
        sequence = Int(resolution.sequence)
        isMandatory = resolution.isMandatory
        salt = resolution.salt
        candidates = resolution.candidates.map(ReleaseCandidate.init)
        withdrawn = WithdrawnReleaseDocument.list(resolution.withdrawn)
    }
}

extension WithdrawnReleaseDocument {
    /// The list as documents have it; `nil` for none.
    static func list(_ releases: [WithdrawnRelease]) -> [WithdrawnReleaseDocument]? {
        guard !releases.isEmpty else { return nil }
        return releases.map { release in
            var document = WithdrawnReleaseDocument()
            document.release = release.key
            document.content = release.contentDigest
            document.directive = release.withdrawal.directive.rawValue
            document.reason = release.withdrawal.reason.isEmpty ? nil : release.withdrawal.reason
            return document
        }
    }
}

extension ReleaseCandidate {
    init(_ candidate: Resolution.Candidate) {
        self.init()
        let release = candidate.release
        buckets = candidate.buckets
        self.release = release.key
        digest = release.digest
        contentDigest = release.contentDigest
        byteCount = release.byteCount
        name = release.name
        url = RegistryPath.blob(release.digest)
        published = Timestamp.text(release.published)
        minimumOSVersion = release.minimumOSVersion
        minimumHostVersion = release.minimumHostVersion
        fileList = .written(candidate.files)
    }
}

extension ReleaseDocument {
    /// - Parameters:
    ///   - isChanged: whether publishing made this release or moved its channel; given on publishing alone.
    ///   - report: a finished JSON object; given where it was asked for.
    init(_ release: Release, isChanged: Bool? = nil, report: [UInt8]? = nil) {
        self.init()
        bundleIdentifier = release.bundleIdentifier
        key = release.key
        shortVersion = release.shortVersion
        build = release.build
        name = release.name
        digest = release.digest.hex
        contentDigest = release.contentDigest.hex
        byteCount = release.byteCount
        published = Timestamp.text(release.published)
        publishedBy = release.publishedBy
        remarks = release.remarks
        channels = release.channels
        withdrawal = release.withdrawal.map {
            WithdrawalDocument(at: Timestamp.text($0.at), reason: $0.reason, directive: $0.directive)
        }
        expiry = release.expiry.map { ExpiryDocument(at: Timestamp.text($0.at), rule: $0.rule) }
        url = RegistryPath.blob(hex: digest)
        self.isChanged = isChanged
        self.report = report.map { Prewritten($0) }
    }
}

extension BundleDocument {
    init(_ bundle: BundleSummary) {
        self.init()
        identifier = bundle.identifier
        name = bundle.name
        latest = bundle.latest
        releaseCount = bundle.releaseCount
        channels = bundle.channels.map(ChannelDocument.init)
    }
}

extension ChannelDocument {
    init(_ channel: Channel) {
        self.init()
        name = channel.name
        release = channel.release
        rollout = channel.rollout
        base = channel.base
        isMandatory = channel.isMandatory
        sequence = Int(channel.sequence)
        salt = channel.salt
        changedAt = Timestamp.text(channel.changedAt)
    }

    /// The tag of its one representation, which If-Match has to name for the channel to be changed.
    var entityTag: String { Document.entityTag(bytes) }
}

extension ChangeDocument {
    init(_ change: RegistryChange) {
        self.init()
        tag = Int(change.tag)
        at = Timestamp.text(change.at)
        kind = change.kind.rawValue
        bundleIdentifier = change.bundleIdentifier
        release = change.release
        channel = change.channel
        sequence = change.sequence.map { Int($0) }
        by = change.by
    }
}

extension FileDocument {
    init(_ file: ReleaseFile) {
        self.init()
        path = file.path
        byteCount = file.byteCount
        digest = file.digest
        offset = file.offset
        compressedByteCount = file.compressedByteCount
        method = file.method
    }
}

extension TokenDocument {
    /// - Parameters:
    ///   - secret: shown once, on creation and rotation.
    ///   - now: seconds since 1970.
    init(_ token: Token, secret: String? = nil, now: Int64) {
        self.init()
        number = Int(token.number)
        name = token.name
        prefix = token.prefix
        scopes = Token.Scope.allCases.filter(token.scopes.contains).map(\.rawValue)
        channels = token.channels
        keepsEarlierRights = token.keepsEarlierRights ? true : nil
        created = Timestamp.text(token.created)
        expires = token.expires.map(Timestamp.text)
        lastUsed = token.lastUsed.map(Timestamp.text)
        if let end = token.earlierSecretEnds, end > now { earlierSecretEnds = Timestamp.text(end) }
        self.secret = secret
    }
}

extension AuditDocument {
    init(_ record: AuditRecord) {
        self.init()
        let author = record.author
        number = Int(record.number)
        at = Timestamp.text(record.at)
        act = record.act.rawValue
        by = author.name
        byToken = author.token.map { Int($0) }
        if !author.client.isEmpty { client = author.client }
        if !author.request.isEmpty { request = author.request }
        if !author.agent.isEmpty { userAgent = author.agent }
        if record.token == nil, !record.subject.isEmpty { bundleIdentifier = record.subject }
        release = record.release
        channel = record.channel
        from = record.from.map(Shown.init)
        to = record.to.map(Shown.init)
        isForced = record.isForced
        digest = record.digest?.hex
        contentDigest = record.contentDigest?.hex
        token = record.token.map { TokenName(number: Int($0.number), name: $0.name, prefix: $0.prefix) }
        remark = record.remark
    }
}

extension AuditDocument.Shown {
    fileprivate init(_ shown: AuditRecord.Shown) {
        self.init(release: shown.release, rollout: shown.rollout, isMandatory: shown.isMandatory)
    }
}

extension DifferenceDocument {
    /// Compares the files of two releases, and counts what a host that has one fetches to get the other.
    init(from old: Release, _ oldFiles: [ReleaseFile], to new: Release, _ newFiles: [ReleaseFile]) {
        self.init()
        bundleIdentifier = new.bundleIdentifier
        self.old = old.key
        self.new = new.key
        byteCount = new.byteCount
        let oldByPath = Dictionary(oldFiles.map { ($0.path, $0) }) { first, _ in first }
        let newPaths = Set(newFiles.map(\.path))
        for file in newFiles {
            guard let before = oldByPath[file.path] else {
                added.append(FileDocument(file))
                continue
            }
            if before.digest == file.digest {
                unchangedCount += 1
            } else {
                var change = Change()
                change.path = file.path
                change.old = FileDocument(before)
                change.new = FileDocument(file)
                changed.append(change)
            }
        }
        removed = oldFiles.filter { !newPaths.contains($0.path) }.map(FileDocument.init)

        // The bytes of the new archive that hold what the old release does not have under any path.
        var held = Set(oldFiles.map(\.digest))
        for file in newFiles where held.insert(file.digest).inserted { transferByteCount += file.compressedByteCount }

        added.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        removed.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        changed.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
