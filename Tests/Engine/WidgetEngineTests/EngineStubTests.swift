import JSONText
import Testing

@testable import WidgetEngine

/// Goal: a page whose reader allows no server runs a widget with the answers that its bundle has with it. Method: bundles with and
/// without stubs, opened by calls with `stubs` and without, and the requests that then wait for a host.
@Suite struct `An engine that answers by stubs` {
    private static let info = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Stubs</string></dict></plist>
        """
    private static let service = #"""
        {"defaults": {"baseUrl": "https://api.example/"}, "actions": {"word": {"path": "x"}, "other": {"path": "y"}}}
        """#
    private static let stub = #"{"actions": {"word": {"path": "x", "response": "stubbed"}}}"#

    private struct Opened {
        let offersStubs: Bool?
        let requests: [String]
        let page: String
    }

    /// A bundle that asks an action of a service when it begins.
    private static func opened(
        _ files: [(name: String, text: String)], asking action: String = "word", of service: String = "Service",
        stubs: Bool
    ) throws -> Opened {
        let main = #"""
            {"schema": 1, "sources": {"word": {"action": "\#(action)", "service": "\#(service)"}},
             "root": [{"kind": "label", "payload": {"text": {"$": ["said ", "$word"]}}}]}
            """#
        let all = [(name: "Info.plist", text: info), (name: "Main.widgets.json", text: main)] + files
        let archive = StoredArchive.bytes(all.map { ("Stubs.bundle/\($0.name)", $0.text) })
        var desk = EngineDesk()
        func ask(_ members: String, _ pieces: [UInt8]...) throws -> EngineAnswer {
            desk.answer(EngineCall(try JSONValue(parsing: Array(members.utf8)), pieces))
        }
        let answer = try ask(#"{"call": "open", "archive": 0, "now": 0, "stubs": \#(stubs)}"#, archive)
        let offers = try JSONValue(parsing: answer.line).object?["stubs"]?.boolean
        _ = try ask(#"{"call": "start", "now": 0}"#)
        // An update that takes longer is given up.
        for second in 1...3 { _ = try ask(#"{"call": "tick", "now": \#(second)}"#) }
        let waiting = try JSONValue(parsing: ask(#"{"call": "requests"}"#).line).object?["requests"]?.array ?? []
        let page = try ask(#"{"call": "page"}"#).pieces.first ?? []
        return Opened(
            offersStubs: offers, requests: waiting.compactMap { $0.object?["url"]?.string },
            page: String(decoding: page, as: UTF8.self))
    }

    @Test(arguments: [
        ("Service", "Service.json", "StubService.json"), ("Notes", "services/Notes.json", "services/StubNotes.json"),
    ])
    func `The stub of a service answers in its place, and nothing waits for the host`(
        name: String, service: String, stub: String
    ) throws {
        let files = [(name: service, text: Self.service), (name: stub, text: Self.stub)]
        let asking = try Self.opened(files, of: name, stubs: false)
        #expect(asking.offersStubs == true && asking.requests == ["https://api.example/x"], "\(asking)")
        #expect(!asking.page.contains("stubbed"))
        let stubbed = try Self.opened(files, of: name, stubs: true)
        #expect(stubbed.offersStubs == true && stubbed.requests.isEmpty, "\(stubbed)")
        #expect(stubbed.page.contains("said stubbed"), "\(stubbed.page)")
    }

    @Test func `An action that the stub lacks fails, and asks no server`() throws {
        let files = [(name: "Service.json", text: Self.service), (name: "StubService.json", text: Self.stub)]
        let stubbed = try Self.opened(files, asking: "other", stubs: true)
        #expect(stubbed.offersStubs == true && stubbed.requests.isEmpty && !stubbed.page.contains("stubbed"))
    }

    @Test func `A bundle without stubs offers none, and asks its servers as before`() throws {
        let plain = try Self.opened([(name: "Service.json", text: Self.service)], stubs: true)
        #expect(plain.offersStubs == false && plain.requests == ["https://api.example/x"])
        // The stub of another service does not count.
        let other = [(name: "Service.json", text: Self.service), (name: "services/StubNotes.json", text: Self.stub)]
        let asking = try Self.opened(other, stubs: true)
        #expect(asking.offersStubs == false && asking.requests == ["https://api.example/x"], "\(asking)")
    }
}
