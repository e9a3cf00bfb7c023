import ConformanceSupport
import Foundation
import TestSupport
import Testing
import WidgetBuild

/// Goal: an interface says the same whichever form it is in, wherever a bundle goes. Method: a sample as it is built, and
/// with every one of its interfaces as a keyed archive in the XML form, taken in by a registry, looked at and shown.
@Suite(.timeLimit(.minutes(20))) struct `A widget whose interfaces are property lists of the XML form` {
    private static func archive(_ name: String, asText: Bool) throws -> [UInt8] {
        let sources = Corpus.tree(at: "\(SampleSources.folder)/\(name)")
        let files = try BundleCompiler(sources, folder: name).files
        var changed = 0
        let entries = try files.map { file -> (String, [UInt8]) in
            guard asText, file.path.hasSuffix(".nib") else { return (file.path, file.bytes) }
            changed += 1
            return (file.path, try TextNib.text(of: file.bytes))
        }
        #expect(!asText || changed > 3)
        return ZipForge(entries.map { .init(Array("\(name).bundle/\($0.0)".utf8), $0.1) }).build().bytes
    }

    @Test(arguments: ["HarbourLog", "Aviary"])
    func `is published without a warning, and looks as it does in the other form`(_ name: String) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        var shown: [String] = []
        var seen: [[Substring]] = []
        for asText in [false, true] {
            let path = try folder.write("\(asText).zip", Self.archive(name, asText: asText))
            let inspected = try Program.run(["inspect", path])
            #expect(inspected.exitCode == 0, "\(inspected.error)")
            seen.append(
                inspected.output.split(separator: "\n").filter { line in
                    !["sha256 ", "content ", "kept "].contains { line.hasPrefix($0) }
                })
            let rendered = try Program.run(["render", path])
            #expect(rendered.exitCode == 0, "\(rendered.error)")
            shown.append(rendered.output)
        }
        #expect(seen[0] == seen[1])
        #expect(shown[0] == shown[1] && shown[0].utf8.count > 100)
        let registry = try Registry()
        let published = try Program.run(
            ["publish", folder.path("true.zip"), "--strict"],
            environment: ["WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken])
        #expect(published.exitCode == 0, "\(published.error)")
    }
}
