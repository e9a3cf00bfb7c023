internal import RegistryContract

extension ChannelState {
    /// What a channel shows once a release is put on it that it does not show yet.
    ///
    /// - Parameter present: what it shows now; `nil` when it does not exist, or has nothing left to show.
    static func placing(
        _ release: Int64, rollout: Int, isMandatory: Bool = false, over present: ChannelState?
    ) -> ChannelState {
        // Whoever has the last buckets keeps what the new release does not take.
        let owner = present.flatMap { $0.rollout < Rollout.bucketCount ? $0.base : $0.release }
        var state = ChannelState(
            release: release, base: owner, rollout: rollout, isMandatory: isMandatory, salt: salt())
        state.normalize()
        return state
    }

    /// What it shows when one release gets everything.
    static func full(_ release: Int64) -> ChannelState {
        ChannelState(release: release, base: nil, rollout: Rollout.bucketCount, isMandatory: false, salt: salt())
    }

    /// The release it shows already, for more or fewer hosts. The salt stays, so that who has it keeps it.
    ///
    /// - Parameter earlier: what a rollback would return to; it gets the buckets that a full rollout gives up.
    func resized(rollout: Int, isMandatory: Bool, earlier: Int64?) -> ChannelState {
        var state = self
        state.base = self.rollout < Rollout.bucketCount ? base : earlier
        state.rollout = rollout
        state.isMandatory = isMandatory
        state.normalize()
        return state
    }

    /// A release over itself has all buckets, and who has all buckets has no base.
    private mutating func normalize() {
        if base == release { rollout = Rollout.bucketCount }
        if rollout == Rollout.bucketCount { base = nil }
    }

    /// Four letters and digits, so that not the same hosts always go first.
    private static func salt() -> String {
        let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(decoding: (0..<4).map { _ in characters[Int.random(in: characters.indices)] }, as: UTF8.self)
    }
}

extension Catalog {
    /// Puts a release on a channel, which is made if it is not there.
    ///
    /// - Returns: the channel's new sequence.
    func move(
        _ channel: ChannelRow?, named name: String, ofBundle bundle: Int64, to state: ChannelState,
        kind: PlacementRow.Kind, at time: Int64
    ) throws(RegistryError) -> Int64 {
        guard let channel else {
            try createChannel(name, ofBundle: bundle, showing: state, kind: kind, at: time)
            return 1
        }
        let head = try insertPlacement(state, after: channel, kind: kind, at: time, previous: channel.head)
        return try updateChannel(channel, state, head: head, at: time).sequence
    }

    /// The step that a rollback returns to: of another release than the present one, and one that can be shown.
    func earlierPlacement(onChannel channel: ChannelRow) throws(RegistryError) -> PlacementRow? {
        var next = try placement(channel.head).previous
        // Numbers fall from step to step, so this ends.
        while let id = next {
            let row = try placement(id)
            if row.state.release != channel.state.release, try release(row.state.release).withdrawal == nil {
                return row
            }
            next = row.previous
        }
        return nil
    }
}
