import CommandSupport
import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Goal: `widget run --record` leaves a script that leads to the same screen, and never half of one. Method: the
/// program, by lines and on a screen; its script is played by `widget render`.
@Suite(.serialized, .callingThreads) struct `widget run --record` {
    private let folder: Folder
    private static let clock = ["--clock", "2018-06-20T20:00:00Z"]

    init() throws {
        folder = try Folder()
        _ = try `A widget's store`.copy(to: folder.path("HarbourLog"))
    }

    private var script: String {
        get throws { String(decoding: try folder.bytes("taps.json"), as: UTF8.self) }
    }

    private var arguments: [String] {
        ["run", folder.path("HarbourLog"), "--record", folder.path("taps.json")] + Self.clock
    }

    private func terminal(_ options: [String]) throws -> CalledTerminal {
        try CalledTerminal(arguments + options, environment: ["NO_COLOR": "1"])
    }

    /// The screen that the script leads to, after the program has read it.
    private func replayed(_ bundle: String = "HarbourLog") throws -> String {
        let result = try Program.run(
            ["render", bundle, "--as", "text", "--events", "taps.json"] + Self.clock, in: folder.url)
        #expect(result.exitCode == 0, "\(result.error)")
        return result.output
    }

    @Test func `A run by lines is recorded after each line, and its script leads to the same screen`() throws {
        let terminal = try terminal(["--plain"])
        #expect(terminal.waits(for: "-- revision 1 · 1 "))
        #expect(try script == "[]\n")
        for (line, shown) in [
            ("type searchBar gull", "( gull )"), ("wait 1", "A gull took the biscuits"),
            ("tap nothing", "has no nothing"),
            ("3", "(Back)"),
        ] {
            terminal.type("\(line)\n")
            #expect(terminal.waits(for: shown))
        }
        #expect(
            try script
                == """
                [
                  {"input":"searchBar","value":"gull"},
                  {"wait":1.0},
                  {"select":"tableView","row":0}
                ]

                """)
        terminal.type("quit\n")
        #expect(terminal.waits(for: "recorded 3 steps in "))
        #expect(terminal.end() == .exited(0))
        let text = try replayed()
        #expect(text.contains("A gull took the biscuits") && text.contains("(Back)"))
        let shown = terminal.shown.replacing("\r\n", with: "\n")
        #expect(shown.contains(text), "the last screen is the one that was seen")
    }

    @Test func `A run by keys is recorded, and its script leads to the same screen`() throws {
        let terminal = try terminal([])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        terminal.type("gull")
        #expect(terminal.waits(for: "( gull )"))
        terminal.type("\t\t\r")
        #expect(terminal.waits(for: "(Back)"))
        terminal.type("\u{3}")
        #expect(terminal.waits(for: "recorded 2 steps in "))
        #expect(terminal.end() == .exited(0))
        #expect(try script.contains(#"{"input":"searchBar","value":"gull"},"#))
        #expect(try script.contains(#"{"select":"tableView","row":0}"#))
        let text = try replayed()
        #expect(text.contains("A gull took the biscuits") && text.contains("(Back)"))
    }

    @Test func `A run that begins anew is recorded anew`() throws {
        let terminal = try terminal([])
        #expect(terminal.waits(for: "^N anew"))
        terminal.type("gull")
        #expect(terminal.waits(for: "( gull )"))
        terminal.type("\u{E}")
        #expect(terminal.waits(for: "^N once more begins anew"))
        terminal.type("\u{E}")
        #expect(terminal.waits(for: "started anew"))
        #expect(try script == "[]\n")
        terminal.type("\u{3}")
        #expect(terminal.waits(for: "recorded 0 steps in "))
        #expect(terminal.end() == .exited(0))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func `A signal leaves a whole script of the steps before it`(number: Int32) throws {
        let terminal = try PseudoTerminal(arguments + ["--plain"], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "-- revision 1 · 1 "))
        terminal.type("type searchBar gull\n")
        #expect(terminal.waits(for: "( gull )"))
        terminal.signal(number)
        #expect(terminal.end() == .signalled(number))
        #expect(try script == "[\n  {\"input\":\"searchBar\",\"value\":\"gull\"}\n]\n")
        #expect(try folder.names == ["HarbourLog", "taps.json"], "nothing staged is left")
    }

    @Test func `A file that is there is replaced only with --force, and an impossible one is refused at once`() throws {
        try folder.write("taps.json", Array("precious".utf8))
        let run = ["run", "HarbourLog", "--plain", "--record"]
        let refused = try Program.run(run + ["taps.json"], in: folder.url)
        #expect(refused.exitCode == 1 && refused.output.isEmpty)
        #expect(refused.error.hasPrefix("error: taps.json is there already\nhint: --force replaces it"))
        #expect(try script == "precious")
        #expect(try Program.run(run + ["taps.json", "--force"], in: folder.url).exitCode == 0)
        #expect(try script == "[]\n")
        let nowhere = try Program.run(run + ["nowhere/taps.json"], in: folder.url)
        #expect(nowhere.exitCode == 1 && nowhere.error.contains("nowhere"))
        let both = try Program.run(run + ["more.json", "--events", "taps.json"], in: folder.url)
        #expect(both.exitCode == 2 && both.error.hasPrefix("error: --record and --events do not go together\nhint: "))
        #expect(try Program.run(run + [""], in: folder.url).exitCode == 2)
    }

    @Test func `The text of a secure field is neither in the script nor unmentioned`() throws {
        let storyboard = String(decoding: try folder.bytes("HarbourLog/Main.storyboard"), as: UTF8.self)
        let bar = try #require(storyboard.firstRange(of: "<textInputTraits key=\"textInputTraits\""))
        let secure = storyboard.replacingCharacters(
            in: bar, with: "<textInputTraits key=\"textInputTraits\" secureTextEntry=\"YES\"")
        try folder.write("HarbourLog/Main.storyboard", Array(secure.utf8))
        let terminal = try terminal(["--plain"])
        #expect(terminal.waits(for: "-- revision 1 · 1 "))
        terminal.type("type searchBar sesame\n")
        #expect(terminal.waits(for: "( •••••• )"))
        terminal.type("quit\n")
        #expect(terminal.waits(for: "searchBar is a secure field, so its text is not recorded"))
        #expect(terminal.end() == .exited(0))
        #expect(try script.contains("(not recorded)") && !script.contains("sesame"))
    }
}

/// Goal: an author sees what was edited, and why nothing happens. Method: a copy of a sample whose stub is changed while
/// it runs.
@Suite(.serialized, .callingThreads) struct `An author who runs a widget` {
    private let folder: Folder
    private let stub = "HarbourLog/StubService.json"

    init() throws {
        folder = try Folder()
        _ = try `A widget's store`.copy(to: folder.path("HarbourLog"))
    }

    private func change(_ file: String, _ old: String, _ new: String) throws {
        let text = String(decoding: try folder.bytes(file), as: UTF8.self)
        try #require(text.contains(old))
        try text.replacing(old, with: new).write(
            toFile: folder.path(file), atomically: true, encoding: .utf8)
    }

    @Test func `An author sees the rows of a changed stub, with what was typed before`() throws {
        let terminal = try CalledTerminal(["run", folder.path("HarbourLog")], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        terminal.type("nothing")
        #expect(terminal.waits(for: "( nothing )"))
        try change(stub, "Fog, and nothing else", "Haze, and nothing more")
        #expect(terminal.waits(for: "Haze, and nothing more"))
        terminal.type("\u{E}")
        #expect(terminal.waits(for: "^N once more begins anew"))
        terminal.type("\u{E}")
        #expect(terminal.waits(for: "A gull took the biscuits"), "nothing is searched for any more")
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `An author begins anew by a word, too`() throws {
        let terminal = try CalledTerminal(
            ["run", folder.path("HarbourLog"), "--plain"], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "-- revision 1 · 1 "))
        terminal.type("type searchBar gull\n")
        #expect(terminal.waits(for: "( gull )"))
        terminal.type("anew\n")
        #expect(terminal.waits(for: "( Search the log )"))
        terminal.type("quit\n")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `An author sees on a terminal, and by lines, that an action sent nothing for want of an authorization`()
        throws
    {
        try change(
            stub, "\"actions\": {\n        \"log\": {",
            "\"auth\": {\"setting\": \"token\"},\n    \"actions\": {\n        \"log\": {\n            \"needAuth\": true,"
        )
        let reason = "nothing was sent: log needs an authorization, and the setting token has none"
        let terminal = try CalledTerminal(["run", folder.path("HarbourLog")], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: reason))
        terminal.type("\r")
        #expect(terminal.waits(for: "^C quit"), "a key ends the notice")
        terminal.type("\u{12}")
        #expect(terminal.waits(for: reason), "and the next refusal shows it again")
        terminal.type("\r\u{3}")
        #expect(terminal.end() == .exited(0))
        let lines = try Program.run(["run", "HarbourLog", "--plain"], in: folder.url)
        #expect(lines.exitCode == 0 && lines.error.contains(reason))
    }
}
