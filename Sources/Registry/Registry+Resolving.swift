internal import Database
internal import RegistryContract

extension Registry {
    /// What a widget identifier leads to: of the longest bundle identifier it begins with, what the channel shows.
    ///
    /// If that one has nothing to show, there is no answer; a shorter one is never asked.
    package func resolve(_ query: ResolveQuery) throws(RegistryError) -> Resolution {
        try readers.read { catalog throws(RegistryError) in
            let bundle = try Registry.bundle(matching: query, in: catalog)
            let channels = try catalog.channels(ofBundle: bundle.id)
            guard let channel = channels.first(where: { $0.name == query.channel }) else {
                throw .noSuchChannel(bundle: bundle.identifier, channel: query.channel)
            }
            var candidates: [Resolution.Candidate] = []
            for (id, buckets) in channel.state.shares where !buckets.isEmpty {
                let row = try catalog.release(id)
                if let withdrawal = row.withdrawal {
                    // A channel shows a withdrawn release only when nothing else is left.
                    throw .withdrawn(bundle: bundle.identifier, key: row.key, withdrawal)
                }
                guard Registry.serves(query.os, row.minimumOSVersion),
                    Registry.serves(query.host, row.minimumHostVersion)
                else { continue }
                candidates.append(
                    Resolution.Candidate(
                        buckets: buckets, release: row.release(of: bundle.identifier, shownBy: channels),
                        files: try catalog.filesDocument(id)))
            }
            guard !candidates.isEmpty else {
                throw .noCompatibleRelease(bundle: bundle.identifier, channel: channel.name)
            }
            return Resolution(
                bundleIdentifier: bundle.identifier, channel: channel.name, sequence: channel.sequence,
                isMandatory: channel.state.isMandatory, salt: channel.state.salt, candidates: candidates)
        }
    }

    private static func bundle(matching query: ResolveQuery, in catalog: Catalog) throws(RegistryError) -> BundleName {
        let identifier = query.widgetIdentifier
        guard let bundle = try catalog.longestBundle(beginning: identifier) else {
            let like = try catalog.longestBundle(beginningLike: identifier)
            var spelling: String?
            if let found = like?.identifier, query.isVisible(found) {
                spelling = found + identifier.dropFirst(found.count)
            }
            throw .noSuchWidget(identifier, spelling: spelling)
        }
        guard query.isVisible(bundle.identifier) else { throw .noSuchWidget(identifier, spelling: nil) }
        if let pin = query.pin, pin != bundle.identifier {
            throw .pinMismatch(matched: bundle.identifier, pin: pin)
        }
        return bundle
    }

    /// Whether a host with this version will do for a release that asks for that one.
    private static func serves(_ version: String?, _ minimum: String?) -> Bool {
        guard let version, let minimum else { return true }
        return !VersionOrder.precedes(VersionOrder.key(version), VersionOrder.key(minimum))
    }
}

extension ChannelState {
    /// Which release has which buckets. Growing a rollout takes buckets from the base only.
    var shares: [(release: Int64, buckets: Range<Int>)] {
        var shares = [(release, 0..<min(max(rollout, 0), Rollout.bucketCount))]
        if let base, rollout < Rollout.bucketCount { shares.append((base, rollout..<Rollout.bucketCount)) }
        return shares
    }
}
