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
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command.replacing("curl ", with: "curl --silent --max-time 10 ")]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
