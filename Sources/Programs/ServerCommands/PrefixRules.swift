import WidgetConfiguration
import WidgetRegistry

// Rules for prefixes of bundles, as operators write them: a prefix, and words behind it.

extension SettingKind where Value == [RetentionRule] {
    /// `com.acme last=20 age=90d`, `com.acme.legal keep`, `* age=365d`; there need not be any.
    static var retentionRules: SettingKind {
        list(
            name: "rules",
            expectation:
                "rules with commas between them, like com.acme last=20 age=90d, com.acme.legal keep; * is the prefix of all "
                + "bundles, last from 1 to \(RetentionRule.mostLast), age from 1d to 3650d",
            atLeast: 0, parse: { RetentionRule(written: $0) }, show: \.description)
    }
}

extension SettingKind where Value == [QuotaRule] {
    /// `com.acme bytes=2GiB releases=500 publications=100`; there need not be any.
    static var quotaRules: SettingKind {
        list(
            name: "quotas",
            expectation:
                "quotas with commas between them, like com.acme bytes=2GiB releases=500, * publications=100; * is the prefix of "
                + "all bundles, and publications are those within a day",
            atLeast: 0, parse: { QuotaRule(written: $0) }, show: \.description)
    }
}

/// A rule's prefix and its words, each name once.
private struct WrittenRule {
    let prefix: BundlePrefix
    /// The value is `nil` for a word without one.
    private(set) var words: [String: String?] = [:]

    init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 2, parts.count <= WrittenRule.mostParts, let first = parts.first,
            let prefix = BundlePrefix(first)
        else { return nil }
        self.prefix = prefix
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = halves.first, words[name] == nil else { return nil }
            words[name] = .some(halves.count == 2 ? halves[1] : nil)
        }
    }

    private static let mostParts = 8

    /// Takes the value of a word out.
    ///
    /// - Returns: `nil` without such a word.
    mutating func take(_ name: String) -> String?? { words.removeValue(forKey: name) }

    /// A whole number without a sign; `nil` for any other text.
    static func number(_ text: String?, from least: Int, to most: Int) -> Int? {
        guard let text, (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), (least...most).contains(number)
        else { return nil }
        return number
    }
}

extension RetentionRule {
    /// The most releases of a bundle that a rule counts.
    static let mostLast = 100_000
    private static let mostDays: Int64 = 3_650

    /// - Returns: `nil` for a text that is not a rule.
    init?(written text: String) {
        guard var rule = WrittenRule(text) else { return nil }
        self.init(rule.prefix)
        if let value = rule.take(RetentionRule.keepWord) {
            guard value == nil, rule.words.isEmpty else { return nil }
            return
        }
        if let value = rule.take("last") {
            guard let number = WrittenRule.number(value, from: 1, to: RetentionRule.mostLast) else { return nil }
            last = number
        }
        if let value = rule.take("age") {
            guard let span = value.flatMap(DurationText.parse), span.components.attoseconds == 0,
                (86_400...RetentionRule.mostDays * 86_400).contains(span.components.seconds)
            else { return nil }
            age = span.components.seconds
        }
        guard rule.words.isEmpty, !keepsAll else { return nil }
    }
}

extension QuotaRule {
    /// - Returns: `nil` for a text that is not a rule.
    init?(written text: String) {
        guard var rule = WrittenRule(text) else { return nil }
        self.init(rule.prefix)
        if let value = rule.take(QuotaMeasure.bytes.rawValue) {
            guard let size = value.flatMap(SizeText.parse), size >= 0 else { return nil }
            bytes = size
        }
        if let value = rule.take(QuotaMeasure.releases.rawValue) {
            guard let number = WrittenRule.number(value, from: 0, to: 1_000_000_000) else { return nil }
            releases = number
        }
        if let value = rule.take(QuotaMeasure.publications.rawValue) {
            guard let number = WrittenRule.number(value, from: 0, to: 1_000_000_000) else { return nil }
            publications = number
        }
        guard rule.words.isEmpty, QuotaMeasure.allCases.contains(where: { self[$0] != nil }) else { return nil }
    }
}

extension Settings {
    /// The fault of two rules for one prefix.
    var repeatedPrefixes: [(key: String, reason: SettingProblem.Reason)] {
        func fault(_ key: String, _ prefixes: [BundlePrefix]) -> [(key: String, reason: SettingProblem.Reason)] {
            let twice = prefixes.first { prefix in prefixes.count { $0 == prefix } > 1 }
            return twice.map {
                [
                    (
                        key,
                        .wrongValue(
                            key: key, found: "a list with two rules for \($0)", expectation: "one rule for each prefix")
                    )
                ]
            } ?? []
        }
        return fault("retention.rules", retention.rules.map(\.prefix)) + fault("quota.rules", quotas.map(\.prefix))
    }

    /// The origin of a mirror decides what stays, and what may be published.
    var retentionPolicy: RetentionPolicy {
        mirror == nil ? RetentionPolicy(retention.rules, rollbacks: retention.rollbacks) : RetentionPolicy()
    }

    var quotaPolicy: QuotaPolicy { mirror == nil ? QuotaPolicy(quotas) : QuotaPolicy() }
}
