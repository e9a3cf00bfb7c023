import Addresses
import Configuration
import Foundation
import Testing

@testable import widgetd

/// The files in `config/` are documentation that must be true.
@Suite struct `The samples` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")

    private static let rewrites = ProcessInfo.processInfo.environment["SNAPSHOTS"] == "rewrite"

    private static let tableMark = "<!-- The table is made from the program's own; a test compares them. -->\n"

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static func rewrite(_ name: String, _ text: String) throws {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    @Test func `list every key with its default`() throws {
        if Self.rewrites { try Self.rewrite("widgetd.json5", SampleText.file) }
        #expect(try Self.text("widgetd.json5") == SampleText.file)
    }

    @Test func `explain every key in the table of the README`() throws {
        let readme = try Self.text("README.md")
        let mark = try #require(readme.firstRange(of: Self.tableMark))
        let expected = readme[..<mark.upperBound] + "\n" + SampleText.table
        if Self.rewrites { try Self.rewrite("README.md", String(expected)) }
        #expect(try Self.text("README.md") == String(expected))
    }

    @Test func `are all accepted`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".json5")
        }
        #expect(names.sorted() == ["container.json5", "widgetd.json5"])
        for name in names {
            let text = try Self.text(name)
            #expect(problems(in: text) == [], "\(name)")
        }
    }

    @Test func `mean the defaults, also when every line is taken in`() throws {
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

    @Test func `open the container to the outside`() throws {
        let settings = try load(file: try Self.text("container.json5")).settings
        #expect(settings.listen == [.tcp(host: "0.0.0.0", port: 8_080)])
        #expect(settings.data == "/data")
    }
}
