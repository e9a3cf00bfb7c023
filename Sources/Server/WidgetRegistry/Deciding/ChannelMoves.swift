internal import RegistryContract
internal import WidgetSurroundings

/// A named pointer from a bundle to the release that hosts get.
package struct Channel: Equatable, Sendable {
    package var bundleIdentifier: String
    package var name: String
    /// The key of the release it shows, to `rollout` of 10000 buckets.
    package var release: String
    package var rollout: Int
    /// The key of the release that has the other buckets; `nil` when no release has them, or when no buckets are left.
    package var base: String?
    package var isMandatory: Bool
    /// Rises with every change.
    package var sequence: Int64
    /// Decides which hosts go first; stays while a rollout grows.
    package var salt: String
    /// Seconds since 1970.
    package var changedAt: Int64
}

/// The state that a caller wants a channel to have.
package struct ChannelSetting: Equatable, Sendable {
    package var release: String
    package var rollout: Int
    package var isMandatory: Bool

    package init(release: String, rollout: Int = Rollout.bucketCount, isMandatory: Bool = false) {
        self.release = release
        self.rollout = rollout
        self.isMandatory = isMandatory
    }
}

/// Changes of channels, in a writer's transaction.
struct ChannelMoves {
    let catalog: any CatalogEditor
    let time: Int64
    let chance: any Chance

    // MARK: Promotions

    /// Puts a release on a channel, which is made if it is not there.
    ///
    /// - Returns: the channel's new sequence.
    func move(
        _ channel: ChannelRecord?, named name: String, ofBundle bundle: Int64, to state: ChannelState,
        kind: ChannelStep.Kind
    ) throws(RegistryError) -> Int64 {
        guard let channel else {
            let sequence = try catalog.firstSequence(ofChannel: name, ofBundle: bundle)
            try catalog.insertChannel(
                ChannelStep(bundle: bundle, channel: name, sequence: sequence, at: time, kind: kind, state: state))
            return sequence
        }
        return try advance(channel, to: state, kind: kind, previous: channel.head).sequence
    }

    /// Puts a release on a channel, with the rollout and the mandatory mark of `setting`.
    ///
    /// - Returns: the channel's new sequence; `nil` when the channel is in that state already.
    func set(
        _ present: ChannelRecord?, named name: String, ofBundle bundle: Int64, to release: Int64,
        _ setting: ChannelSetting
    ) throws(RegistryError) -> Int64? {
        guard let present, present.state.release == release else {
            var shown = present?.state
            if let state = shown, try catalog.release(state.release).isGone { shown = nil }
            let state = ChannelState.placing(
                release, rollout: setting.rollout, isMandatory: setting.isMandatory, over: shown, chance)
            return try move(present, named: name, ofBundle: bundle, to: state, kind: .promote)
        }
        let state = present.state.resized(
            rollout: setting.rollout, isMandatory: setting.isMandatory,
            earlier: try ChannelHistory(catalog: catalog).earlierStep(onChannel: present)?.state.release)
        guard state != present.state else { return nil }
        try catalog.updateStep(present.head, state)
        return try change(present, to: state, head: present.head).sequence
    }

    // MARK: Rollbacks

    /// Lets a channel show one release to all hosts.
    func rollBack(
        _ channel: ChannelRecord, to target: (release: Int64, previous: Int64?)
    ) throws(RegistryError) -> ChannelRecord {
        try advance(channel, to: .full(target.release, chance), kind: .rollback, previous: target.previous)
    }

    // MARK: Withdrawals

    /// Lets every channel that shows a withdrawn release show something else.
    ///
    /// - Returns: the channels as they are now.
    func leave(_ release: ReleaseRecord) throws(RegistryError) -> [ChannelRecord] {
        var moved: [ChannelRecord] = []
        for channel in try catalog.channels(ofBundle: release.bundle) where channel.state.shows(release.id) {
            let state = try fallback(of: channel, without: release.id)
            let head = try catalog.step(channel.head)
            moved.append(
                try advance(
                    channel, to: state, kind: .withdraw, previous: head.previous, replaced: head.id, cause: release.id))
        }
        return moved
    }

    private func fallback(of channel: ChannelRecord, without release: Int64) throws(RegistryError) -> ChannelState {
        var state = channel.state
        if state.base == release {
            state.base = try catalog.highestRelease(onChannel: channel, besides: state.release)
            return state
        }
        if state.rollout < Rollout.bucketCount, let base = state.base { return .full(base, chance) }
        // With nothing left, the channel still names what it showed, and readers learn that it was withdrawn.
        return try catalog.highestRelease(onChannel: channel, besides: release).map { .full($0, chance) } ?? state
    }

    /// Returns every channel to a release that came back, if nothing has happened to it since the release went.
    func comeBack(_ release: ReleaseRecord) throws(RegistryError) -> [ChannelRecord] {
        var moved: [ChannelRecord] = []
        for channel in try catalog.channels(ofBundle: release.bundle) {
            let head = try catalog.step(channel.head)
            guard head.kind == .withdraw, head.cause == release.id, head.sequence == channel.sequence,
                let replaced = head.replaced
            else { continue }
            moved.append(try change(channel, to: try catalog.step(replaced).state, head: replaced))
        }
        return moved
    }

    // MARK: Steps

    /// Adds a step to a channel's history and makes it the present.
    private func advance(
        _ channel: ChannelRecord, to state: ChannelState, kind: ChannelStep.Kind, previous: Int64?,
        replaced: Int64? = nil, cause: Int64? = nil
    ) throws(RegistryError) -> ChannelRecord {
        let head = try catalog.insert(
            ChannelStep(
                bundle: channel.bundle, channel: channel.name, sequence: try channel.nextSequence(), at: time,
                kind: kind, state: state, previous: previous, replaced: replaced, cause: cause))
        return try change(channel, to: state, head: head)
    }

    /// Lets a channel show something else from now on, and raises its sequence.
    private func change(
        _ channel: ChannelRecord, to state: ChannelState, head: Int64
    ) throws(RegistryError) -> ChannelRecord {
        let changed = ChannelRecord(
            bundle: channel.bundle, name: channel.name, state: state, sequence: try channel.nextSequence(),
            changedAt: time, head: head, origin: channel.origin)
        try catalog.update(changed)
        return changed
    }
}

extension ChannelState {
    /// The state of a channel after a release is put on it that it does not show yet.
    ///
    /// - Parameter present: its state now; `nil` when it does not exist, or has nothing left to show.
    static func placing(
        _ release: Int64, rollout: Int, isMandatory: Bool = false, over present: ChannelState?, _ chance: any Chance
    ) -> ChannelState {
        // Hosts in the last buckets keep the release from before.
        let owner = present.flatMap { $0.rollout < Rollout.bucketCount ? $0.base : $0.release }
        var state = ChannelState(
            release: release, base: owner, rollout: rollout, isMandatory: isMandatory, salt: salt(chance))
        state.normalize()
        return state
    }

    /// The state in which one release has all buckets.
    static func full(_ release: Int64, _ chance: any Chance) -> ChannelState {
        ChannelState(release: release, base: nil, rollout: Rollout.bucketCount, isMandatory: false, salt: salt(chance))
    }

    /// The same release for more or fewer hosts. The salt stays, so that hosts that have the release keep it.
    ///
    /// - Parameter earlier: the release that a rollback would return to; it gets the buckets that a full rollout gives
    ///   up.
    func resized(rollout: Int, isMandatory: Bool, earlier: Int64?) -> ChannelState {
        var state = self
        state.base = self.rollout < Rollout.bucketCount ? base : earlier
        state.rollout = rollout
        state.isMandatory = isMandatory
        state.normalize()
        return state
    }

    /// Which release has which buckets. Growing a rollout takes buckets from the base only.
    var shares: [(release: Int64, buckets: Range<Int>)] {
        var shares = [(release, 0..<min(max(rollout, 0), Rollout.bucketCount))]
        if let base, rollout < Rollout.bucketCount { shares.append((base, rollout..<Rollout.bucketCount)) }
        return shares
    }

    /// A release over itself has all buckets, and a release with all buckets has no base.
    private mutating func normalize() {
        if base == release { rollout = Rollout.bucketCount }
        if rollout == Rollout.bucketCount { base = nil }
    }

    /// Four letters and digits, so that not the same hosts always go first.
    private static func salt(_ chance: any Chance) -> String {
        let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(
            decoding: (0..<4).map { _ in characters[Int(chance.next() % UInt64(characters.count))] }, as: UTF8.self)
    }
}
