import Testing
import WidgetTestSupport

@testable import WidgetBundles

/// Goal: the reference for authors has each key of `Info.plist` that is read, and no other. Method: its table, compared with
/// the keys of the manifest.
@Suite struct `The table of Info.plist` {
    @Test func `The table of Info.plist has every key that is read, and no other`() throws {
        let page = String(
            decoding: Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["authoring.md"] ?? [], as: UTF8.self)
        let start = try #require(page.firstRange(of: "\n## The manifest\n")).upperBound
        let chapter = page[start...].prefix(upTo: page[start...].firstRange(of: "\n## ")?.lowerBound ?? page.endIndex)
        var listed: Set<String> = []
        for line in chapter.split(separator: "\n") where line.hasPrefix("| `") {
            listed.insert(String(line.dropFirst(3).prefix { $0 != "`" }))
        }
        #expect(listed == BundleManifest.decisiveKeys)
    }

    /// The identifier is the only key that the table calls mandatory.
    @Test func `A bundle without any key but its identifier is taken`() throws {
        let keys = ["CFBundleShortVersionString", "CFBundleVersion", "CFBundleName"]
        let info = Intake.info(Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }))
        let taken = try Intake.take(Intake.archive([("Info.plist", info)]))
        #expect(taken.bundle.manifest.releaseKey == "1.0~1")
    }
}
