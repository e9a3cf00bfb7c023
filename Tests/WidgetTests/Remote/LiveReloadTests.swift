import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Goal: who has a widget on the screen sees its next release as it is published. Method: the built programs, a registry
/// and a terminal of the test's own.
@Suite(.serialized, .timeLimit(.minutes(20))) struct `widget run, of a widget in a registry,` {
    private static let widget = "com.example.Postcard-1"

    /// Publishes the sample under another title.
    private static func publish(_ title: String, _ version: String, _ folder: Folder, _ environment: [String: String])
        throws
    {
        let source = URL(filePath: folder.path("Postcard"))
        if !FileManager.default.fileExists(atPath: source.path) {
            try FileManager.default.copyItem(atPath: "\(Corpus.repositoryRoot)/Bundles/Postcard", toPath: source.path)
        }
        for (file, old, new) in [
            ("Main.storyboard", "title=\"Postcard\"", "title=\"\(title)\""),
            ("Info.plist", "<string>1.0</string>", "<string>\(version)</string>"),
        ] {
            let original = URL(filePath: "\(Corpus.repositoryRoot)/Bundles/Postcard/\(file)")
            let text = try String(contentsOf: original, encoding: .utf8)
            try text.replacing(old, with: new)
                .write(to: source.appending(path: file), atomically: true, encoding: .utf8)
        }
        let archive = folder.path("Postcard.zip")
        try #require(try Program.run(["build", source.path, "-o", archive]).exitCode == 0)
        let published = try Program.run(["publish", archive], environment: environment)
        try #require(published.exitCode == 0, "\(published.error)")
    }

    @Test func `shows a new release when it arrives, with another revision, and what was typed`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let registry = try Registry()
        let environment = [
            "WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken, "WIDGET_CACHE": folder.path("cache"),
        ]
        try Self.publish("First", "1.0", folder, environment)
        let terminal = try PseudoTerminal(["run", Self.widget], environment: environment)
        #expect(terminal.waits(for: "[ First ]"))
        #expect(terminal.shown.contains("revision 1"))
        try Self.publish("Second", "1.1", folder, environment)
        #expect(terminal.waits(for: "[ Second ]"), "\(terminal.shown.suffix(2_000))")
        #expect(terminal.shown.contains("revision 2"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
        #expect(!terminal.isRaw)
    }
}
