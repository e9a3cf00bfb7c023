import Testing
import WidgetConfiguration
import WidgetRegistry

@testable import ServerCommands

/// Goal: rules for prefixes are read as they are meant, or refused. Method: texts of both kinds, read and written again.
@Suite struct `Rules for prefixes` {
    @Test(arguments: [
        "com.acme last=20 age=90d", "* age=36h", "com.acme.legal keep", "com.acme last=1", "* last=100000 age=3650d",
    ]) func `A rule of retention is written as it was read`(_ text: String) throws {
        let rule = try #require(RetentionRule(written: text))
        #expect(rule.description == text && RetentionRule(written: rule.description) == rule)
    }

    @Test(arguments: [
        "com.acme bytes=2GiB releases=500 publications=100", "* bytes=1025", "com.acme releases=0",
        "com.acme publications=1",
    ]) func `A quota is written as it was read`(_ text: String) throws {
        let rule = try #require(QuotaRule(written: text))
        #expect(rule.description == text && QuotaRule(written: rule.description) == rule)
    }

    @Test(arguments: [
        "", "*", "com.acme", "com.acme last", "com.acme last=", "com.acme last=0", "com.acme last=-1",
        "com.acme last=+1",
        "com.acme last=1 last=2", "com.acme last=999999999999999999999", "com.acme age=1h", "com.acme age=4000d",
        "com.acme age=1.5d1", "com.acme keep last=1", "com.acme keep=yes", "com..acme last=1", ".com last=1",
        "com.acme number=1", "com.acme last=1 a=1 b=2 c=3 d=4 e=5 f=6 g=7", "last=1",
        "com.acme age=90d\u{0}", "com.acme last=١",
    ]) func `Anything else is not a rule of retention`(_ text: String) {
        #expect(RetentionRule(written: text) == nil)
    }

    @Test(arguments: [
        "", "com.acme", "com.acme bytes", "com.acme bytes=", "com.acme bytes=-1", "com.acme bytes=1GB",
        "com.acme bytes=9999999999TiB", "com.acme releases=1.5", "com.acme releases=1 releases=2", "com.acme keep",
    ]) func `Anything else is not a quota`(_ text: String) {
        #expect(QuotaRule(written: text) == nil)
    }

    @Test func `Two rules for one prefix are a contradiction`() {
        var settings = Settings()
        settings.retention.rules = [RetentionRule(.all, last: 1), RetentionRule(.all, last: 2)]
        settings.quotas = [QuotaRule(.all, releases: 1), QuotaRule(.all, bytes: 1)]
        #expect(settings.contradictions.map(\.key) == ["retention.rules", "quota.rules"])
    }

    @Test func `The settings have rules as lists, and as one variable with commas`() throws {
        let loaded = try load(
            file: #"{ retention: { rules: ["com.acme last=3", "* keep"], rollbacks: 2 } }"#,
            ["WIDGETD_QUOTA_RULES": "com.acme bytes=1GiB, org releases=5"])
        #expect(loaded.settings.retentionPolicy.text == "* keep, com.acme last=3, rollbacks=2")
        #expect(loaded.settings.quotaPolicy.rules.map(\.description) == ["com.acme bytes=1GiB", "org releases=5"])
        #expect(throws: ConfigurationError.self) { try load(file: #"{ quota: { rules: "com.acme" } }"#) }
    }
}
