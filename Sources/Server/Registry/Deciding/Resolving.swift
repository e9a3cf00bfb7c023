/// A host's question for the release of a widget.
package struct ResolveQuery: Sendable {
    package var widgetIdentifier: String
    package var channel: String
    /// The versions that the host has; releases that ask for more are left out.
    package var os: String?
    package var host: String?
    /// The bundle that must match.
    package var pin: String?
    /// Which bundles the reader may know of.
    package var isVisible: @Sendable (String) -> Bool

    package init(
        widgetIdentifier: String, channel: String = "stable", os: String? = nil, host: String? = nil,
        pin: String? = nil, isVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.widgetIdentifier = widgetIdentifier
        self.channel = channel
        self.os = os
        self.host = host
        self.pin = pin
        self.isVisible = isVisible
    }
}

/// The answer for a widget identifier, the same for every host.
package struct Resolution: Equatable, Sendable {
    package struct Candidate: Equatable, Sendable {
        /// Of 0..<10000; no two candidates share one.
        package var buckets: Range<Int>
        package var release: Release
        /// The finished JSON array of the release's files.
        package var files: [UInt8]
    }

    package var bundleIdentifier: String
    package var channel: String
    package var sequence: Int64
    package var isMandatory: Bool
    package var salt: String
    /// In the order of their buckets, at least one.
    package var candidates: [Candidate]
}

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
            // An unknown name costs these look-ups, and a hidden one must not be distinguishable from it by the time.
            // Its neighbour in the catalog usually shares everything before the last word, so the search starts there.
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

    /// True when a host of the first version meets a release's minimum.
    private static func serves(_ version: String?, _ minimum: String?) -> Bool {
        guard let version, let minimum else { return true }
        return !VersionOrder.precedes(VersionOrder.key(version), VersionOrder.key(minimum))
    }
}
