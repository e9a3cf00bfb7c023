import Foundation
import LocalStore
import Testing
import WidgetConfiguration
import WidgetRegistry
import WidgetSurroundings

@testable import ServerCommands

@Suite struct `The setting retention.audit` {
    @Test func `The setting retention.audit decides which records the catalog removes`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.appending(path: "data").path
        let settings = try load(["WIDGETD_RETENTION_AUDIT": "3d"], flags: ["--data", data]).settings
        let now = Int64(Date().timeIntervalSince1970)
        // Two are older than three days, and all are younger than 400.
        for days in [5, 4, 2, 1] {
            let registry = try patiently {
                try Registry(
                    opening: data,
                    options: Registry.Options(
                        in: World(clock: ManualClock(date: .seconds(now - Int64(days) * 86_400)))), holder: "the test")
            }
            try registry.note(.scrub, by: "schedule", "\(days) days ago")
        }
        let registry = try patiently { try ServerStore.open(settings, in: .machine) }
        #expect(try registry.collect(grace: 60, isDryRun: false) { _, _ in }.auditRecords == 2)
        #expect(try registry.audit(AuditQuery(limit: 9)).items.map(\.remark) == ["1 days ago", "2 days ago"])
    }

    /// Opens a registry that the last one may hold for a moment longer.
    private func patiently(_ open: () throws -> Registry) throws -> Registry {
        for _ in 0..<100 {
            if let registry = try? open() { return registry }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return try open()
    }
}
