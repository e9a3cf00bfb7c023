package import WidgetBytes

/// The part of a bundle that the rule for what is kept depends on.
package struct BundleHistory: Sendable {
    /// A release that is neither withdrawn nor expired.
    package struct Candidate: Equatable, Sendable {
        package var id: Int64
        package var key: String
        package var digest: Digest
        package var byteCount: Int
        package var isSnapshot: Bool
        /// Seconds since 1970.
        package var published: Int64
        /// When a channel stopped to show it last; `nil` if none did.
        package var shownUntil: Int64?
        /// When its withdrawal was taken back; `nil` if it had none.
        package var restored: Int64?

        /// Its place among the releases of its bundle.
        package var place: PublicationPlace { PublicationPlace(isSnapshot, published, id) }

        package init(
            id: Int64, key: String, digest: Digest, byteCount: Int, isSnapshot: Bool, published: Int64,
            shownUntil: Int64?, restored: Int64? = nil
        ) {
            self.id = id
            self.key = key
            self.digest = digest
            self.byteCount = byteCount
            self.isSnapshot = isSnapshot
            self.published = published
            self.shownUntil = shownUntil
            self.restored = restored
        }
    }

    /// A channel's past, in releases that are neither withdrawn nor expired.
    package struct Trace: Equatable, Sendable {
        package var channel: String
        /// The release that it shows, and the base under its rollout.
        package var shown: [Int64]
        /// Other releases that were put on it, each once, the last first.
        package var showed: [Int64]
        /// Other releases to which one rollback after the other leads, each once, the next first.
        package var rollbacks: [Int64]

        package init(channel: String, shown: [Int64], showed: [Int64], rollbacks: [Int64]) {
            self.channel = channel
            self.shown = shown
            self.showed = showed
            self.rollbacks = rollbacks
        }
    }

    package var traces: [Trace]
    /// The first of the releases, and of the snapshots, that stay by their number; `nil` if none does.
    package var firstOfLast: (release: PublicationPlace, snapshot: PublicationPlace)?
    /// False if its channels have more steps than were to be read: releases that they showed may be missing.
    package var isWhole = true

    package init(traces: [Trace], firstOfLast: (release: PublicationPlace, snapshot: PublicationPlace)? = nil) {
        self.traces = traces
        self.firstOfLast = firstOfLast
    }
}

/// A place among the releases of a bundle: releases come before snapshots, and those published first before the others.
package struct PublicationPlace: Comparable, Sendable {
    package var isSnapshot: Bool
    /// Seconds since 1970.
    package var published: Int64
    package var id: Int64

    package init(_ isSnapshot: Bool, _ published: Int64, _ id: Int64) {
        self.isSnapshot = isSnapshot
        self.published = published
        self.id = id
    }

    /// The place before all.
    package static let start = PublicationPlace(false, .min, .min)

    package static func < (one: PublicationPlace, other: PublicationPlace) -> Bool {
        guard one.isSnapshot == other.isSnapshot else { return other.isSnapshot }
        return (one.published, one.id) < (other.published, other.id)
    }
}

/// A reason why a release stays.
package enum Stay: Equatable, Sendable {
    case shown(channel: String)
    /// It is among the last that were put on a channel.
    case showed(channel: String)
    /// A rollback of a channel may lead to it.
    case rollback(channel: String)
    /// It is among so many that were published last.
    case last(Int)
    /// It is younger than the rule's age, until then: seconds since 1970.
    case young(until: Int64)
    /// It was published, restored, or left a channel, less than a day ago: hosts may still ask for it.
    case asked(until: Int64)

    /// When the reason ends by itself; `nil` if it does not.
    package var end: Int64? {
        switch self {
        case .young(let until), .asked(let until): until
        case .shown, .showed, .rollback, .last: nil
        }
    }
}

/// The standing of a release under the rule for its bundle.
package struct RetentionStanding: Equatable, Sendable {
    package var rule: RetentionRule
    /// Why it stays; empty if the next collection that applies the rules has it expire.
    package var stays: [Stay]
    /// The end of the wait of changed rules; `nil` if they do not wait.
    package var waitsUntil: Int64?

    package init(rule: RetentionRule, stays: [Stay], waitsUntil: Int64? = nil) {
        self.rule = rule
        self.stays = stays
        self.waitsUntil = waitsUntil
    }

    /// When it expires if nothing else changes; `nil` while a reason without an end keeps it, and for one that expires with the
    /// next collection.
    package var expires: Int64? {
        let ends = stays.map(\.end)
        return ends.contains(nil) ? nil : (ends.compactMap(\.self) + [waitsUntil].compactMap(\.self)).max()
    }
}

extension RetentionRule {
    /// The seconds for which a host may still ask for a release that it was shown.
    package static let notice: Int64 = 86_400

    /// The reasons why a release stays; none if it is to expire.
    ///
    /// - Parameter now: seconds since 1970.
    package func stays(_ release: BundleHistory.Candidate, in history: BundleHistory, at now: Int64) -> [Stay] {
        var stays: [Stay] = []
        for trace in history.traces {
            if trace.shown.contains(release.id) { stays.append(.shown(channel: trace.channel)) }
            if trace.showed.contains(release.id) { stays.append(.showed(channel: trace.channel)) }
            if trace.rollbacks.contains(release.id) { stays.append(.rollback(channel: trace.channel)) }
        }
        // Snapshots are many, and must not take the places of releases.
        if let last, let first = history.firstOfLast,
            release.place >= (release.isSnapshot ? first.snapshot : first.release)
        {
            stays.append(.last(last))
        }
        if let age {
            let end = release.published.adding(age) ?? .max
            if now < end { stays.append(.young(until: end)) }
        }
        let left = max(release.published, release.shownUntil ?? .min, release.restored ?? .min)
        let end = left.adding(RetentionRule.notice) ?? .max
        if now < end { stays.append(.asked(until: end)) }
        return stays
    }
}
