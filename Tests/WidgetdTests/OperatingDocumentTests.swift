import Foundation
import TestSupport
import Testing

/// What operators read about metrics and exit codes is what there is.
@Suite struct `The page about operating` {
    private static let docs = Corpus.repositoryRoot + "/docs"

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(docs)/\(path)", encoding: .utf8)
    }

    /// Names, kinds, labels and meanings as a running server tells them.
    private static func metrics() throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(["--admin-listen", "127.0.0.1:0"], data: folder)
        // What has labels shows them only once it has happened: a write, a problem, a token that ends.
        _ = try Program.run([
            "token", "create", "ci", "--scope", "read", "--expires", "9d", "--data", folder,
        ])
        _ = try server.get("/v1/bundles/com.acme.None")
        let admin = try #require(server.greeting.firstMatch(of: /metrics at  http:\/\/127\.0\.0\.1:(\d+)/)?.1)
        let process = Shell.run("curl -s http://127.0.0.1:\(admin)/metrics")
        let lines = process.output.split(separator: "\n")
        var rows: [String] = []
        for (help, type) in zip(lines, lines.dropFirst()) where help.hasPrefix("# HELP ") && type.hasPrefix("# TYPE ") {
            let words = help.dropFirst(7).split(separator: " ", maxSplits: 1)
            let kind = type.split(separator: " ").last ?? ""
            var labels: Set<String> = []
            for line in lines where line.hasPrefix(words[0] + "{") || line.hasPrefix(words[0] + "_count{") {
                for label in line.matches(of: /[{,]([a-z_]+)="/) { labels.insert(String(label.1)) }
            }
            rows.append("| `\(words[0])` | \(kind) | \(labels.sorted().joined(separator: ", ")) | \(words[1]) |")
        }
        return rows.sorted()
    }

    @Test func `lists every metric that a server has, and no other`() throws {
        let rows = try Self.metrics()
        try #require(rows.count > 20)
        let listed = try Self.text("operating.md").split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("| `widgetd_") || $0.hasPrefix("| `process_")
        }
        #expect(listed.sorted() == rows)
    }

    @Test(arguments: ["operating/dashboard.json", "operating/alerts.yaml"])
    func `has rules and panels for metrics that are there`(_ file: String) throws {
        let known = try Set(Self.metrics().map { $0.split(separator: "`")[1] })
        let text = try Self.text(file)
        var used: Set<Substring> = []
        for match in text.matches(of: /(?:widgetd|process)_[a-z0-9_]+/) {
            var name = match.0
            for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) && !known.contains(name) {
                name = name.dropLast(suffix.count)
            }
            used.insert(name)
        }
        #expect(used.count > 8)
        #expect(used.subtracting(known).isEmpty)
    }

    @Test func `has a dashboard that shows every metric`() throws {
        let text = try Self.text("operating/dashboard.json")
        for row in try Self.metrics() {
            let name = String(row.split(separator: "`")[1])
            // Totals of what is shown as a rate of something else.
            if name.hasSuffix("_accepted_total") || name.hasSuffix("_closed_total") { continue }
            if [
                "widgetd_latest_change_tag", "widgetd_gc_removed_archives_total",
                "widgetd_gc_removed_audit_records_total",
                "widgetd_housekeeping_running",
            ]
            .contains(name) || name.hasPrefix("widgetd_housekeeping_") && name.hasSuffix("_total") {
                continue
            }
            #expect(text.contains(name), "\(name)")
        }
        #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil)
    }

    @Test func `names every exit code`() throws {
        let codes = try String(
            contentsOfFile: Corpus.repositoryRoot + "/Sources/Console/Terminal.swift", encoding: .utf8
        ).matches(of: /case \w+ = (\d+)/).map { String($0.1) }
        let text = try Self.text("operating.md")
        let listed = text.split(separator: "\n").compactMap {
            $0.wholeMatch(of: #/\| (\d) \| .*/#).map { String($0.1) }
        }
        #expect(listed == codes && codes.count == 5)
    }

    @Test func `names every setting and command as it is`() throws {
        let text = try Self.text("operating.md")
        let settings = try String(contentsOfFile: Corpus.repositoryRoot + "/config/README.md", encoding: .utf8)
        for match in text.matches(
            of: /`((?:limits|housekeeping|retention|shutdown|proxy|access|log|policy)\.[A-Za-z]+)`/)
        {
            #expect(settings.contains("| `\(match.1)` |"), "\(match.1)")
        }
        let help = try Program.run(["--help"]).output
        for match in text.matches(of: /`widgetd ([a-z]+)/) {
            #expect(help.contains("\n  \(match.1) "), "\(match.1)")
        }
    }
}
