import Foundation
import Testing
import WidgetSockets
import WidgetTestSupport

/// The page for operators lists the metrics and exit codes that exist.
@Suite struct `The page about operating` {
    private static let docs = Corpus.repositoryRoot + "/docs"

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(docs)/\(path)", encoding: .utf8)
    }

    /// Names, kinds, labels and meanings as a running server tells them.
    private static func metrics() throws -> [String] { try read.get() }

    /// Asked once, of a server that reviews bundles in cells.
    private static let read = Result { try readMetrics() }

    private static func readMetrics() throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(
            ["--admin-listen", "127.0.0.1:0"], data: folder,
            environment: [
                "WIDGETD_POLICY_REVIEWS_SCREENS": "true", "WIDGETD_QUOTA_RULES": "com.acme releases=100",
            ])
        // Metrics with labels show them only after the event: a write, a problem, a token that ends.
        _ = try Program.run([
            "token", "create", "ci", "--scope", "read", "--expires", "9d", "--data", folder,
        ])
        _ = try server.get("/v1/bundles/com.acme.None")
        try #require(server.greeting.contains("metrics at  http://127.0.0.1:\(server.adminPort)"))
        let lines = server.metrics.split(separator: "\n")
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

    @Test func `The page about operating lists every metric of a server, and no other`() throws {
        let rows = try Self.metrics()
        try #require(rows.count > 20)
        let listed = try Self.text("operating.md").split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("| `widgetd_") || $0.hasPrefix("| `process_")
        }
        #expect(listed.sorted() == rows)
    }

    @Test(arguments: ["operating/dashboard.json", "operating/alerts.yaml"])
    func `The rules and panels use existing metrics only`(_ file: String) throws {
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

    @Test func `The dashboard shows every metric`() throws {
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

    @Test func `The page about operating names every exit code`() throws {
        let codes = try String(
            contentsOfFile: Corpus.repositoryRoot + "/Sources/Foundations/WidgetConsole/Terminal.swift", encoding: .utf8
        ).matches(of: /case \w+ = (\d+)/).map { String($0.1) }
        let text = try Self.text("operating.md")
        let listed = text.split(separator: "\n").compactMap {
            $0.wholeMatch(of: #/\| (\d) \| .*/#).map { String($0.1) }
        }
        #expect(listed == codes && codes.count == 7)
    }

    @Test func `The page about operating names existing settings and commands`() throws {
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

/// The session of the page about publishing, pasted: it shows the real output.
@Suite struct `The session in docs/publishing.md` {
    private struct Step {
        var command: String
        var output: [String] = []
    }

    @Test func `The session works as pasted and shows the real output`() throws {
        let page = try String(contentsOfFile: Corpus.repositoryRoot + "/docs/publishing.md", encoding: .utf8)
        let steps = Self.steps(in: page).filter { $0.command.hasPrefix("curl ") }
        try #require(steps.count >= 3)
        let server = try RunningProgram()
        for step in steps {
            let command = step.command.replacing("127.0.0.1:8080", with: server.endpoint.description)
            let output = try Self.run(command)
            #expect(!output.isEmpty, "\(step.command)")
            for (shown, line) in zip(step.output, output.split(separator: "\n")) {
                // An ellipsis replaces the rest of a long line.
                let start = shown.hasSuffix("…") ? String(shown.dropLast()) : shown
                #expect(shown.hasSuffix("…") ? line.hasPrefix(start) : line == start)
            }
        }
    }

    @Test func `The first lines that a server prints work as they are`() throws {
        let server = try RunningProgram(["--seed", Corpus.repositoryRoot + "/Bundles"])
        let lines = server.greeting.split(separator: "\n").compactMap { line -> String? in
            guard let colon = line.firstIndex(of: ":"), line.hasPrefix("  ") else { return nil }
            let name = line[..<colon].drop { $0 == " " }
            guard ["resolve", "download", "unzip", "publish"].contains(name) else { return nil }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        try #require(lines.count == 4, "\(server.greeting)")
        let folder = FileManager.default.temporaryDirectory.appending(path: "pasted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let answers = try lines.map { try Self.run("cd '\(folder.path)' && \($0)") }
        #expect(answers[0].hasPrefix("{\"widgetIdentifier\":\"com.example.Aviary-1\""))
        #expect(answers[2].contains("Aviary.bundle/Info.plist"))
        #expect(answers[3].contains("\"changed\":true"), "\(answers[3])")
    }

    @Test func `Every sample can be published, as a product or as a source`() throws {
        let server = try RunningProgram(["--seed", Corpus.repositoryRoot + "/Bundles"])
        let listed = try Self.run("curl http://\(server.endpoint)/v1/bundles")
        for name in ["Aviary", "Forge", "Greeting", "HarbourLog", "Herbarium", "Orchestra", "Planetarium", "Postcard"] {
            #expect(listed.contains("\"bundleIdentifier\":\"com.example.\(name)\""), "\(listed)")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let archive = "\(folder.path)/Postcard.zip"
        _ = try Self.run("curl -o '\(archive)' http://\(server.endpoint)/v1/widgets/com.example.Postcard/bundle")
        let names = try Self.run("unzip -l '\(archive)'")
        for name in [
            "Main.storyboardc/Info.plist", "Model.momd/Model.mom", "PostcardViewController.json", "harbour@2x.png",
        ] {
            #expect(names.contains("Postcard.bundle/\(name)"), "\(names)")
        }
    }

    /// Commands after `$ ` in the console blocks, each with the lines shown under it.
    private static func steps(in text: String) -> [Step] {
        var steps: [Step] = []
        var isConsole = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if isConsole, !steps.isEmpty {
                steps[steps.count - 1].output.append(String(line))
            }
        }
        return steps
    }

    private static func run(_ command: String) throws -> String {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command.replacing("curl ", with: "curl --silent --max-time 10 ")]
        let output = Pipe()
        process.standardOutput = .pipe(output)
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
