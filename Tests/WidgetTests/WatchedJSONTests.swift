import Foundation
import TestSupport
import Testing

/// Goal: JSON from outside does nothing to the terminal that it is printed on, today or from a file tomorrow. Method: a
/// bundle whose texts would.
@Suite(.timeLimit(.minutes(20))) struct `JSON on a terminal` {
    @Test func `has nothing in it that a terminal obeys, nor has JSON in a pipe`() throws {
        let folder = try Folder()
        let bundle = try `A widget's store`.copy(to: folder.path("HarbourLog"))
        let stub = try String(decoding: folder.bytes("HarbourLog/StubService.json"), as: UTF8.self)
            .replacing("Fog, and nothing else", with: "Fog\u{9B}31m\u{7F}\u{202E}\u{200F}, ä")
        try folder.write("HarbourLog/StubService.json", Array(stub.utf8))
        let terminal = try PseudoTerminal(["render", bundle, "--as", "json"])
        #expect(terminal.waits(for: #"Fog\u009b31m\u007f\u202e\u200f, ä"#))
        _ = terminal.end()
        #expect(!terminal.shown.unicodeScalars.contains("\u{202E}"))
        let piped = try Program.run(["render", bundle, "--as", "json"]).output
        #expect(piped.contains(#"Fog\u009b31m\u007f\u202e\u200f, ä"#))
        #expect(!piped.unicodeScalars.contains { [0x7F, 0x9B, 0x200F, 0x202E].contains($0.value) })
        // A program that parses it gets what the author wrote.
        let parsed = "\(try JSONSerialization.jsonObject(with: Data(piped.utf8)))"
        #expect(parsed.contains("Fog") && parsed.unicodeScalars.contains("\u{202E}"))
    }
}
