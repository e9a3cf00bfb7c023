package import WidgetBytes

/// The part of a list that a request asks for.
package struct PageParameters: Equatable, Sendable {
    package static let mostItems = 200
    private static let usualItems = 50

    package static let limit = QueryParameter.number("limit", 1...mostItems, "The most items of a part.")
    /// A place in a list, spelled so that clients neither read it nor make one up.
    package static let cursor = QueryParameter<String>(
        "cursor", .pattern("^(?:[2-7][0-9a-f]){1,512}$"), "The next of the part before.",
        expectation: "the next of a page before, as it was",
        read: place, write: cursor)

    package static let all = [limit.described, cursor.described]

    package let limit: Int
    /// The end of the part before, in the registry's words.
    package let after: String?

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        limit = try Self.limit.value(in: query) ?? Self.usualItems
        after = try Self.cursor.value(in: query)
    }

    package static func cursor(_ place: String) -> String { Hex.string(Array(place.utf8)) }

    private static func place(_ cursor: String) -> String? {
        let digits = Array(cursor.utf8)
        guard (2...1_024).contains(digits.count), digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            // Places are named in printable ASCII.
            guard let high = Hex.lowercaseValue(of: digits[index]), (2...7).contains(high),
                let low = Hex.lowercaseValue(of: digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The bundles that a request asks for.
package struct BundleListParameters: Equatable, Sendable {
    package static let prefix = QueryParameter.search("prefix", "What identifiers begin with.")
    package static let text = QueryParameter.search("q", "What identifier or name holds.", isWords: true)
    package static let channel = QueryParameter.channelName("channel", "A channel that the bundle has.")

    package static let all = [prefix.described, text.described, channel.described] + PageParameters.all

    package let page: PageParameters
    package var prefix: String?
    package var text: String?
    package var channel: String?

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        page = try PageParameters(query)
        prefix = try Self.prefix.value(in: query)
        text = try Self.text.value(in: query)
        channel = try Self.channel.value(in: query)
    }
}

/// The bundles that a page of the catalogue is asked for.
package struct CatalogueParameters: Equatable, Sendable {
    package static let text = QueryParameter.search(
        "q", "Words that each begin a word of the identifier or the name.", isWords: true)
    package static let prefix = QueryParameter.search("prefix", "What identifiers begin with.")
    package static let finding = QueryParameter.search("finding", "The code of a finding about the latest release.")

    package static let all =
        [
            text.described, prefix.described, finding.described,
        ] + PageParameters.all

    /// `nil` for none, and for one that a form sent empty.
    package var text: String?
    package var prefix: String?
    package var finding: String?
    /// The end of the page before.
    package var after: String?
    /// The most bundles of the page, if fewer than usual are wanted.
    package var limit: Int?

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        limit = try PageParameters.limit.value(in: query)
        text = Self.filled(try Self.text.value(in: query))
        prefix = Self.filled(try Self.prefix.value(in: query))
        finding = Self.filled(try Self.finding.value(in: query))
        after = try PageParameters.cursor.value(in: query)
    }

    private static func filled(_ text: String?) -> String? {
        let text = text.map { $0.split { $0.isWhitespace }.joined(separator: " ") }
        return text?.isEmpty ?? true ? nil : text
    }

    /// True for the catalogue as a whole.
    package var isEmpty: Bool { text == nil && prefix == nil && finding == nil }

    /// The search in a few words.
    package var words: String {
        [text, prefix.map { "\($0)…" }, finding].compactMap(\.self).joined(separator: ", ")
    }

    /// The address of the page behind a place.
    package func address(after place: String) -> String {
        var query: QueryText = []
        Self.text.add(text, to: &query)
        Self.prefix.add(prefix, to: &query)
        Self.finding.add(finding, to: &query)
        PageParameters.limit.add(limit, to: &query)
        let parts = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }
        return "/?" + (parts + ["\(PageParameters.cursor.name)=\(PageParameters.cursor(place))"]).joined(separator: "&")
    }
}

/// The changes that a request asks for.
package struct ChangeListParameters: Equatable, Sendable {
    private static let mostItems = 1_000
    private static let usualItems = 200

    package static let since = QueryParameter<Start>(
        "since", .numberOr(0...Int.max, Start.latestWord),
        "The tag of the last change the client knows, or \(Start.latestWord) for the newest; from the beginning unless given.",
        expectation: "the tag of a change, 0, or \(Start.latestWord)",
        read: { $0 == Start.latestWord ? .latest : WholeNumber.read($0, 0...Int.max).map { .after($0) } },
        write: { if case .after(let tag) = $0 { String(tag) } else { Start.latestWord } })
    /// More widgets than this go unfiltered.
    package static let mostWidgets = 100
    package static let widget = QueryParameter<WidgetIdentifier>(
        "widget", .widgetIdentifier,
        "Only changes of bundles whose identifier this widget's begins with. May be given up to \(mostWidgets) times; with more, "
            + "all changes.",
        expectation: "a widget identifier", isRepeatable: true, read: { WidgetIdentifier(checking: $0) },
        write: { $0.text })
    package static let limit = QueryParameter.number("limit", 1...mostItems, "The most items of a part.")
    /// A page's next is the tag to continue from; it may be handed back under either name.
    private static let cursor = QueryParameter.number(
        "cursor", 0...Int.max, "The next of the part before: the same as since, over which it wins.",
        expectation: "the next of a page before")

    package static let all = [since.described, cursor.described, limit.described, widget.described]

    /// The place in the feed at which a client begins.
    package enum Start: Equatable, Sendable {
        /// Behind the change with this tag.
        case after(Int)
        /// Behind the newest change.
        case latest

        fileprivate static let latestWord = "latest"
    }

    package let limit: Int
    package let since: Start
    package let filter: ChangeFilter

    /// - Parameter lastEventID: the last event that a returning client has seen, which wins.
    package init(
        _ query: borrowing some QuerySource & ~Copyable, lastEventID: String?
    ) throws(UnreadableParameter) {
        limit = try Self.limit.value(in: query) ?? Self.usualItems
        let cursor = try Self.cursor.value(in: query)
        let since = try Self.since.value(in: query)
        let place = lastEventID.flatMap { WholeNumber.read($0, 0...Int.max) } ?? cursor
        self.since = place.map { .after($0) } ?? since ?? .after(0)
        filter = ChangeFilter(try Self.widget.values(in: query))
    }
}

/// The widgets about which a client wants to hear: changes of the bundles that their identifiers begin with.
package struct ChangeFilter: Equatable, Sendable {
    /// In their order, so that one look finds those that begin with a bundle's identifier. Empty for all changes.
    private let widgets: [String]

    /// - Parameter widgets: without any, and with too many, nothing is left out.
    package init(_ widgets: some Sequence<WidgetIdentifier>) {
        let all = Set(widgets.map(\.text))
        self.widgets = all.count > ChangeListParameters.mostWidgets ? [] : all.sorted(by: ChangeFilter.precedes)
    }

    /// True if nothing is left out.
    package var isEverything: Bool { widgets.isEmpty }

    /// The number of widgets; 0 if nothing is left out.
    package var count: Int { widgets.count }

    /// True if no change that concerns the widget is left out because of others.
    package func covers(_ widget: WidgetIdentifier) -> Bool { widgets.isEmpty || widgets.contains(widget.text) }

    /// True for a change of this bundle.
    package func includes(_ bundleIdentifier: String) -> Bool {
        guard !widgets.isEmpty else { return true }
        // The first that does not come before the identifier begins with it, if any does.
        var (low, high) = (0, widgets.count)
        while low < high {
            let middle = (low + high) / 2
            if ChangeFilter.precedes(widgets[middle], bundleIdentifier) { low = middle + 1 } else { high = middle }
        }
        return low < widgets.count && widgets[low].utf8.starts(with: bundleIdentifier.utf8)
    }

    /// The same for equal filters; without a line for one that leaves nothing out.
    package var text: String { widgets.joined(separator: "\n") }

    /// The filter as part of a query.
    package func add(to query: inout QueryText) {
        for widget in widgets { query.append(("\(ChangeListParameters.widget.name)", widget)) }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// The query by which a host resolves a widget identifier.
package struct ResolveParameters: Equatable, Sendable {
    package static let channel = QueryParameter.channelName("channel", "\(ChannelName.standard) unless given.")
    package static let os = QueryParameter.version(
        "os", "The host's system: releases that need a newer one are left out.")
    package static let host = QueryParameter.version(
        "host", "The host's version: releases that need a newer one are left out.")
    package static let pin = QueryParameter.text(
        "pin", .bundleIdentifier, "The bundle that has to match.", expectation: "a bundle identifier",
        where: BundleIdentifier.isIdentifier)
    package static let have = QueryParameter.digest("have", "The archive the host has.")
    package static let bucket = QueryParameter.number(
        "bucket", 0...Rollout.lastBucket,
        "The host's bucket, for those who ask once: \(Rollout.lastBucket) unless given.")

    package static let all = [
        channel.described, os.described, host.described, pin.described, have.described, bucket.described,
    ]

    package var channel: String?
    package var os: String?
    package var host: String?
    package var pin: String?
    package var have: Digest?
    package var bucket: Int?

    package init(channel: String? = nil, os: String? = nil, host: String? = nil, pin: String? = nil) {
        self.channel = channel
        self.os = os
        self.host = host
        self.pin = pin
    }

    /// Reads a query. A value that a parameter does not take is refused, an unknown parameter ignored.
    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        channel = try Self.channel.value(in: query)
        os = try Self.os.value(in: query)
        host = try Self.host.value(in: query)
        pin = try Self.pin.value(in: query)
        have = try Self.have.value(in: query)
        bucket = try Self.bucket.value(in: query)
    }

    package var query: QueryText {
        var query: QueryText = []
        Self.channel.add(channel, to: &query)
        Self.os.add(os, to: &query)
        Self.host.add(host, to: &query)
        Self.pin.add(pin, to: &query)
        Self.have.add(have, to: &query)
        Self.bucket.add(bucket, to: &query)
        return query
    }
}

/// The part of a channel's hosts that get a release.
///
/// Hosts decide this themselves, so that a registry gives all hosts the same answer and learns of no installation. A
/// bucket stays the same while a rollout grows, and changes with the next release's salt.
package enum Rollout {
    /// The number of buckets that hosts are spread over; a rollout is a number of them, hence of basis points.
    package static let bucketCount = 10_000
    /// The bucket of hosts that name none. A rollout begins with the low buckets, so it is among the last to change.
    package static let lastBucket = bucketCount - 1

    /// The first eight bytes of SHA-256 over installation, bundle and salt, each on a line, as a number.
    package static func bucket(installation: String, bundleIdentifier: String, salt: String) -> Int {
        guard let digest = Digest.sha256(Array("\(installation)\n\(bundleIdentifier)\n\(salt)".utf8)) else { return 0 }
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(bucketCount))
    }
}

/// The query of a publishing request.
package struct PublishOptions: Equatable, Sendable {
    package static let channel = ResolveParameters.channel
    package static let rollout = QueryParameter.number(
        "rollout", 0...Rollout.bucketCount, "\(Rollout.bucketCount) unless given.",
        expectation: "a whole number of basis points from 0 to \(Rollout.bucketCount)")
    package static let dryRun = QueryParameter.flag("dryRun", "Everything but storing.")
    package static let strict = QueryParameter.flag("strict", "Refuse what would be left out or warned about.")
    package static let promote = QueryParameter.word(
        "promote",
        "Put it on the channel even if its version is lower, or the channel has left it; wants the scope promote.",
        is: "force")

    package static let all =
        [channel.described, rollout.described, dryRun.described, strict.described, promote.described]
        + PublisherRemarks.all

    package var channel: String?
    /// In basis points.
    package var rollout: Int?
    package var isDryRun = false
    package var isStrict = false
    /// Puts the release on the channel although that shows a higher version.
    package var forcesPromotion = false
    package var remarks = PublisherRemarks()

    package init() {}

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        channel = try Self.channel.value(in: query)
        rollout = try Self.rollout.value(in: query)
        isDryRun = try Self.dryRun.value(in: query) ?? false
        isStrict = try Self.strict.value(in: query) ?? false
        forcesPromotion = try Self.promote.value(in: query) ?? false
        remarks = try PublisherRemarks(query)
    }

    package var query: QueryText {
        var query: QueryText = []
        Self.channel.add(channel, to: &query)
        Self.rollout.add(rollout, to: &query)
        if isDryRun { Self.dryRun.add(true, to: &query) }
        if isStrict { Self.strict.add(true, to: &query) }
        if forcesPromotion { Self.promote.add(true, to: &query) }
        return query + remarks.named
    }
}

/// The query of a rollback.
package enum RollbackOptions {
    package static let dryRun = QueryParameter.flag("dryRun", "Everything but changing the channel.")

    package static let all = [dryRun.described]
}

/// The query of a withdrawal.
package enum WithdrawOptions {
    package static let reason = QueryParameter.line(
        "reason", "Why, for everybody who asks for the release.", atMost: 500)
    package static let directive = QueryParameter<WithdrawalDirective>(
        "directive", WithdrawalDirective.schema,
        "The duty of hosts that have the release: to keep it (keep, unless given), to show nothing (stop), or to "
            + "show the bundle that they were built with (builtIn).",
        expectation: WithdrawalDirective.choice, read: WithdrawalDirective.init(rawValue:), write: \.rawValue)

    package static let all = [reason.described, directive.described]
}
