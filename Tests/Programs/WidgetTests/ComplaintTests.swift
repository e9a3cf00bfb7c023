import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: an author sees every warning and error once, at the place to mend. Method: a source
/// with one mistake in it, and each command that reads it.
@Suite(.callingThreads) struct `Complaints about a source` {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try SmallSource.write("Notes", to: folder)
    }

    private static let scheme = SmallSource.scheme
    /// A key of two bindings that no binding has, which is a warning.
    private static let warning = ("\"placeholder\"", "\"placehoder\"")
    /// An attribute that no provider has, which is an error.
    private static let error = ("\"entityName\"", "\"entityNam\"")

    private func replace(_ change: (String, String), in file: String = scheme) throws {
        let text = try String(decoding: folder.bytes("Notes/\(file)"), as: UTF8.self)
        let changed = text.replacing(change.0, with: change.1)
        try #require(changed != text)
        try folder.write("Notes/\(file)", Array(changed.utf8))
    }

    private func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(arguments, in: folder.url)
    }

    // MARK: - Showing

    @Test(arguments: [[], ["--as", "json"], ["--explain"]])
    func `render prints warnings and errors to standard error once each, in every form`(_ form: [String]) throws {
        try replace(Self.warning)
        try replace(Self.error)
        let result = try Program.run(["render", "Notes"] + form, in: folder.url)
        #expect(result.exitCode == 0 && !result.error.contains("error: error") && !result.error.contains(": error: "))
        let lines = result.error.split(separator: "\n")
        #expect(Set(lines.filter { !$0.hasPrefix("hint: ") }).count == lines.count { !$0.hasPrefix("hint: ") })
        #expect(lines.first?.hasPrefix("error: Notes/\(Self.scheme):4:71 (") == true, "\(result.error)")
        #expect(
            result.error.ranges(
                of: #/placehoder \[unknown-key\], and 1 more there: 21:\d+ \(textLabel\) placehoder\nhint: /#
            )
            .count == 1,
            "\(result.error)")
        let warnings = lines.indices.filter { lines[$0].hasPrefix("warning: Notes/\(Self.scheme):") }
        let errors = lines.indices.filter { lines[$0].hasPrefix("error: ") }
        #expect(warnings.count == 1 && (errors.last ?? 0) < (warnings.first ?? 0))
    }

    @Test func `JSON and explanations name the files of the source`() throws {
        let explained = try run("render", "Notes", "--explain").output
        #expect(explained.contains("  Notes/\(Self.scheme):20:37 (titleLabel)\n"), "\(explained)")
        #expect(!explained.contains("  \(Self.scheme):") && !explained.contains(".nib"))
        #expect(explained.contains("  Notes/Base.lproj/Main.storyboard ("))
        try replace(Self.warning)
        let json = try run("render", "Notes", "--as", "json").output
        #expect(json.contains(#""file":"Notes/\#(Self.scheme)""#) && !json.contains(#""file":"\#(Self.scheme)""#))
    }

    @Test func `A bundle that was not built keeps its paths, after the name by which it was given`() throws {
        try replace(Self.warning)
        try #require(try run("build", "Notes").exitCode == 0)
        let result = try run("render", "Notes.zip")
        #expect(result.error.hasPrefix("warning: Notes.zip: \(Self.scheme):20:64 "), "\(result.error)")
    }

    @Test func `A source in the working directory has paths without a folder`() throws {
        try replace(Self.warning)
        let result = try Program.run(["render", "."], in: folder.url.appending(path: "Notes"))
        #expect(result.error.hasPrefix("warning: \(Self.scheme):20:64 "), "\(result.error)")
    }

    @Test func `A failing script shows what is wrong with the widget`() throws {
        try replace(Self.error)
        let script = try folder.write("events.json", Array(#"[{"tap": "nothing"}]"#.utf8))
        let result = try run("render", "Notes", "--events", script)
        #expect(result.exitCode == 1 && result.error.hasPrefix("error: Notes/\(Self.scheme):4:71 "), "\(result.error)")
    }

    @Test func `A script is read from a pipe and through a link, and a longer one than it may be is refused`() throws {
        let text = Array(#"[{"tap": "nothing"}]"#.utf8)
        let script = try folder.write("events.json", text)
        let link = folder.path("linked.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: script)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: text)
        try pipe.fileHandleForWriting.close()
        for place in [link, "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"] {
            let result = try run("render", "Notes", "--events", place)
            #expect(result.exitCode == 1 && result.error.contains("has no nothing"), "\(result.error)")
        }
        let long = try folder.write("long.json", Array(repeating: UInt8(ascii: " "), count: (1 << 20) + 1))
        #expect(try run("render", "Notes", "--events", long).error.contains("the file is too large"))
    }

    @Test func `run prints a diagnostic once, after the screen on which it is new`() throws {
        try replace(Self.warning)
        let program = BuiltProgram("widget").url.path
        let said = Shell.run(
            "cd '\(folder.url.path)' && printf '\\n\\nlog\\nquit\\n' | '\(program)' run Notes --plain 2>&1 >/dev/null")
        #expect(said.status == 0)
        #expect(
            said.output.ranges(of: "(titleLabel): A binding has no use for placehoder").count == 1, "\(said.output)")
        #expect(said.output.hasPrefix("warning: Notes/\(Self.scheme):20:64 "))
    }

    @Test func `run shows diagnostics above the last line of the terminal, and a key shows the next`() throws {
        try replace(Self.warning)
        let service = #"{"defaults": {"baseUrl": "http://api.example.com"}, "actions": {"list": {"path": "list"}}}"#
        try folder.write("Notes/Service.json", Array(service.utf8))
        let place = folder.path("Notes")
        // Wide enough for the path of any temporary folder: the line is cut to the terminal.
        let terminal = try CalledTerminal(["run", place], environment: ["NO_COLOR": "1"], columns: 240)
        #expect(terminal.waits(for: "(1 of 2; a key shows the next)"), "\(terminal.shown)")
        #expect(terminal.shown.contains("-- revision 1"))
        let marks = ["(textLabel)", "[plain-http]"]
        let others = marks.filter { !terminal.shown.contains($0) }
        #expect(others.count == 1, "\(terminal.shown)")
        terminal.type("\t")
        #expect(terminal.waits(for: others.first ?? "?"), "\(terminal.shown)")
        let before = terminal.shown.ranges(of: "placehoder").count
        terminal.type("\t")
        terminal.type("\t")
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
        #expect(before > 0 && terminal.shown.ranges(of: "placehoder").count == before)
    }

    // MARK: - Judging

    @Test func `build fails after an error of the program, and writes nothing`() throws {
        try replace(Self.warning)
        try replace(Self.error)
        let result = try run("build", "Notes")
        #expect(result.exitCode == 1)
        #expect(try folder.names == ["Notes"])
        let lines = result.error.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
        #expect(lines.map { $0.prefix { $0 != ":" } } == ["error", "error", "warning", "error"])
        #expect(lines.last == "error: Notes is not built: 2 errors, 2 warnings")
        #expect(result.output == "note    Notes/README.md: left out, it is not for the bundle\n")
    }

    @Test func `build with a warning writes the archive, and counts warnings and notes at the end`() throws {
        try replace(Self.warning)
        let result = try run("build", "Notes")
        #expect(result.exitCode == 0 && result.output.hasSuffix("wrote   Notes.zip\n2 warnings, 1 note\n"))
        #expect(result.output.hasPrefix("note ") && !result.output.contains("placehoder"))
        #expect(result.error.ranges(of: "warning: Notes/\(Self.scheme):").count == 1, "\(result.error)")
    }

    @Test func `build under strict fails after a warning, and writes nothing`() throws {
        #expect(try run("build", "Notes", "--strict", "-o", "clean.zip").exitCode == 0)
        try replace(Self.warning)
        let result = try run("build", "Notes", "--strict")
        #expect(result.exitCode == 1)
        #expect(try folder.names == ["Notes", "clean.zip"])
        #expect(
            result.error.hasSuffix(
                "error: Notes is not built: 2 warnings\nhint: --strict was given; without it, only errors stop the command\n"
            ))
    }

    @Test func `build that is quiet prints errors and warnings alone`() throws {
        let clean = try run("build", "Notes", "-q")
        #expect(clean.exitCode == 0 && clean.output.isEmpty && clean.error.isEmpty)
        try replace(Self.warning)
        let result = try run("build", "Notes", "--quiet")
        #expect(result.exitCode == 0 && result.output.isEmpty && result.error.hasPrefix("warning: "))
    }

    @Test func `build prints JSON alone on the output, and complaints beside it`() throws {
        try replace(Self.warning)
        let result = try run("build", "Notes", "--json")
        #expect(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) is [String: Any])
        #expect(result.error.hasPrefix("warning: Notes/\(Self.scheme):20:64 "))
    }

    @Test func `A class that a host may bring is one warning of build`() throws {
        try replace(("\"TableDisplayController\"", "\"ClockDisplayController\""))
        let result = try run("build", "Notes")
        #expect(result.exitCode == 0 && result.output.hasSuffix("1 warning, 1 note\n"), "\(result.error)")
        #expect(result.error.ranges(of: "ClockDisplayController").count == 1)
        let inspected = try run("inspect", "Notes").output
        #expect(inspected.ranges(of: "Unknown mediator ClockDisplayController,").count == 1)
        #expect(inspected.ranges(of: "[unknown-class]").count == 1)
    }

    @Test func `A refused predicate is printed once, with its suggestion as a hint`() throws {
        try replace(("CONTAINS[cd] $input OR", "CONTANS[cd] $input OR"))
        for command in ["build", "render", "inspect"] {
            let result = try run(command, "Notes")
            #expect(result.exitCode == 1)
            #expect(result.error.hasPrefix("error: Notes/\(Self.scheme):14:43: CONTANS "), "\(result.error)")
            #expect(result.error.hasSuffix(" [predicate-syntax]\nhint: did you mean CONTAINS?\n"))
            #expect(result.error.ranges(of: ":14:43").count == 1)
        }
    }

    @Test func `Several refused predicates are one error with a line for each`() throws {
        try replace(("CONTAINS", "CONTANS"))
        try replace(("title CONTANS[cd] $input", "title CONTAINS[cd] %@"))
        try folder.write(
            "Notes/Other.json",
            Array(#"{"Other": {"elements": {"a": {"bindings": [{"predicateFormat": "a = %@"}]}}}}"#.utf8))
        let result = try run("build", "Notes")
        let lines = result.error.split(separator: "\n")
        #expect(lines.first?.hasPrefix("error: Notes: ") == true && lines.count > 2, "\(result.error)")
        #expect(lines.filter { $0.hasPrefix("  Notes/") }.count >= 2)
    }

    @Test func `A first screen that is missing is a warning of build and an error of run, with the remedy`() throws {
        try replace((" initialViewController=\"nav\"", ""), in: "Base.lproj/Main.storyboard")
        let built = try run("build", "Notes")
        #expect(
            built.exitCode == 0 && built.error.contains("warning: Notes/Base.lproj/Main.storyboard: "), "\(built.error)"
        )
        let shown = try run("render", "Notes")
        #expect(shown.exitCode == 1)
        for result in [built, shown] {
            #expect(result.error.contains("\nhint: `initialViewController=\"ID\"` in "), "\(result.error)")
        }
    }

    @Test func `inspect of a source names its files`() throws {
        try replace(Self.warning)
        let result = try run("inspect", "Notes")
        #expect(result.exitCode == 0 && result.output.contains("\nwarning Notes/\(Self.scheme):20:64 "))
        #expect(result.error.isEmpty)
    }

    @Test func `inspect ends with 1 after an error of the program, which its last line counts`() throws {
        try replace(Self.error)
        let result = try run("inspect", "Notes")
        #expect(
            result.exitCode == 1 && result.output.contains("\nerror Notes/\(Self.scheme):4:71 "), "\(result.output)")
        #expect(result.error == "error: Notes has 2 errors\n")
        let json = try run("inspect", "Notes", "--json")
        #expect(json.exitCode == 1 && json.output.contains(#""severity":"error""#))
    }

    @Test func `build, inspect, render, publish and a report say the same of a bundle`() throws {
        try replace(Self.warning)
        let line = try #require(
            run("build", "Notes").error.split(separator: "\n").first { $0.hasPrefix("warning: ") }?.dropFirst(
                "warning: ".count))
        #expect(try run("render", "Notes").error.contains("warning: \(line)\n"))
        #expect(try run("inspect", "Notes").output.contains("warning \(line); did you mean placeholder?\n"))
        let report = try run("build", "Notes", "--json").output
        #expect(
            report.contains(#""value":"placehoder","nearest":"placeholder","hint":"did you mean placeholder?""#),
            "\(report)")
    }
}
