internal import RegistryContract
package import WidgetBytes

/// A host's question for the release of a widget.
package struct ResolveQuery: Sendable {
    package var widgetIdentifier: String
    package var channel: String
    /// The versions that the host has; releases that ask for more are left out.
    package var os: String?
    package var host: String?
    /// The bundle that must match.
    package var pin: String?
    /// The whole labels that the reader's bundles are, or begin with before a dot; empty: it may see any bundle.
    package var territory: String
    /// True for a bundle that the reader may know of.
    package var isVisible: @Sendable (String) -> Bool

    package init(
        widgetIdentifier: String, channel: String = "stable", os: String? = nil, host: String? = nil,
        pin: String? = nil, territory: String = "", isVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.widgetIdentifier = widgetIdentifier
        self.channel = channel
        self.os = os
        self.host = host
        self.pin = pin
        self.territory = territory
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
    /// The releases of the bundle that hosts must not continue to show, the newest withdrawal first.
    package var withdrawn: [WithdrawnRelease] = []
}

/// A withdrawn release, as hosts that have it see it.
package struct WithdrawnRelease: Equatable, Sendable {
    package var key: String
    package var contentDigest: Digest
    package var withdrawal: Withdrawal

    package init(_ key: String, _ contentDigest: Digest, _ withdrawal: Withdrawal) {
        self.key = key
        self.contentDigest = contentDigest
        self.withdrawal = withdrawal
    }
}

extension ResolveQuery {
    func resolution(by catalog: any CatalogReader) throws(RegistryError) -> Resolution {
        let bundle = try bundle(in: catalog)
        let channels = try catalog.channels(ofBundle: bundle.id)
        guard let shown = channels.first(where: { $0.name == channel }) else {
            throw .noSuchChannel(bundle: bundle.identifier, channel: channel)
        }
        let withdrawn = try catalog.forbiddenReleases(
            ofBundle: bundle.id, limit: WithdrawnReleaseDocument.mostListed)
        var candidates: [Resolution.Candidate] = []
        for (id, buckets) in shown.state.shares where !buckets.isEmpty {
            let record = try catalog.release(id)
            if let withdrawal = record.withdrawal {
                // A channel shows a withdrawn release only when nothing else is left.
                guard !withdrawn.isEmpty else {
                    throw .withdrawn(bundle: bundle.identifier, key: record.key, withdrawal)
                }
                throw .nothingLeft(bundle: bundle.identifier, key: record.key, withdrawal, withdrawn)
            }
            guard record.expiry == nil else {
                throw .damaged("channel \(shown.name) of \(bundle.identifier) shows \(record.key), which has expired")
            }
            guard VersionOrder.serves(os, record.release.minimumOSVersion),
                VersionOrder.serves(host, record.release.minimumHostVersion)
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
            isMandatory: shown.state.isMandatory, salt: shown.state.salt, candidates: candidates,
            withdrawn: withdrawn)
    }

    private func bundle(in catalog: any CatalogReader) throws(RegistryError) -> BundleName {
        guard let bundle = try longest(in: catalog), isVisible(bundle.identifier) else {
            throw .noSuchWidget(widgetIdentifier, spelling: try spelling(in: catalog))
        }
        if let pin, pin != bundle.identifier { throw .pinMismatch(matched: bundle.identifier, pin: pin) }
        return bundle
    }

    /// The bundle with the longest identifier that the widget's begins with.
    ///
    /// For a reader of one prefix the look-ups meet only visible bundles while the answer can be the same with and
    /// without a hidden one, so that its time is the same as well. A hidden bundle is met only where it takes a widget
    /// from a visible one, which the answer shows anyway.
    private func longest(in catalog: any CatalogReader) throws(RegistryError) -> BundleName? {
        guard !territory.isEmpty else { return try catalog.longestBundle(beginning: widgetIdentifier, within: "") }
        if widgetIdentifier.utf8.starts(with: "\(territory).".utf8) {
            let found = try catalog.longestBundle(beginning: widgetIdentifier, within: "\(territory).")
            if let found { return found }
            return try catalog.bundle(territory)?.reference
        }
        guard widgetIdentifier.utf8.starts(with: territory.utf8), try catalog.bundle(territory) != nil else {
            return nil
        }
        return try catalog.longestBundle(beginning: widgetIdentifier, within: territory)
    }

    /// The widget's identifier, spelled so that it would lead to a visible bundle; `nil` if case is not the mistake.
    private func spelling(in catalog: any CatalogReader) throws(RegistryError) -> String? {
        guard let like = try longestLike(in: catalog)?.identifier, isVisible(like) else { return nil }
        let spelling = like + widgetIdentifier.dropFirst(like.count)
        return spelling == widgetIdentifier ? nil : spelling
    }

    private func longestLike(in catalog: any CatalogReader) throws(RegistryError) -> BundleName? {
        guard !territory.isEmpty else { return try catalog.longestBundle(beginningLike: widgetIdentifier, within: "") }
        let folded = BundleRecord.folded(widgetIdentifier).utf8
        guard folded.starts(with: BundleRecord.folded(territory).utf8) else { return nil }
        if folded.starts(with: BundleRecord.folded("\(territory).").utf8) {
            let found = try catalog.longestBundle(beginningLike: widgetIdentifier, within: "\(territory).")
            if let found { return found }
        }
        return try catalog.bundle(spelledLike: territory)?.reference
    }
}
