internal import RegistryContract

/// The earlier states of channels, from any snapshot of the catalog.
struct ChannelHistory {
    let catalog: any CatalogReader

    /// The release to return to, and the step that a further rollback returns to from there.
    ///
    /// - Parameter key: the release that is asked for; `nil` for the one before the present release.
    func rollbackTarget(
        _ key: String?, on channel: ChannelRecord, of bundle: BundleRecord
    ) throws(RegistryError) -> (release: Int64, previous: Int64?) {
        guard let key else {
            guard let earlier = try earlierStep(onChannel: channel) else {
                throw .noEarlierRelease(bundle: bundle.identifier, channel: channel.name)
            }
            return (earlier.state.release, earlier.previous)
        }
        let release = try catalog.shownRelease(key, of: bundle)
        // It returns to its place in the history. A release that it never showed is not a way back.
        guard let place = try catalog.lastStep(of: release.id, onChannel: channel) else {
            throw .neverShown(bundle: bundle.identifier, channel: channel.name, key: key)
        }
        return (release.id, place.previous)
    }

    /// The step that a rollback returns to: of another release than the present one, and one that can be shown.
    func earlierStep(onChannel channel: ChannelRecord) throws(RegistryError) -> ChannelStep? {
        var next = try catalog.step(channel.head).previous
        // Numbers fall from step to step, so this ends.
        while let id = next {
            let step = try catalog.step(id)
            if step.state.release != channel.state.release,
                try !catalog.release(step.state.release).isGone
            {
                return step
            }
            next = step.previous
        }
        return nil
    }

    /// True if a rollback would show hosts what they got before the last change of the channel, and nothing else.
    func undoesLastChange(ofChannel channel: ChannelRecord) throws(RegistryError) -> Bool {
        let head = try catalog.step(channel.head)
        // A rollout that grows changes the present step; a rollback would end it.
        guard head.kind == .publish || head.kind == .promote, head.sequence == channel.sequence,
            let previous = head.previous, let earlier = try earlierStep(onChannel: channel)
        else { return false }
        return earlier.id == previous && earlier.state.rollout == Rollout.bucketCount && !earlier.state.isMandatory
    }
}

/// The outcome that a rollback of a channel would have.
package struct RollbackProspect: Equatable, Sendable {
    /// The channel afterwards.
    package var channel: Channel
    /// True if hosts would get what they got before the last change of the channel, and nothing else would be undone.
    package var undoesLastChange: Bool
}

extension Registry {
    /// Returns the outcome that a rollback would have, with the same refusals, and changes nothing.
    ///
    /// - Parameter when: called with the present channel; an error that it throws is thrown here.
    package func judgeRollback(
        _ bundle: String, _ channel: String, to key: String? = nil,
        when: @Sendable (Channel?) throws(RegistryError) -> Void = { _ in }
    ) throws(RegistryError) -> RollbackProspect {
        let (time, chance) = (options.now, options.chance)
        return try catalog.read { catalog throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            let present = try catalog.knownChannel(channel, of: found)
            let history = ChannelHistory(catalog: catalog)
            let target = try history.rollbackTarget(key, on: present, of: found)
            try when(try catalog.channel(present, of: bundle))
            let moved = ChannelRecord(
                bundle: present.bundle, name: present.name, state: .full(target.release, chance),
                sequence: try present.nextSequence(), changedAt: time, head: present.head, origin: present.origin)
            return RollbackProspect(
                channel: try catalog.channel(moved, of: bundle),
                undoesLastChange: key == nil ? try history.undoesLastChange(ofChannel: present) : false)
        }
    }
}
