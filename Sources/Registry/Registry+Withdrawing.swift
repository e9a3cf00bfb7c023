internal import Bytes
internal import RegistryContract

extension Registry {
    /// Takes a release out of sight, wherever it is shown. Its key is never given again. Doing it twice is fine.
    package func withdraw(
        _ bundle: String, _ key: String, reason: String, by author: String
    ) throws(RegistryError) -> Release {
        try withdraw(bundle, key, reason: reason, by: author) { _, _ in }
    }

    /// - Parameter when: what it throws is thrown, and nothing changes.
    func withdraw(
        _ bundle: String, _ key: String, reason: String, by author: String,
        when: @escaping @Sendable (Catalog, ReleaseRow) throws(RegistryError) -> Void
    ) throws(RegistryError) -> Release {
        let present = try release(bundle, key)
        let withdrawal = Withdrawal(at: options.now(), reason: reason)
        let tombstone = StoreNames.tombstone(present.digest, key)
        return try publishing.withLock(for: present.digest) { () throws(RegistryError) in
            let present = try release(bundle, key)
            guard present.withdrawal == nil else { return present }
            do throws(RegistryError) {
                try store.placeBeside(
                    present.digest,
                    Tombstone(release: present.asNoted, withdrawal: withdrawal, by: author).bytes, named: tombstone)
                return try writer.write { catalog, changes throws(RegistryError) in
                    let (_, row) = try catalog.knownRelease(bundle, key)
                    try when(catalog, row)
                    try catalog.setWithdrawal(withdrawal, by: author, of: row.id)
                    try catalog.updateLatest(ofBundle: row.bundle)
                    let moved = try catalog.leave(row, at: withdrawal.at)
                    try catalog.tell(.withdraw, of: row, in: bundle, by: author, at: withdrawal.at, moved, &changes)
                    return try catalog.knownRelease(bundle, key).release
                }
            } catch {
                // If the disk failed, the withdrawal may be found after a restart, and its tombstone must be there.
                if case .database = error { throw error }
                store.discard(present.digest, sidecar: tombstone, withBlob: false)
                throw error
            }
        }
    }

    /// Takes a withdrawal back, as long as its window is open. Doing it twice is fine.
    package func restore(_ bundle: String, _ key: String, by author: String) throws(RegistryError) -> Release {
        let time = options.now()
        let window = options.withdrawnSeconds
        let digest = try release(bundle, key).digest
        return try publishing.withLock(for: digest) { () throws(RegistryError) in
            let restored = try writer.write { catalog, changes throws(RegistryError) in
                let (release, row) = try catalog.knownRelease(bundle, key)
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
                try catalog.updateLatest(ofBundle: row.bundle)
                let moved = try catalog.comeBack(row, at: time)
                try catalog.tell(.restore, of: row, in: bundle, by: author, at: time, moved, &changes)
                return try catalog.knownRelease(bundle, key).release
            }
            try store.removeBeside(digest, named: StoreNames.tombstone(digest, key))
            return restored
        }
    }
}

extension Catalog {
    /// Lets every channel that shows a withdrawn release show something else.
    ///
    /// - Returns: the channels as they are now.
    fileprivate func leave(_ release: ReleaseRow, at time: Int64) throws(RegistryError) -> [ChannelRow] {
        var moved: [ChannelRow] = []
        for channel in try channels(ofBundle: release.bundle) where channel.state.shows(release.id) {
            let state = try fallback(of: channel, without: release.id)
            let head = try placement(channel.head)
            let step = try insertPlacement(
                state, after: channel, kind: .withdraw, at: time, previous: head.previous, replaced: head.id,
                cause: release.id)
            moved.append(try updateChannel(channel, state, head: step, at: time))
        }
        return moved
    }

    private func fallback(of channel: ChannelRow, without release: Int64) throws(RegistryError) -> ChannelState {
        var state = channel.state
        if state.base == release {
            state.base = try highestRelease(onChannel: channel, besides: state.release)
            return state
        }
        if state.rollout < Rollout.bucketCount, let base = state.base { return .full(base) }
        // With nothing left, the channel goes on naming what it showed, and readers learn that it was withdrawn.
        return try highestRelease(onChannel: channel, besides: release).map(ChannelState.full) ?? state
    }

    /// Returns every channel to a release that came back, if nothing has happened to it since the release went.
    fileprivate func comeBack(_ release: ReleaseRow, at time: Int64) throws(RegistryError) -> [ChannelRow] {
        var moved: [ChannelRow] = []
        for channel in try channels(ofBundle: release.bundle) {
            let head = try placement(channel.head)
            guard head.kind == .withdraw, head.cause == release.id, head.sequence == channel.sequence,
                let replaced = head.replaced
            else { continue }
            moved.append(try updateChannel(channel, try placement(replaced).state, head: replaced, at: time))
        }
        return moved
    }

    /// One line for each channel that moved, or one for the release alone.
    fileprivate func tell(
        _ kind: RegistryChange.Kind, of release: ReleaseRow, in bundle: String, by author: String, at time: Int64,
        _ moved: [ChannelRow], _ changes: inout [RegistryChange]
    ) throws(RegistryError) {
        let change = RegistryChange(
            tag: 0, at: time, kind: kind, bundleIdentifier: bundle, release: release.key, by: author)
        if moved.isEmpty { changes.append(try append(change)) }
        for channel in moved {
            var line = change
            line.channel = channel.name
            line.sequence = channel.sequence
            changes.append(try append(line))
        }
    }
}
