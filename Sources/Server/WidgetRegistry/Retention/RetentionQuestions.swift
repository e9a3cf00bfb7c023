/// The questions of a catalog about what is kept and what is taken up.
package protocol RetentionReader {
    /// The releases of a bundle that are neither withdrawn nor expired, the one published last first.
    func keptReleases(ofBundle bundle: Int64) throws(RegistryError) -> [BundleHistory.Candidate]
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
    /// The bundles of a prefix that take up most, the largest first.
    func largestBundles(within prefix: BundlePrefix, limit: Int) throws(RegistryError) -> [BundleUsage]
    /// The releases that came since a time and are stored, and those that were stored then and are gone.
    func movement(
        within prefix: BundlePrefix, since time: Int64
    ) throws(RegistryError) -> (added: StoredUsage, freed: StoredUsage)
    /// The bundles of which less or more is counted than is stored, by number. Programs of before schema 6 do not count.
    func miscountedBundles(limit: Int) throws(RegistryError) -> [Int64]
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
    /// - Parameter rollbacks: the number of releases that stay for each channel besides those that it shows.
    init(ofBundle bundle: Int64, rollbacks: Int, in catalog: any CatalogReader) throws(RegistryError) {
        let releases = try catalog.keptReleases(ofBundle: bundle)
        let kept = Set(releases.map(\.id))
        var traces: [Trace] = []
        for channel in try catalog.channels(ofBundle: bundle) {
            traces.append(
                Trace(
                    channel: channel.name, shown: channel.state.all.filter(kept.contains),
                    showed: try BundleHistory.showed(by: channel, kept, rollbacks, in: catalog),
                    rollbacks: try BundleHistory.rollbacks(of: channel, kept, rollbacks, in: catalog)))
        }
        self.init(releases: releases, traces: traces)
    }

    private static let pageLength = 64

    private static func showed(
        by channel: ChannelRecord, _ kept: Set<Int64>, _ count: Int, in catalog: any CatalogReader
    ) throws(RegistryError) -> [Int64] {
        var found: [Int64] = []
        var last = Int64.max
        while found.count < count {
            let page = try catalog.steps(ofChannel: channel, before: last, limit: pageLength)
            guard let end = page.last else { break }
            last = end.id
            // A base was put on the channel before, and has a step as well.
            for id in page.map(\.state.release)
            where kept.contains(id) && !channel.state.shows(id) && !found.contains(id) {
                found.append(id)
            }
        }
        return Array(found.prefix(count))
    }

    private static func rollbacks(
        of channel: ChannelRecord, _ kept: Set<Int64>, _ count: Int, in catalog: any CatalogReader
    ) throws(RegistryError) -> [Int64] {
        var found: [Int64] = []
        var next = try count > 0 ? catalog.step(channel.head).previous : nil
        // Numbers fall from step to step, so this ends.
        while let id = next, found.count < count {
            let step = try catalog.step(id)
            let release = step.state.release
            if kept.contains(release), !channel.state.shows(release), !found.contains(release) { found.append(release) }
            next = step.previous
        }
        return found
    }
}

extension ChannelState {
    /// The release, and the base if there is one.
    var all: [Int64] { [release] + (base.map { [$0] } ?? []) }
}
