extension ResolveQuery {
    func resolution(by catalog: any CatalogReader) throws(RegistryError) -> Resolution {
        let bundle = try bundle(in: catalog)
        let channels = try catalog.channels(ofBundle: bundle.id)
        guard let shown = channels.first(where: { $0.name == channel }) else {
            throw .noSuchChannel(bundle: bundle.identifier, channel: channel)
        }
        var candidates: [Resolution.Candidate] = []
        for (id, buckets) in shown.state.shares where !buckets.isEmpty {
            let record = try catalog.release(id)
            if let withdrawal = record.withdrawal {
                // A channel shows a withdrawn release only when nothing else is left.
                throw .withdrawn(bundle: bundle.identifier, key: record.key, withdrawal)
            }
            guard ResolveQuery.serves(os, record.release.minimumOSVersion),
                ResolveQuery.serves(host, record.release.minimumHostVersion)
            else { continue }
            candidates.append(
                Resolution.Candidate(
                    buckets: buckets, release: record.release(of: bundle.identifier, shownBy: channels),
                    files: try catalog.filesDocument(id)))
        }
        guard !candidates.isEmpty else {
            throw .noCompatibleRelease(bundle: bundle.identifier, channel: shown.name)
        }
        return Resolution(
            bundleIdentifier: bundle.identifier, channel: shown.name, sequence: shown.sequence,
            isMandatory: shown.state.isMandatory, salt: shown.state.salt, candidates: candidates)
    }

    private func bundle(in catalog: any CatalogReader) throws(RegistryError) -> BundleName {
        guard let bundle = try catalog.longestBundle(beginning: widgetIdentifier) else {
            let like = try catalog.longestBundle(beginningLike: widgetIdentifier)
            var spelling: String?
            if let found = like?.identifier, isVisible(found) {
                spelling = found + widgetIdentifier.dropFirst(found.count)
            }
            throw .noSuchWidget(widgetIdentifier, spelling: spelling)
        }
        guard isVisible(bundle.identifier) else {
            // A name that leads nowhere takes these look-ups, and must not be told from this one by the time: its neighbour in
            // the catalog shares with it what comes before the last word, most often, and is looked for from there.
            let end = bundle.identifier.lastIndex { $0 == "." || $0 == "-" }
            let rest = end.map { String(bundle.identifier[...$0]) } ?? ""
            _ = try catalog.longestBundle(beginning: rest)
            _ = try catalog.longestBundle(beginningLike: widgetIdentifier)
            _ = try catalog.longestBundle(beginningLike: rest)
            throw .noSuchWidget(widgetIdentifier, spelling: nil)
        }
        if let pin, pin != bundle.identifier { throw .pinMismatch(matched: bundle.identifier, pin: pin) }
        return bundle
    }

    /// Whether a host with this version will do for a release that asks for that one.
    private static func serves(_ version: String?, _ minimum: String?) -> Bool {
        guard let version, let minimum else { return true }
        return !VersionOrder.precedes(VersionOrder.key(version), VersionOrder.key(minimum))
    }
}
