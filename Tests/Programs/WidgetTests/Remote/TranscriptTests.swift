import CommandSupport
import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: the output of commands changes only on purpose. Method: commands and their output, as files under
/// `Tests/Corpus/transcripts`, performed anew, each file against a new registry.
/// `WIDGET_WRITE_CORPUS=1` writes the present output.
@Suite(.callingThreads) struct `A transcript` {
    @Test(arguments: Corpus.files(in: "transcripts"))
    func `A transcript matches what the programs print`(_ file: Corpus) throws {
        let stage = try Stage()
        try Self.lay(stage.folder)
        let written = Transcript(String(decoding: file.bytes, as: UTF8.self))
        try #require(!written.steps.isEmpty)
        let performed = try written.performed(in: stage)
        if Corpus.isWritten {
            let path = "\(Corpus.repositoryRoot)/Tests/Corpus/transcripts/\(file.name)"
            try Data(performed.text.utf8).write(to: URL(filePath: path))
            return
        }
        for (now, then) in zip(performed.steps, written.steps) {
            #expect(now.output == then.output, "\(then.line)")
        }
    }

    /// Writes the files that the commands use into their folder.
    private static func lay(_ folder: Folder) throws {
        let clock = BundleForge("com.acme.Clock", "1.0", "1", text: "Hello").with { $0.name = "Clock" }
        try folder.write("Clock-1.0.zip", clock.archive)
        try folder.write(
            "Clock-1.1.zip", clock.with { $0.version = "1.1" }.adding("Feed.json", "{\"a\": 1}").archive)
        try folder.write("Clock-1.2.zip", clock.with { $0.version = "1.2" }.archive)
        try folder.write("Clock-other.zip", clock.adding("Feed.json", "{\"a\": 2}").archive)
        try folder.write("Unclean.zip", clock.with { $0.version = "2.0" }.adding("Clock", "\u{7F}ELF").archive)
        try folder.write("Broken.zip", Array("hello".utf8))
        for file in clock.contents { try folder.write("Clock.bundle/\(file.path)", file.bytes) }
        try folder.write("token", Array("\(Registry.adminToken)\n".utf8))
    }
}

/// Commands as a person types them, each with what it prints and, unless it is zero, how it ends.
struct Transcript {
    struct Step {
        var line: String
        var output: String
    }

    var steps: [Step] = []

    /// Lines that begin with `$ ` are commands; what follows is their output.
    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("$ ") {
                steps.append(Step(line: String(line.dropFirst(2)), output: ""))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output += line + "\n"
            }
        }
    }

    var text: String { steps.map { "$ \($0.line)\n\($0.output)" }.joined() }

    /// The same commands with their present output.
    func performed(in stage: Stage) throws -> Transcript {
        var copy = self
        for index in steps.indices { copy.steps[index].output = try stage.perform(steps[index].line) }
        return copy
    }
}

/// A registry, a folder and the built program.
final class Stage {
    let registry: Registry
    let folder: Folder

    init() throws {
        registry = try Registry()
        folder = try Folder()
    }

    /// A command's output and errors, without what differs from run to run.
    func perform(_ line: String) throws -> String {
        var environment = ["WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken]
        var words = Stage.words(line)
        while let word = words.first, let equals = word.firstIndex(of: "=") {
            environment[String(word[..<equals])] = String(word[word.index(after: equals)...])
            words.removeFirst()
        }
        guard words.first == "widget" else { return "only widget is performed here\n" }
        let arguments = Array(words.dropFirst())
        // A watch looks at its subject on threads of the process, which have another folder.
        let result =
            arguments.first == "watch"
            ? try Program.built.run(arguments, environment: environment, in: folder.url)
            : try Program.run(arguments, environment: environment, in: folder.url)
        return Stage.plain(result.output + result.error, registry: registry.url)
            + (result.exitCode == 0 ? "" : "[exit \(result.exitCode)]\n")
    }

    /// Words between spaces, or between single quotes.
    private static func words(_ line: String) -> [String] {
        line.matches(of: /'([^']*)'|[^ ]+/).map { String($0.1 ?? $0.0) }
    }

    private static func plain(_ text: String, registry: String) -> String {
        text.replacing(registry, with: "http://registry.test")
            .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2026-01-31T12:00:00Z")
            .replacing(/\b[0-9a-f]{32}\b/, with: "REQUEST")
            .replacing(/wdg_[0-9A-Za-z]{20,}/, with: "wdg_SECRET")
            .replacing(/"salt":"[^"]*"/, with: "\"salt\":\"SALT\"")
            .replacing(/(within|after) \d+ ms/) { "\($0.1) 1 ms" }
    }
}
