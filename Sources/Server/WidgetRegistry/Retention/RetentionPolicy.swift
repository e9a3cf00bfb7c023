/// The operator's rule for the releases of a prefix: what stays besides what channels need.
package struct RetentionRule: Equatable, Sendable, CustomStringConvertible {
    package var prefix: BundlePrefix
    /// The number of releases published last that stay, and of snapshots as many; `nil`: no number keeps one.
    package var last: Int?
    /// The seconds for which a release stays after its publication; `nil`: no age keeps one.
    package var age: Int64?

    package init(_ prefix: BundlePrefix, last: Int? = nil, age: Int64? = nil) {
        self.prefix = prefix
        self.last = last
        self.age = age
    }

    /// True for a rule that exempts a prefix from the rule of a shorter one.
    package var keepsAll: Bool { last == nil && age == nil }

    /// As operators write it.
    package var description: String {
        var words = [prefix.description]
        if keepsAll { words.append(RetentionRule.keepWord) }
        if let last { words.append("last=\(last)") }
        if let age { words.append("age=\(RetentionRule.span(age))") }
        return words.joined(separator: " ")
    }

    package static let keepWord = "keep"

    /// Seconds in the largest unit that leaves no rest.
    package static func span(_ seconds: Int64) -> String {
        for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)] where seconds % length == 0 && seconds > 0
        {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}

/// The operator's rules for what is kept. Without a rule, every release stays until it is withdrawn.
package struct RetentionPolicy: Equatable, Sendable {
    /// Each for another prefix.
    package var rules: [RetentionRule]
    /// The number of releases that stay for each channel besides those that it shows: the last that it showed, and those to
    /// which rollbacks lead.
    package var rollbacks: Int

    package init(_ rules: [RetentionRule] = [], rollbacks: Int = RetentionPolicy.usualRollbacks) {
        self.rules = rules
        self.rollbacks = rollbacks
    }

    package static let usualRollbacks = 10

    /// The rules by which releases expire; none if retention is off.
    package var active: [RetentionRule] { rules.filter { !$0.keepsAll } }

    /// The rule of the longest prefix that covers a bundle; `nil` if all its releases stay.
    package func rule(for bundle: String) -> RetentionRule? {
        let covering = rules.filter { $0.prefix.covers(bundle) }
        guard let rule = covering.max(by: { $0.prefix.text.utf8.count < $1.prefix.text.utf8.count }), !rule.keepsAll
        else { return nil }
        return rule
    }

    /// The rule of the longest prefix that covers a prefix; `nil` without one. Parts of the prefix may have rules for themselves.
    package func rule(over prefix: BundlePrefix) -> RetentionRule? {
        rules.filter { $0.prefix.covers(prefix) }.max { $0.prefix.text.utf8.count < $1.prefix.text.utf8.count }
    }

    /// The same text for rules that keep the same, in any order; empty if all releases stay.
    package var text: String {
        if active.isEmpty { return "" }
        let written = rules.sorted { $0.prefix.text < $1.prefix.text }.map(\.description)
        return (written + ["rollbacks=\(rollbacks)"]).joined(separator: ", ")
    }
}

/// The end of a release by a rule of the operator. Its key stays used; its documents and its archive are gone.
package struct Expiry: Equatable, Sendable {
    /// Seconds since 1970.
    package var at: Int64
    /// The rule, as the operator wrote it.
    package var rule: String

    package init(at: Int64, rule: String) {
        self.at = at
        self.rule = rule
    }
}

/// The rules by which the store was collected last, and those that wait. The catalog has one.
package struct RetentionGuard: Equatable, Sendable {
    /// The text of the rules that are applied.
    package var applied = ""
    /// The text of the rules that would remove more than a share of all releases, and wait; `nil` without.
    package var pending: String?
    /// When those were first seen, in seconds since 1970.
    package var since: Int64 = 0

    package init(applied: String = "", pending: String? = nil, since: Int64 = 0) {
        self.applied = applied
        self.pending = pending
        self.since = since
    }

    /// The state of a catalog that was restored or made anew: rules have not been applied to it.
    package static let unseen = RetentionGuard(applied: "?")
    var isUnseen: Bool { applied == RetentionGuard.unseen.applied }

    /// The longest wait.
    package static let wait: Int64 = 86_400
    /// The wait is for rules that would remove more than one of so many releases.
    package static let share = 10

    /// The end of the wait; `nil` if nothing waits.
    package var ends: Int64? { pending == nil ? nil : since.addingReportingOverflow(RetentionGuard.wait).partialValue }
}
