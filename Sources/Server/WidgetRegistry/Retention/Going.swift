internal import WidgetBytes

/// A bundle with the rule for it.
struct RuledBundle: Sendable {
    var name: BundleName
    var rule: RetentionRule
}

/// The bundles of a catalog that a rule is for, in the order of their identifiers.
struct RuledBundles {
    private let policy: RetentionPolicy
    private let catalog: any ReleaseCatalog
    private var page: ArraySlice<BundleName> = []
    private var last = ""
    private var isDone: Bool

    private static let pageLength = 200

    init(_ policy: RetentionPolicy, in catalog: any ReleaseCatalog) {
        self.policy = policy
        self.catalog = catalog
        isDone = policy.active.isEmpty
    }

    mutating func next() throws(RegistryError) -> RuledBundle? {
        while !isDone {
            while let name = page.popFirst() {
                if let rule = policy.rule(for: name.identifier) { return RuledBundle(name: name, rule: rule) }
            }
            let from = last
            page = try catalog.read { catalog throws(RegistryError) in
                try catalog.bundles(
                    BundleRange(from: from, besides: from, below: "~", channel: nil, limit: RuledBundles.pageLength)
                ).map(\.bundle.reference)[...]
            }
            if let end = page.last { last = end.identifier } else { isDone = true }
        }
        return nil
    }
}

/// The releases of a bundle that nothing keeps, as they were read: its history at one moment, and then its releases in pages,
/// each in a transaction for itself.
package struct Going: Sendable {
    var history: BundleHistory
    /// The last tag of the feed when the history was read, or when a part of the releases has expired since.
    var tag: Int64
    /// In the order of their places.
    private(set) var releases: [BundleHistory.Candidate] = []
    /// Those by whose end an archive is free: no other release of the bundle has it.
    private(set) var frees: Set<Int64> = []
    /// The number of releases that stay for each channel besides those that it shows.
    let rollbacks: Int
    /// True for the last look at a bundle that changes again and again: if it has changed, its history is read again inside the
    /// transaction.
    var isFinal = false

    /// The most lines of the feed that are looked through for changes of the bundle.
    package static let mostChanges = 1_000
    private static let pageLength = 500

    init(
        _ bundle: RuledBundle, _ policy: RetentionPolicy, at time: Int64, in catalog: any ReleaseCatalog
    ) throws(RegistryError) {
        rollbacks = policy.rollbacks
        (history, tag) = try catalog.read { catalog throws(RegistryError) in
            (
                try BundleHistory(ofBundle: bundle.name.id, bundle.rule, rollbacks: policy.rollbacks, in: catalog),
                try catalog.latestTag()
            )
        }
        var kept: Set<Digest> = []
        var place = PublicationPlace.start
        while true {
            let from = place
            let page = try catalog.read { catalog throws(RegistryError) in
                try catalog.keptReleases(ofBundle: bundle.name.id, after: from, limit: Going.pageLength)
            }
            guard let end = page.last else { break }
            place = end.place
            for release in page {
                if bundle.rule.stays(release, in: history, at: time).isEmpty {
                    releases.append(release)
                } else {
                    kept.insert(release.digest)
                }
            }
        }
        for release in releases where kept.insert(release.digest).inserted { frees.insert(release.id) }
    }
}

/// The size of what would expire.
package struct RetentionSize: Equatable, Sendable {
    package private(set) var count = 0
    /// The bytes of the archives that no other release of their bundle has.
    package private(set) var byteCount = 0

    /// The releases that would expire once the day is over within which hosts may still ask for them. The size of a change is
    /// judged by them: after an upgrade, or a busy day, that day keeps almost all.
    init(
        afterNotice policy: RetentionPolicy, at time: Int64, in catalog: any ReleaseCatalog
    ) throws(RegistryError) {
        var bundles = RuledBundles(policy, in: catalog)
        while let bundle = try bundles.next() {
            let going = try Going(
                bundle, policy, at: time.adding(RetentionRule.notice) ?? time, in: catalog)
            count += going.releases.count
            for release in going.releases where going.frees.contains(release.id) {
                byteCount = byteCount.adding(release.byteCount) ?? .max
            }
        }
    }

    /// True if more than a share of all releases would go, or any of a catalog that was restored or made anew.
    func isLarge(of all: Int, after present: RetentionGuard) -> Bool {
        count > (present.isUnseen ? 0 : all / RetentionGuard.share)
    }
}

extension ReleaseRecord {
    /// The part of it that the rule for what is kept depends on.
    var candidate: BundleHistory.Candidate {
        BundleHistory.Candidate(
            id: id, key: key, digest: digest, byteCount: release.byteCount, isSnapshot: release.isSnapshot,
            published: release.published, shownUntil: shownUntil, restored: restored)
    }
}
