package import WidgetBytes

/// A kind of change that leaves a record in the audit and a line in the log.
package enum Act: String, CaseIterable, Sendable {
    case publish, promote, rollback, withdraw, restore
    /// A rule of the operator removed a release.
    case expire
    case deleteChannel = "delete-channel"
    case createToken = "create-token"
    case revokeToken = "revoke-token"
    case rotateToken = "rotate-token"
    case backup, gc, scrub, reindex
    /// The whole store, not a release of it.
    case restoreBackup = "restore-backup"
    /// The rights of an administrator, asked for without them. Only ever refused, so in the log alone.
    case administer
}

/// An accepted act: a row that is written in the act's own transaction.
package struct AuditRecord: Equatable, Sendable {
    /// The state of a channel before or after an act.
    package struct Shown: Equatable, Sendable {
        package var release: String
        package var rollout: Int
        package var isMandatory: Bool

        package init(release: String, rollout: Int, isMandatory: Bool) {
            self.release = release
            self.rollout = rollout
            self.isMandatory = isMandatory
        }
    }

    /// Rises with each record; 0 until it is stored. No number is given twice.
    package var number: Int64 = 0
    /// Seconds since 1970.
    package var at: Int64
    package var act: Act
    package var author: Author
    /// The bundle that the act is about, or the prefix of the token; empty for the whole store. It decides which
    /// administrators see the record.
    package var subject: String
    package var release: String?
    package var channel: String?
    /// The state of the channel before; `nil` when it did not exist or had nothing to show, or none moved.
    package var from: Shown?
    /// The state of the channel after; `nil` when it no longer exists or has nothing left to show, or none moved.
    package var to: Shown?
    /// True when the channel moved to a lower version, or to one that it had left, which only force allows.
    package var isForced = false
    /// Of the release's archive.
    package var digest: Digest?
    package var contentDigest: Digest?
    /// The token that was made, revoked or given another secret.
    package var token: TokenName?
    /// Words that belong to the act: a reason, a note, a token's scopes, the outcome of work on the store.
    package var remark: String?

    package init(_ act: Act, by author: Author, at time: Int64, about subject: String) {
        self.act = act
        self.author = author
        at = time
        self.subject = subject
    }

    /// The same for an act on a release.
    init(_ act: Act, by author: Author, at time: Int64, on record: ReleaseRecord, of bundle: String) {
        self.init(act, by: author, at: time, about: bundle)
        release = record.key
        digest = record.digest
        contentDigest = record.release.contentDigest
    }
}

/// A part of the audit, newest first.
package struct AuditQuery: Equatable, Sendable {
    /// The subject that records are about: this one, and those that continue it after a dot; empty: all.
    package var prefix = ""
    /// The bundle that records are about.
    package var bundle: String?
    /// The name or the number of a token that acted, or that was made, revoked or given another secret.
    package var token: String?
    /// Seconds since 1970: the first that count, and the first that do not count any more.
    package var since: Int64 = .min
    package var until: Int64 = .max
    /// Only records with lower numbers: the place where a page ended.
    package var before: Int64 = .max
    package var limit: Int

    package init(limit: Int) {
        self.limit = limit
    }
}

extension CatalogEditor {
    /// The state of a channel in names.
    func shown(_ channel: ChannelRecord?) throws(RegistryError) -> AuditRecord.Shown? {
        guard let state = channel?.state else { return nil }
        return AuditRecord.Shown(
            release: try releaseKey(state.release), rollout: state.rollout, isMandatory: state.isMandatory)
    }
}

extension Registry {
    /// Part of the audit, newest first.
    package func audit(_ query: AuditQuery) throws(RegistryError) -> Page<AuditRecord> {
        var wanted = query
        wanted.limit = query.limit + 1
        let asked = wanted
        let records = try catalog.read { catalog throws(RegistryError) in try catalog.auditRecords(asked) }
        return Page(
            items: Array(records.prefix(query.limit)),
            next: records.count > query.limit ? String(records[query.limit - 1].number) : nil)
    }

    /// Adds a record of work on the whole store. That work has no transaction the record could be part of.
    ///
    /// - Parameter remark: its outcome, in words.
    package func note(_ act: Act, by author: Author, _ remark: String) throws(RegistryError) {
        var record = AuditRecord(act, by: author, at: options.now, about: "")
        record.remark = remark
        let noted = record
        _ = try catalog.write { catalog, _ throws(RegistryError) in try catalog.insert(noted) }
    }
}

/// The one in whose name something is changed, as the audit keeps it.
///
/// A literal is one of the server's own words, such as `owner` or `retention`, for changes without a token.
package struct Author: Equatable, Sendable, ExpressibleByStringInterpolation {
    /// The token's name, which `publishedBy` and the feed show.
    package let name: String
    /// The token's number; `nil` without a token of the catalog.
    package let token: Int64?
    /// The client's address as the log has it; empty for changes made on this machine.
    package let client: String
    /// The request's identifier, which the log has as well.
    package let request: String
    /// The client's description of itself, already cut short and fit to be shown.
    package let agent: String

    package init(_ name: String, token: Int64? = nil, client: String = "", request: String = "", agent: String = "") {
        self.name = name
        self.token = token
        self.client = client
        self.request = request
        self.agent = agent
    }

    package init(stringLiteral name: String) {
        self.init(name)
    }

    /// The server's own words for changes without a token. No new token gets one of them as its name.
    package static let ownNames = ["admin", "owner", "reindex", "restore", Retention.author, "schedule", "seed"]

    /// The name under which a token's acts are noted: its own, with its number if the server acts under that name itself.
    ///
    /// Such tokens are older than the rule. `admin` is the first token's name.
    package static func name(ofToken name: String, number: Int64?) -> String {
        guard let number, name != "admin", ownNames.contains(name) else { return name }
        return "\(name)#\(number)"
    }
}
