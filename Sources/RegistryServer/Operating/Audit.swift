internal import Addresses
internal import HTTPServer
internal import Locks
package import Logging
internal import Registry
internal import WidgetBundles

/// Notes every write: who, what, to which end. One line of the log each, whatever else is logged, and a count.
package final class Audit: Sendable {
    private struct Counts {
        var writes: [Write: UInt64] = [:]
        var stripped: [StripRule: UInt64] = [:]
    }

    private struct Write: Hashable {
        var action: String
        var result: String
    }

    private let logger: Logger?
    private let isLogged: @Sendable () -> Bool
    private let counts = Guarded(Counts())

    /// - Parameters:
    ///   - logger: where lines go; without one, writes are only counted.
    ///   - isLogged: whether lines are wanted; the log's level is about other things.
    package init(_ logger: Logger? = nil, isLogged: @escaping @Sendable () -> Bool = { true }) {
        self.logger = logger
        self.isLogged = isLogged
    }

    package func record(_ entry: AuditEntry, _ result: String) {
        counts.withLock { $0.writes[Write(action: entry.action.rawValue, result: result), default: 0] += 1 }
        guard let logger, isLogged() else { return }
        var fields = [
            LogField("action", entry.action.rawValue), LogField("result", result), LogField("by", entry.by ?? "-"),
        ]
        fields += entry.details
        if !entry.request.isEmpty { fields.append(LogField("request", entry.request)) }
        if !entry.client.isEmpty { fields.append(LogField("client", entry.client)) }
        logger.record(.notice, "audit", "", fields)
    }

    func record(_ entry: AuditEntry, _ problem: Problem) {
        record(entry, problem.code)
    }

    /// Counts what was left out of a bundle that was published.
    func countStripped(_ report: BundleReport) {
        counts.withLock { counts in
            for file in report.stripped { counts.stripped[file.rule, default: 0] += 1 }
        }
    }

    func write(to text: inout MetricsText) {
        let counts = counts.withLock { $0 }
        text.declare("widgetd_writes_total", "counter", "Writes asked for, by what and to which end.")
        for (write, count) in counts.writes.sorted(by: {
            ($0.key.action, $0.key.result) < ($1.key.action, $1.key.result)
        }) {
            text.sample(
                "widgetd_writes_total", [("action", write.action), ("result", write.result)], String(count))
        }
        text.declare(
            "widgetd_stripped_files_total", "counter", "Files left out of bundles that were published, by rule.")
        for rule in StripRule.allCases {
            text.sample("widgetd_stripped_files_total", [("rule", rule.rawValue)], String(counts.stripped[rule] ?? 0))
        }
    }
}

/// A write under way, noted once: with what it came to, or when nobody is left to say that.
final class PendingWrite: Sendable {
    private let audit: Audit
    private let entry: Guarded<AuditEntry?>

    init(_ audit: Audit, _ entry: AuditEntry) {
        self.audit = audit
        self.entry = Guarded(entry)
    }

    deinit {
        // The engine refused the body, or the client went away.
        record("not-received")
    }

    func add(_ name: String, _ value: String) {
        entry.withLock { $0?.add(name, value) }
    }

    func record(_ result: String) {
        guard let entry = entry.withLock({ $0.take() }) else { return }
        audit.record(entry, result)
    }
}

/// One write, as far as it is known.
package struct AuditEntry: Sendable {
    package enum Action: String {
        case publish, promote, rollback, withdraw, restore, backup, gc, scrub, reindex
        /// The whole store, not a release of it.
        case restoreBackup = "restore-backup"
        case createToken = "create-token"
        case revokeToken = "revoke-token"
        /// What only an administrator may, asked for by somebody who is none.
        case administer

        init(_ scope: Token.Scope) {
            switch scope {
            case .publish: self = .publish
            case .promote: self = .promote
            case .withdraw: self = .withdraw
            case .admin, .read: self = .administer
            }
        }
    }

    var action: Action
    var by: String?
    var request = ""
    var client = ""
    var details: [LogField] = []

    package init(_ action: Action, by: String?) {
        self.action = action
        self.by = by
    }

    init(_ action: Action, _ request: borrowing Request, by: String? = nil, bundle: String? = nil) {
        self.init(action, by: by)
        self.request = request.id
        client = request.client.loggedName
        if let bundle { add("bundle", bundle) }
    }

    package mutating func add(_ name: String, _ value: String) {
        add(LogField(name, value))
    }

    package mutating func add(_ field: LogField) {
        details.append(field)
    }
}
