internal import JSONText
internal import RegistryContract
internal import WidgetBytes

/// Writes a registry's answers to hosts as files that any web server serves.
///
/// The order of the steps is the promise: an archive is on the disk before a document names it, a document is replaced at
/// one moment, and an archive is removed after the last document that named it. So the site is whole at every moment, also
/// after an export that was cut short, and an export again continues it.
package struct SiteExport<Source: SiteSource>: ~Copyable {
    private let source: Source
    private let options: SiteOptions
    private var folder: SiteFolder
    private var report = SiteReport()
    /// The widgets that have a document, by their channels.
    private var shown: [String: Set<String>] = [:]
    /// The archives that documents name.
    private var named: Set<Digest> = []
    private var pending: [Document] = []
    private var hasNewArchives = false

    /// A document that waits for its archives to be on the disk.
    private struct Document {
        var widget: String
        var channel: String
        var bytes: [UInt8]
        var resolution: ResolutionDocument
    }

    /// The most widgets on the site's page.
    private static var shownCount: Int { 50 }
    /// Documents that are written after one wait for their archives.
    private static var batchCount: Int { 64 }
    private static var limits: JSONLimits { JSONLimits(byteCount: 64 << 20, depth: 16, valueCount: 1 << 20) }

    package init(of source: Source, into path: String, _ options: SiteOptions) throws(SiteError) {
        self.source = source
        self.options = options
        folder = try SiteFolder.open(path, now: options.now)
    }

    /// - Parameter progress: receives the number of widgets done.
    package consuming func run(_ progress: (Int) -> Void = { _ in }) throws(SiteError) -> SiteReport {
        var count = 0
        var last: String?
        repeat {
            let page = try source.bundles(after: last)
            for bundle in page.identifiers where options.include(bundle) {
                for suffix in [""] + options.suffixes {
                    // A suffix can make it longer than an identifier may be.
                    guard let widget = WidgetIdentifier(checking: bundle + suffix) else { continue }
                    _ = try show(widget.text)
                    count += 1
                    progress(count)
                }
            }
            last = page.next
        } while last != nil
        for widget in options.widgets where try !show(widget) { report.absent.append(widget) }
        try settle()
        if let page = options.page {
            let widgets = shown[options.channels.first ?? "", default: []].sorted()
            try folder.writePage(page(Array(widgets.prefix(SiteExport.shownCount))))
        }
        try folder.writeServing()
        try remove()
        return report
    }

    // MARK: Documents

    /// - Returns: whether there is anything to show.
    private mutating func show(_ widget: String) throws(SiteError) -> Bool {
        var isThere = false
        for channel in options.channels where !(shown[channel]?.contains(widget) ?? false) {
            guard let bytes = try source.resolution(of: widget, channel: channel) else { continue }
            isThere = true
            let resolution = try SiteExport.read(bytes, widget)
            guard try bring(resolution) else {
                try leave(widget, channel)
                continue
            }
            pending.append(Document(widget: widget, channel: channel, bytes: bytes, resolution: resolution))
            shown[channel, default: []].insert(widget)
            if pending.count >= SiteExport.batchCount { try settle() }
        }
        return isThere || shown.values.contains { $0.contains(widget) }
    }

    private static func read(_ bytes: [UInt8], _ widget: String) throws(SiteError) -> ResolutionDocument {
        guard let cursor = try? JSONDocument(parsing: bytes, limits: limits).cursor,
            let resolution = try? cursor.decode(as: ResolutionDocument.self), resolution.widgetIdentifier == widget,
            resolution.candidates.allSatisfy({ $0.url == RegistryPath.blob($0.digest) })
        else { throw .unreadable(widget: widget) }
        return resolution
    }

    /// Leaves a widget as it was, if it may still be so: its new archive cannot be had.
    private mutating func leave(_ widget: String, _ channel: String) throws(SiteError) {
        guard let bytes = try folder.document(widget, channel: channel),
            let resolution = try? SiteExport.read(bytes, widget)
        else { return }
        let digests = resolution.candidates.map(\.digest)
        for digest in digests where try !source.offers(digest) { return }
        named.formUnion(digests)
        shown[channel, default: []].insert(widget)
        report.documents.unchanged += 1
    }

    private mutating func settle() throws(SiteError) {
        if hasNewArchives { try folder.settleArchives() }
        hasNewArchives = false
        for document in pending {
            let candidates = document.resolution.candidates
            if candidates.count > 1 { report.rollouts += 1 }
            if candidates.contains(where: { $0.minimumOSVersion != nil || $0.minimumHostVersion != nil }) {
                report.minimums += 1
            }
            // Hosts that ask for the archive alone get the release of most hosts.
            let most = candidates.first { $0.buckets.contains(Rollout.lastBucket) }
            try folder.link(
                document.widget, channel: document.channel, to: most?.digest,
                under: most.map { SiteServing.archiveNames($0.name) } ?? [])
            if try folder.document(document.widget, channel: document.channel) == document.bytes {
                report.documents.unchanged += 1
            } else {
                try folder.write(document.bytes, of: document.widget, channel: document.channel)
                report.documents.written += 1
            }
        }
        pending = []
    }

    // MARK: Archives

    /// Brings the archives of a document, those that are not there.
    ///
    /// - Returns: whether all are there.
    private mutating func bring(_ resolution: ResolutionDocument) throws(SiteError) -> Bool {
        var isWhole = true
        for candidate in resolution.candidates where !named.contains(candidate.digest) {
            if report.missing.contains(candidate.digest) {
                isWhole = false
            } else if try bring(candidate) {
                named.insert(candidate.digest)
            } else {
                report.missing.append(candidate.digest)
                isWhole = false
            }
        }
        return isWhole
    }

    private mutating func bring(_ candidate: ReleaseCandidate) throws(SiteError) -> Bool {
        if try folder.byteCount(of: candidate.digest) == candidate.byteCount {
            let isTrusted = !options.verifiesArchives
            if try isTrusted ? true : folder.isIntact(candidate.digest) {
                report.archives.unchanged += 1
                return true
            }
        }
        let staged = try folder.stage()
        guard try source.copy(candidate.digest, into: staged), try folder.place(staged, as: candidate.digest) else {
            return false
        }
        hasNewArchives = true
        report.archives.written += 1
        report.byteCount += candidate.byteCount
        return true
    }

    // MARK: Removing

    /// Documents go first, then the archives that no document names: those of withdrawn releases at once, the others when
    /// no host and no cache can have a document that names them.
    private mutating func remove() throws(SiteError) {
        report.documents.removed = try folder.removeDocuments(besides: shown)
        var superseded: [Digest: Int64] = [:]
        for digest in try folder.archives() where !named.contains(digest) {
            let since = folder.record.superseded[digest] ?? options.now
            let isOver = since <= options.now.subtracting(options.grace) ?? .min
            if try isOver ? true : !source.offers(digest) {
                try folder.removeArchive(digest)
                report.archives.removed += 1
            } else {
                superseded[digest] = since
                report.waiting += 1
            }
        }
        try folder.settleArchives()
        try folder.finish(superseded: superseded)
    }
}
