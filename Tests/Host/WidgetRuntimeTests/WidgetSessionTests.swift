import Foundation
import Testing
import WidgetFiles
import WidgetRuntime

/// Goal: other packages run widgets by the public interface alone. Method: that interface, and bundles of documents.
@Suite struct `A session of other packages` {
    private static let info = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Counter</string>
        <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
        """

    private static func document(_ word: String) -> String {
        """
        { "schema": 1, "state": { "count": 0 },
          "root": [
            { "kind": "label", "id": "sum", "payload": { "text": { "$": ["\(word) ", "$count"] } } },
            { "kind": "button", "id": "add", "payload": { "text": "Add" },
              "on": { "tap": { "do": "set", "state": "count", "to": { "$": "count + 1" } } } } ] }
        """
    }

    /// A bundle in a folder.
    static func bundle(_ word: String, in scratch: borrowing ScratchDirectory) throws -> String {
        let path = "\(scratch.path)/Counter.bundle"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(info.utf8).write(to: URL(filePath: "\(path)/Info.plist"))
        try Data(document(word).utf8).write(to: URL(filePath: "\(path)/Main.widgets.json"))
        return path
    }

    @Test func `Shows a screen in each form, and takes what people do`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await WidgetSession(path: try Self.bundle("Sum", in: scratch))
        #expect(await session.screen().text().contains("Sum 0"))
        try await session.tap("Add")
        try await session.tap("add")
        let screen = await session.screen()
        #expect(screen.text().contains("Sum 2") && screen.json().contains("\"Sum 2\""))
        #expect(screen.root.first(named: "Add")?.role == "button")
        let frames = screen.frames(in: ScreenSize(width: 320, height: 480))
        #expect(frames.contains { $0.text == "Sum 2" && $0.width > 0 }, "\(frames)")
        #expect(screen.isVisible && screen.faults.isEmpty && screen.alert == nil)
        let error = await #expect(throws: RuntimeError.self) { try await session.tap("Ad") }
        #expect(error?.code == .unknownElement && error?.hint == "did you mean add?", "\(String(describing: error))")
        await session.stop()
        let stopped = await #expect(throws: RuntimeError.self) { try await session.back() }
        #expect(stopped?.code == .refused)
    }

    @Test func `Continues with changed files, and keeps its state`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle("Sum", in: scratch)
        let session = try await WidgetSession(path: path)
        try await session.tap("add")
        #expect(try await session.reload() == false)
        _ = try Self.bundle("Total", in: scratch)
        #expect(try await session.reload())
        #expect(await session.screen().text().contains("Total 1"))
        try Data("no document".utf8).write(to: URL(filePath: "\(path)/Main.widgets.json"))
        await #expect(throws: RuntimeError.self) { try await session.reload() }
        #expect(await session.screen().text().contains("Total 1"))
        await session.stop()
    }

    @Test func `A script is a test: the same steps give the same screens`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle("Sum", in: scratch)
        let script = try WidgetScript(#"[{"tap": "add"}, {"expect": "Sum 1"}, {"tap": "add"}]"#)
        var configuration = WidgetConfiguration()
        configuration.moment = 1_500_000_000
        configuration.seed = 1
        let played = try await script.play(path: path, configuration: configuration)
        #expect(played.text.contains("Sum 2") && played.screens.count == 4 && played.notices.isEmpty)
        #expect(try await script.play(path: path, configuration: configuration).screens == played.screens)
        let wrong = try WidgetScript(#"[{"expect": "Sum 7"}]"#)
        let failed = await #expect(throws: RuntimeError.self) { try await wrong.play(path: path) }
        #expect(failed?.code == .script && failed?.description.contains("step 1") == true)
        #expect(throws: RuntimeError.self) { try WidgetScript("{}") }
    }

    @Test func `What cannot run is an error with a code`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let missing = await #expect(throws: RuntimeError.self) {
            try await WidgetSession(path: "\(scratch.path)/None.bundle")
        }
        #expect(missing?.code == .invalidBundle)
        let path = try Self.bundle("Sum", in: scratch)
        let foreign = await #expect(throws: RuntimeError.self) {
            try await WidgetSession(path: path, identifier: "com.other.Counter")
        }
        #expect(foreign?.code == .invalidIdentifier)
        var configuration = WidgetConfiguration()
        configuration.timeZone = "Europe/Berln"
        let zone = await #expect(throws: RuntimeError.self) {
            try await WidgetSession(path: path, configuration: configuration)
        }
        #expect(zone?.code == .unknownTimeZone)
        #expect(throws: RuntimeError.self) { try NetworkAccess.granted(to: ["api.example.com"]) }
        #expect(throws: RuntimeError.self) { try NetworkAccess.granted(to: [], privateRanges: ["10"]) }
    }
}
