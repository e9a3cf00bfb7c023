import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: what `widget new --kind declarative` writes is a widget from the first command to an archive, and closures and
/// saved files of it work. Method: the program in this process and the real toolchain, on a terminal.
@Suite(.callingThreads, .part(.compilers), .serialized) struct `A new package of Swift` {
    private let folder: Folder
    private let button = ".onTap(.set($visits, to: $visits + 1))"

    init() throws { folder = try Folder() }

    /// The variables of a build, in the folder that such tests share: the module `Widgets` is compiled once.
    private var environment: [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.url.path,
            "NO_COLOR": "1", GuideDesk.buildVariable: GuideDesk.buildFolder,
        ]
    }

    private func widget(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(arguments, environment: environment, in: folder.url)
    }

    private func replace(_ old: String, _ new: String, in path: String) throws {
        let text = String(decoding: try folder.bytes(path), as: UTF8.self)
        try #require(text.contains(old))
        try folder.write(path, Array(text.replacing(old, with: new).utf8))
    }

    @Test func `A new package is built, played and exported, calls closures, and keeps its state when a file is saved`()
        throws
    {
        let new = try widget("new", "Places", "--kind", "declarative")
        #expect(new.exitCode == 0 && new.output.hasSuffix("next    widget run Places\n"))
        let readme = String(decoding: try folder.bytes("Places/README.md"), as: UTF8.self)
        for file in new.output.matches(of: /wrote {3}Places\/(\S+)/).map({ String($0.1) }) where file != "README.md" {
            #expect(readme.contains("* `\(file)`: "), "\(file)")
        }
        let played = try widget("render", "Places", "--events", "Places/story.json")
        #expect(played.exitCode == 0 && played.error.isEmpty, "\(played.error)")
        let exported = try widget("export", "Places", "-o", "Places.zip")
        #expect(exported.exitCode == 0 && exported.error.isEmpty, "\(exported.error)")
        let archive = try widget("render", "Places.zip", "--events", "Places/story.json")
        #expect(archive.output == played.output && archive.exitCode == 0, "\(archive.error)")

        let source = "Places/Sources/Places/PlaceScreen.swift"
        try replace(button, ".onTap { _ in visits += 2 }", in: source)
        let refused = try widget("export", "Places", "-o", "Again.zip")
        #expect(
            refused.exitCode == 1 && refused.error.hasPrefix("error: \(source):")
                && refused.error.contains("needs the program; Places is not exported"), "\(refused.error)")
        try run(source)
    }

    private func run(_ source: String) throws {
        let terminal = try CalledTerminal(["run", folder.path("Places"), "--plain"], environment: environment)
        try #require(terminal.waits(for: "Lighthouse"))
        terminal.type("select places 2\n")
        try #require(terminal.waits(for: "207 steps"))
        terminal.type("tap visit\n")
        #expect(terminal.waits(for: "Thank you for coming to the Lighthouse."))
        try replace("Thank you for coming", "Welcome again", in: source)
        #expect(shows("Welcome again to the Lighthouse.", on: terminal))
        #expect(terminal.shown.contains("Visits  2"), "the state is that of before")
        terminal.type("quit\n")
        #expect(terminal.end() == .exited(0))
    }

    /// Asks for the screen until it shows a text.
    private func shows(_ text: String, on terminal: CalledTerminal) -> Bool {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            if terminal.shown.contains(text) { return true }
            terminal.type("\n")
            if !terminal.waits(for: "-- revision") { return false }
        }
        return false
    }
}

/// Goal: a package of Swift names sources that are there. Method: the program in this process, which builds nothing.
@Suite(.callingThreads) struct `widget new, for a package of Swift,` {
    private func new(_ options: String..., folder: Folder) throws -> BuiltProgram.Result {
        try Program.run(["new", "Mine", "--kind", "declarative"] + options, in: folder.url)
    }

    private func manifest(_ folder: Folder) throws -> String {
        String(decoding: try folder.bytes("Mine/Package.swift"), as: UTF8.self)
    }

    @Test func `takes the sources that it was built from, or another folder, by its whole path`() throws {
        let folder = try Folder()
        #expect(try new(folder: folder).exitCode == 0)
        #expect(try manifest(folder).contains("path: \"\(Corpus.repositoryRoot)\""))
        try FileManager.default.removeItem(atPath: folder.path("Mine"))
        try folder.write("other/Package.swift", [])
        try folder.write("other/Sources/Engine/Widgets/Widget.swift", [])
        #expect(try new("--package", "other", folder: folder).exitCode == 0)
        #expect(try manifest(folder).contains("/other\""))
    }

    @Test func `takes an address for git, and calls the package by the last part of it`() throws {
        for address in ["https://git.example/tools/widgets.git", "git@git.example:tools/widgets.git"] {
            let folder = try Folder()
            #expect(try new("--package", address, folder: folder).exitCode == 0)
            let text = try manifest(folder)
            #expect(text.contains("[.package(url: \"\(address)\", branch: \"main\")]"))
            #expect(text.contains("package: \"widgets\""))
        }
    }

    @Test func `refuses a folder without the module, a kind without a package, and the name of a module`() throws {
        let folder = try Folder()
        let none = try new("--package", "nowhere", folder: folder)
        #expect(none.exitCode == 2 && none.error.hasPrefix("error: nowhere has no module Widgets\nhint: "))
        let list = try Program.run(["new", "Mine", "--package", "nowhere"], in: folder.url)
        #expect(list.exitCode == 2 && list.error.contains("--kind declarative"))
        let taken = try Program.run(["new", "Widgets", "--kind", "declarative"], in: folder.url)
        #expect(taken.exitCode == 2 && taken.error.contains("no module"))
        #expect(try folder.names.isEmpty)
    }
}
