import ConformanceSupport
import TestSupport
import Testing

/// Goal: a publisher's note reaches those who look at the release. Method: one is published to a registry, and every
/// command that shows a release is asked.
@Suite(.timeLimit(.minutes(20))) struct `A note on a release` {
    @Test func `is shown by every command that shows the release, and is the first that was given`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let archive = try folder.write("a.zip", SampleBundle.archive())
        let registry = try Registry()
        func run(_ words: String...) throws -> String {
            let result = try Program.run(
                words,
                environment: [
                    "WIDGET_SERVER": "http://127.0.0.1:\(registry.port)", "WIDGET_TOKEN": Registry.adminToken,
                ])
            #expect(result.exitCode == 0, "\(result.error)")
            return result.output
        }
        #expect(try run("publish", archive, "--note", "Works on Sundays", "--json").contains("Works on Sundays"))
        #expect(try run("publish", archive, "--note", "Something else").contains("was there already"))
        #expect(try run("show", "com.example.Sample", "1.0~1").contains("\nnote      Works on Sundays\n"))
        #expect(try run("report", "com.example.Sample", "1.0~1").hasPrefix("note Works on Sundays\n"))
        let listed = try run("show", "com.example.Sample").split(separator: "\n")
        #expect(listed.contains { $0.hasPrefix("RELEASE") && $0.hasSuffix("NOTE") })
        #expect(listed.contains { $0.hasPrefix("1.0~1") && $0.hasSuffix("Works on Sundays") })
    }
}
