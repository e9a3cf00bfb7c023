package import WidgetBundles
internal import WidgetBytes

/// A release: one accepted upload of a bundle.
package struct ReleaseDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Release"
    package static let about =
        "One accepted upload of a bundle. It never changes, but for its channels and its end."

    package var bundleIdentifier = ""
    package var key = ""
    package var shortVersion = ""
    package var build = ""
    package var name = ""
    package var digest = ""
    package var contentDigest = ""
    package var byteCount = 0
    package var published = ""
    package var publishedBy = ""
    package var remarks = PublisherRemarks()
    package var channels: [String] = []
    package var withdrawal: WithdrawalDocument?
    package var expiry: ExpiryDocument?
    package var url = ""
    /// True if publishing made it or moved its channel; `nil` if the document does not answer a publish request.
    package var isChanged: Bool?
    /// True for the outcome of a dry run; `nil` after publishing.
    package var isDryRun: Bool?
    package var report: Prewritten<BundleReport>?

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
        try walker.member("release", &key, as: .releaseKey)
        try walker.unneeded("shortVersion", &shortVersion, as: .version)
        try walker.unneeded("build", &build, as: .version)
        try walker.member("name", &name)
        try walker.member("sha256", &digest, as: .digest)
        try walker.member("content", &contentDigest, as: .digest)
        try walker.member("size", &byteCount)
        try walker.member("published", &published, as: .time)
        try walker.member("publishedBy", &publishedBy)
        try remarks.walk(&walker)
        try walker.member("channels", &channels, as: .channelNames, "Those that show it.")
        try walker.optional("withdrawn", &withdrawal)
        try walker.optional("expired", &expiry)
        try walker.unneeded("url", &url)
        try walker.optional("changed", &isChanged, "On publishing: whether this made the release or moved the channel.")
        try walker.optional(
            "dryRun", &isDryRun, "On publishing: true if nothing was stored, because that was asked for.")
        try walker.optional("report", &report, "On publishing, and where it is asked for.")
    }

    package static let example: ReleaseDocument = {
        var document = ReleaseDocument()
        document.bundleIdentifier = "mobi.favio.WidgetDemo"
        document.key = "1.1~7"
        document.shortVersion = "1.1"
        document.build = "7"
        document.name = "WidgetDemo"
        document.digest = Digest(repeating: 0x11).hex
        document.contentDigest = Digest(repeating: 0x22).hex
        document.byteCount = 1_503_547
        document.published = "2026-11-21T10:00:00Z"
        document.publishedBy = "ci"
        document.channels = ["stable"]
        document.url = RegistryPath.blob(hex: document.digest)
        return document
    }()
}

extension ReleaseDocument: ListedDocument {
    package static let pageAbout = "Releases, the newest first; withdrawn and expired ones too."
}

/// The expiry of a release.
package struct ExpiryDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Expiry"
    package static let about = "That a rule of the operator has removed what was stored of a release."

    package var at = ""
    package var rule = ""

    package init() {}

    package init(at: String, rule: String) {
        self.at = at
        self.rule = rule
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("at", &at, as: .time)
        try walker.member("rule", &rule, "As the operator wrote it.")
    }

    package static let example = ExpiryDocument(at: "2026-11-23T03:00:00Z", rule: "com.acme last=20 age=90d")
}

/// The withdrawal of a release.
package struct WithdrawalDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Withdrawal"
    package static let about = "That a release was taken back."

    package var at = ""
    package var reason = ""
    /// `nil` for a release that hosts may keep.
    package var directive: String?

    package init() {}

    package init(at: String, reason: String, directive: WithdrawalDirective = .keep) {
        self.at = at
        self.reason = reason
        self.directive = directive.written
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("at", &at, as: .time)
        try walker.member("reason", &reason)
        try walker.optional(
            "directive", &directive, as: WithdrawalDirective.schema,
            "The duty of hosts that have the release; absent if they may keep it.")
    }

    package static let example = WithdrawalDocument(at: "2026-11-22T08:30:00Z", reason: "crashes on launch")
}

/// The body of a withdrawal, for what is not in the query.
package struct WithdrawDocument: WireRequest, Equatable {
    package static let documentName = "Withdraw"
    package static let about = "Why a release is taken back, and the duty of hosts that have it."

    package var reason: String?
    package var directive: String?

    package init() {}

    package init(reason: String?, directive: WithdrawalDirective? = nil) {
        self.reason = reason
        self.directive = directive?.rawValue
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.optional("reason", &reason, as: WithdrawOptions.reason.schema)
        try walker.optional("directive", &directive, as: WithdrawalDirective.schema)
    }

    package static let example = WithdrawDocument(reason: "crashes on launch")
}

/// The difference between two releases.
package struct DifferenceDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Difference"
    package static let about = "What is different between two releases."

    package var bundleIdentifier = ""
    package var old = ""
    package var new = ""
    package var added: [FileDocument] = []
    package var removed: [FileDocument] = []
    package var changed: [Change] = []
    package var unchangedCount = 0
    /// Bytes that a host fetches that has the one and wants the other.
    package var transferByteCount = 0
    /// Of the archive that it would fetch otherwise.
    package var byteCount = 0

    /// A file that both releases have, with different contents.
    package struct Change: WireObject, Equatable {
        package var path = ""
        package var old = FileDocument()
        package var new = FileDocument()

        package init() {}

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("path", &path)
            try walker.member("from", &old)
            try walker.member("to", &new)
        }

        package static let example = Change()
    }

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.unneeded("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
        try walker.unneeded("from", &old, as: .releaseKey)
        try walker.unneeded("to", &new, as: .releaseKey)
        try walker.member("added", &added)
        try walker.member("removed", &removed)
        try walker.member("changed", &changed)
        try walker.member("unchanged", &unchangedCount, "How many files are the same.")
        try walker.member(
            "transferBytes", &transferByteCount,
            "What a host that has the first fetches of the second's archive, file by file.")
        try walker.member("size", &byteCount, "Bytes of the second's archive.")
    }

    package static let example: DifferenceDocument = {
        var document = DifferenceDocument()
        document.bundleIdentifier = "mobi.favio.WidgetDemo"
        document.old = "1.0~3"
        document.new = "1.1~7"
        document.added = [.example]
        document.unchangedCount = 12
        document.transferByteCount = 826
        document.byteCount = 1_503_547
        return document
    }()
}

/// The report on a bundle, which WidgetBundles reads and writes.
extension BundleReport: WireDocument {
    package static var documentName: String { "Report" }
    package static var about: String { "What happened to a bundle on its way in." }

    package static var members: [Schema.Member] {
        let kept: [Schema.Member] = [
            .member("path", .text), .member("kind", .text), .member("size", .count), .member("sha256", .digest),
        ]
        let stripped: [Schema.Member] = [
            .member("path", .text), .member("kind", .text), .member("rule", .text), .member("size", .count),
            .member("sha256", .digest),
        ]
        let warning: [Schema.Member] = [.member("code", .text), .member("path", .text), .member("detail", .text)]
        let finding: [Schema.Member] = [
            .member("code", .text), .member("severity", .text), .member("path", .text), .member("line", .count),
            .member("column", .count), .member("detail", .text, "The sentence, with its remedy."),
            .optional("element", .text, "The path of keys in the file, or the name of an element."),
            .optional("value", .text, "The value or the name at fault."),
            .optional("nearest", .text, "The known name that is nearest to it."),
            .optional("hint", .text, "The remedy."),
        ]
        return [
            .member("findings", .list(.object(finding)), "Line 0 means a file as a whole."),
            .member("warnings", .list(.object(warning))),
            .member("stripped", .list(.object(stripped))),
            .member("kept", .list(.object(kept))),
            .member(
                "source", .object([.member("sha256", .orNull(.digest)), .member("size", .count)]),
                "What was handed in."),
            .member("content", .digest),
            .member("sha256", .digest, "Of the archive that was written."),
            .member("size", .count),
        ]
    }

    package static var exampleBytes: [UInt8] {
        func digest(_ byte: UInt8) -> String { Digest(repeating: byte).hex }
        return Array(
            """
            {"findings":[],"warnings":[],"stripped":[{"path":"WidgetDemo","kind":"Mach-O","rule":"executable",\
            "size":91328,"sha256":"\(digest(0x44))"}],\
            "kept":[{"path":"Info.plist","kind":"property list","size":1274,"sha256":"\(digest(0x33))"}],\
            "source":{"sha256":"\(digest(0x55))","size":1610612},"content":"\(digest(0x22))",\
            "sha256":"\(digest(0x11))","size":1503547}
            """.utf8)
    }
}

/// The remarks of a publisher about a release: stored with it, and shown wherever the release is.
///
/// A remark has one name, as a parameter of publishing and as a member of documents and of the notes beside archives.
/// All of these take a release's remarks as one value; a further remark is added here, and to its row in the catalog.
package struct PublisherRemarks: WireObject, Equatable {
    /// Characters of a note.
    package static let longestNote = 500

    package static let note = QueryParameter.line(
        "note", "The publisher's words about the release, shown wherever the release is.",
        atMost: longestNote)

    static let all = [note.described]

    package var note: String?

    package init() {}

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        note = try Self.note.value(in: query)
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.optional("note", &note, "The publisher's words about it.")
    }

    /// The remarks that were made, each with its name.
    package var named: QueryText {
        var named: QueryText = []
        Self.note.add(note, to: &named)
        return named
    }

    package static let example = PublisherRemarks()
}

/// A release and its report for people: what `widget publish` and `widget report` print, and what `Accept: text/plain`
/// asks a registry for.
package struct PublicationText: Sendable, CustomStringConvertible {
    private let release: ReleaseDocument
    private let report: BundleReport
    private let usesColor: Bool

    package init(_ release: ReleaseDocument, _ report: BundleReport, usesColor: Bool = false) {
        self.release = release
        self.report = report
        self.usesColor = usesColor
    }

    package var lines: [String] {
        let remarks = release.remarks.named.map { "\($0.name) \(ShownText.plain($0.value))" }
        return remarks + ReportText(report, usesColor: usesColor).lines
            + (release.isChanged.map { [ShownText.plain(PublicationText.outcome(release, isChanged: $0))] } ?? [])
    }

    package var description: String { lines.map { $0 + "\n" }.joined() }

    /// The outcome of publishing, in a sentence.
    private static func outcome(_ release: ReleaseDocument, isChanged: Bool) -> String {
        let channels =
            release.channels.isEmpty ? ", on no channel" : ", on \(release.channels.joined(separator: ", "))"
        let subject = "\(release.bundleIdentifier) \(release.key)"
        if release.isDryRun == true {
            return isChanged
                ? "\(subject) would be published\(channels); this was a dry run, and nothing was stored"
                : "\(subject) is there already\(channels); this was a dry run, and nothing was changed"
        }
        return isChanged ? "\(subject) is published\(channels)" : "\(subject) was there already\(channels)"
    }
}
