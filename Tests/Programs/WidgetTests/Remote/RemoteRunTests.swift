import CommandSupport
import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: a widget in a registry is shown from the cache, also without the registry, unless the release must not be run
/// any more. Method: the program in this process, and a registry that is stopped.
@Suite(.callingThreads) struct `widget render, given a widget in a registry,` {
    private static let widget = "com.example.Postcard-1"

    @Test func `render shows the cached release when the registry is gone, says so, and stops when it is too old`()
        throws
    {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let archive = folder.path("Postcard.zip")
        #expect(
            try Program.run(["build", "\(Corpus.repositoryRoot)/Bundles/Postcard", "-o", archive]).exitCode == 0)
        let registry = try Registry()
        let environment = [
            "WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken, "WIDGET_CACHE": folder.path("cache"),
        ]
        #expect(try Program.run(["publish", archive], environment: environment).exitCode == 0)
        let first = try Program.run(["render", Self.widget], environment: environment)
        #expect(first.exitCode == 0 && first.error.isEmpty, "\(first.error)")
        #expect(first.output.contains("Postcard"))

        registry.killAtOnce()
        let offline = try Program.run(["render", Self.widget], environment: environment)
        #expect(offline.exitCode == 0)
        #expect(offline.output == first.output)
        let hint = "hint: this is 1.0~1, from \(registry.url), which was here"
        #expect(offline.error.contains("error: ") && offline.error.contains(hint), "\(offline.error)")

        // An earlier program has remembered that the registry wanted another one, which was never here: it stops
        // nothing.
        let state = URL(filePath: folder.path("cache/widgets/\(Self.widget)/state.json"))
        let text = try String(contentsOf: state, encoding: .utf8)
        let wish = "{\"mandatory\":\"\(String(repeating: "0", count: 64))\","
        try Data(text.replacing("{", with: wish, maxReplacements: 1).utf8).write(to: state)
        let unmoved = try Program.run(["render", Self.widget], environment: environment)
        #expect(unmoved.exitCode == 0 && unmoved.output == first.output)

        // One that was here, must be run instead of anything older, and is damaged.
        var members = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        var newer = try #require(members["current"] as? [String: Any])
        members["previous"] = newer
        newer["sha256"] = String(repeating: "0", count: 64)
        newer["mandatory"] = true
        members["current"] = newer
        try JSONSerialization.data(withJSONObject: members).write(to: state)
        let refused = try Program.run(["render", Self.widget], environment: environment)
        #expect(refused.exitCode == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("wants a newer one"), "\(refused.error)")
    }
}

/// Goal: the user of a running widget sees its next release as it is published. Method: the programs in this process,
/// on a terminal that the test makes.
@Suite(.serialized, .callingThreads) struct `widget run, of a widget in a registry,` {
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

    @Test func `run shows a new release when it arrives, with another revision and the typed text`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let registry = try Registry()
        let environment = [
            "WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken, "WIDGET_CACHE": folder.path("cache"),
        ]
        try Self.publish("First", "1.0", folder, environment)
        let terminal = try CalledTerminal(["run", Self.widget], environment: environment)
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
