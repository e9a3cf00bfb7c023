import CommandSupport
import Foundation
import Glibc
import PackageSupport
import Testing
import WidgetTestSupport

/// Goal: a package of Swift is a subject like a bundle. Method: the program, its toolchain and the package's program in this
/// process, and a process where the package's program fails.
@Suite(.callingThreads) struct `A package of Swift` {
    private let folder: Folder
    private let toolchain: FakeToolchain

    init() throws {
        folder = try Folder()
        toolchain = try FakeToolchain(in: folder.url, making: BuiltProgram("WidgetSpecimen").url)
    }

    private func widget(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(
            arguments, environment: ["SWIFT": toolchain.path], in: folder.url, programs: toolchain.programs)
    }

    private let tap = Array(#"[{"tap": "add"}, {"tap": "add"}]"#.utf8)

    @Test func `is built and shown, with what its program prints on standard error`() throws {
        let result = try widget("render", "Counter")
        #expect(result.output == "Count: 0\n(Add)\n(More)\n" && result.exitCode == 0)
        #expect(result.error == "the answerer begins\n")
    }

    @Test func `runs its closures, and explains where values come from`() throws {
        try folder.write("script.json", tap)
        let result = try widget("render", "Counter", "--events", "script.json", "--explain")
        #expect(result.output.hasPrefix("Count: 2\n"))
        #expect(result.output.contains("Counter/Main.widgets.json:"))
    }

    @Test(arguments: ["json", "html", "frames"]) func `is printed in every form`(form: String) throws {
        let result = try widget("render", "Counter", "--as", form)
        #expect(result.exitCode == 0 && result.output.contains("Count: 0"))
    }

    @Test func `is inspected with the closures that its documents call`() throws {
        let text = try widget("inspect", "Counter")
        #expect(text.output.contains("bundle  com.example.Counter 1.0 (1)\n"))
        #expect(text.output.contains("calls   add: onTap of the button Add, Counter/\(FakeToolchain.source):7\n"))
        let json = try widget("inspect", "Counter", "--json")
        #expect(json.output.contains(#""handlers":[{"name":"add""#))
    }

    @Test func `declares links like a bundle`() throws {
        #expect(try widget("links", "Counter").output == "the widget declares no links\n")
    }

    @Test func `has the services, pictures and components of its folder Bundle`() throws {
        try toolchain.write(
            "Bundle/Info.plist",
            """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Given</string></dict></plist>
            """)
        try toolchain.write("Bundle/components/tag.json", #"{"body": {"kind": "label", "payload": {"text": "Tag"}}}"#)
        let result = try widget("inspect", "Counter")
        #expect(result.output.contains("bundle  com.example.Given"), "\(result.error)")
        #expect(result.output.contains("Counter/Bundle/components/tag.json"), "no document uses it")
    }

    @Test(arguments: ["inspect", "render", "export"])
    func `that would place an order when its screen opens is named by each command`(command: String) throws {
        try toolchain.behave("order data")
        try toolchain.write(
            "Bundle/services/Shop.json",
            #"{"defaults": {"baseUrl": "https://shop.example"}, "actions": {"order": {"httpMethod": "POST", "path": "orders/$id"}}}"#
        )
        let result = try widget(command, "Counter")
        let said = result.output + result.error
        #expect(result.exitCode == 0, "\(said)")
        #expect(
            said.contains(
                "The source order waits for an action, because a POST is not sent when a screen opens [sent-on-load]")
                && said.contains("The source order has no value for $id [unfilled]"), "\(command): \(said)")
    }

    @Test func `that does not compile shows what the compiler says`() throws {
        try toolchain.behave("fault")
        let result = try widget("render", "Counter")
        #expect(
            result.error == """
                Counter/\(FakeToolchain.source):1:1: error: cannot find 'fault' in scope
                1 | fault
                  | `- error: cannot find 'fault' in scope
                error: Counter could not be built: 1 error
                hint: `swift build` in the folder of the package shows the same

                """)
        #expect(result.exitCode == 1 && result.output.isEmpty)
    }

    @Test func `needs a toolchain, and the name of one of its programs`() throws {
        let none = try Program.run(["render", "Counter"], environment: ["SWIFT": "/none"], in: folder.url)
        #expect(
            none.exitCode == 1 && none.error.contains("the program /none, which builds packages, is not found")
                && none.error.contains("hint: "))
        let other = try widget("render", "Counter", "--product", "Other")
        #expect(other.exitCode == 2 && other.error.contains("it has Counter"))
    }

    @Test(arguments: ["dies", "crashes", "nonsense"])
    func `whose program fails shows its last view, and the reason`(behaviour: String) throws {
        try toolchain.behave(behaviour)
        try folder.write("script.json", Array(#"[{"tap": "add"}]"#.utf8))
        let result = try widget("render", "Counter", "--events", "script.json")
        #expect(result.output == "Count: 0\n(Add)\n(More)\n" && result.error.contains("[native-fault]"))
    }

    // MARK: - Export

    @Test func `whose actions are data is exported as a bundle that runs by itself`() throws {
        try toolchain.behave("data")
        try folder.write("script.json", tap)
        let archive = try widget("export", "Counter", "-o", "Counter.zip")
        #expect(archive.exitCode == 0 && archive.output.contains("wrote   Counter.zip"))
        #expect(try widget("export", "Counter").exitCode == 0)
        for subject in ["Counter.zip", "Counter.bundle"] {
            #expect(try widget("inspect", subject).exitCode == 0)
            let shown = try widget("render", subject, "--events", "script.json")
            #expect(shown.output.hasPrefix("Count: 2\n") && shown.error.isEmpty)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("Counter.bundle")).sorted()
        #expect(names == ["Details.widgets.json", "Info.plist", "Main.widgets.json"])
        let document = try folder.bytes("Counter.bundle/Main.widgets.json")
        #expect(String(decoding: document, as: UTF8.self).hasPrefix("{\n  \"schema\": 1,\n"))
        let first = try folder.bytes("Counter.zip")
        #expect(try widget("export", "Counter", "-o", "Counter.zip").exitCode == 0)
        #expect(try folder.bytes("Counter.zip") == first, "the same package is the same bundle")
    }

    @Test func `with closures is not exported, and each is named with its place`() throws {
        let result = try widget("export", "Counter", "-o", "Counter.zip")
        #expect(result.exitCode == 1)
        #expect(
            result.error.contains(
                "error: Counter/\(FakeToolchain.source):7: onTap of the button Add needs the program"))
        try toolchain.behave("remark")
        let both = try widget("export", "Counter")
        #expect(both.error.contains("Counter is not exported, for 2 reasons:\n"))
        #expect(both.error.contains("  Counter/\(FakeToolchain.source):3: the state count is a class\n"))
        #expect(try folder.names.filter { $0.hasPrefix("Counter.") }.isEmpty)
    }

    @Test func `with a fault in a document is not exported`() throws {
        try toolchain.behave("data unknown")
        let result = try widget("export", "Counter")
        #expect(result.exitCode == 1 && result.error.contains("Counter/Main.widgets.json:5:14"))
        #expect(try folder.names == ["Counter", "toolchain"])
    }

    @Test func `replaces its own export, and no other folder`() throws {
        try toolchain.behave("data")
        try folder.write("Counter.bundle/notes.txt", Array("mine".utf8))
        let refused = try widget("export", "Counter")
        #expect(refused.exitCode == 1 && refused.error.contains("--force"))
        #expect(try folder.bytes("Counter.bundle/notes.txt") == Array("mine".utf8))
        #expect(try widget("export", "Counter", "--force").exitCode == 0)
        try toolchain.behave("data other")
        #expect(try widget("export", "Counter").exitCode == 0)
        #expect(try widget("render", "Counter.bundle").output.hasPrefix("Other count: 0\n"))
        #expect(try folder.names == ["Counter", "Counter.bundle", "toolchain"])
    }

    @Test func `is the only thing that is exported`() throws {
        try folder.write("Main.widgets.json", Array("[]".utf8))
        let result = try widget("export", "Main.widgets.json")
        #expect(result.exitCode == 2 && result.error.contains("is not a package of Swift"))
        #expect(try widget("export", "nowhere").exitCode == 1)
    }
}

/// Goal: an author sees each save of a source, and a fault costs nothing that was there. Method: the program in this
/// process on a terminal, and as a process where that is killed.
@Suite(.serialized, .callingThreads) struct `widget run, on a package,` {
    private let folder: Folder
    private let toolchain: FakeToolchain

    init() throws {
        folder = try Folder()
        toolchain = try FakeToolchain(in: folder.url, making: BuiltProgram("WidgetSpecimen").url)
    }

    private var environment: [String: String] { ["NO_COLOR": "1", "SWIFT": toolchain.path] }

    private func run(_ options: String...) throws -> CalledTerminal {
        // A compiler's message begins with a path, which may be long.
        try CalledTerminal(
            ["run", toolchain.package] + options, environment: environment, columns: 400,
            programs: toolchain.programs)
    }

    @Test func `builds at each save, keeps states, and keeps the old program while there is a fault`() throws {
        let terminal = try run("--plain")
        #expect(terminal.waits(for: "Count: 0"))
        terminal.type("tap add\n")
        #expect(terminal.waits(for: "Count: 1"))
        try toolchain.behave("other")
        #expect(shows("Other count: 1", on: terminal))
        try toolchain.behave("fault")
        #expect(shows("error: cannot find 'fault' in scope", on: terminal))
        terminal.type("tap add\n")
        #expect(terminal.waits(for: "Other count: 2"))
        try toolchain.behave("")
        #expect(shows("-- revision 3 (attempt 4)", on: terminal))
        #expect(terminal.shown.contains("\nCount: 2"))
        terminal.type("quit\n")
        #expect(terminal.end() == .exited(0))
    }

    /// Asks for the screen until it shows a text.
    private func shows(_ text: String, on terminal: CalledTerminal) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if terminal.shown.contains(text) { return true }
            terminal.type("\n")
            if !terminal.waits(for: "-- revision") { return false }
        }
        return false
    }

    @Test func `shows the build and the first error below the widget`() throws {
        let terminal = try run()
        #expect(terminal.waits(for: "Count: 0"))
        terminal.type("\r")
        #expect(terminal.waits(for: "Count: 1"))
        try toolchain.behave("fault")
        #expect(terminal.waits(for: "error: cannot find 'fault' in scope"))
        try toolchain.behave("other")
        #expect(terminal.waits(for: "Other count: 1"))
        #expect(terminal.shown.contains("> the answerer begins"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `leaves no program behind when it is killed`() throws {
        try toolchain.behave("hangs")
        let terminal = try PseudoTerminal(["run", toolchain.package, "--plain"], environment: environment)
        #expect(terminal.waits(for: "Count: 0"))
        terminal.type("tap add\n")
        let program = "\(toolchain.package)/.build/debug/Counter"
        #expect(processes(of: program) == 1)
        terminal.signal(SIGKILL)
        #expect(terminal.end() == .signalled(SIGKILL))
        let deadline = ContinuousClock.now + .seconds(30)
        while processes(of: program) > 0, ContinuousClock.now < deadline { sched_yield() }
        #expect(processes(of: program) == 0)
    }

    /// The number of processes that run a program.
    private func processes(of path: String) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        return numbers.count { number in
            Int(number) != nil
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")) == real
        }
    }
}
