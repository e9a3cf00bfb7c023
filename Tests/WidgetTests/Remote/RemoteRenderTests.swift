import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Goal: a widget in a registry is shown from what was fetched, and what was fetched is shown when there is no registry,
/// unless it must not be. Method: the built program, a registry, and its end.
@Suite(.timeLimit(.minutes(20))) struct `widget render, given a widget in a registry,` {
    private static let widget = "com.example.Postcard-1"

    @Test func `shows what it has when the registry is gone, says so, and stops when that is too old`() throws {
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
        #expect(offline.error.contains("error: ") && offline.error.contains("hint: this is 1.0~1, which was here"))

        // An earlier program has remembered that the registry wanted another one, which was never here: it stops nothing.
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
