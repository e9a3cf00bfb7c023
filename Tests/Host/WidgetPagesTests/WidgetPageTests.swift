import Foundation
import Testing
import WidgetFiles
import WidgetPages
import WidgetRuntime

/// Goal: other packages show widgets on their pages by the public interface alone. Method: that interface.
@Suite struct `A page of other packages` {
    @Test func `A page has its sheets, its texts as texts, and a form that works without a script`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var options = WidgetPageOptions()
        options.folder = "/widgets/guests/"
        let page = WidgetPage(of: try await GuestBook.session(in: scratch), options: options)
        let first = try await page.render()
        #expect(
            first.html.hasPrefix("<!DOCTYPE html>") && first.html.contains("&lt;b&gt;Guests&lt;/b&gt; 0"),
            "\(first.html)")
        #expect(first.html.contains("href=\"/widgets/guests/base.css\""))
        #expect(first.files.map(\.name).contains("base.css") && first.files.allSatisfy { !$0.bytes.isEmpty })
        #expect(first.html.contains("<main") && first.view == 1)
        let names = first.html.matches(of: /(?:href|src)="\/widgets\/guests\/([^"]*)"/).map { String($0.1) }
        #expect(Set(names) == Set(first.files.map(\.name)))
        // The button's value, as the browser posts it.
        let value = try #require(first.html.firstMatch(of: /name="do" value="(\[&quot;tap&quot;[^"]*)"/)?.1)
        try await page.submit([("do", String(value).replacing("&quot;", with: "\""))])
        #expect(try await page.render().html.contains("&lt;b&gt;Guests&lt;/b&gt; 1"))
        let refused = await #expect(throws: RuntimeError.self) { try await page.submit([("do", "{}")]) }
        #expect(refused?.code == .refused)
    }

    @Test func `A page runs as its language does, unless its host chooses a direction`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        func page(_ options: WidgetPageOptions) async throws -> String {
            try await WidgetPage(of: session, options: options).render().html
        }
        var options = WidgetPageOptions()
        #expect(!options.isRightToLeft)
        options.locale = "he_IL"
        #expect(options.isRightToLeft)
        #expect(try await page(options).contains("lang=\"he-IL\" dir=\"rtl\""))
        options.isRightToLeft = false
        #expect(!options.isRightToLeft)
        #expect(try await page(options).contains("lang=\"he-IL\" dir=\"ltr\""))
    }

    @Test func `Changes are sent as operations, and nothing where nothing has changed`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        let page = WidgetPage(of: session)
        let first = try await page.render()
        #expect(try await page.changes(since: first.view) == nil)
        try await session.tap("add")
        let change = try #require(try await page.changes(since: first.view))
        #expect(change.json.contains("Guests") && change.view == 2, "\(change.json)")
        #expect(try await page.changes(since: change.view) == nil)
        // A view of which nothing is known is replaced.
        let whole = try #require(try await page.changes(since: 99))
        #expect(whole.json.hasPrefix("[[\"c\",") && whole.json.contains("[\"w\","), "\(whole.json)")
    }

    @Test func `A batch of acts is taken as from the script, and one that cannot be read is refused`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        let page = WidgetPage(of: session)
        let first = try await page.render()
        let tap = try #require(first.html.firstMatch(of: /name="do" value="(\[&quot;tap[^"]*)"/)?.1)
        let event = String(tap).replacing("&quot;", with: "\"")
        try await page.act(Array("[1,[\(event)]]".utf8))
        // One that was taken before is not taken again.
        try await page.act(Array("[1,[\(event)]]".utf8))
        #expect(await session.screen().text().contains("Guests</b> 1"))
        let refused = await #expect(throws: RuntimeError.self) { try await page.act(Array("[".utf8)) }
        #expect(refused?.code == .refused)
    }
}

/// A widget that counts.
enum GuestBook {
    static let document = """
        { "schema": 1, "state": { "count": 0 },
          "root": [
            { "kind": "label", "payload": { "text": { "$": ["<b>Guests</b> ", "$count"] } } },
            { "kind": "button", "id": "add", "payload": { "text": "Add" },
              "on": { "tap": { "do": "set", "state": "count", "to": { "$": "count + 1" } } } } ] }
        """

    static func session(
        in scratch: borrowing ScratchDirectory, document: String = GuestBook.document
    ) async throws -> WidgetSession {
        let path = "\(scratch.path)/Guests.bundle"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Guests</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
            """
        try Data(info.utf8).write(to: URL(filePath: "\(path)/Info.plist"))
        try Data(document.utf8).write(to: URL(filePath: "\(path)/Main.widgets.json"))
        return try await WidgetSession(path: path)
    }
}
