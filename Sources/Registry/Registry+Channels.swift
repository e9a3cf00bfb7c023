internal import Database
internal import RegistryContract

extension Registry {
    /// Lets a channel show a release, fully or partly.
    ///
    /// - Parameter when: sees the channel as it is, `nil` if it is not there, while nobody else can change it; what it
    ///   throws is thrown here, and nothing changes.
    package func setChannel(
        _ bundle: String, _ channel: String, _ setting: ChannelSetting, by author: String,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void = { _ in }
    ) throws(RegistryError) -> Channel {
        guard ChannelName.isName(channel) else { throw .invalidChannelName(channel) }
        guard (0...Rollout.bucketCount).contains(setting.rollout) else { throw .invalidRollout(setting.rollout) }
        let time = options.now()
        let channelLimit = options.channelLimit()
        return try writer.write { catalog, changes throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            let release = try catalog.shownRelease(setting.release, of: found)
            let present = try catalog.channel(channel, ofBundle: found.id)
            try when(try present.map { row throws(RegistryError) in try catalog.channel(row, of: bundle) })
            if present == nil { try catalog.requireChannelRoom(in: found, limit: channelLimit) }
            guard
                let sequence = try catalog.set(
                    present, named: channel, ofBundle: found.id, to: release.id, setting, at: time)
            else { return try catalog.namedChannel(channel, of: found) }
            changes.append(
                try catalog.append(
                    RegistryChange(
                        tag: 0, at: time, kind: .promote, bundleIdentifier: bundle, release: release.key,
                        channel: channel, sequence: sequence, by: author)))
            return try catalog.namedChannel(channel, of: found)
        }
    }

    /// Takes a channel back to the release it showed before, or to the one that is named, fully and at once.
    ///
    /// Done again, it goes further back. The channel's sequence rises as with every change.
    package func rollback(
        _ bundle: String, _ channel: String, to key: String?, by author: String,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void = { _ in }
    ) throws(RegistryError) -> Channel {
        let time = options.now()
        return try writer.write { catalog, changes throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            guard let present = try catalog.channel(channel, ofBundle: found.id) else {
                throw .noSuchChannel(bundle: bundle, channel: channel)
            }
            let target = try catalog.rollbackTarget(key, on: present, of: found)
            try when(try catalog.channel(present, of: bundle))
            let state = ChannelState.full(target.release)
            let head = try catalog.insertPlacement(
                state, after: present, kind: .rollback, at: time, previous: target.previous)
            let changed = try catalog.updateChannel(present, state, head: head, at: time)
            let result = try catalog.channel(changed, of: bundle)
            changes.append(
                try catalog.append(
                    RegistryChange(
                        tag: 0, at: time, kind: .rollback, bundleIdentifier: bundle, release: result.release,
                        channel: channel, sequence: changed.sequence, by: author)))
            return result
        }
    }
}

extension Catalog {
    /// A release that can be put on a channel.
    func shownRelease(_ key: String, of bundle: BundleRow) throws(RegistryError) -> ReleaseRow {
        guard let row = try release(key, ofBundle: bundle.id) else {
            throw .noSuchRelease(bundle: bundle.identifier, key: key)
        }
        if let withdrawal = row.withdrawal { throw .withdrawn(bundle: bundle.identifier, key: key, withdrawal) }
        return row
    }

    /// A channel is never removed, so whoever may publish could otherwise make them without end.
    func requireChannelRoom(in bundle: BundleRow, limit: Int) throws(RegistryError) {
        let count = try first("SELECT COUNT(*) FROM channel WHERE bundle = ?", .integer(bundle.id)) {
            row throws(DatabaseError) in try row.count(0)
        }
        guard count ?? 0 < limit else { throw .tooManyChannels(bundle: bundle.identifier, limit: limit) }
    }

    func namedChannel(_ name: String, of bundle: BundleRow) throws(RegistryError) -> Channel {
        guard let row = try channel(name, ofBundle: bundle.id) else {
            throw .noSuchChannel(bundle: bundle.identifier, channel: name)
        }
        return try channel(row, of: bundle.identifier)
    }

    /// - Returns: the channel's new sequence; `nil` when it is as it should be already.
    fileprivate func set(
        _ present: ChannelRow?, named name: String, ofBundle bundle: Int64, to release: Int64,
        _ setting: ChannelSetting, at time: Int64
    ) throws(RegistryError) -> Int64? {
        guard let present, present.state.release == release else {
            var shown = present?.state
            if let state = shown, try self.release(state.release).withdrawal != nil { shown = nil }
            let state = ChannelState.placing(
                release, rollout: setting.rollout, isMandatory: setting.isMandatory, over: shown)
            return try move(present, named: name, ofBundle: bundle, to: state, kind: .promote, at: time)
        }
        let state = present.state.resized(
            rollout: setting.rollout, isMandatory: setting.isMandatory,
            earlier: try earlierPlacement(onChannel: present)?.state.release)
        guard state != present.state else { return nil }
        try updatePlacement(present.head, state)
        return try updateChannel(present, state, head: present.head, at: time).sequence
    }

    /// The release to return to, and the step that a further rollback returns to from there.
    fileprivate func rollbackTarget(
        _ key: String?, on channel: ChannelRow, of bundle: BundleRow
    ) throws(RegistryError) -> (release: Int64, previous: Int64?) {
        guard let key else {
            guard let earlier = try earlierPlacement(onChannel: channel) else {
                throw .noEarlierRelease(bundle: bundle.identifier, channel: channel.name)
            }
            return (earlier.state.release, earlier.previous)
        }
        let release = try shownRelease(key, of: bundle)
        // One that the channel has shown is a place in its history; any other stands in the place of the present one.
        if let place = try placement(of: release.id, onChannel: channel) { return (release.id, place.previous) }
        return (release.id, try placement(channel.head).previous)
    }
}
