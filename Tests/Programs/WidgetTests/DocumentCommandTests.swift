import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// The commands of authors, on a folder with a document.
@Suite(.callingThreads) struct DocumentCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let manifest = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Note</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
            """
        try folder.write("Note.bundle/Info.plist", Array(manifest.utf8))
        try write(#"[{"kind": "label", "payload": {"text": "Hello"}}]"#)
    }

    private func write(_ document: String) throws {
        try folder.write("Note.bundle/Main.widgets.json", Array(document.utf8))
    }

    @Test func `render shows a document in every form`() throws {
        let text = try Program.run(["render", "Note.bundle"], in: folder.url)
        #expect(text.output.contains("Hello") && text.exitCode == 0, "\(text.output)\(text.error)")
        let json = try Program.run(["render", "Note.bundle", "--as", "json"], in: folder.url)
        #expect(json.output.contains("Hello") && json.exitCode == 0, "\(json.output)\(json.error)")
        let frames = try Program.run(["render", "Note.bundle", "--as", "frames"], in: folder.url)
        #expect(frames.output.contains("Hello") && frames.exitCode == 0, "\(frames.error)")
    }

    @Test func `inspect and pack take a bundle of documents without a warning`() throws {
        let inspected = try Program.run(["inspect", "Note.bundle"], in: folder.url)
        #expect(!inspected.output.contains("no-interface") && inspected.exitCode == 0, "\(inspected.output)")
        let packed = try Program.run(["pack", "Note.bundle", "-o", "Note.zip"], in: folder.url)
        #expect(packed.exitCode == 0, "\(packed.output)\(packed.error)")
    }

    @Test func `inspect lists a fault of a component once, however often it is used`() throws {
        try folder.write(
            "Note.bundle/components/tag.json",
            Array(#"{"body": [{"kind": "lable"}, {"kind": "label", "payload": {"text": "$nam"}}]}"#.utf8))
        try write(#"[{"kind": "tag"}, {"kind": "tag"}, {"kind": "tag"}]"#)
        let inspected = try Program.run(["inspect", "Note.bundle"], in: folder.url)
        for fault in ["No kind is called lable", "Nothing is called nam here"] {
            #expect(inspected.output.components(separatedBy: fault).count == 2, "\(inspected.output)")
        }
    }

    @Test func `inspect names the nearest action of a service`() throws {
        try folder.write(
            "Note.bundle/services/Feed.json",
            Array(#"{"defaults": {"baseUrl": "https://a.example/"}, "actions": {"events": {"path": "events"}}}"#.utf8))
        try write(
            #"{"schema": 1, "sources": {"feed": {"action": "evnets"}}, "root": {"kind": "label", "payload": {"text": "$feed.status.error"}}}"#
        )
        let inspected = try Program.run(["inspect", "Note.bundle"], in: folder.url)
        #expect(
            inspected.output.contains("has no action evnets [unknown-action]; did you mean events?"),
            "\(inspected.output)")
        let shown = try Program.run(["render", "Note.bundle"], in: folder.url)
        #expect(shown.output.contains("The service Feed has no action evnets."), "\(shown.output)")
    }

    @Test func `A source that the host does not let ask says so on the screen`() throws {
        try folder.write(
            "Note.bundle/services/Feed.json",
            Array(#"{"defaults": {"baseUrl": "https://a.example/"}, "actions": {"events": {"path": "events"}}}"#.utf8))
        try write(
            #"{"schema": 1, "sources": {"feed": {"action": "events"}}, "root": {"kind": "label", "payload": {"text": "$feed.status.error"}}}"#
        )
        let shown = try Program.run(["render", "Note.bundle"], in: folder.url)
        #expect(shown.output.contains("The host has not granted this widget any network"), "\(shown.output)")
    }

    @Test func `inspect says where an element of a document is wrong`() throws {
        try write("[\n  {\"kind\": \"lable\"}]")
        let inspected = try Program.run(["inspect", "Note.bundle"], in: folder.url)
        let all = inspected.output + inspected.error
        #expect(all.contains("Main.widgets.json:2:12") && all.contains("[unknown-kind]"), "\(all)")
        #expect(all.contains("did you mean label?"))
    }
}
