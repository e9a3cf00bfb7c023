import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: an author sees a widget in the size that a host gives it among others. Method: the program in this process,
/// and a sample whose titles are the mode.
@Suite(.callingThreads) struct `The mode that a widget is shown in` {
    private static func folder() throws -> Folder {
        let folder = try Folder()
        try FileManager.default.copyItem(
            atPath: "\(SampleSources.folder)/HarbourLog", toPath: folder.path("HarbourLog"))
        let scheme = String(decoding: try folder.bytes("HarbourLog/LogViewController.json"), as: UTF8.self)
        try folder.write(
            "HarbourLog/LogViewController.json",
            Array(scheme.replacing("\"content.title\"", with: "\"environment.display.mode\"").utf8))
        return folder
    }

    @Test(arguments: [(["--mode", "compact"], "compact"), (["--mode", "Expanded"], "expanded"), ([], "expanded")])
    func `C9: render shows the widget in the mode that is asked for`(arguments: [String], mode: String) throws {
        let folder = try Self.folder()
        let result = try Program.run(["render", "HarbourLog", "--as", "text"] + arguments, in: folder.url)
        #expect(result.exitCode == 0 && result.output.contains(mode), "\(result)")
        #expect(result.output.contains("compact") == (mode == "compact"))
    }

    @Test func `Another mode is wrong usage, and the message names both`() throws {
        let folder = try Self.folder()
        let result = try Program.run(["render", "HarbourLog", "--mode", "large"], in: folder.url)
        #expect(result.exitCode == 2 && result.error.contains("compact or expanded"))
    }
}
