internal import RegistryContract
internal import WidgetBytes

/// Questions in the names that readers use, with the registry's refusals.
extension CatalogReader {
    /// Returns the bundle. Throws the same error for a bundle that does not exist and for one that is hidden from the
    /// reader.
    func knownBundle(_ identifier: String) throws(RegistryError) -> BundleRecord {
        if let row = try bundle(identifier) { return row }
        throw .noSuchBundle(identifier, spelling: try bundle(spelledLike: identifier)?.identifier)
    }

    func summary(_ bundle: BundleRecord) throws(RegistryError) -> BundleSummary {
        var channels: [Channel] = []
        for row in try self.channels(ofBundle: bundle.id) {
            channels.append(try channel(row, of: bundle.identifier))
        }
        return BundleSummary(
            identifier: bundle.identifier, name: bundle.name, latest: try bundle.latest.map(releaseKey),
            releaseCount: bundle.releaseCount, channels: channels)
    }

    // MARK: Releases

    func knownRelease(
        _ identifier: String, _ key: String
    ) throws(RegistryError) -> (release: Release, record: ReleaseRecord) {
        let bundle = try knownBundle(identifier)
        guard let record = try release(key, ofBundle: bundle.id) else {
            throw .noSuchRelease(bundle: identifier, key: key)
        }
        return (record.release(of: identifier, shownBy: try channels(ofBundle: bundle.id)), record)
    }

    /// One whose documents are there: they go some time after a release was withdrawn, and when it expires.
    func storedRelease(
        _ identifier: String, _ key: String
    ) throws(RegistryError) -> (release: Release, record: ReleaseRecord) {
        let known = try knownRelease(identifier, key)
        if known.release.isGone, try !holdsDocuments(known.record.id) { throw known.release.refusal }
        return known
    }

    /// A release that can be put on a channel.
    func shownRelease(_ key: String, of bundle: BundleRecord) throws(RegistryError) -> ReleaseRecord {
        guard let record = try release(key, ofBundle: bundle.id) else {
            throw .noSuchRelease(bundle: bundle.identifier, key: key)
        }
        if record.isGone { throw record.release(of: bundle.identifier, shownBy: []).refusal }
        return record
    }

    // MARK: Channels

    /// The channel in names, as readers know it.
    func channel(_ record: ChannelRecord, of bundle: String) throws(RegistryError) -> Channel {
        Channel(
            bundleIdentifier: bundle, name: record.name, release: try releaseKey(record.state.release),
            rollout: record.state.rollout, base: try record.state.base.map(releaseKey),
            isMandatory: record.state.isMandatory, sequence: record.sequence, salt: record.state.salt,
            changedAt: record.changedAt)
    }

    func namedChannel(_ name: String, of bundle: BundleRecord) throws(RegistryError) -> Channel {
        try channel(knownChannel(name, of: bundle), of: bundle.identifier)
    }

    func knownChannel(_ name: String, of bundle: BundleRecord) throws(RegistryError) -> ChannelRecord {
        guard let record = try channel(name, ofBundle: bundle.id) else {
            throw .noSuchChannel(bundle: bundle.identifier, channel: name)
        }
        return record
    }

    /// A publisher could otherwise make channels without end.
    func requireChannelRoom(in bundle: BundleRecord, limit: Int) throws(RegistryError) {
        guard try channelCount(ofBundle: bundle.id) < limit else {
            throw .tooManyChannels(bundle: bundle.identifier, limit: limit)
        }
    }

    /// Refuses a new channel whose name people could take for that of another: of one that is protected, or of the bundle's.
    /// Channels that are there already differ as they do.
    ///
    /// - Parameter bundle: `nil` for one that is published for the first time.
    func requireDistinctChannel(
        _ name: String, in bundle: BundleRecord?, _ policy: ChannelPolicy
    ) throws(RegistryError) {
        guard !policy.protected.contains(name) else { return }
        var known = policy.protected
        if let bundle { known += try channels(ofBundle: bundle.id).map(\.name) }
        if let existing = known.first(where: { $0 != name && $0.lowercased() == name.lowercased() }) {
            throw .channelCaseConflict(existing: existing, offered: name)
        }
    }

    /// The sequence that a channel begins with. Hosts refuse a lower one than they have seen, so a name that was deleted
    /// continues.
    func firstSequence(ofChannel name: String, ofBundle bundle: Int64) throws(RegistryError) -> Int64 {
        let last = try lastSequence(ofDeletedChannel: name, ofBundle: bundle)
        guard last < .max else { throw .damaged("the sequence of \(name) is as high as a number can be") }
        return last + 1
    }

    // MARK: Notes

    /// The notes that should lie beside an archive.
    func notes(ofDigest digest: Digest) throws(RegistryError) -> [ExpectedNote] {
        var notes: [ExpectedNote] = []
        for record in try releases(withDigest: digest, limit: 100) {
            let release = record.release(of: try identifier(ofBundle: record.bundle), shownBy: [])
            if try holdsDocuments(record.id) { notes.append(.sidecar(try sidecar(of: record, release))) }
            notes += record.ends(of: release).map(ExpectedNote.tombstone)
        }
        return notes
    }

    /// A sidecar as it was written when the release was published; how far it was rolled out may have changed.
    private func sidecar(of record: ReleaseRecord, _ release: Release) throws(RegistryError) -> Sidecar {
        let first = try firstStep(of: record.id, inBundle: record.bundle)
        return Sidecar(
            release: release, channel: first?.channel ?? "stable", rollout: first?.state.rollout ?? Rollout.bucketCount,
            files: try filesDocument(record.id), report: try reportDocument(record.id))
    }
}

extension Release {
    /// The refusal of what wants a release that is gone.
    var refusal: RegistryError {
        if let withdrawal { return .withdrawn(bundle: bundleIdentifier, key: key, withdrawal) }
        guard let expiry else { return .noSuchRelease(bundle: bundleIdentifier, key: key) }
        return .expired(bundle: bundleIdentifier, key: key, expiry)
    }
}

extension ReleaseRecord {
    /// The notes about the ends of the release.
    ///
    /// - Parameter release: with its bundle's identifier.
    fileprivate func ends(of release: Release) -> [Tombstone] {
        var ends: [Tombstone.End] = []
        if let withdrawal { ends.append(.withdrawal(withdrawal, by: withdrawnBy ?? "")) }
        if let expiry { ends.append(.expiry(expiry)) }
        return ends.map { Tombstone(release: release.asNoted, end: $0) }
    }
}

/// A note as the catalog says it should be.
enum ExpectedNote {
    case sidecar(Sidecar)
    case tombstone(Tombstone)

    enum Verdict {
        case sound
        /// It says nothing.
        case unreadable
        /// It says something else: the note or the catalog is wrong, and it cannot be decided which.
        case different
    }

    var note: StoredNote {
        switch self {
        case .sidecar(let sidecar): sidecar.note
        case .tombstone(let tombstone): tombstone.note
        }
    }

    /// Compares the bytes in the note's place with the expected ones.
    func judge(_ found: [UInt8]) -> Verdict {
        switch self {
        case .sidecar(let sidecar):
            guard let other = Sidecar(parsing: found) else { return .unreadable }
            return other.release == sidecar.release.asNoted && other.files == sidecar.files ? .sound : .different
        case .tombstone(let tombstone):
            guard let other = Tombstone(parsing: found) else { return .unreadable }
            return other.end.isSame(as: tombstone.end) ? .sound : .different
        }
    }
}

extension Tombstone.End {
    /// Authors are not compared: a mirror's catalog has none.
    fileprivate func isSame(as other: Tombstone.End) -> Bool {
        switch (self, other) {
        case (.withdrawal(let one, _), .withdrawal(let other, _)): one == other
        case (.expiry(let one), .expiry(let other)): one == other
        case (.withdrawal, .expiry), (.expiry, .withdrawal): false
        }
    }
}
