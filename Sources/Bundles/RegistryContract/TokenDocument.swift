/// A token, as its registry describes it.
package struct TokenDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Token"
    package static let about = "A token and the rights of its bearer."
    package static let scopeWords = ["read", "publish", "promote", "withdraw", "admin"]
    static let scopeList = Schema.list(.word(scopeWords), atLeast: 1)

    package var number = 0
    package var name = ""
    /// Empty for all bundles.
    package var prefix = ""
    package var scopes: [String] = []
    /// Empty for all channels.
    package var channels: [String] = []
    /// `true` for a token that was made before publishing and promoting were distinguished.
    package var keepsEarlierRights: Bool?
    package var created = ""
    package var expires: String?
    package var lastUsed: String?
    /// The end of the secret before the last rotation, while it still works.
    package var earlierSecretEnds: String?
    /// The token itself, shown once, when it is made or rotated.
    package var secret: String?

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.unneeded("number", &number, "Its number, which no other token ever has.")
        try walker.member("name", &name, as: .tokenName)
        try walker.member(
            "prefix", &prefix, as: .prefix,
            "The bundles it is good for: this one, and those that continue after a dot; empty: all.")
        try walker.member("scopes", &scopes, as: Self.scopeList)
        try walker.unneeded(
            "channels", &channels, as: .channelNames, "The channels that it publishes to and moves; empty: all.")
        try walker.optional(
            "keepsEarlierRights", &keepsEarlierRights,
            "It was made when publishing moved every channel and withdrawing included restoring, and may still do so.")
        try walker.member("created", &created, as: .time)
        try walker.optional("expires", &expires, as: .time)
        try walker.optional("lastUsed", &lastUsed, as: .time)
        try walker.optional(
            "earlierSecretEnds", &earlierSecretEnds, as: .time,
            "Until then the secret before the last rotation works, too; absent if it does not.")
        try walker.optional("token", &secret, "The secret: shown once, on creation and rotation.")
    }

    package static let example: TokenDocument = {
        var document = TokenDocument()
        document.number = 3
        document.name = "ci"
        document.prefix = "mobi.favio"
        document.scopes = ["publish"]
        document.channels = ["beta"]
        document.created = "2026-11-20T09:00:00Z"
        return document
    }()
}

extension TokenDocument: ListedDocument {
    package static let pageAbout = "All tokens."
}

/// The query of a request that rotates a token.
package enum RotateOptions {
    /// The longest time for which a secret works beside the one that has replaced it.
    package static let longestKeep: Int64 = 30 * 86_400

    /// The seconds for which the present secret continues to work.
    package static let keep = QueryParameter<Int64>(
        "keep", .pattern(keepPattern),
        "The time for which the present secret works beside the new one, such as 24h, 30d at most. Without it, that secret "
            + "ends at once. The secret of an earlier rotation ends in any case.",
        expectation: "a span such as 30m, 24h, 7d or 2w, and 30d at most",
        read: { text in TimeSpan.seconds(text).flatMap { $0 <= longestKeep && !text.hasPrefix("0") ? $0 : nil } },
        write: { "\(max(1, $0 / 60))m" })

    /// Every span of 30 days at most.
    private static let keepPattern =
        "^(?:(?:[1-9][0-9]{0,3}|[1-3][0-9]{4}|4[0-2][0-9]{3}|43[01][0-9]{2}|43200)m"
        + "|(?:[1-9][0-9]?|[1-6][0-9]{2}|7[01][0-9]|720)h|(?:[1-9]|[12][0-9]|30)d|[1-4]w)$"
    package static let prefix = RevokeOptions.prefix
    package static let all = [keep.described, prefix.described]
}

/// A span of time as people write it.
package enum TimeSpan {
    /// The seconds of `30m`, `12h`, `90d` or `8w`.
    package static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard text.utf8.count <= 6, let unit = text.last.flatMap({ units[$0] }),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast()),
            count > 0
        else { return nil }
        return count * unit
    }
}

/// The query of a request that revokes a token.
package enum RevokeOptions {
    package static let prefix = QueryParameter.search(
        "prefix", "The token's prefix, where several tokens have the name; empty: the one for all bundles.")
}

/// The answer to revoking a token when its success has a consequence to mention.
package struct RevocationDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Revocation"
    package static let about = "A token that was revoked, and what follows from that."
    /// The remark that no token with every right is left.
    package static let last =
        "It was the last token with every right: tokens can no longer be made over the network. The owner of the data "
        + "directory still can: widgetd token create NAME --scope admin."

    package var revoked = ""
    package var remark = ""

    package init() {}

    package init(_ name: String, remark: String) {
        revoked = name
        self.remark = remark
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("revoked", &revoked, "The token's name.")
        try walker.member("remark", &remark, "For people.")
    }

    package static let example = RevocationDocument("admin", remark: last)
}

/// The body of a request that makes a token.
package struct TokenRequestDocument: WireRequest, Equatable {
    package static let documentName = "TokenRequest"
    package static let about = "A token to be made."

    package var name = ""
    package var prefix: String?
    package var scopes: [String] = []
    /// `nil` for all channels; an empty list is refused.
    package var channels: [String]?
    /// A time, or a span such as `90d`; `nil`: never.
    package var expires: String?

    private static let expiries = Schema.pattern(
        "^(?:[1-9][0-9]{0,4}[mhdw]|[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
            + "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)$")

    package init() {}

    package init(name: String, prefix: String?, scopes: [String], channels: [String]? = nil, expires: String?) {
        self.name = name
        self.prefix = prefix
        self.scopes = scopes
        self.channels = channels
        self.expires = expires
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member(
            "name", &name, as: .newTokenName,
            "One that no other token has, with a letter; admin, owner and seed are the server's own.")
        try walker.optional("prefix", &prefix, as: .prefix, "The bundles it is to be good for; all unless given.")
        try walker.member("scopes", &scopes, as: TokenDocument.scopeList)
        try walker.optional(
            "channels", &channels, as: .list(.channelName, atLeast: 1),
            "The channels that it publishes to and moves, one at least; all unless given.")
        try walker.optional(
            "expires", &expires, as: Self.expiries, "A time to come, or a span such as 90d; never unless given.")
    }

    package static let example = TokenRequestDocument(
        name: "ci", prefix: "mobi.favio", scopes: ["publish"], channels: ["beta"], expires: nil)
}
