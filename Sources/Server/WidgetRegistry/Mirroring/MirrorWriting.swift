internal import RegistryContract
package import WidgetBundles
package import WidgetBytes
package import WidgetFiles

// The acts of a mirror: a registry that shows what another one has, under the same keys, sequences and salts. They leave no
// records in the audit, which tells of the acts of people; those are in the other registry's.

extension Registry {
    /// True if the release is here as the other registry describes it, with its documents and its archive.
    package func holds(_ wanted: Release) throws(RegistryError) -> Bool {
        let isStored = try catalog.read { catalog throws(RegistryError) in
            guard let bundle = try catalog.bundle(wanted.bundleIdentifier),
                let present = try catalog.release(wanted.key, ofBundle: bundle.id),
                present.release(of: bundle.identifier, shownBy: []).isAlike(wanted)
            else { return false }
            return try catalog.holdsDocuments(present.id)
        }
        return isStored ? try blobs.holds(wanted.digest) : false
    }

    /// True if a release of that key is here, and neither withdrawn nor expired.
    package func shows(_ bundle: String, _ key: String) throws(RegistryError) -> Bool {
        try catalog.read { catalog throws(RegistryError) in
            guard let found = try catalog.bundle(bundle), let present = try catalog.release(key, ofBundle: found.id)
            else { return false }
            return present.isGone ? false : try catalog.holdsDocuments(present.id)
        }
    }

    /// An archive that is here already, compared with its digest.
    package func storedArchive(_ digest: Digest) throws(RegistryError) -> StoredFile? { try blobs.open(digest) }

    /// Stores a release of another registry under its own key. No channel shows it yet, and the feed does not tell of it:
    /// both follow with ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - release: as the other registry describes it. Its digests are those of `taken`.
    ///   - report: a JSON object.
    ///   - archive: the bytes that have the release's digest.
    package func adopt(
        _ release: Release, _ taken: BundleIntake.Taken, report: [UInt8], archive: consuming StagedFile
    ) throws(RegistryError) {
        var whole = Release(
            taken.bundle, key: release.key, published: release.published, by: release.publishedBy,
            remarks: release.remarks, isSnapshot: Release.parts(of: release.key).isSnapshot)
        guard whole.isAlike(release) else {
            throw .identityMismatch(expected: "\(release.bundleIdentifier) \(release.key)", found: whole.key)
        }
        whole.withdrawal = nil
        whole.expiry = nil
        let adopted = whole
        let documents = ReleaseDocuments(files: ReleaseDocuments(taken).files, report: report)
        // Where it was published to is known to the other registry alone.
        let sidecar = Sidecar(
            release: adopted, channel: ChannelName.standard, rollout: Rollout.bucketCount, files: documents.files,
            report: documents.report)
        try publishing.withLock(for: adopted.digest) { () throws(RegistryError) in
            try figures.time(.place) { () throws(RegistryError) in
                try blobs.place(archive, as: adopted.digest, with: sidecar.note)
            }
            try catalog.write { [blobs] catalog, _ throws(RegistryError) in
                guard try blobs.holds([.blob(adopted.digest), sidecar.note.item], in: catalog) else {
                    throw .unreachable("new archives are collected at once")
                }
                let bundle = try catalog.mirroredBundle(adopted.bundleIdentifier, name: adopted.name)
                if let present = try catalog.release(adopted.key, ofBundle: bundle) {
                    try catalog.revive(present.id, as: ReleaseRecord(adopted, ofBundle: bundle), documents)
                } else {
                    _ = try catalog.insert(ReleaseRecord(adopted, ofBundle: bundle), documents)
                }
                try catalog.refresh(bundle)
            }
            try blobs.removeEnds(of: adopted.digest, adopted.key)
        }
    }

    /// Lets a bundle be as another registry has it: all of it, or nothing. Doing it again changes nothing.
    ///
    /// Releases that the other registry does not have any more are withdrawn here.
    ///
    /// - Returns: false if it was like that already.
    @discardableResult
    package func follow(_ bundle: MirroredBundle) throws(RegistryError) -> Bool {
        // The notes come before the transaction, as with a withdrawal here.
        for release in bundle.releases where release.isGone {
            let isKnown = try catalog.read { catalog throws(RegistryError) in
                try catalog.knowsEnd(of: release, in: bundle.identifier)
            }
            if isKnown { continue }
            var ends: [Tombstone.End] = []
            if let withdrawal = release.withdrawal { ends.append(.withdrawal(withdrawal, by: "")) }
            if let expiry = release.expiry { ends.append(.expiry(expiry)) }
            let notes = ends.map { Tombstone(release: release.asNoted, end: $0).note }
            try publishing.withLock(for: release.digest) { () throws(RegistryError) in
                for note in notes { try blobs.put(note) }
            }
        }
        let time = options.now
        return try catalog.write { catalog, changes throws(RegistryError) in
            var following = Following(catalog: catalog, bundle: bundle, time: time)
            try following.run()
            changes = try following.addToFeed()
            return following.isChanged
        }
    }

    /// Adds lines of another registry's feed about bundles that are already as they say.
    package func tell(_ lines: [RegistryChange]) throws(RegistryError) {
        guard !lines.isEmpty else { return }
        try catalog.write { catalog, changes throws(RegistryError) in changes = try catalog.tell(lines) }
    }
}

extension CatalogReader {
    /// True if a release that is gone is gone here for the same reasons.
    fileprivate func knowsEnd(of wanted: Release, in bundle: String) throws(RegistryError) -> Bool {
        guard let found = try self.bundle(bundle), let present = try release(wanted.key, ofBundle: found.id) else {
            return false
        }
        return present.withdrawal == wanted.withdrawal && present.expiry == wanted.expiry
    }
}

extension CatalogEditor {
    /// The number of a bundle, which is stored if it is not there.
    fileprivate func mirroredBundle(_ identifier: String, name: String) throws(RegistryError) -> Int64 {
        guard let present = try bundle(spelledLike: identifier) else {
            return try insertBundle(identifier, name: name)
        }
        guard present.identifier == identifier else {
            throw .identifierCaseConflict(existing: present.identifier, offered: identifier)
        }
        return present.id
    }
}

extension CatalogEditor {
    /// Adds lines of another registry's feed, but for those that were added before a crash.
    fileprivate func tell(_ lines: [RegistryChange]) throws(RegistryError) -> [RegistryChange] {
        var added: [RegistryChange] = []
        for line in lines where try !isAdded(line) { added.append(try append(line)) }
        return added
    }

    /// True if a line is in the feed, under its own tag or a later one.
    private func isAdded(_ line: RegistryChange) throws(RegistryError) -> Bool {
        var tag = line.tag - 1
        while true {
            let page = try changes(after: tag, limit: 500)
            for var other in page {
                tag = other.tag
                other.tag = line.tag
                if other == line { return true }
            }
            if page.count < 500 { return false }
        }
    }
}

/// The transaction by which a bundle becomes what another registry has.
private struct Following {
    let catalog: any CatalogEditor
    let bundle: MirroredBundle
    let time: Int64
    /// Made of what has changed, for a feed that has no lines of the other registry's.
    private var made: [RegistryChange] = []
    private(set) var isChanged = false
    private var isFirst = false

    init(catalog: any CatalogEditor, bundle: MirroredBundle, time: Int64) {
        self.catalog = catalog
        self.bundle = bundle
        self.time = time
    }

    mutating func run() throws(RegistryError) {
        let name = bundle.releases.last?.name ?? ""
        guard try catalog.bundle(bundle.identifier) != nil || !bundle.releases.isEmpty else { return }
        let id = try catalog.mirroredBundle(bundle.identifier, name: name)
        for release in bundle.adopted { note(.publish, release.key, at: release.published, by: release.publishedBy) }
        for release in bundle.releases { try follow(release, of: id) }
        if bundle.isComplete { try withdrawOthers(of: id) }
        try followChannels(of: id)
        if isChanged { try catalog.refresh(id) }
    }

    private mutating func note(
        _ kind: RegistryChange.Kind, _ key: String, channel: String? = nil, sequence: Int64? = nil, at time: Int64,
        by author: String = ""
    ) {
        isChanged = true
        made.append(
            RegistryChange(
                tag: 0, at: time, kind: kind, bundleIdentifier: bundle.identifier, release: key, channel: channel,
                sequence: sequence, by: author))
    }

    // MARK: Releases

    private mutating func follow(_ release: Release, of id: Int64) throws(RegistryError) {
        let present = try catalog.release(release.key, ofBundle: id)
        guard !release.isGone else {
            try followEnd(of: release, in: id, present)
            return
        }
        guard let present, try catalog.holdsDocuments(present.id) else {
            throw .noSuchRelease(bundle: bundle.identifier, key: release.key)
        }
        guard present.withdrawal != nil else { return }
        try catalog.removeWithdrawal(of: present.id, at: time)
        note(.restore, release.key, at: time)
    }

    /// Lets a release be gone as it is there.
    private mutating func followEnd(
        of release: Release, in id: Int64, _ present: ReleaseRecord?
    ) throws(RegistryError) {
        if release.withdrawal == nil, let present, try mayBeAskedFor(present) { return }
        // Its archive cannot be had any more; its key must not be given again.
        var row = present?.id
        if row == nil { row = try catalog.insert(ReleaseRecord(release.asNoted, ofBundle: id), nil) }
        guard let row else { return }
        if let withdrawal = release.withdrawal {
            if present?.withdrawal != withdrawal {
                try catalog.setWithdrawal(withdrawal, by: "", of: row)
                note(.withdraw, release.key, at: withdrawal.at)
            }
        } else if present?.withdrawal != nil {
            try catalog.removeWithdrawal(of: row, at: time)
        }
        if let expiry = release.expiry, present?.expiry != expiry {
            try catalog.setExpiry(expiry, of: row)
            try catalog.removeDocuments(of: row, at: time)
            note(.expire, release.key, at: expiry.at)
        }
    }

    /// True if a host that was shown the release here may still ask for it: a mirror that was cut off for long shows what has
    /// expired meanwhile. It goes when the bundle is looked at again.
    private func mayBeAskedFor(_ present: ReleaseRecord) throws(RegistryError) -> Bool {
        guard !present.isGone else { return false }
        if try catalog.channels(ofBundle: present.bundle).contains(where: { $0.state.shows(present.id) }) {
            return true
        }
        guard let left = present.shownUntil else { return false }
        return time < left.adding(RetentionRule.notice) ?? .max
    }

    private mutating func withdrawOthers(of id: Int64) throws(RegistryError) {
        let known = Set(bundle.releases.map(\.key))
        var last: ReleaseRecord?
        repeat {
            let page = try catalog.releases(ofBundle: id, after: last, limit: 200)
            for record in page where !record.isGone && !known.contains(record.key) {
                try catalog.setWithdrawal(
                    Withdrawal(at: time, reason: "the registry that this one mirrors does not have it any more"),
                    by: "", of: record.id)
                note(.withdraw, record.key, at: time)
            }
            last = page.last
        } while last != nil
    }

    // MARK: Channels

    private mutating func followChannels(of id: Int64) throws(RegistryError) {
        let present = try catalog.channels(ofBundle: id)
        isFirst = present.isEmpty
        for channel in bundle.channels {
            let state = ChannelState(
                release: try release(channel.release, of: id),
                base: try channel.base.map { key throws(RegistryError) in
                    try release(key, of: id)
                },
                rollout: channel.rollout, isMandatory: channel.isMandatory, salt: channel.salt)
            let row = present.first { $0.name == channel.name }
            guard row?.state != state || row?.sequence != channel.sequence || row?.changedAt != channel.changedAt
            else { continue }
            // Hosts of this one were shown the earlier state until now, however long ago it ended there.
            try catalog.noteLeft(channel.name, ofBundle: id, at: time)
            // How it came to that is the other registry's history; here it begins anew with each change.
            try catalog.insertChannel(
                ChannelStep(
                    bundle: id, channel: channel.name, sequence: channel.sequence, at: channel.changedAt,
                    kind: .promote, state: state))
            note(
                .promote, channel.release, channel: channel.name, sequence: channel.sequence, at: channel.changedAt)
        }
        let wanted = Set(bundle.channels.map(\.name))
        for row in present where !wanted.contains(row.name) {
            let line = bundle.lines.last { $0.kind == .delete && $0.channel == row.name }
            let sequence = try max(row.nextSequence(), line?.sequence ?? 0)
            try catalog.noteLeft(row.name, ofBundle: id, at: time)
            try catalog.delete(row, sequence: sequence, at: line?.at ?? time)
            note(
                .delete, try catalog.releaseKey(row.state.release), channel: row.name, sequence: sequence,
                at: line?.at ?? time)
        }
    }

    /// The number of a release that a channel may name.
    private func release(_ key: String, of id: Int64) throws(RegistryError) -> Int64 {
        guard let found = try catalog.release(key, ofBundle: id),
            found.isGone ? true : try catalog.holdsDocuments(found.id)
        else { throw .noSuchRelease(bundle: bundle.identifier, key: key) }
        return found.id
    }

    // MARK: The feed

    /// Adds to the feed: the other registry's lines if there are any, else those made of what has changed.
    mutating func addToFeed() throws(RegistryError) -> [RegistryChange] {
        var added = try catalog.tell(bundle.lines)
        if bundle.lines.isEmpty, isChanged {
            for line in made { added.append(try catalog.append(line)) }
        }
        // Until a channel shows one of its releases, a bundle looks as if it were not there.
        if isFirst, !added.isEmpty { added[0].isNewBundle = true }
        return added
    }
}
