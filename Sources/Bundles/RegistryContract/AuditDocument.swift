internal import WidgetBundles

/// A record of the audit.
package struct AuditDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "AuditRecord"
    package static let about = "An accepted act. Refused ones are in the server's log alone."

    /// The state of a channel before or after an act.
    package struct Shown: WireObject, Equatable {
        package var release = ""
        package var rollout = Rollout.bucketCount
        package var isMandatory = false

        package init() {}

        package init(release: String, rollout: Int, isMandatory: Bool) {
            self.release = release
            self.rollout = rollout
            self.isMandatory = isMandatory
        }

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("release", &release, as: .releaseKey)
            try walker.member("rollout", &rollout, as: .basisPoints, "Of 10000 hosts.")
            try walker.member("mandatory", &isMandatory)
        }

        package static let example = Shown(release: "1.1~7", rollout: 2_500, isMandatory: false)
    }

    /// The token that was made, revoked or given another secret.
    package struct TokenName: WireObject, Equatable {
        package var number = 0
        package var name = ""
        package var prefix = ""

        package init() {}

        package init(number: Int, name: String, prefix: String) {
            self.number = number
            self.name = name
            self.prefix = prefix
        }

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("number", &number)
            try walker.member("name", &name)
            try walker.member("prefix", &prefix, "The bundles it was good for; empty: all.")
        }

        package static let example = TokenName(number: 3, name: "ci", prefix: "mobi.favio")
    }

    package var number = 0
    package var at = ""
    package var act = ""
    package var by = ""
    package var byToken: Int?
    package var client: String?
    package var request: String?
    package var userAgent: String?
    package var bundleIdentifier: String?
    package var release: String?
    package var channel: String?
    package var from: Shown?
    package var to: Shown?
    package var isForced = false
    package var digest: String?
    package var contentDigest: String?
    package var token: TokenName?
    package var remark: String?

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("number", &number, "Rises with each record, and is never given again.")
        try walker.member("at", &at, as: .time)
        try walker.member("act", &act, "publish, promote, rollback, withdraw, restore, create-token and others.")
        try walker.member("by", &by, "The token's name, or the server's word for the one who acts without a token.")
        try walker.optional("byToken", &byToken, "The token's number, which no other token ever has.")
        try walker.optional("client", &client, "The client's address, as the log has it.")
        try walker.optional("request", &request, "The request's identifier, as the log has it.")
        try walker.optional("userAgent", &userAgent, "The client's words about itself, cut short and escaped.")
        try walker.optional("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
        try walker.optional("release", &release, as: .releaseKey)
        try walker.optional("channel", &channel, as: .channelName, "The channel that moved.")
        try walker.optional(
            "from", &from, "What the channel showed before; absent when it was new, or had nothing left to show.")
        try walker.optional(
            "to", &to, "What the channel showed afterwards; absent when it was deleted, or has nothing left to show.")
        try walker.member(
            "forced", &isForced,
            "Whether the channel moved to a lower version, or to one that it had left, by promote=force.")
        try walker.optional("sha256", &digest, as: .digest, "Of the release's archive.")
        try walker.optional("contentSha256", &contentDigest, as: .digest)
        try walker.optional("token", &token, "The token that was made or revoked.")
        try walker.optional(
            "remark", &remark,
            "A reason, a note, the scopes, channels and expiry of a token, or the outcome of work on the store.")
    }

    package static let example: AuditDocument = {
        var document = AuditDocument()
        document.number = 412
        document.at = "2026-11-21T10:00:00Z"
        document.act = "promote"
        document.by = "ci"
        document.byToken = 3
        document.client = "192.0.2.7"
        document.bundleIdentifier = "mobi.favio.WidgetDemo"
        document.release = "1.1~7"
        document.channel = "stable"
        document.from = Shown(release: "1.0~6", rollout: Rollout.bucketCount, isMandatory: false)
        document.to = .example
        return document
    }()
}

extension AuditDocument: ListedDocument {
    package static let pageAbout = "Records of the audit, newest first."
}

/// The records that a request asks for.
package struct AuditListParameters: Equatable, Sendable {
    package static let bundle = QueryParameter.text(
        "bundle", .bundleIdentifier, "The bundle that records are about.", expectation: "a bundle's identifier",
        where: BundleManifest.isIdentifier)
    package static let token = QueryParameter.tokenName(
        "token", "The name or the number of a token that acted, or that was made or revoked.")
    package static let since = time("since", "The time from which records count, or how long ago that was.")
    package static let until = time("until", "The time from which records do not count any more, likewise.")

    package static let all = [bundle.described, token.described, since.described, until.described] + PageParameters.all

    package let page: PageParameters
    package var bundle: String?
    package var token: String?
    package var since: String?
    package var until: String?

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        page = try PageParameters(query)
        bundle = try Self.bundle.value(in: query)
        token = try Self.token.value(in: query)
        since = try Self.since.value(in: query)
        until = try Self.until.value(in: query)
    }

    /// The form of a time. The server checks the calendar.
    private static func time(_ name: StaticString, _ about: String) -> QueryParameter<String> {
        .text(
            name,
            .pattern(
                "^(20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
                    + "|[1-9][0-9]{0,3}[mhdw])$"),
            about, expectation: "a time such as 2026-11-20T09:00:00Z, or a span such as 7d",
            where: { $0.utf8.count <= 20 }
        )
    }
}
