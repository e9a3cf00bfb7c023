import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// A listing of a page for authors, between two fences.
struct GuideListing: Sendable {
    enum Kind: Sendable, Equatable {
        /// The whole of a file.
        case file(String)
        /// Lines of a file to remove and add, between lines that stay.
        case change(String)
        /// Commands after `$ `, each with its output.
        case session
        case unknown(String)
    }

    /// The line of the page that the listing begins at.
    var line: Int
    var kind: Kind
    var text: [String]

    init(line: Int, kind: Kind, text: [String] = []) {
        (self.line, self.kind, self.text) = (line, kind, text)
    }

    /// - Parameter words: those behind the fence: `console`, `diff FILE`, or a language and the file that is shown.
    init(line: Int, words: String) {
        self.init(line: line, kind: GuideListing.kind(words))
    }

    private static func kind(_ words: String) -> Kind {
        let parts = words.split(separator: " ")
        switch (parts.first, parts.count) {
        case ("console", 1): return .session
        case ("diff", 2): return .change(String(parts[1]))
        case (_, 2): return .file(String(parts[1]))
        default: return .unknown(words)
        }
    }
}

/// A part of the page under a heading of the first level, which begins with an empty folder.
struct GuidePart: Sendable, CustomTestStringConvertible {
    var title: String
    var listings: [GuideListing] = []

    var testDescription: String { title }

    /// The parts of the page about authoring that have listings.
    static let all = parts(of: "authoring.md")

    static let tutorials = ["tutorial-documents.md", "tutorial-today.md", "tutorial-declarative.md"]

    /// Those of this run: the one about a package of Swift is built by the compiler, which starts 200 programs.
    static let performedTutorials = tutorials.filter { ($0 == "tutorial-declarative.md") == Part.compilers.isRunning }

    /// The parts of a page under `docs` that have listings.
    static func parts(of name: String) -> [GuidePart] {
        let page = Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")[name] ?? []
        var parts = [GuidePart(title: "")]
        var open: GuideListing?
        let lines = String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let listing = open {
                    parts[parts.count - 1].listings.append(listing)
                    open = nil
                } else {
                    open = GuideListing(line: number + 1, words: String(line.dropFirst(3)))
                }
            } else if open != nil {
                open?.text.append(String(line))
            } else if line.hasPrefix("# ") {
                parts.append(GuidePart(title: String(line.drop { $0 == "#" || $0 == " " })))
            }
        }
        return parts.filter { !$0.listings.isEmpty }
    }
}

/// A command with the output that the page shows.
struct GuideSession {
    var command: String
    var shown: [String] = []

    /// The commands of a listing. A backslash at the end continues a command.
    static func all(in lines: [String]) -> [GuideSession] {
        var sessions: [GuideSession] = []
        for line in lines {
            if line.hasPrefix("$ ") {
                sessions.append(GuideSession(command: String(line.dropFirst(2))))
            } else if let last = sessions.indices.last {
                if sessions[last].shown.isEmpty, sessions[last].command.hasSuffix("\\") {
                    sessions[last].command += "\n" + line
                } else {
                    sessions[last].shown.append(line)
                }
            }
        }
        return sessions
    }

    /// True if the page shows a failure.
    var fails: Bool { shown.contains { $0.hasPrefix("error:") } }

    func fits(_ printed: String) -> Bool {
        var lines = printed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return GuideSession.fits(shown, lines, isAny: { $0 == "…" }) { shown, line in
            GuideSession.fits(Array(shown), Array(line), isAny: { $0 == "…" }, ==)
        }
    }

    /// True if a text is what the pattern says, where one element of the pattern is any number of the text's.
    private static func fits<Element>(
        _ pattern: [Element], _ text: [Element], isAny: (Element) -> Bool, _ same: (Element, Element) -> Bool
    ) -> Bool {
        var (place, next) = (0, 0)
        // The places from which the last ellipsis takes one more, when the rest does not fit.
        var retry: (pattern: Int, text: Int)?
        while place < text.count {
            if next < pattern.count, isAny(pattern[next]) {
                retry = (next + 1, place)
                next += 1
            } else if next < pattern.count, same(pattern[next], text[place]) {
                place += 1
                next += 1
            } else if let earlier = retry {
                retry = (earlier.pattern, earlier.text + 1)
                (next, place) = (earlier.pattern, earlier.text + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy(isAny)
    }
}

/// A folder in which listings are done, with the built programs on the search path. Commands of `widget` that need no
/// shell are called in this process.
final class GuideDesk {
    /// The page shows something else than what happens.
    struct Misprint: Error, CustomStringConvertible {
        var description: String
    }

    /// The variable that names the folder in which the toolchain builds packages, and that of all tests: what packages
    /// have in common, the module `Widgets` above all, is compiled once.
    static let buildVariable = "SWIFTPM_BUILD_DIR"
    static let buildFolder = "\(Corpus.repositoryRoot)/.build/packages"

    let folder: Folder
    private let programs: Folder
    private var servers: [ChildProcess] = []
    /// Their output; kept open, so that none ends by it.
    private var outputs: [Pipe] = []
    /// The addresses that the page shows, with those that the servers have here.
    private var addresses: [(shown: String, here: String)] = []

    init() throws {
        folder = try Folder()
        programs = try Folder()
        for name in ["widget", "widgetd"] {
            try FileManager.default.createSymbolicLink(
                atPath: programs.path(name), withDestinationPath: BuiltProgram(name).url.path)
        }
    }

    deinit {
        for server in servers where server.isRunning {
            kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
    }

    private func asHere(_ text: String) -> String { addresses.reduce(text) { $0.replacing($1.shown, with: $1.here) } }

    private func asShown(_ text: String) -> String { addresses.reduce(text) { $0.replacing($1.here, with: $1.shown) } }

    func perform(_ listing: GuideListing) throws {
        switch listing.kind {
        case .file(let path):
            try folder.write(path, Array(asHere(listing.text.map { "\($0)\n" }.joined()).utf8))
        case .change(let path): try change(path, listing)
        case .session:
            for session in GuideSession.all(in: listing.text) {
                let (printed, status) = try perform(session.command)
                guard session.fits(printed), status != 0 || !session.fails, status == 0 || session.fails else {
                    throw Misprint(
                        description:
                            "line \(listing.line): `\(session.command)` ends with \(status) and prints\n\(printed)")
                }
            }
        case .unknown(let words):
            throw Misprint(description: "line \(listing.line): `\(words)` is neither a file nor a session")
        }
    }

    private func change(_ path: String, _ listing: GuideListing) throws {
        let old = listing.text.filter { !$0.hasPrefix("+") }.map { "\($0.dropFirst())\n" }.joined()
        let new = listing.text.filter { !$0.hasPrefix("-") }.map { "\($0.dropFirst())\n" }.joined()
        let text = String(decoding: try folder.bytes(path), as: UTF8.self)
        let parts = text.components(separatedBy: old)
        guard !old.isEmpty, parts.count == 2 else {
            throw Misprint(
                description: "line \(listing.line): \(path) has these lines \(parts.count - 1) times:\n\(text)")
        }
        try folder.write(path, Array(parts.joined(separator: new).utf8))
    }

    private var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "PATH": "\(programs.url.path):\(path)", "HOME": folder.url.path, "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1", "WIDGETD_LIMITS_DISK_RESERVE": "0",
            GuideDesk.buildVariable: GuideDesk.buildFolder,
        ]
    }

    private func process(_ command: String) -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = BuiltProgram.environment(environment)
        process.currentDirectoryURL = folder.url
        process.standardInput = .nothing
        return process
    }

    /// Output and errors as a terminal shows them, and how the command ended.
    private func perform(_ command: String) throws -> (printed: String, status: Int32) {
        if command.hasSuffix(" &") { return (try serve(String(command.dropLast(2))), 0) }
        if let arguments = GuideDesk.arguments(asHere(command)) {
            let terminal = RecordedTerminal(environment: BuiltProgram.environment(environment))
            terminal.endInput()
            let call = Program.called.start(arguments, on: terminal, in: folder.url)
            guard let code = call.code(within: .seconds(600)) else {
                throw Misprint(description: "`\(command)` does not end")
            }
            return (asShown(terminal.shown), code)
        }
        let process = process("exec 2>&1\n\(asHere(command))")
        let output = Pipe()
        process.standardOutput = .pipe(output)
        try process.run()
        let bytes = BuiltProgram.readToEnds([output.fileHandleForReading.fileDescriptor])[0]
        process.waitUntilExit()
        return (asShown(String(decoding: bytes, as: UTF8.self)), process.terminationStatus)
    }

    /// The arguments of a command that is `widget` and needs no shell; `nil` of another.
    private static func arguments(_ command: String) -> [String]? {
        guard command.hasPrefix("widget "), !command.contains(where: { "|&;<>()$`\\\"*?[]#~{}\n".contains($0) })
        else { return nil }
        return command.matches(of: /'([^']*)'|[^ ']+/).dropFirst().map { String($0.1 ?? $0.0) }
    }

    /// Starts a server on a free port, and returns what it prints until it serves.
    private func serve(_ command: String) throws -> String {
        // A registry listens at 8080 by itself; other commands of the page name 8081.
        let (shown, line) =
            command.hasPrefix("widgetd ")
            ? ("127.0.0.1:8080", "exec \(command) --listen 127.0.0.1:0")
            : ("127.0.0.1:8081", "exec \(command.replacing("8081", with: "0"))")
        let process = process(line)
        let printed = Pipe()
        process.standardOutput = .pipe(printed)
        process.standardError = .nothing
        try process.run()
        servers.append(process)
        outputs.append(printed)
        var bytes: [UInt8] = []
        // Ends with the server, too.
        while case let more = printed.fileHandleForReading.availableData, !more.isEmpty {
            bytes += more
            let text = String(decoding: bytes, as: UTF8.self)
            if text.hasSuffix("\n"), let found = text.firstMatch(of: /http:\/\/(127\.0\.0\.1:(\d+))/) {
                addresses.append((shown, String(found.1)))
                return asShown(text).replacing("port \(found.2)", with: "port 8081")
            }
        }
        throw Misprint(description: "`\(command)` does not serve")
    }
}
