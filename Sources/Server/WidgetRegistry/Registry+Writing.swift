internal import JSONText
package import RegistryContract
package import WidgetBundles
package import WidgetBytes
package import WidgetFiles

// MARK: Publishing

extension Registry {
    /// A file in the making for an upload or an archive.
    package func stage() throws(RegistryError) -> StagedFile { try blobs.stage() }

    /// Stores a release and lets its channel show it: all of it, or nothing.
    ///
    /// A client that gets no answer publishes again: the same content under the same key changes nothing.
    ///
    /// - Parameters:
    ///   - archive: what ``BundleIntake`` has written for `taken`.
    ///   - parts: kept beside the release, if it is a new one.
    package func publish(
        _ taken: BundleIntake.Taken, archive: consuming StagedFile, _ request: PublishRequest,
        parts: [ReleasePart] = []
    ) throws(RegistryError) -> Publication {
        let draft = try draft(of: taken, request)
        let (digest, identifier) = (draft.digest, draft.release.bundleIdentifier)
        let documents = ReleaseDocuments(taken, parts)
        let (policy, quotas, chance) = (options.channels(), options.quotas(), options.chance)
        return try publishing.withLock(for: digest) { () throws(RegistryError) in
            var isPlaced = false
            var rounds = 0
            while true {
                rounds += 1
                // Most refusals come here, before anything is written.
                let decision = try catalog.read { catalog throws(RegistryError) in
                    try PublishDecision(draft, of: identifier, request, policy, quotas, in: catalog, chance)
                }
                let sidecar = Sidecar(
                    release: draft.release, channel: request.channel, rollout: request.rollout,
                    files: documents.files, report: documents.report)
                do throws(RegistryError) {
                    if decision.isNew {
                        try figures.time(.place) { () throws(RegistryError) in
                            if isPlaced {
                                try blobs.put(sidecar.note)
                            } else {
                                try blobs.place(archive, as: digest, with: sidecar.note)
                            }
                        }
                        isPlaced = true
                    } else if decision.release.digest == digest, try !blobs.holds(digest) {
                        // It was lost or moved to quarantine; here are the same bytes again.
                        try blobs.place(archive, as: digest, with: nil)
                        isPlaced = true
                    }
                    if let retired = decision.retired {
                        // They would tell of an end that no longer holds. A note of another end is about one that came since.
                        if retired.withdrawal != nil { try blobs.remove(.tombstone(retired.digest, key: retired.key)) }
                        if retired.expiry != nil { try blobs.remove(.expiry(retired.digest, key: retired.key)) }
                    }
                    let placed: [StoredItem] = decision.isNew ? [.blob(digest), sidecar.note.item] : []
                    let attempt = try catalog.write {
                        [blobs] catalog, changes throws(RegistryError) -> PublishAttempt in
                        // Decided again: other callers have written since. A release that has become new by that has no
                        // files yet.
                        let again = try PublishDecision(
                            draft, of: identifier, request, policy, quotas, in: catalog, chance, after: decision)
                        if again.isNew, !decision.isNew { return .again }
                        if again.isNew, try !blobs.holds(placed, in: catalog) { return .collected }
                        return .done(
                            try again.carryOut(
                                documents, of: identifier, request, at: draft.release.published, in: catalog, &changes))
                    }
                    switch attempt {
                    case .done(let publication): return publication
                    case .again: break
                    case .collected:
                        // Another process has collected garbage since. It takes nothing that is young; a second time is
                        // a matter of clocks.
                        guard rounds < 8 else { throw .unreachable("new archives are collected at once") }
                        isPlaced = false
                    }
                } catch {
                    if decision.isNew { takeBack(draft, after: error) }
                    throw error
                }
            }
        }
    }

    /// Returns the outcome that publishing would have, with the same refusals, and stores nothing.
    package func judge(
        _ taken: BundleIntake.Taken, _ request: PublishRequest
    ) throws(RegistryError) -> Publication {
        let draft = try draft(of: taken, request)
        let identifier = draft.release.bundleIdentifier
        return try catalog.read { catalog throws(RegistryError) in
            let decision = try PublishDecision(
                draft, of: identifier, request, options.channels(), options.quotas(), in: catalog, options.chance)
            return try decision.prospect(
                ReleaseDocuments(taken), of: identifier, request, at: draft.release.published, in: catalog)
        }
    }

    /// The release as it would be stored; its numbers are not known yet.
    private func draft(of taken: BundleIntake.Taken, _ request: PublishRequest) throws(RegistryError) -> ReleaseRecord {
        guard ChannelName.isName(request.channel) else { throw .invalidChannelName(request.channel) }
        guard (0...Rollout.bucketCount).contains(request.rollout) else { throw .invalidRollout(request.rollout) }
        return ReleaseRecord(
            try request.release(
                of: taken.bundle, isSnapshot: options.snapshotChannels.contains(request.channel), at: options.now))
    }

    /// Removes the items placed for a release whose publication failed.
    private func takeBack(_ draft: ReleaseRecord, after error: RegistryError) {
        // When the disk failed while the catalog was being written, the release may be found in it after a restart.
        // Then its files must be there; and if it is not found, nothing refers to them.
        if case .database = error { return }
        guard
            let owners = try? catalog.read({ catalog throws(RegistryError) in
                try catalog.releases(withDigest: draft.digest, limit: 100)
            })
        else { return }
        // The same archive may belong to another release, under another key.
        if owners.contains(where: { $0.key == draft.key }) { return }
        let sidecar = StoredItem.sidecar(draft.digest, key: draft.key)
        let isWanted = try? catalog.read { catalog throws(RegistryError) in
            try !catalog.waitingArchives(from: draft.digest, through: draft.digest).isEmpty
        }
        blobs.takeBack(owners.isEmpty && isWanted == false ? [sidecar, .blob(draft.digest)] : [sidecar])
    }
}

/// The outcome of a transaction that would publish.
private enum PublishAttempt: Sendable {
    case done(Publication)
    /// The release has become new meanwhile, and its files are still to be placed.
    case again
    /// Files that were placed are gone.
    case collected
}

extension ReleaseDocuments {
    init(_ taken: BundleIntake.Taken, _ parts: [ReleasePart] = []) {
        var files = JSONWriter(reservingBytes: taken.bundle.files.count * 160)
        taken.bundle.writeFiles(to: &files)
        var report = JSONWriter(reservingBytes: 4 << 10)
        taken.report.write(to: &report)
        self.init(files: files.bytes, report: report.bytes, parts: parts)
    }
}

// MARK: Channels

extension Registry {
    /// Lets a channel show a release, fully or partly.
    ///
    /// - Parameter when: called with the present channel, `nil` if it does not exist, inside the transaction; an error
    ///   that it throws is thrown here, and nothing changes.
    package func setChannel(
        _ bundle: String, _ channel: String, _ setting: ChannelSetting, by author: Author,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void = { _ in }
    ) throws(RegistryError) -> Channel {
        guard ChannelName.isName(channel) else { throw .invalidChannelName(channel) }
        guard (0...Rollout.bucketCount).contains(setting.rollout) else { throw .invalidRollout(setting.rollout) }
        let (time, chance) = (options.now, options.chance)
        let policy = options.channels()
        return try catalog.write { catalog, changes throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            let release = try catalog.shownRelease(setting.release, of: found)
            let present = try catalog.channel(channel, ofBundle: found.id)
            try when(try present.map { row throws(RegistryError) in try catalog.channel(row, of: bundle) })
            if present == nil {
                try catalog.requireDistinctChannel(channel, in: found, policy)
                try catalog.requireChannelRoom(in: found, limit: policy.limit)
            }
            guard
                let sequence = try ChannelMoves(catalog: catalog, time: time, chance: chance).set(
                    present, named: channel, ofBundle: found.id, to: release.id, setting)
            else { return try catalog.namedChannel(channel, of: found) }
            changes.append(
                try catalog.append(
                    RegistryChange(
                        tag: 0, at: time, kind: .promote, bundleIdentifier: bundle, release: release.key,
                        channel: channel, sequence: sequence, by: author.name)))
            var record = AuditRecord(.promote, by: author, at: time, on: release, of: bundle)
            record.channel = channel
            record.from = try catalog.shown(present)
            record.to = try catalog.shown(catalog.channel(channel, ofBundle: found.id))
            _ = try catalog.insert(record)
            return try catalog.namedChannel(channel, of: found)
        }
    }

    /// Takes a channel back to the release it showed before, or to the one that is named, fully and at once.
    ///
    /// Done again, it goes further back. The channel's sequence rises as with every change.
    ///
    /// - Parameter expected: the release that the caller means to return to; another one is refused.
    package func rollback(
        _ bundle: String, _ channel: String, to key: String?, expecting expected: String? = nil, by author: Author,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void = { _ in }
    ) throws(RegistryError) -> Channel {
        let (time, chance) = (options.now, options.chance)
        return try catalog.write { catalog, changes throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            let present = try catalog.knownChannel(channel, of: found)
            let moves = ChannelMoves(catalog: catalog, time: time, chance: chance)
            let target = try ChannelHistory(catalog: catalog).rollbackTarget(key, on: present, of: found)
            let now = try catalog.channel(present, of: bundle)
            try when(now)
            if let expected, try catalog.releaseKey(target.release) != expected { throw .preconditionFailed(now) }
            let moved = try moves.rollBack(present, to: target)
            let result = try catalog.channel(moved, of: bundle)
            changes.append(
                try catalog.append(
                    RegistryChange(
                        tag: 0, at: time, kind: .rollback, bundleIdentifier: bundle, release: result.release,
                        channel: channel, sequence: result.sequence, by: author.name)))
            let release = try catalog.release(target.release)
            var record = AuditRecord(.rollback, by: author, at: time, on: release, of: bundle)
            record.channel = channel
            record.from = try catalog.shown(present)
            record.to = try catalog.shown(moved)
            _ = try catalog.insert(record)
            return result
        }
    }

    /// Deletes a channel. Its releases stay, and can be put on other channels.
    ///
    /// Hosts that follow the channel get an answer that it does not exist. A channel made under its name later has no
    /// history, and a higher sequence than any host has seen.
    package func deleteChannel(
        _ bundle: String, _ channel: String, by author: Author,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void = { _ in }
    ) throws(RegistryError) {
        let time = options.now
        try catalog.write { catalog, changes throws(RegistryError) in
            let present = try catalog.knownChannel(channel, of: try catalog.knownBundle(bundle))
            try when(try catalog.channel(present, of: bundle))
            let sequence = try present.nextSequence()
            let shown = try catalog.release(present.state.release)
            var record = AuditRecord(.deleteChannel, by: author, at: time, on: shown, of: bundle)
            record.channel = channel
            record.from = try catalog.shown(present)
            try catalog.delete(present, sequence: sequence, at: time)
            changes.append(
                try catalog.append(
                    RegistryChange(
                        tag: 0, at: time, kind: .delete, bundleIdentifier: bundle, release: shown.key,
                        channel: channel, sequence: sequence, by: author.name)))
            _ = try catalog.insert(record)
        }
    }
}

// MARK: Withdrawals

extension Registry {
    /// Takes a release out of sight, wherever it is shown. Its key is never given again. Doing it twice is fine.
    ///
    /// It is refused when a channel that is not the author's shows the release, or could be rolled back to it.
    package func withdraw(
        _ bundle: String, _ key: String, reason: String, directive: WithdrawalDirective = .keep, by author: Author,
        rights: ChannelRights = .all
    ) throws(RegistryError) -> Release {
        try withdraw(bundle, key, reason: reason, directive: directive, by: author) {
            catalog, record throws(RegistryError) in
            for channel in try catalog.channels(ofBundle: record.bundle) where !rights.include(channel.name) {
                let isShown = channel.state.shows(record.id)
                guard try isShown ? true : catalog.lastStep(of: record.id, onChannel: channel) != nil else { continue }
                throw .withdrawalNotGranted(
                    key: record.key, channel: channel.name, to: author.name, rights.channels)
            }
        }
    }

    /// - Parameter when: an error that it throws is thrown here, and nothing changes.
    func withdraw(
        _ bundle: String, _ key: String, reason: String, directive: WithdrawalDirective = .keep, by author: Author,
        when: @escaping @Sendable (any CatalogReader, ReleaseRecord) throws(RegistryError) -> Void
    ) throws(RegistryError) -> Release {
        let present = try release(bundle, key)
        let withdrawal = Withdrawal(at: options.now, reason: reason, directive: directive)
        return try publishing.withLock(for: present.digest) { () throws(RegistryError) in
            let present = try release(bundle, key)
            guard present.withdrawal == nil else { return present }
            let tombstone = Tombstone(
                release: present.asNoted, end: .withdrawal(withdrawal, by: author.name)
            ).note
            do throws(RegistryError) {
                try blobs.put(tombstone)
                return try catalog.write { [blobs, chance = options.chance] catalog, changes throws(RegistryError) in
                    let (_, row) = try catalog.knownRelease(bundle, key)
                    guard try blobs.holds([tombstone.item], in: catalog) else {
                        throw .unreachable("the note of the withdrawal was collected as it was made")
                    }
                    try when(catalog, row)
                    try catalog.setWithdrawal(withdrawal, by: author.name, of: row.id)
                    try catalog.refresh(row.bundle)
                    let before = try catalog.channels(ofBundle: row.bundle)
                    let moved = try ChannelMoves(catalog: catalog, time: withdrawal.at, chance: chance)
                        .leave(row)
                    var record = AuditRecord(.withdraw, by: author, at: withdrawal.at, on: row, of: bundle)
                    record.remark = reason
                    try catalog.tell(.withdraw, record, about: row.id, of: moved, from: before, &changes)
                    return try catalog.knownRelease(bundle, key).release
                }
            } catch {
                // If the disk failed, the withdrawal may be found after a restart, and its tombstone must be there.
                if case .database = error { throw error }
                blobs.takeBack([tombstone.item])
                throw error
            }
        }
    }

    /// Takes a withdrawal back, as long as its window is open. Doing it twice is fine.
    ///
    /// It is refused when that would move a channel that is not the author's.
    package func restore(
        _ bundle: String, _ key: String, by author: Author, rights: ChannelRights = .all
    ) throws(RegistryError) -> Release {
        let (time, chance) = (options.now, options.chance)
        let window = options.withdrawnSeconds
        let digest = try release(bundle, key).digest
        return try publishing.withLock(for: digest) { () throws(RegistryError) in
            let restored = try catalog.write { catalog, changes throws(RegistryError) in
                let (release, row) = try catalog.knownRelease(bundle, key)
                // Its archive is gone, and no time is left for it.
                if let expiry = row.expiry { throw .expired(bundle: bundle, key: key, expiry) }
                let before = try catalog.channels(ofBundle: row.bundle)
                guard let withdrawal = row.withdrawal else {
                    if row.restored != nil { return release }
                    throw .notWithdrawn(bundle: bundle, key: key)
                }
                let end = withdrawal.at.adding(window) ?? .max
                guard time <= end else { throw .restoreTooLate(bundle: bundle, key: key, until: end) }
                // Its time may have been another when its files were removed.
                guard try catalog.holdsDocuments(row.id) else {
                    throw .restoreTooLate(bundle: bundle, key: key, until: withdrawal.at)
                }
                try catalog.removeWithdrawal(of: row.id, at: time)
                try catalog.refresh(row.bundle)
                let moved = try ChannelMoves(catalog: catalog, time: time, chance: chance).comeBack(row)
                for channel in moved { try rights.require(channel.name, of: author.name) }
                let record = AuditRecord(.restore, by: author, at: time, on: row, of: bundle)
                try catalog.tell(.restore, record, about: row.id, of: moved, from: before, &changes)
                return try catalog.knownRelease(bundle, key).release
            }
            try blobs.remove(.tombstone(digest, key: key))
            return restored
        }
    }
}

extension CatalogEditor {
    /// Adds to the feed and the audit: a line and a record for each channel that moved, or one each for the release alone.
    ///
    /// - Parameters:
    ///   - release: the one withdrawn or restored. A channel that names it while it is withdrawn shows nothing.
    ///   - before: the bundle's channels as they were.
    fileprivate func tell(
        _ kind: RegistryChange.Kind, _ record: AuditRecord, about release: Int64, of moved: [ChannelRecord],
        from before: [ChannelRecord],
        _ changes: inout [RegistryChange]
    ) throws(RegistryError) {
        let change = RegistryChange(
            tag: 0, at: record.at, kind: kind, bundleIdentifier: record.subject, release: record.release ?? "",
            by: record.author.name)
        if moved.isEmpty {
            changes.append(try append(change))
            _ = try insert(record)
        }
        for channel in moved {
            var line = change
            line.channel = channel.name
            line.sequence = channel.sequence
            changes.append(try append(line))
            var record = record
            record.channel = channel.name
            let earlier = before.first { $0.name == channel.name }
            record.from = kind == .restore && earlier?.state.release == release ? nil : try shown(earlier)
            record.to = kind == .withdraw && channel.state.release == release ? nil : try shown(channel)
            _ = try insert(record)
        }
    }
}

// MARK: Tokens

extension Registry {
    /// In the order of their names, expired ones too.
    package func tokens() throws(RegistryError) -> [Token] {
        try catalog.read { catalog throws(RegistryError) in try catalog.tokens() }
    }

    /// Every token by the SHA-256 of its secrets, expired ones too.
    package func tokensByDigest() throws(RegistryError) -> [Digest: Token] {
        try catalog.read { catalog throws(RegistryError) in try catalog.tokensByDigest() }
    }

    /// - Parameter digest: the SHA-256 of the secret.
    /// - Returns: the token with its number.
    @discardableResult
    package func createToken(
        _ token: Token, digest: Digest, by author: Author
    ) throws(RegistryError) -> Token {
        try token.check()
        let time = options.now
        return try catalog.write { catalog, _ throws(RegistryError) in
            // The same words whether the other is there or was revoked.
            guard try !catalog.tokenNames(called: token.name).contains(where: token.identity.isMistakable) else {
                throw .tokenExists(token.name)
            }
            var stored = token
            stored.number = try catalog.insert(token, digest: digest)
            var record = AuditRecord(.createToken, by: author, at: time, about: token.prefix)
            record.token = stored.identity
            record.remark = token.rights
            _ = try catalog.insert(record)
            return stored
        }
    }

    /// Gives a token another secret. Its name, its number and its rights stay, and so does the time when it expires.
    ///
    /// - Parameters:
    ///   - present: the SHA-256 of the secret that is replaced. Of two rotations at once it admits one.
    ///   - digest: the SHA-256 of the new secret.
    ///   - end: the end of the one that is replaced; `nil`: at once.
    package func rotateToken(
        _ token: TokenName, from present: Digest, to digest: Digest, keptUntil end: Int64? = nil, by author: Author
    ) throws(RegistryError) -> Token {
        let time = options.now
        return try catalog.write { catalog, _ throws(RegistryError) in
            guard var rotated = try catalog.tokens().first(where: { $0.number == token.number }) else {
                throw .noSuchToken(token.name)
            }
            if let expires = rotated.expires, rotated.hasExpired(at: time) {
                throw .expiredToken(token.name, at: expires)
            }
            guard try catalog.rotateToken(token.number, from: present, to: digest, keptUntil: end) else {
                throw .rotatedToken(token.name)
            }
            rotated.earlierSecretEnds = end
            var record = AuditRecord(.rotateToken, by: author, at: time, about: token.prefix)
            record.token = token
            record.remark = "the earlier secret " + (end.map { "ends \(Token.time($0))" } ?? "has ended")
            _ = try catalog.insert(record)
            return rotated
        }
    }

    /// From now on its secrets are worth nothing. The name and the number stay taken.
    package func revokeToken(_ token: TokenName, by author: Author) throws(RegistryError) {
        let time = options.now
        try catalog.write { catalog, _ throws(RegistryError) in
            guard try catalog.revokeToken(token.number, at: time) else { throw .noSuchToken(token.name) }
            var record = AuditRecord(.revokeToken, by: author, at: time, about: token.prefix)
            record.token = token
            _ = try catalog.insert(record)
        }
        tokenUses.withLock { _ = $0.removeValue(forKey: token.number) }
    }

    /// True when noting the use of a token would write to the catalog. Answered from memory.
    package func isTokenUseDue(_ number: Int64) -> Bool {
        let time = options.now
        return tokenUses.withLock { uses in
            guard let last = uses[number] else { return true }
            return !(last <= time && time < last.adding(60) ?? time)
        }
    }

    /// Notes that a token was used just now. Once a minute this writes, and waits for the disk.
    package func touchToken(_ number: Int64) throws(RegistryError) {
        let time = options.now
        let isDue = tokenUses.withLock { uses in
            if let last = uses[number], last <= time, time < last.adding(60) ?? time { return false }
            uses[number] = time
            return true
        }
        guard isDue else { return }
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.setLastUse(ofToken: number, time) }
    }
}
