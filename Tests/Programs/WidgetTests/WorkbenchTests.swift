import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: an author of pages sees what is wrong with a save, and the widget on other devices. Method: the program in this
/// process, and requests as browsers without script send them.
@Suite(.serialized, .callingThreads) struct `The workbench of widget run --http` {
    private let folder: Folder
    private static let name = "Main.widgets.json"

    init() throws { folder = try Folder() }

    private func save(_ kind: String, _ text: String = "First") throws {
        let document = """
            [{"kind": "label", "payload": {"text": "\(text)"}},
             {"kind": "\(kind)", "id": "field"}]
            """
        try folder.write(Self.name, Array(document.utf8))
    }

    private struct Session {
        let terminal: CalledTerminal
        let port: UInt16

        func get(_ address: String) throws -> String { try PageClient.ask(port, "GET \(address)") }

        /// Begins a page.
        ///
        /// - Returns: its address.
        func open(_ query: String = "") throws -> String {
            let answer = try PageClient.ask(port, "POST /live\(query)")
            return String(try #require(answer.firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)).1)
        }

        func end() {
            terminal.interrupt()
            #expect(terminal.end() == .exited(0))
        }
    }

    private func run(_ options: String...) throws -> Session {
        let terminal = try CalledTerminal(
            ["run", "--http=127.0.0.1:0", folder.path(Self.name)] + options,
            environment: ["NO_COLOR": "1", "PATH": folder.url.path])
        guard terminal.shows({ $0.contains(/http:\/\/127\.0\.0\.1:\d+\//) }) else {
            throw Conversation.NoAnswer(description: terminal.shown)
        }
        let port = terminal.shown.firstMatch(of: /127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) }
        return Session(terminal: terminal, port: try #require(port))
    }

    private static let fault = "\(name):2:11 ([1].kind): No kind is called textfeld [unknown-kind]"

    @Test func `A save that breaks something is printed once, and the last good widget continues`() throws {
        try save("textfield")
        let session = try run()
        let address = try session.open()
        func shows(_ text: String, _ others: String...) throws -> Bool {
            try eventually {
                let page = try session.get(address)
                return page.contains(text) && others.allSatisfy { page.contains($0) }
            }
        }
        try save("textfeld", "Second")
        #expect(try shows(Self.fault, "did you mean textfield?", "1 error", "First", "attempt 2"))
        // The widget ends before the workbench begins.
        let page = try session.get(address)
        let main = try #require(page.firstRange(of: "</main>"))
        #expect(try #require(page.firstRange(of: Self.fault)).lowerBound > main.upperBound)
        #expect(try session.get("/").contains(Self.fault))
        #expect(try session.get(session.open()).contains(Self.fault))
        try save("textfeld", "Third")
        #expect(try shows("attempt 3", Self.fault, "First"))
        let said = session.terminal.shown
        let line = "error: \(folder.path(Self.name))\(Self.fault.dropFirst(Self.name.count))"
        #expect(said.ranges(of: line).count == 1, "\(said)")
        #expect(said.ranges(of: "hint: did you mean textfield?").count == 1, "\(said)")
        try save("textfield", "Fourth")
        #expect(try shows("Fourth"))
        #expect(try !session.get(address).contains("textfeld"))
        try save("textfeld", "Fifth")
        #expect(session.terminal.shows { $0.ranges(of: Self.fault).count == 2 }, "\(session.terminal.shown)")
        session.end()
    }

    @Test func `A widget that begins with an error runs, and its next saves come`() throws {
        try save("textfeld")
        let session = try run()
        #expect(session.terminal.shows { $0.contains(Self.fault) })
        #expect(try session.get("/").contains(Self.fault))
        let address = try session.open()
        try save("textfeld", "Second")
        #expect(try eventually { try session.get(address).contains("Second") })
        #expect(session.terminal.shown.ranges(of: Self.fault).count == 1)
        session.end()
    }

    @Test func `An address begins a page with a look and in a language`() throws {
        try save("textfield")
        let session = try run("--scheme", "light")
        let first = try session.get("/?scheme=dark&locale=ar&size=320x568")
        #expect(first.contains(#"lang="ar" dir="rtl""#) && first.contains(#"content="dark""#))
        #expect(first.contains(#"action="/live?size=320x568&amp;scheme=dark&amp;locale=ar""#))
        let page = try session.get(session.open("?scheme=dark&locale=ar&size=320x568"))
        #expect(page.contains(#"lang="ar" dir="rtl""#) && page.contains(#"content="dark""#))
        let sheet = try #require(page.matches(of: /href="(\/live\/[^"]*\.css)"/).last).1
        #expect(try session.get(String(sheet)).contains("width:320px"))
        let usual = try session.get("/?scheme=loud&size=1&locale=%3Cb%3E")
        #expect(usual.contains(#"lang="en" dir="ltr""#) && usual.contains(#"content="light""#))
        session.end()
    }

    @Test func `Plain pages have none`() throws {
        try save("textfeld")
        let session = try run("--plain")
        for page in [try session.get("/"), try session.get(session.open())] {
            #expect(page.contains("First") && !page.contains("bench") && !page.contains("textfeld"))
        }
        session.end()
    }
}
