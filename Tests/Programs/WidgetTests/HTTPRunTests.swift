import CommandSupport
import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Goal: an author sees each save in the browser, and loses nothing that was typed. Method: the program in this process, and
/// requests as a browser sends them.
@Suite(.serialized, .callingThreads) struct `widget run --http` {
    private let folder: Folder
    private static let name = "Main.widgets.json"

    init() throws { folder = try Folder() }

    private func save(_ text: String) throws {
        let document = #"[{"kind": "label", "payload": {"text": "\#(text)"}}, {"kind": "textfield", "id": "field"}]"#
        try folder.write(Self.name, Array(document.utf8))
    }

    private var arguments: [String] { ["run", "--http=127.0.0.1:0", folder.path(Self.name)] }
    private var environment: [String: String] { ["NO_COLOR": "1", "PATH": folder.url.path] }

    private func run(_ options: String...) throws -> (CalledTerminal, port: UInt16) {
        let terminal = try CalledTerminal(arguments + options, environment: environment)
        guard terminal.shows({ $0.contains(/http:\/\/127\.0\.0\.1:\d+\//) }) else {
            throw Conversation.NoAnswer(description: terminal.shown)
        }
        let port = terminal.shown.firstMatch(of: /127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) }
        return (terminal, try #require(port))
    }

    @Test
    func `A save comes to the page with what was typed, and a broken one is a sentence over the last good screen`()
        throws
    {
        try save("First")
        let (terminal, port) = try run()
        #expect(try PageClient.ask(port, "GET /").contains("First"))
        let answer = try PageClient.ask(port, "POST /live")
        let address = try String(#require(answer.firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)).1)
        let page = try PageClient.ask(port, "GET \(address)")
        let field = try String(#require(page.firstMatch(of: /type="text"[^>]* name="([^"]+)"/)).1)
        #expect(try PageClient.ask(port, "POST \(address)/a", "n=1&\(field)=typed").contains(" 303 "))
        func shows(_ texts: String...) throws -> Bool {
            try eventually {
                let page = try PageClient.ask(port, "GET \(address)")
                return texts.allSatisfy { page.contains($0) }
            }
        }
        #expect(try shows("First", #"value="typed""#))
        try save("Second")
        #expect(try shows("Second", #"value="typed""#, "revision 2"))
        try folder.write(Self.name, Array(#"[{"kind""#.utf8))
        #expect(try shows("Second", #"value="typed""#, "\(Self.name):1:", "attempt 3"))
        try save("Third")
        #expect(try shows("Third", #"value="typed""#, "revision 3"))
        #expect(try !PageClient.ask(port, "GET \(address)").contains("\(Self.name):1:"))
        #expect(try PageClient.ask(port, "GET /").contains("Third"))
        terminal.interrupt()
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A browser is asked to open the page, and one that cannot be asked is a remark`() throws {
        try save("First")
        let (terminal, port) = try run("--open")
        #expect(terminal.shown.contains("xdg-open is not") || terminal.waits(for: "xdg-open is not installed"))
        #expect(try PageClient.ask(port, "GET /").contains("First"))
        terminal.interrupt()
        #expect(terminal.end() == .exited(0))

        let (new, asked) = (folder.path("new"), folder.path("asked"))
        try ExecutableFile.write(
            "#!/bin/sh\necho \"$1\" > \(new) && /bin/mv \(new) \(asked)\n", to: folder.path("xdg-open"))
        let (second, other) = try run("--open")
        let isAsked = WidgetTestSupport.folder(folder.url.path) { $0.contains("asked") }
        #expect(isAsked)
        #expect(String(decoding: try folder.bytes("asked"), as: UTF8.self) == "http://127.0.0.1:\(other)/\n")
        second.interrupt()
        #expect(second.end() == .exited(0))
    }

    @Test func `An interrupt that comes with the address ends it in order`() throws {
        try save("First")
        for _ in 0..<5 {
            let terminal = try PseudoTerminal(arguments, environment: environment)
            #expect(terminal.comesTrue { terminal.shown.contains(/http:\/\/127\.0\.0\.1:\d+\//) })
            terminal.signal(SIGINT)
            #expect(terminal.end() == .exited(0))
        }
    }

    @Test(arguments: ["--open", "--allow-host=box"]) func `An option about pages needs them`(option: String) throws {
        try save("First")
        let result = try Program.run(["run", Self.name, option], in: folder.url)
        #expect(result.exitCode == 2 && result.error.contains("is about --http"), "\(result)")
    }
}
