import ConformanceSupport
import Foundation
import RegistryClient
import RegistryContract
import TestSupport
import Testing
import Transfers

/// Goal: what docs/hosting.md tells app developers to write does what it says. Method: the same lines, run here, and a
/// look whether they are the same.
@Suite struct `The guide for hosts` {
    private final class Shown {
        var paths: [String] = []
        var releases: [InstalledRelease] = []
        var complaints: [String] = []
    }

    @Test func `keeps a widget up to date in ten lines`() async throws {
        let server = try Registry()
        try server.publish(.sample())
        let folder = try Folder()
        let shown = Shown()
        func show(_ release: InstalledRelease) {
            shown.paths.append(release.path)
            shown.releases.append(release)
        }
        func log(_ text: String) { shown.complaints.append(text) }
        let (place, address, name) = ("\(folder.path)/widgets", server.url, "com.example.Sample-1")

        // guide: update
        let cache = try WidgetCache(at: place)
        let host = WidgetFetcher(registry: try RegistryAddress(address), cache: cache)
        let widget = try WidgetIdentifier(name)

        switch await host.update(widget) {
        case .newData(let release, _), .noData(let release): show(release)
        case .failed(let reason, let release):
            log("\(reason)")
            if let release, !release.mustUpdate { show(release) }
        }
        // guide: end
        #expect(shown.paths.count == 1 && shown.complaints.isEmpty)

        // guide: watch
        for await event in host.events(of: widget) {
            switch event {
            case .revision(_, .release(let release), _): show(release)
            case .failed(let reason): log("\(reason)")
            default: break
            }
            // guide: end
            if shown.paths.count == 2 { break }
        }
        #expect(shown.paths.count == 2 && shown.paths[0] == shown.paths[1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: shown.paths[0]).contains("Info.plist"))
    }

    @Test(arguments: ["update", "watch"])
    func `shows the lines that are run here`(part: String) throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let guide = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/hosting.md", encoding: .utf8)
        let mark = "        // guide: \(part)\n"
        let start = try #require(source.range(of: mark)).upperBound
        let end = try #require(source[start...].range(of: "// guide: end")).lowerBound
        let lines = source[start..<end].split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("        ") ? String(line.dropFirst(8)) : String(line)
        }
        let text = lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(guide.contains(text), "docs/hosting.md does not show:\n\(text)")
    }
}
