import Files
import TestSupport
import Testing
import Zip

@Suite(.enabled(if: Samples.exist)) struct `The demo archive` {
    @Test func `is accepted and rewritten, smaller, every file byte for byte`() throws {
        let bytes = try Samples.bytes("WidgetDemo.zip")
        let original = try Archive.read(bytes)
        #expect(original.directory.entries.count == 20)
        let (rewritten, written) = try Archive.rewritten(bytes)
        #expect(rewritten.count <= bytes.count)
        let final = try Archive.read(rewritten)
        #expect(final.directory == written.directory)
        let before = zip(original.directory.entries, original.contents).map { ($0.name.text, $1) }
        let after = zip(final.directory.entries, final.contents).map { ($0.name.text, $1) }
        #expect(Dictionary(uniqueKeysWithValues: before) == Dictionary(uniqueKeysWithValues: after))
        #expect(after.first?.0 == "WidgetDemo.bundle/")
        #expect(try Archive.rewritten(rewritten).bytes == rewritten)
    }
}
