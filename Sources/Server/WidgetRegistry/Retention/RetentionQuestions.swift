/// The questions of a catalog about what is kept and what is taken up.
package protocol RetentionReader {
    /// The releases of a bundle that are neither withdrawn nor expired, in the order of their places, from behind one.
    func keptReleases(
        ofBundle bundle: Int64, after place: PublicationPlace, limit: Int
    ) throws(RegistryError) -> [BundleHistory.Candidate]
    /// The place of the kept release, or snapshot, that is so many before the end; the last is 1. `nil` if there are fewer.
    func keptPlace(
        ofBundle bundle: Int64, areSnapshots: Bool, fromLast place: Int
    ) throws(RegistryError) -> PublicationPlace?
    /// The steps of a channel since it was made, before one, the latest first.
    func steps(
        ofChannel channel: ChannelRecord, before id: Int64, limit: Int
    ) throws(RegistryError) -> [ChannelStep]
    func retentionGuard() throws(RegistryError) -> RetentionGuard

    /// The releases that are stored of the bundles of a prefix.
    func usage(within prefix: BundlePrefix) throws(RegistryError) -> StoredUsage
    /// The number of releases that were published after a time, those that are gone included; counted no further than the
    /// limit.
    func publicationCount(
        within prefix: BundlePrefix, after time: Int64, limit: Int
    ) throws(RegistryError) -> Int
    /// When the release was published that is so many before the end, of those published after a time; the last is 1.
    func publication(
        within prefix: BundlePrefix, after time: Int64, fromLast place: Int
    ) throws(RegistryError) -> Int64?
    /// The bundles of a prefix that take up most, the largest first: those with the most releases, or bytes.
    func largestBundles(
        within prefix: BundlePrefix, by measure: QuotaMeasure, limit: Int
    ) throws(RegistryError) -> [BundleUsage]
    /// The releases that came since a time and are stored, and those that were stored then and are gone.
    func movement(
        within prefix: BundlePrefix, since time: Int64
    ) throws(RegistryError) -> (added: StoredUsage, freed: StoredUsage)
    /// The bundles with these numbers of which less or more is counted than is stored. Programs of before schema 6 do not
    /// count.
    func miscountedBundles(from first: Int64, through last: Int64) throws(RegistryError) -> [Int64]
    /// The stored releases of a bundle, those published first first.
    func storedReleases(ofBundle bundle: Int64, limit: Int) throws(RegistryError) -> [ReleaseRecord]
}

/// The changes of a catalog by which releases expire.
package protocol RetentionEditor {
    /// From then on no channel can show the release. Its documents are removed by another call.
    func setExpiry(_ expiry: Expiry, of release: Int64) throws(RegistryError)
    func setRetentionGuard(_ present: RetentionGuard) throws(RegistryError)
    /// Notes of the releases that a channel shows that hosts were shown them until then. Each change of a channel does that with
    /// its own time.
    func noteLeft(_ channel: String, ofBundle bundle: Int64, at time: Int64) throws(RegistryError)
    /// Counts anew what is stored of a bundle.
    func recount(_ bundle: Int64) throws(RegistryError)
}

/// Releases that are stored, with the bytes of their archives.
package struct StoredUsage: Equatable, Sendable {
    /// Those whose documents are stored: also withdrawn ones that can be restored.
    package var releases: Int
    /// Of their archives, each counted once for its bundle.
    package var bytes: Int

    package init(releases: Int = 0, bytes: Int = 0) {
        self.releases = releases
        self.bytes = bytes
    }
}

/// A bundle, with what is stored of it.
package struct BundleUsage: Equatable, Sendable {
    package var bundle: BundleName
    package var usage: StoredUsage

    package init(_ bundle: BundleName, _ usage: StoredUsage) {
        self.bundle = bundle
        self.usage = usage
    }
}

extension BundleHistory {
    /// Reads a bundle's history, no further back than the rule looks.
    ///
    /// - Parameters:
    ///   - rollbacks: the number of releases that stay for each channel besides those that it shows.
    ///   - mostSteps: the most steps of its channels that are read.
    init(
        ofBundle bundle: Int64, _ rule: RetentionRule, rollbacks: Int, mostSteps: Int = .max,
        in catalog: any CatalogReader
    ) throws(RegistryError) {
        var walk = TraceWalk(catalog, rollbacks, mostSteps: mostSteps)
        var traces: [Trace] = []
        for channel in try catalog.channels(ofBundle: bundle) { traces.append(try walk.trace(of: channel)) }
        self.init(traces: traces)
        isWhole = walk.isWhole
        guard let last = rule.last, last > 0 else { return }
        func first(_ areSnapshots: Bool) throws(RegistryError) -> PublicationPlace {
            try catalog.keptPlace(ofBundle: bundle, areSnapshots: areSnapshots, fromLast: last) ?? .start
        }
        firstOfLast = (try first(false), try first(true))
    }
}

/// Follows channels back through their steps.
private struct TraceWalk {
    private let catalog: any CatalogReader
    /// The number of releases that are looked for.
    private let count: Int
    /// The number of steps that may still be read.
    private var stepsLeft: Int
    private(set) var isWhole = true
    /// Each release is looked up once.
    private var areKept: [Int64: Bool] = [:]

    private static let pageLength = 64

    init(_ catalog: any CatalogReader, _ count: Int, mostSteps: Int) {
        self.catalog = catalog
        self.count = count
        stepsLeft = mostSteps
    }

    private mutating func isKept(_ release: Int64) throws(RegistryError) -> Bool {
        if let known = areKept[release] { return known }
        let isKept = try !catalog.release(release).isGone
        areKept[release] = isKept
        return isKept
    }

    /// Steps are read in pages, each once, from the last until enough has been found.
    mutating func trace(of channel: ChannelRecord) throws(RegistryError) -> BundleHistory.Trace {
        var trace = BundleHistory.Trace(channel: channel.name, shown: [], showed: [], rollbacks: [])
        for id in channel.state.all where try isKept(id) { trace.shown.append(id) }
        var next = try count > 0 ? catalog.step(channel.head).previous : nil
        var last = Int64.max
        while trace.showed.count < count || next != nil {
            guard stepsLeft > 0 else {
                isWhole = false
                break
            }
            let page = try catalog.steps(
                ofChannel: channel, before: last, limit: min(TraceWalk.pageLength, stepsLeft))
            guard let end = page.last else { break }
            stepsLeft -= page.count
            last = end.id
            for step in page {
                let release = step.state.release
                // A base was put on the channel before, and has a step as well.
                let counts = channel.state.shows(release) ? false : try isKept(release)
                if counts, trace.showed.count < count, !trace.showed.contains(release) { trace.showed.append(release) }
                guard step.id == next else { continue }
                if counts, !trace.rollbacks.contains(release) { trace.rollbacks.append(release) }
                next = trace.rollbacks.count < count ? step.previous : nil
            }
        }
        return trace
    }
}

extension ChannelState {
    /// The release, and the base if there is one.
    var all: [Int64] { [release] + (base.map { [$0] } ?? []) }
}
