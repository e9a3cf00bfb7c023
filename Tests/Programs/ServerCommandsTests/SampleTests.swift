import Foundation
import Testing
import WidgetAddresses
import WidgetConfiguration
import WidgetConsole
import WidgetTestSupport

@testable import ServerCommands

/// The files in `config/` are documentation that must be true.
@Suite struct `The samples` {
    private static let folder = URL(filePath: "\(Corpus.repositoryRoot)/config")

    private static let rewrites = ProcessInfo.processInfo.environment["SNAPSHOTS"] == "rewrite"

    private static let tableMark = "<!-- The table is made from the program's own; a test compares them. -->\n"

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static func rewrite(_ name: String, _ text: String) throws {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    @Test func `The samples list every key with its default`() throws {
        if Self.rewrites { try Self.rewrite("widgetd.json5", SampleText.file) }
        #expect(try Self.text("widgetd.json5") == SampleText.file)
    }

    @Test func `The samples explain every key in the table of the README`() throws {
        let readme = try Self.text("README.md")
        let mark = try #require(readme.firstRange(of: Self.tableMark))
        let expected = readme[..<mark.upperBound] + "\n" + SampleText.table
        if Self.rewrites { try Self.rewrite("README.md", String(expected)) }
        #expect(try Self.text("README.md") == String(expected))
    }

    @Test func `The samples are all accepted`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".json5")
        }
        #expect(names.sorted() == ["container.json5", "widgetd.json5"])
        for name in names {
            let text = try Self.text(name)
            #expect(problems(in: text) == [], "\(name)")
        }
    }

    @Test func `The samples mean the defaults, also when every line is enabled`() throws {
        let text = try Self.text("widgetd.json5")
        #expect(try load(file: text).settings == Settings())
        let entry = /(?<indent> +)\/\/ (?<entry>[A-Za-z]+: .*,)/
        var enteredCount = 0
        let entered = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let match = line.wholeMatch(of: entry) else { return String(line) }
            enteredCount += 1
            return String(match.output.indent + match.output.entry)
        }
        #expect(enteredCount == Settings.table.count)
        let loaded = try load(file: entered.joined(separator: "\n"))
        #expect(loaded.settings == Settings())
        #expect(Settings.table.allSatisfy { loaded.source(of: $0.path) != .default })
    }

    @Test func `The samples open the container to the outside`() throws {
        let settings = try load(file: try Self.text("container.json5")).settings
        #expect(settings.listen == [.tcp(host: "0.0.0.0", port: 8_080)])
        #expect(settings.data == "/data")
    }
}

/// The documentation of the settings, made from the table of settings.
///
/// `SNAPSHOTS=rewrite ONLY=ServerCommands swift test` writes it to `config/`.
enum SampleText {
    static let defaults = Settings()

    /// The rows of `config/README.md`.
    static var table: String {
        let head =
            "| key | variable | flag | kind | values | default | SIGHUP | meaning |\n|---|---|---|---|---|---|---|---|\n"
        return head
            + Settings.table.map { setting in
                let cells = [
                    code(setting.path), code(setting.environmentName), setting.flag.map { code("--" + $0.name) } ?? "",
                    setting.kind, setting.range, code(setting.literal(in: defaults)), setting.isReloadable ? "yes" : "",
                    setting.meaning,
                ]
                return "| " + cells.joined(separator: " | ") + " |\n"
            }.joined()
    }

    /// `config/widgetd.json5`.
    static var file: String {
        var text = """
            // Every setting of widgetd with its default, commented out: the server does the same without this file.
            // Values come from flags, else from the environment, else from a file like this one, else they are these.
            // `widgetd check --config FILE` says whether a file is right and what would be in force.
            {

            """
        var group: Substring = ""
        for setting in Settings.table {
            let parts = setting.path.split(separator: ".")
            let newGroup = parts.count > 1 ? parts[0] : ""
            if newGroup != group {
                if !group.isEmpty { text += "  },\n\n" }
                if !newGroup.isEmpty { text += "  \(newGroup): {\n" }
                group = newGroup
            }
            text += entry(setting, indent: group.isEmpty ? "  " : "    ")
        }
        text += (group.isEmpty ? "" : "  },\n") + "}\n"
        return text.replacing("\n\n  },", with: "\n  },").replacing("\n\n}", with: "\n}")
    }

    private static func entry(_ setting: Setting<Settings>, indent: String) -> String {
        let name = setting.path.split(separator: ".").last ?? ""
        var facts = [setting.kind + (setting.range.isEmpty ? "" : ": " + setting.range), setting.environmentName]
        if setting.isSecret { facts.append(setting.environmentName + "_FILE") }
        if let flag = setting.flag { facts.append("--" + flag.name) }
        facts.append(setting.isReloadable ? "follows SIGHUP" : "needs a restart")
        return """
            \(indent)// \(setting.meaning)
            \(indent)// (\(facts.joined(separator: "; ")))
            \(indent)// \(name): \(setting.literal(in: defaults)),


            """
    }

    private static func code(_ text: String) -> String { "`\(text)`" }
}
