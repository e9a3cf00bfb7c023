import Configuration
import Registry
import RegistryServer
import Testing
import WidgetBundles

@testable import widgetd

@Suite struct `The policy for bundles` {
    @Test func `is by default what bundles are judged by everywhere`() {
        #expect(Settings().bundlePolicy == BundlePolicy())
    }

    @Test func `follows the settings`() {
        var settings = Settings()
        settings.publishPolicy.bundles.kept = ["*.json"]
        settings.publishPolicy.bundles.limits.archiveByteCount = 1
        settings.publishPolicy.bundles.limits.expandedByteCount = 2
        settings.publishPolicy.bundles.limits.fileByteCount = 3
        settings.publishPolicy.bundles.limits.entryCount = 4
        settings.publishPolicy.bundles.limits.pathDepth = 5
        settings.publishPolicy.bundles.limits.pathByteCount = 6
        settings.publishPolicy.bundles.limits.parsedByteCount = 7
        settings.publishPolicy.bundles.limits.ratio = 8
        settings.publishPolicy.bundles.limits.pixelCount = 9
        let policy = settings.bundlePolicy
        #expect(policy.kept == ["*.json"])
        let limits = policy.limits
        #expect([limits.archiveByteCount, limits.expandedByteCount, limits.fileByteCount] == [1, 2, 3])
        #expect([limits.entryCount, limits.pathDepth, limits.pathByteCount] == [4, 5, 6])
        #expect([limits.parsedByteCount, limits.ratio, limits.pixelCount] == [7, 8, 9])
    }

    @Test func `is what strangers are told`() {
        var settings = Settings()
        settings.channels.protected = ["live", "stable"]
        settings.publishPolicy.bundles.kept = ["*.json", "*.pdf"]
        settings.publishPolicy.isStrict = true
        settings.publishPolicy.bundles.limits.pixelCount = 4_096
        let description = settings.description
        #expect(description.keptFiles == ["*.json", "*.pdf"])
        #expect(description.isStrict)
        #expect(description.protectedChannels == ["live", "stable"])
        #expect(description.limits.first { $0.name == "pixels" }?.value == 4_096)
    }

    /// Every limit of the table is told, so that none is found out by hitting it.
    @Test func `leaves no limit unsaid`() {
        let told = Settings().description.limits.map { "limits.\($0.name)" }
        #expect(Set(told) == Set(Settings.table.map(\.path).filter { $0.hasPrefix("limits.") }))
        #expect(Set(told).count == told.count)
    }
}

@Suite struct `The policy of housekeeping` {
    @Test func `follows the settings`() {
        var settings = Settings()
        settings.housekeeping.grace = .seconds(1)
        settings.housekeeping.scrubRate = 2
        settings.housekeeping.collectEvery = .seconds(3)
        settings.housekeeping.scrubEvery = .seconds(4)
        let policy = settings.housekeepingPolicy
        #expect([policy.grace, policy.collectEvery, policy.scrubEvery] == [.seconds(1), .seconds(3), .seconds(4)])
        #expect(policy.scrubRate == 2)
    }

    @Test func `keeps what the settings say`() {
        var settings = Settings()
        settings.retention.snapshots = 5
        settings.retention.snapshotChannels = ["nightly"]
        settings.retention.withdrawn = .seconds(6)
        let options = Store.options(settings)
        #expect(options.snapshotsKept == 5 && options.snapshotChannels == ["nightly"] && options.withdrawnSeconds == 6)
    }
}

@Suite struct `The policy for channels` {
    @Test func `protects stable, and follows the settings`() {
        #expect(Settings().channels == ChannelPolicy(limit: 100, publisherLimit: 20, protected: ["stable"]))
        var settings = Settings()
        settings.channels = ChannelPolicy(limit: 7, publisherLimit: 3, protected: ["live"])
        #expect(Store.options(settings).channels() == settings.channels)
    }
}
