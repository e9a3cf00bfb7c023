/// A bundle with its channels.
package struct BundleDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Bundle"
    package static let about = "What there is of a bundle."

    package var identifier = ""
    package var name = ""
    /// The key of the highest release that is not withdrawn.
    package var latest: String?
    package var releaseCount = 0
    package var channels: [ChannelDocument] = []

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("bundleIdentifier", &identifier, as: .bundleIdentifier)
        try walker.member("name", &name)
        try walker.nullable(
            "latest", &latest, as: .releaseKey, "The highest release that is neither withdrawn nor expired.")
        try walker.member("releases", &releaseCount, "How many there are, withdrawn and expired ones included.")
        try walker.member("channels", &channels)
    }

    package static let example: BundleDocument = {
        var document = BundleDocument()
        document.identifier = "mobi.favio.WidgetDemo"
        document.name = "WidgetDemo"
        document.latest = "1.1~7"
        document.releaseCount = 2
        document.channels = [.example]
        return document
    }()
}

extension BundleDocument: ListedDocument {
    package static let pageAbout = "Bundles in the order of their identifiers."
}

/// A channel of a bundle.
package struct ChannelDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Channel"
    package static let about = "A named pointer from a bundle to what it shows."

    package var name = ""
    package var release = ""
    /// In basis points.
    package var rollout = 0
    /// The release of the hosts that the rollout has not reached.
    package var base: String?
    package var isMandatory = false
    package var sequence = 0
    package var salt = ""
    package var changedAt = ""
    /// `nil` where it is not said.
    package var isDryRun: Bool?

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("channel", &name, as: .channelName)
        try walker.member("release", &release, as: .releaseKey)
        try walker.member("rollout", &rollout, as: .basisPoints, "How many of 10000 buckets get the release.")
        try walker.optional("base", &base, as: .releaseKey, "What the other buckets get.")
        try walker.member("mandatory", &isMandatory)
        try walker.member("sequence", &sequence)
        try walker.unneeded("salt", &salt)
        try walker.unneeded("changedAt", &changedAt, as: .time)
        try walker.optional(
            "dryRun", &isDryRun, "On rolling back: true if nothing was changed, because that was asked for.")
    }

    package static let example: ChannelDocument = {
        var document = ChannelDocument()
        document.name = "stable"
        document.release = "1.1~7"
        document.rollout = 2_500
        document.base = "1.0~3"
        document.sequence = 41
        document.salt = "k3v9"
        document.changedAt = "2026-11-21T10:00:00Z"
        return document
    }()
}

extension ChannelDocument: ListedDocument {
    package static let pageAbout = "All channels of a bundle."
}

/// The body of a request that changes a channel.
package struct ChannelSettingDocument: WireRequest, Equatable {
    package static let documentName = "ChannelSetting"
    package static let about = "What a channel is to show."

    package var release = ""
    package var rollout: Int?
    package var isMandatory: Bool?

    package init() {}

    package init(release: String, rollout: Int?, isMandatory: Bool?) {
        self.release = release
        self.rollout = rollout
        self.isMandatory = isMandatory
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("release", &release, as: .releaseKey)
        try walker.optional("rollout", &rollout, as: .basisPoints, "10000 unless given.")
        try walker.optional("mandatory", &isMandatory, "false unless given.")
    }

    package static let example = ChannelSettingDocument(release: "1.1~7", rollout: 2_500, isMandatory: false)
}

/// The body of a request that rolls a channel back.
package struct RollbackDocument: WireRequest, Equatable {
    package static let documentName = "Rollback"
    package static let about = "Where to go back to."

    package var key: String?

    package init() {}

    package init(to key: String?) {
        self.key = key
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.optional(
            "to", &key, as: .releaseKey,
            "A release that the channel has shown; the one before the present one unless given.")
    }

    package static let example = RollbackDocument(to: "1.0~3")
}

/// A line of the feed of changes.
package struct ChangeDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Change"
    package static let about = "A line of the feed."

    package var tag = 0
    package var at = ""
    package var kind = ""
    package var bundleIdentifier = ""
    package var release = ""
    package var channel: String?
    package var sequence: Int?
    package var by = ""

    private static let kinds = Schema.word([
        "publish", "promote", "rollback", "withdraw", "restore", "delete", "expire",
    ])

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        // A host only looks for the bundle, the channel and its sequence.
        try walker.unneeded("tag", &tag, "Its place; rises with each change.")
        try walker.unneeded("at", &at, as: .time)
        try walker.unneeded("kind", &kind, as: Self.kinds)
        try walker.member("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
        try walker.unneeded("release", &release, as: .releaseKey)
        try walker.optional("channel", &channel, as: .channelName, "The channel that moved, or was deleted.")
        try walker.optional("sequence", &sequence)
        try walker.unneeded("by", &by)
    }

    package static let example: ChangeDocument = {
        var document = ChangeDocument()
        document.tag = 97
        document.at = "2026-11-21T10:00:00Z"
        document.kind = "promote"
        document.bundleIdentifier = "mobi.favio.WidgetDemo"
        document.release = "1.1~7"
        document.channel = "stable"
        document.sequence = 41
        document.by = "ci"
        return document
    }()

    /// The same as a server-sent event: its place in the feed, then the document on one line.
    package var event: [UInt8] {
        // The document brings the newline that ends the line of data; the empty line ends the event.
        Array("id: \(tag)\ndata: ".utf8) + bytes + [0x0A]
    }
}

extension ChangeDocument: ListedDocument {
    package static let pageAbout = "Changes in their order."
}

/// A document that lists have.
package protocol ListedDocument: WireObject, WireDocument {
    static var pageAbout: String { get }
}

/// Part of a list.
package struct PageDocument<Item: ListedDocument>: WireObject, WireDocument {
    package static var documentName: String { "\(Item.documentName)Page" }
    package static var about: String { Item.pageAbout }

    package var items: [Item] = []
    /// The cursor of the part that follows.
    package var next: String?

    package init() {}

    package init(_ items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("items", &items)
        try walker.optional("next", &next, "The cursor of the part that follows; absent at the end.")
    }

    package static var example: PageDocument { PageDocument([.example]) }
}

extension PageDocument: Equatable where Item: Equatable {}
