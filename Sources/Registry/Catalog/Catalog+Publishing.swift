extension Catalog {
    /// Does what was decided, in the writer's transaction.
    func carryOut(
        _ decision: PublishDecision, of identifier: String, files: [UInt8], report: [UInt8],
        _ request: PublishRequest, at time: Int64, _ changes: inout [RegistryChange]
    ) throws(RegistryError) -> Publication {
        var release = decision.release
        if decision.isNew {
            if let bundle = decision.bundle {
                release.bundle = bundle.id
            } else {
                release.bundle = try insertBundle(identifier, name: release.name)
            }
            if let retired = decision.retired {
                release.id = try revive(retired, as: release, files: files, report: report)
            } else {
                release.id = try insert(release, files: files, report: report)
            }
            try updateLatest(ofBundle: release.bundle)
        }
        var sequence: Int64?
        if var state = decision.state {
            state.release = release.id
            sequence = try move(
                decision.channel, named: request.channel, ofBundle: release.bundle, to: state,
                kind: decision.isNew ? .publish : .promote, at: time)
        }
        if decision.isNew || sequence != nil {
            var change = RegistryChange(
                tag: 0, at: time, kind: decision.isNew ? .publish : .promote, bundleIdentifier: identifier,
                release: release.key, channel: sequence == nil ? nil : request.channel, sequence: sequence,
                by: request.by)
            change = try append(change)
            change.isNewBundle = decision.bundle == nil
            changes.append(change)
        }
        let channels = try self.channels(ofBundle: release.bundle)
        let named = channels.first { $0.name == request.channel }
        return Publication(
            release: release.release(of: identifier, shownBy: channels),
            outcome: decision.isNew ? .created : .unchanged, warnings: decision.warnings, report: report,
            channel: try named.map { row throws(RegistryError) in try channel(row, of: identifier) })
    }

    /// Says what would come of it, from what there is.
    func prospect(
        _ decision: PublishDecision, of identifier: String, report: [UInt8], _ request: PublishRequest, at time: Int64
    ) throws(RegistryError) -> Publication {
        var channels: [ChannelRow] = []
        if let bundle = decision.bundle { channels = try self.channels(ofBundle: bundle.id) }
        var named: Channel?
        if let state = decision.state {
            let present = decision.channel
            channels.removeAll { $0.name == request.channel }
            channels.append(
                ChannelRow(
                    bundle: decision.release.bundle, name: request.channel, state: state,
                    sequence: (present?.sequence ?? 0) + 1, changedAt: time, head: present?.head ?? 0))
            channels.sort { $0.name < $1.name }
            named = Channel(
                bundleIdentifier: identifier, name: request.channel, release: decision.release.key,
                rollout: state.rollout, base: try state.base.map(releaseKey), isMandatory: state.isMandatory,
                sequence: (present?.sequence ?? 0) + 1, salt: state.salt, changedAt: time)
        } else if let present = decision.channel {
            named = try channel(present, of: identifier)
        }
        return Publication(
            release: decision.release.release(of: identifier, shownBy: channels),
            outcome: decision.isNew ? .created : .unchanged, warnings: decision.warnings, report: report,
            channel: named)
    }
}
