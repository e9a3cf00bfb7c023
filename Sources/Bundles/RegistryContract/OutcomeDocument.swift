internal import JSONText

/// An event of a release on a device, as hosts report it.
package enum DeviceOutcome: String, CaseIterable, Sendable {
    /// The release is on the disk, and verified.
    case installed
    /// It was chosen for a start. Of all outcomes this one is sent again, once a day.
    case started
    /// Its host said that it works.
    case confirmed
    /// It was offered, and what arrived could not be used.
    case notInstalled = "not-installed"
    /// Its host said that it does not work.
    case rejected
    /// Its start was never confirmed, so the host has gone back to another release.
    case wentBack = "went-back"

    /// True for the outcomes of which only the first is sent.
    package var isFailure: Bool {
        switch self {
        case .installed, .started, .confirmed: false
        case .notInstalled, .rejected, .wentBack: true
        }
    }

    package static let schema = Schema.word(allCases.map(\.rawValue))
}

/// The reason of a failure. The list is closed, so that nothing about a person or a device can come by it.
///
/// Those of an archive that could not be used have the words of the vectors for hosts.
package enum OutcomeReason: String, CaseIterable, Sendable {
    case archiveGone, wrongSize, wrongDigest, wrongContent, wrongIdentity, bundle
    case foreignAddress, redirectedElsewhere, redirectRefused
    /// The disk is full.
    case noRoom
    /// The app has rejected it.
    case app
    /// The widget could not be loaded, or has ended.
    case unusable
    /// The start was not confirmed before the next one.
    case unconfirmed
    case other

    package static let schema = Schema.word(allCases.map(\.rawValue))
}

/// One outcome, as hosts send it: without a name of a device, an app or a person.
package struct OutcomeReport: WireObject, Hashable {
    package var release = ""
    package var channel = ""
    package var outcome = ""
    package var reason: String?

    package init() {}

    package init(_ outcome: DeviceOutcome, of release: String, on channel: String, because reason: OutcomeReason? = nil)
    {
        self.release = release
        self.channel = channel
        self.outcome = outcome.rawValue
        self.reason = reason?.rawValue
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("release", &release, as: .releaseKey)
        try walker.member("channel", &channel, as: .channelName, "The channel that the host follows.")
        try walker.member("outcome", &outcome, as: DeviceOutcome.schema)
        try walker.optional("reason", &reason, as: OutcomeReason.schema, "Of a failure; other if it has none.")
    }

    package static let example = OutcomeReport(.wentBack, of: "1.1~7", on: "stable", because: .unconfirmed)

    /// The outcome in the words of this version; `nil` for one that is not understood.
    package var understood: (outcome: DeviceOutcome, reason: OutcomeReason?)? {
        guard ReleaseKey(checking: release) != nil, ChannelName.isName(channel),
            let outcome = DeviceOutcome(rawValue: outcome)
        else { return nil }
        guard let reason else { return (outcome, outcome.isFailure ? .other : nil) }
        guard outcome.isFailure, let known = OutcomeReason(rawValue: reason) else { return nil }
        return (outcome, known)
    }
}

/// The body of a request that reports outcomes of one widget.
package struct OutcomeReportsDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "OutcomeReports"
    package static let about =
        "What happened on one device since its host last said so. What is not understood is left out of the counts."

    /// The most outcomes of one request; those behind are not read.
    package static let mostReports = 16
    /// The bytes of a body. The longest that hosts send has less.
    package static let byteLimit = 8 << 10

    package var outcomes: [OutcomeReport] = []

    package init() {}

    package init(_ outcomes: [OutcomeReport]) { self.outcomes = outcomes }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("outcomes", &outcomes, "16 at most.")
    }

    package static let example = OutcomeReportsDocument([.example])

    /// The outcomes of a body that can be read, and the number of those that cannot.
    package static func read(_ bytes: [UInt8]) -> (reports: [OutcomeReport], unread: Int) {
        let limits = JSONLimits(byteCount: byteLimit, depth: 8, valueCount: 512)
        guard let cursor = try? JSONDocument(parsing: bytes, limits: limits, root: .container).cursor,
            let items = try? cursor.member("outcomes")?.elements()
        else { return ([], 1) }
        var reports: [OutcomeReport] = []
        var unread = max(0, items.count - mostReports)
        for item in items.prefix(mostReports) {
            // Reading leaves out a reason of another type, which no host has meant by it.
            guard let report: OutcomeReport = try? item.decode(), report.understood != nil,
                (report.reason != nil) == ((try? item.member("reason")) ?? nil != nil)
            else {
                unread += 1
                continue
            }
            reports.append(report)
        }
        return (reports, unread)
    }
}

/// The requests whose outcomes a registry counts.
package enum OutcomeAcceptance: String, CaseIterable, Sendable {
    case off
    /// Of every client.
    case open
    /// Of those with a token that has the scope `read`.
    case token
}

/// The counts of outcomes that hosts have reported of a release.
package struct OutcomeCountsDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "OutcomeCounts"
    package static let about =
        "What hosts have reported of a release: lower bounds, by channel and by the registry's day in UTC, for 90 days."

    /// The failures of one kind and reason.
    package struct Failure: WireObject, Equatable {
        package var outcome = ""
        package var reason = ""
        package var count = 0

        package init() {}

        package init(outcome: String, reason: String, count: Int) {
            self.outcome = outcome
            self.reason = reason
            self.count = count
        }

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("outcome", &outcome)
            try walker.member("reason", &reason)
            try walker.member("count", &count)
        }

        package static let example = Failure(outcome: "went-back", reason: "unconfirmed", count: 3)
    }

    /// The counts of one channel and day.
    package struct Day: WireObject, Equatable {
        package var channel = ""
        package var day = ""
        package var installed = 0
        package var started = 0
        package var confirmed = 0
        package var failed = 0
        package var failures: [Failure] = []

        package init() {}

        package init(channel: String, day: String) {
            self.channel = channel
            self.day = day
        }

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("channel", &channel, as: .channelName)
            try walker.member("day", &day, as: .format("date"))
            try walker.member("installed", &installed)
            try walker.member("started", &started, "Installations that have started it on that day.")
            try walker.member("confirmed", &confirmed)
            try walker.member("failed", &failed, "not-installed, rejected and went-back together.")
            try walker.member("failures", &failures)
        }

        package static let example: Day = {
            var day = Day(channel: "stable", day: "2026-11-21")
            (day.installed, day.started, day.confirmed, day.failed) = (410, 398, 391, 3)
            day.failures = [.example]
            return day
        }()
    }

    package var bundleIdentifier = ""
    package var release = ""
    package var accepts = OutcomeAcceptance.off.rawValue
    package var channels: [String] = []
    /// `nil` for a release that channels can show.
    package var gone: String?
    package var days: [Day] = []

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
        try walker.member("release", &release, as: .releaseKey)
        try walker.member("accepts", &accepts, "The registry's setting outcomes.accept: off, open or token.")
        try walker.member("channels", &channels, as: .channelNames, "Those that show the release now, fully or partly.")
        try walker.optional("gone", &gone, "withdrawn or expired, if no channel can show it any more.")
        try walker.member("days", &days, "The newest first, and of one day by channel.")
    }

    package static let example: OutcomeCountsDocument = {
        var document = OutcomeCountsDocument()
        document.bundleIdentifier = "mobi.favio.WidgetDemo"
        document.release = "1.1~7"
        document.accepts = OutcomeAcceptance.open.rawValue
        document.channels = ["stable"]
        document.days = [.example]
        return document
    }()
}
