import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Goal: what authors are shown as an example is good enough for the strictest registry. Method: each sample is built
/// from its source by the program, and published with `--strict`.
@Suite(.timeLimit(.minutes(20))) struct `The samples in source form` {
    @Test(arguments: SampleSources.names)
    func `are built and published without a warning`(_ name: String) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let archive = folder.path("\(name).zip")
        let built = try Program.run(["build", "\(SampleSources.folder)/\(name)", "-o", archive])
        #expect(built.exitCode == 0, "\(built.error)")
        let registry = try Registry()
        let published = try Program.run(
            ["publish", archive, "--strict", "--channel", "stable"],
            environment: [
                "WIDGET_SERVER": "http://127.0.0.1:\(registry.port)", "WIDGET_TOKEN": Registry.adminToken,
            ])
        #expect(published.exitCode == 0, "\(published.error)")
        let listed = try Program.run(["list", "com.example.\(name)", "--server", "http://127.0.0.1:\(registry.port)"])
        #expect(listed.output.contains("stable 1.0~1"), "\(listed.output)")
    }
}
