internal import JSONText
package import RegistryContract
package import WidgetBundles
internal import WidgetBytes
internal import WidgetZip

// A registry's resolution, read strictly: a checked one agrees with itself.

extension ResolutionDocument {
    /// No registry offers more: a rollout has two.
    private static let mostCandidates = 16

    /// The limits of a document: two candidates with as many files as a bundle may have, and room to grow.
    private static let jsonLimits = JSONLimits(byteCount: byteLimit, depth: 16, valueCount: 400_000)
    package static let byteLimit = 8 << 20

    package init(checking bytes: [UInt8], limits: BundleLimits) throws(FetchError) {
        self = try rethrowing(as: FetchError.init) { () throws(JSONError) in
            try JSONDocument(parsing: bytes, limits: ResolutionDocument.jsonLimits, root: .container).cursor.decode()
        }
        if let contradiction = contradiction(limits) { throw FetchError(.contradiction(contradiction)) }
    }

    private func contradiction(_ limits: BundleLimits) -> FetchError.Contradiction? {
        guard BundleIdentifier.isIdentifier(bundleIdentifier) else { return .bundleIdentifier }
        guard sequence > 0 else { return .sequence }
        guard candidates.count <= ResolutionDocument.mostCandidates else { return .tooManyCandidates }
        var end = 0
        for candidate in candidates.sorted(by: { $0.buckets.lowerBound < $1.buckets.lowerBound }) {
            guard candidate.buckets.lowerBound >= end else { return .buckets }
            end = candidate.buckets.upperBound
            if let contradiction = candidate.contradiction(limits) { return contradiction }
        }
        return end <= Rollout.bucketCount ? nil : .buckets
    }

    /// The release of the installation with that bucket; `nil` while nothing is offered to it.
    package func candidate(for bucket: Int) -> ReleaseCandidate? {
        candidates.first { $0.buckets.contains(bucket) }
    }
}

extension ReleaseCandidate {
    /// The first statement in it that cannot be true.
    fileprivate func contradiction(_ limits: BundleLimits) -> FetchError.Contradiction? {
        guard !buckets.isEmpty else { return .buckets }
        guard ReleaseKey(checking: release) != nil else { return .release }
        guard (1...limits.archiveByteCount).contains(byteCount) else { return .size }
        let files = files
        guard (1...limits.entryCount).contains(files.count) else { return .files }
        var end = 0
        var expanded = 0
        var content = ContentDigest()
        var previous: String?
        for file in files {
            guard file.dataRange.lowerBound >= end, file.dataRange.upperBound <= byteCount,
                file.byteCount <= limits.fileByteCount
            else { return .files }
            if let previous, previous.byteOrder(file.path) >= 0 { return .files }
            // Each is at most as large as one may be, so the sum stays a number.
            expanded += file.byteCount
            guard expanded <= limits.expandedByteCount else { return .files }
            end = file.dataRange.upperBound
            previous = file.path
            content.add(path: file.path, byteCount: file.byteCount, digest: file.digest)
        }
        return content.finish() == contentDigest ? nil : .content
    }
}

extension FileDocument {
    var zipMethod: ZipMethod { method == "stored" ? .stored : .deflate }
}

extension WidgetIdentifier {
    package init(_ text: String) throws(FetchError) {
        guard let identifier = WidgetIdentifier(checking: text) else {
            throw FetchError(.invalidWidgetIdentifier(text))
        }
        self = identifier
    }
}

extension ChangeDocument {
    /// Reads a line of a registry's feed; `nil` for one that is not a change: the feed may have lines of which this
    /// version knows nothing.
    package init?(event data: String) {
        let limits = JSONLimits(byteCount: EventStreamReader.eventLimit, depth: 8)
        guard let json = try? JSONDocument(parsing: Array(data.utf8), limits: limits, root: .container).cursor,
            let bundleIdentifier = try? json.require("bundleIdentifier", as: String.self)
        else { return nil }
        // A line that is only half understood still tells that something has changed.
        guard let change = try? json.decode(as: ChangeDocument.self) else {
            self.init()
            self.bundleIdentifier = bundleIdentifier
            channel = try? json.optional("channel")
            sequence = try? json.optional("sequence")
            return
        }
        self = change
    }

    /// True when this change may give a widget another release.
    ///
    /// - Parameter seen: the state of its channel that is known.
    package func concerns(_ widget: WidgetIdentifier, channel wanted: String, seen: Int?) -> Bool {
        guard widget.belongs(to: bundleIdentifier) else { return false }
        if let channel, channel != wanted { return false }
        if channel != nil, let sequence, let seen { return sequence > seen }
        return true
    }
}
