import Files
import Foundation
import Testing
import WidgetPages
import WidgetRuntime

/// Goal: other packages show widgets on their pages by the public interface alone. Method: that interface.
@Suite struct `A page of other packages` {
    private static func session(in scratch: borrowing ScratchDirectory) async throws -> WidgetSession {
        let path = "\(scratch.path)/Guests.bundle"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Guests</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
            """
        let document = """
            { "schema": 1, "state": { "count": 0 },
              "root": [
                { "kind": "label", "payload": { "text": { "$": ["<b>Guests</b> ", "$count"] } } },
                { "kind": "button", "id": "add", "payload": { "text": "Add" },
                  "on": { "tap": { "do": "set", "state": "count", "to": { "$": "count + 1" } } } } ] }
            """
        try Data(info.utf8).write(to: URL(filePath: "\(path)/Info.plist"))
        try Data(document.utf8).write(to: URL(filePath: "\(path)/Main.widgets.json"))
        return try await WidgetSession(path: path)
    }

    @Test func `A page has its sheets, its texts as texts, and a form that works without a script`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var options = WidgetPageOptions()
        options.folder = "/widgets/guests/"
        let page = WidgetPage(of: try await Self.session(in: scratch), options: options)
        let first = await page.render()
        #expect(
            first.html.hasPrefix("<!DOCTYPE html>") && first.html.contains("&lt;b&gt;Guests&lt;/b&gt; 0"),
            "\(first.html)")
        #expect(first.html.contains("href=\"/widgets/guests/base.css\""))
        #expect(first.files.map(\.name).contains("base.css") && first.files.allSatisfy { !$0.bytes.isEmpty })
        #expect(!first.body.contains("<body") && first.body.contains("<main"))
        // The button's value, as the browser posts it.
        let value = try #require(first.html.firstMatch(of: /name="do" value="(\[&quot;tap&quot;[^"]*)"/)?.1)
        try await page.submit([("do", String(value).replacing("&quot;", with: "\""))])
        #expect(await page.render().html.contains("&lt;b&gt;Guests&lt;/b&gt; 1"))
        let refused = await #expect(throws: RuntimeError.self) { try await page.submit([("do", "{}")]) }
        #expect(refused?.code == .refused)
    }

    @Test func `Changes are sent as operations, and nothing where nothing has changed`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await Self.session(in: scratch)
        let page = WidgetPage(of: session)
        #expect(await page.change()?.isWhole == true)
        #expect(await page.change() == nil)
        try await session.tap("add")
        let change = try #require(await page.change())
        #expect(!change.isWhole && change.json.contains("Guests"), "\(change.json)")
        #expect(await page.change() == nil)
    }
}
