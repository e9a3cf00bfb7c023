import Foundation
import Sockets
import TestSupport
import Testing

/// The README's session, pasted: what it shows is what happens.
@Suite struct `The session in README.md` {
    private struct Step {
        var command: String
        var output: [String] = []
    }

    @Test func `works as pasted and shows what really comes back`() throws {
        let readme = try String(contentsOfFile: Corpus.repositoryRoot + "/README.md", encoding: .utf8)
        let steps = Self.steps(in: readme).filter { $0.command.hasPrefix("curl ") }
        try #require(steps.count >= 3)
        let server = try RunningProgram()
        for step in steps {
            let command = step.command.replacing("127.0.0.1:8080", with: server.endpoint.description)
            let output = try Self.run(command)
            #expect(!output.isEmpty, "\(step.command)")
            for (shown, line) in zip(step.output, output.split(separator: "\n")) {
                // An ellipsis stands for the rest of a long line.
                let start = shown.hasSuffix("…") ? String(shown.dropLast()) : shown
                #expect(shown.hasSuffix("…") ? line.hasPrefix(start) : line == start)
            }
        }
    }

    @Test func `starts with lines that work as they are printed`() throws {
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

    @Test func `publishes every sample, whether it is a product or a source`() throws {
        let server = try RunningProgram(["--seed", Corpus.repositoryRoot + "/Bundles"])
        let listed = try Self.run("curl http://\(server.endpoint)/v1/bundles")
        for name in ["Aviary", "Greeting", "HarbourLog", "Herbarium", "Planetarium", "Postcard"] {
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
