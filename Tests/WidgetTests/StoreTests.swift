import Foundation
import TestSupport
import Testing
import WidgetRunning

/// Goal: what `--store` keeps is for the one widget that it was kept by. Method: copies of a bundle at several places,
/// and two runs at once.
@Suite(.timeLimit(.minutes(20))) struct `A widget's store` {
    static func copy(to path: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(Corpus.repositoryRoot)/Bundles/HarbourLog", toPath: path)
        return path
    }

    @Test func `is refused to a file that calls itself like the widget of a registry`() throws {
        let folder = try Folder()
        let own = try Self.copy(to: folder.path("own/HarbourLog"))
        let other = try Self.copy(to: folder.path("other/HarbourLog"))
        let store = ["--store", folder.path("kept")]
        #expect(try Program.run(["render", own] + store).exitCode == 0)
        #expect(try Program.run(["render", other] + store).exitCode == 0, "it was moved, or built again")
        let registry = StoreOrigin(registry: "https://widgets.example", bundle: "com.example.HarbourLog")
        try RecordStore(path: folder.path("kept/com.example.HarbourLog.sqlite")).claim(for: registry)
        let refused = try Program.run(["render", other] + store)
        #expect(refused.exitCode == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("https://widgets.example") && refused.error.contains("hint: `--widget-id"))
        let identifier = "com.example.HarbourLog-2"
        #expect(try Program.run(["render", other, "--widget-id", identifier] + store).exitCode == 0)
        #expect(try Program.run(["render", other, "--adopt"] + store).exitCode == 0)
        #expect(try Program.run(["render", own] + store).exitCode == 0)
    }

    @Test func `is one widget's at a time, and what is wrong with it says which file it is`() throws {
        let folder = try Folder()
        let bundle = try Self.copy(to: folder.path("HarbourLog"))
        let store = ["--store", folder.path("kept")]
        let terminal = try PseudoTerminal(["run", bundle] + store)
        #expect(terminal.waits(for: "Fog, and nothing else"))
        let refused = try Program.run(["render", bundle] + store)
        #expect(refused.exitCode == 1 && refused.error.contains("is in use by process "))
        #expect(refused.error.contains("hint: `--store DIR`"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
        let file = try folder.write("kept/com.example.HarbourLog.sqlite", Array("no database at all".utf8))
        for name in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + name) }
        let damaged = try Program.run(["render", bundle] + store)
        #expect(damaged.exitCode == 1 && damaged.error.contains("move \(file) away"))
    }
}
