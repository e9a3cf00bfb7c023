import Files
import TestSupport
import Testing

@Suite struct `A link in a directory` {
    @Test func `is seen, not followed, and removed without its target`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        try scratch.directory.replaceFile("target", with: [1])
        let inside = try scratch.directory.createDirectory("tree")
        _ = try Tool.run("ln", ["-s", scratch.path + "/target", inside.path + "/file"])
        _ = try Tool.run("ln", ["-s", scratch.path, inside.path + "/folder"])
        #expect(try inside.items(limit: 9)?.map(\.status.kind) == [.link, .link])
        for attempt in ["file", "folder"] {
            do throws(FileError) {
                _ = try inside.openFile(attempt)
                Issue.record("followed \(attempt)")
            } catch {
                #expect(error.isLink)
            }
        }
        #expect(throws: FileError.self) { _ = try inside.openDirectory("folder") }
        #expect(throws: FileError.self) { _ = try inside.createDirectory("folder") }
        #expect(throws: FileError.self) { _ = try inside.openOrCreateFile("file") }
        try scratch.directory.removeTree("tree")
        #expect(try scratch.directory.items(limit: 9)?.map(\.name) == ["target"])
    }
}
