internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes

/// The rights of a secret's bearer. The secret itself is nowhere in the registry, only its SHA-256.
package struct Token: Equatable, Sendable {
    package enum Scope: String, CaseIterable, Sendable { case read, publish, promote, withdraw, admin }

    /// Given when the token is stored, for good: no other token ever gets it.
    package var number: Int64 = 0
    /// Unique among all tokens, revoked ones too, that could ever act on the same bundle.
    package var name: String
    /// The bundles it is good for: this identifier and those that continue it after a dot; empty: all.
    package var prefix: String
    package var scopes: Set<Scope>
    /// The channels that it moves, in order; empty: all.
    package var channels: [String]
    /// True for tokens made before publishing and promoting were distinguished. Such a token keeps its rights: with
    /// `publish` it moves any channel by publishing, with `withdraw` it restores.
    package var keepsEarlierRights: Bool
    /// Seconds since 1970, as are the others.
    package var created: Int64
    package var expires: Int64?
    /// Accurate to a minute.
    package var lastUsed: Int64?
    /// The end of the secret that the last rotation replaced, if it was to work beside the new one.
    package var earlierSecretEnds: Int64?
    /// True if the token was found by that secret.
    package var isFoundByEarlierSecret = false

    package init(
        name: String, prefix: String, scopes: Set<Scope>, channels: [String] = [], created: Int64,
        expires: Int64? = nil, keepsEarlierRights: Bool = false
    ) {
        self.name = name
        self.prefix = prefix
        self.scopes = scopes
        self.channels = Set(channels).sorted()
        self.keepsEarlierRights = keepsEarlierRights
        self.created = created
        self.expires = expires
        lastUsed = nil
    }

    /// The scopes, and the channels and the last day if it is limited to them, as the audit keeps them.
    var rights: String {
        var parts = [Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")]
        if !channels.isEmpty { parts.append("on \(channels.joined(separator: " "))") }
        if let expires { parts.append("until \(Token.time(expires))") }
        return parts.joined(separator: ", ")
    }

    static func time(_ seconds: Int64) -> String {
        let rest = max(seconds, 0) % 86_400
        let date = CivilDate(daysSince1970: max(seconds, 0) / 86_400)
        func padded(_ number: some BinaryInteger, _ width: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))T"
            + "\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
    }

    /// True once the secret by which the token was found is worth nothing: it was replaced, or the token has expired.
    ///
    /// - Parameter now: seconds since 1970.
    package func isOver(at now: Int64) -> Bool {
        hasExpired(at: now) || isFoundByEarlierSecret && earlierSecretEnds ?? .min <= now
    }

    /// True once the token itself has expired, with every secret it has.
    package func hasExpired(at now: Int64) -> Bool { expires ?? .max <= now }

    /// The token's identity, without its secret and its rights.
    package var identity: TokenName { TokenName(number: number, name: name, prefix: prefix) }

    /// True when an identifier is the prefix, or continues it with a further label.
    package func covers(_ identifier: String) -> Bool {
        guard !prefix.isEmpty else { return true }
        let bytes = identifier.utf8
        guard bytes.starts(with: prefix.utf8) else { return false }
        return bytes.count == prefix.utf8.count || bytes.dropFirst(prefix.utf8.count).first == UInt8(ascii: ".")
    }
}

/// The part of a token that stays after it was revoked.
package struct TokenName: Equatable, Sendable {
    package var number: Int64
    package var name: String
    package var prefix: String

    package init(number: Int64, name: String, prefix: String) {
        self.number = number
        self.name = name
        self.prefix = prefix
    }

    /// True when a bundle's list of publishers could not distinguish the two: the same name, and prefixes of which one
    /// continues the other. Tokens with unrelated prefixes never act on the same bundle, so an administrator of one
    /// does not learn the names of the other.
    package func isMistakable(for other: TokenName) -> Bool {
        name == other.name && (covers(other) || other.covers(self))
    }

    private func covers(_ other: TokenName) -> Bool {
        Token(name: name, prefix: prefix, scopes: [], created: 0).covers(other.prefix)
    }
}

extension Token {
    /// Throws unless the token is valid and could ever be of use.
    package func check() throws(RegistryError) {
        guard ChannelName.isName(name) else {
            throw .invalidValue("name", reason: "1 to 64 letters, digits, dots, hyphens and underscores")
        }
        guard Token.isPrefix(prefix) else {
            throw .invalidValue(
                "prefix",
                reason:
                    "whole labels joined by dots, of letters, digits and hyphens within, such as com.acme; or nothing")
        }
        guard !scopes.isEmpty else { throw .invalidValue("scopes", reason: "at least one is needed") }
        guard channels.count <= Token.mostChannels else {
            throw .invalidValue("channels", reason: "\(Token.mostChannels) at most; leave them out for all")
        }
        for channel in channels where !ChannelName.isName(channel) { throw .invalidChannelName(channel) }
    }

    /// The most channels that a token can name.
    private static let mostChannels = 100

    /// True for a text that an identifier can begin with, up to the end of a label. A part of a label would cover
    /// nothing.
    static func isPrefix(_ text: String) -> Bool {
        text.isEmpty || BundleManifest.isIdentifier(text) || BundleManifest.isIdentifier("\(text).x")
    }
}

/// The rights of an author over channels, which decide within the transaction that changes them.
package struct ChannelRights: Equatable, Sendable {
    /// True when the author has the scope `promote`, or a token that predates the distinction.
    package var canPromote: Bool
    /// The channels that the author is limited to; empty: all.
    package var channels: [String]

    package init(canPromote: Bool, channels: [String]) {
        self.canPromote = canPromote
        self.channels = channels
    }

    /// The rights of a server's owner.
    package static let all = ChannelRights(canPromote: true, channels: [])

    /// True for a channel that the author is not kept from.
    package func include(_ channel: String) -> Bool { channels.isEmpty || channels.contains(channel) }

    /// Throws for a channel that is not among those the author is limited to.
    package func require(_ channel: String, of author: String) throws(RegistryError) {
        guard include(channel) else { throw .channelNotGranted(channel, to: author, channels) }
    }
}

/// An operator's rules for channels.
package struct ChannelPolicy: Equatable, Sendable {
    /// The most channels of one bundle.
    package var limit: Int
    /// The most channels of one bundle to which authors without `promote` add one.
    package var publisherLimit: Int
    /// The channels that only `promote` moves, but for the first release of a bundle.
    package var protected: [String]

    package init(limit: Int = 100, publisherLimit: Int = 20, protected: [String] = [ChannelName.standard]) {
        self.limit = limit
        self.publisherLimit = publisherLimit
        self.protected = protected
    }
}
