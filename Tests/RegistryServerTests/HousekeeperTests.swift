import Files
import HTTPServer
import Registry
import Testing

@testable import RegistryServer

@Suite struct `Housekeeping` {
    @Test func `is as due after a dry run as before`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        let registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options { 1_000_000 })
        let housekeeper = Housekeeper(registry, now: { 1_000_000 })
        _ = try housekeeper.collect(isDryRun: true, by: "test")
        #expect(housekeeper.state[.gc].lastSuccess == nil && housekeeper.state[.gc].successes == 0)
        #expect(housekeeper.state[.gc].lastReport != nil && registry.lastRun(of: .gc) == nil)
        _ = try housekeeper.collect(isDryRun: false, by: "test")
        #expect(housekeeper.state[.gc].lastSuccess == 1_000_000 && housekeeper.state[.gc].successes == 1)
        #expect(registry.lastRun(of: .gc) == 1_000_000)
        // And it does not forget what was done.
        _ = try housekeeper.collect(isDryRun: true, by: "test")
        #expect(housekeeper.state[.gc].lastSuccess == 1_000_000)
    }

    @Test func `says of what a shutdown ended that it was interrupted`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        let registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options { 1_000_000 })
        let audit = Audit()
        let housekeeper = Housekeeper(registry, audit: audit, now: { 1_000_000 })
        #expect(housekeeper.stop() == [])
        #expect(throws: RegistryError.interrupted) {
            _ = try housekeeper.backUp(server: "test", by: "test", begin: { _ in }, into: { _ in })
        }
        var text = MetricsText()
        audit.write(to: &text)
        #expect(text.text.contains("widgetd_writes_total{action=\"backup\",result=\"interrupted\"} 1"), "\(text.text)")
    }
}
