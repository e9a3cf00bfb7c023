import Configuration
import Logging
import RegistryServer
import Testing
import WidgetBundles

@testable import widgetd

@Suite struct `A reload` {
    @Test func `applies what can change at once and names what cannot`() {
        let old = Settings()
        var new = old
        new.publishPolicy.bundles.limits.archiveByteCount = 1 << 20
        new.log.level = .debug
        new.data = "/elsewhere"
        new.workers = 2
        let change = SettingsChange(from: old, to: new)
        #expect(change.applied == ["log.level", "limits.upload"])
        #expect(change.needingRestart == ["data", "workers"])
        #expect(change.settings.publishPolicy.bundles.limits.archiveByteCount == 1 << 20)
        #expect(change.settings.log.level == .debug)
        #expect(change.settings.data == old.data)
        #expect(change.settings.workers == old.workers)
    }

    @Test func `of the same settings changes nothing`() {
        let change = SettingsChange(from: Settings(), to: Settings())
        #expect(change.applied.isEmpty && change.needingRestart.isEmpty)
        #expect(change.settings == Settings())
    }

    @Test func `covers tokens, limits and the log level`() {
        for setting in Settings.table
        where setting.path.hasPrefix("limits.") || ["adminToken", "log.level"].contains(setting.path) {
            #expect(setting.isReloadable, "\(setting.path)")
        }
    }
}
