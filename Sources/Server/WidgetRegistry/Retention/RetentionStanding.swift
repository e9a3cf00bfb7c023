package import WidgetBytes

/// The part of a bundle that the rule for what is kept depends on.
package struct BundleHistory: Equatable, Sendable {
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

    /// The one published last first.
    package var releases: [Candidate]
    package var traces: [Trace]

    package init(releases: [Candidate], traces: [Trace]) {
        self.releases = releases
        self.traces = traces
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
    /// Why it stays; empty if the next collection has it expire.
    package var stays: [Stay]

    package init(rule: RetentionRule, stays: [Stay]) {
        self.rule = rule
        self.stays = stays
    }

    /// When it expires if nothing else changes; `nil` while a reason without an end keeps it.
    package var expires: Int64? {
        let ends = stays.map(\.end)
        return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
    }
}

extension RetentionRule {
    /// The seconds for which a host may still ask for a release that it was shown.
    package static let notice: Int64 = 86_400

    /// Says of each release why it stays; of those that are to expire, nothing.
    ///
    /// - Parameters:
    ///   - rollbacks: the number of releases that stay for each channel besides those that it shows.
    ///   - now: seconds since 1970.
    package func stays(of history: BundleHistory, rollbacks: Int, at now: Int64) -> [Int64: [Stay]] {
        var stays: [Int64: [Stay]] = [:]
        for release in history.releases { stays[release.id] = [] }
        for trace in history.traces {
            for id in trace.shown { stays[id]?.append(.shown(channel: trace.channel)) }
            for id in trace.showed.prefix(rollbacks) { stays[id]?.append(.showed(channel: trace.channel)) }
            for id in trace.rollbacks.prefix(rollbacks) { stays[id]?.append(.rollback(channel: trace.channel)) }
        }
        if let last {
            // Snapshots are many, and must not take the places of releases.
            for areSnapshots in [false, true] {
                for release in history.releases.filter({ $0.isSnapshot == areSnapshots }).prefix(last) {
                    stays[release.id]?.append(.last(last))
                }
            }
        }
        for release in history.releases {
            if let age {
                let end = release.published.adding(age) ?? .max
                if now < end { stays[release.id]?.append(.young(until: end)) }
            }
            let last = max(release.published, release.shownUntil ?? .min, release.restored ?? .min)
            let end = last.adding(RetentionRule.notice) ?? .max
            if now < end { stays[release.id]?.append(.asked(until: end)) }
        }
        return stays
    }
}
