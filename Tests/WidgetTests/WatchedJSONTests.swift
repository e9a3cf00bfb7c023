import Foundation
import TestSupport
import Testing

/// Goal: JSON from outside does nothing to the terminal that it is printed on. Method: a bundle whose texts would.
@Suite(.timeLimit(.minutes(2))) struct `JSON on a terminal` {
    @Test func `has nothing in it that a terminal obeys`() throws {
        let folder = try Folder()
        let bundle = try `A widget's store`.copy(to: folder.path("HarbourLog"))
        let stub = try String(decoding: folder.bytes("HarbourLog/StubService.json"), as: UTF8.self)
            .replacing("Fog, and nothing else", with: "Fog\u{9B}31m\u{202E}, ä")
        try folder.write("HarbourLog/StubService.json", Array(stub.utf8))
        let terminal = try PseudoTerminal(["render", bundle, "--as", "json"])
        #expect(terminal.waits(for: #"Fog\u009b31m\u202e, ä"#))
        _ = terminal.end()
        #expect(!terminal.shown.unicodeScalars.contains("\u{202E}"))
        #expect(try Program.run(["render", bundle, "--as", "json"]).output.contains("Fog\u{9B}31m\u{202E}, ä"))
    }
}
