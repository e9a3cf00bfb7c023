import JSONText
import RegistryClient
import RegistryContract
import WidgetBuild
import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetFindings
import WidgetIntake
import WidgetPackages

/// The form in which a command shows its result.
struct CommandOutput {
    let terminal: Terminal
    let asJSON: Bool
    let isQuiet: Bool

    init(_ invocation: Invocation) {
        terminal = invocation.terminal
        asJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
    }

    /// Prints a result in the form that was asked for.
    func print(_ document: JSONValue, _ text: @autoclosure () -> String) -> ExitCode {
        print({ $0.value(document) }, text())
    }

    func print(_ document: (inout JSONWriter) -> Void, _ text: @autoclosure () -> String) -> ExitCode {
        if isQuiet { return .clean }
        guard asJSON else { return terminal.print(text()) }
        var writer = JSONWriter()
        document(&writer)
        return terminal.print(document: writer.finish())
    }
}

extension Terminal {
    /// Prints a document with escapes for characters that are not shown, to a terminal or not, because piped output is
    /// looked at later. A program that parses it gets the same values.
    func print(document: [UInt8]) -> ExitCode {
        print(JSONEscaping.shown(document: document))
    }
}

/// The failure of a command.
enum CommandFailure: Error {
    /// The command line or the environment is not valid.
    case misuse(String, hints: [String])
    case failed(String, hints: [String])
    /// - Parameter hints: shown in addition to those of the error itself.
    case registry(FetchError, hints: [String] = [])
    case bundle(BundleError, source: String)
    case build(BuildFailure)
    case package(PackageError, source: String)

    /// - Parameter source: the path that does not lead to a bundle.
    init(_ error: SourceError, source: String) {
        // Work in progress may lack a folder, too; and the source may be the name of a widget.
        if case .file(let error) = error, error.isMissing, error.subject == source,
            let missing = NamedSubject.missing(source)
        {
            self = missing
            return
        }
        self =
            switch error {
            case .file(let error): .bundle(BundleError(error), source: source)
            case .build(let failure): .build(failure)
            case .bundle(let error): .bundle(error, source: source)
            }
    }

    /// The failure in one sentence.
    var sentence: String {
        switch self {
        case .misuse(let message, _), .failed(let message, _): message
        case .registry(let error, _): "\(error)"
        case .bundle(let error, let source): BundleRefusal.sentence(error, source: source)
        case .build(let failure): "\(failure)"
        case .package(let error, let source): PackageFailure.sentence(error, source: source)
        }
    }

    /// Shows it: one `error:` line and hints, or the registry's own document where JSON was asked for.
    func show(on terminal: Terminal, asJSON: Bool) -> ExitCode {
        switch self {
        case .misuse(let message, let hints):
            terminal.complain(QuotedText.plain(message), hints: hints.map(QuotedText.plain))
            return .misuse
        case .failed(let message, let hints):
            // A screen that a script did not expect has lines.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map {
                QuotedText.plain(String($0))
            }
            terminal.complain(lines[0], details: Array(lines.dropFirst()), hints: hints.map(QuotedText.plain))
            return .failed
        case .bundle(let error, let source):
            return BundleRefusal.show(error, source: source, on: terminal, asJSON: asJSON)
        case .build(let failure):
            let isOne = failure.errors.count == 1
            terminal.complain(
                QuotedText.plain(isOne ? "\(failure)" : failure.summary),
                details: isOne ? [] : failure.lines.map(QuotedText.plain), hints: failure.hints.map(QuotedText.plain))
            return .failed
        case .package(let error, let source): return PackageFailure.show(error, source: source, on: terminal)
        case .registry(let error, let hints):
            guard case .problem(let problem) = error.reason else {
                terminal.complain(QuotedText.plain("\(error)"), hints: (error.hints + hints).map(QuotedText.plain))
                return .failed
            }
            if asJSON {
                var writer = JSONWriter()
                writer.value(problem.document)
                let printed = terminal.print(document: writer.finish())
                return printed == .clean ? .failed : printed
            }
            let words = ProblemWords(problem, hints: error.hints + hints)
            terminal.complain(
                QuotedText.plain(words.sentence), details: words.causes.map(QuotedText.plain),
                hints: words.hints.map(QuotedText.plain), reference: QuotedText.plain(words.reference))
            return .failed
        }
    }
}

/// The refusal of a bundle, as the program shows it.
enum BundleRefusal {
    /// Shows one `error:` line, the findings, and where to learn more; as JSON on the output instead.
    static func show(_ error: BundleError, source: String, on terminal: Terminal, asJSON: Bool) -> ExitCode {
        if asJSON, error.isRefusal { return printJSON(error, on: terminal) }
        let sentence = sentence(error, source: source)
        guard case .policy(let findings) = error.reason else {
            terminal.complain(QuotedText.plain(sentence), hints: hints(error, source: source))
            return .failed
        }
        let complaints = FindingLine.of(findings)
        if complaints.count == 1, let only = complaints.first, let path = only.first.place?.file {
            let subject = NamedSubject.isInside(path, of: source) ? "" : "\(source): "
            terminal.complain(QuotedText.plain("\(subject)\(only.text)"), hints: only.hints.map(QuotedText.plain))
        } else {
            var seen: Set<String> = []
            let hints = complaints.flatMap(\.hints).filter { seen.insert($0).inserted }
            terminal.complain(
                QuotedText.plain("\(source): \(error.sentence)"), details: complaints.map { QuotedText.plain($0.text) },
                hints: hints.map(QuotedText.plain))
        }
        return .failed
    }

    /// The refusal in one sentence, which begins with the source; the paths of built sources begin with it already.
    static func sentence(_ error: BundleError, source: String) -> String {
        if let path = error.path, NamedSubject.isInside(path, of: source) { return "\(error)" }
        return "\(source): \(error)"
    }

    private static func hints(_ error: BundleError, source: String) -> [String] {
        switch error.reason {
        case .archive where NamedSubject.isFolder(source):
            ["a folder becomes an archive, whose rules apply; change or remove the file at fault"]
        case .archive: ["`widget structure \(source)` shows how far the archive can be read"]
        default: []
        }
    }

    private static func printJSON(_ error: BundleError, on terminal: Terminal) -> ExitCode {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("verdict", "reject")
            writer.member("code", error.code.rawValue)
            writer.member("detail", error.sentence)
            if let path = error.path { writer.member("path", path) }
            if let offset = error.offset { writer.member("offset", offset) }
            if let line = error.line { writer.member("line", line) }
            if let column = error.column { writer.member("column", column) }
            if case .policy(let findings) = error.reason {
                writer.key("findings")
                writer.array { writer in
                    for finding in findings { finding.write(to: &writer) }
                }
            }
        }
        let printed = terminal.print(document: writer.finish())
        return printed == .clean ? .failed : printed
    }
}

/// A registry's problem in the words of a command.
///
/// A registry answers any client, in terms of addresses, fields and bodies. Where a command has hints on what to do,
/// they replace those terms.
struct ProblemWords {
    let sentence: String
    /// One line for each of several errors.
    let causes: [String]
    let hints: [String]
    /// Facts for a bug report: the code, and all members that the lines above do not have.
    let reference: String

    private static let said: Set<String> = ["type", "title", "status", "detail", "instance", "errors"]

    /// - Parameter known: hints that do not come from the problem's code.
    init(_ problem: RegistryProblem, hints known: [String]) {
        hints = known + ProblemWords.hints(problem)
        let detail = hints.isEmpty ? problem.detail : ProblemWords.withoutWire(problem.detail)
        sentence = detail.isEmpty ? problem.title : "\(problem.title): \(detail)"
        let members = problem.document.object?.members ?? []
        causes = (problem.document["errors"]?.array ?? []).map { error in
            let place = error["path"]?.string.map { "\($0): " } ?? ""
            let code = error["code"]?.string.map { " [\($0)]" } ?? ""
            return "\(place)\(error["detail"]?.string ?? "")\(code)"
        }
        var facts = [problem.code, "status \(problem.status)"]
        if let instance = problem.document["instance"]?.string { facts.append("request \(instance)") }
        for member in members where !ProblemWords.said.contains(member.name) {
            var writer = JSONWriter()
            writer.value(member.value)
            let text = member.value.string ?? String(decoding: writer.bytes, as: UTF8.self)
            facts.append("\(member.name) \(text)")
        }
        reference = facts.joined(separator: ", ")
    }

    private static func hints(_ problem: RegistryProblem) -> [String] {
        switch ProblemCode(rawValue: problem.code) {
        case .noEarlierRelease:
            [
                "`--to RELEASE` names one that the channel has shown; `widget promote ID RELEASE --channel CHANNEL` shows "
                    + "any other"
            ]
        case .noSuchRelease, .noSuchChannel: ["`widget show ID` lists the releases and channels there are"]
        case .noSuchBundle: ["`widget list` shows what the registry has"]
        case .preconditionFailed: ["`widget show ID` shows it as it is now; repeat the command if it still makes sense"]
        case .expired: ["`widget show ID` lists the releases that are there; `widget publish` takes a higher version"]
        // Nothing that is withdrawn takes back a publication.
        case .quotaExceeded where problem.document["measure"]?.string == "publications":
            problem.document["at"]?.string.map { ["there is room for one at \($0)"] } ?? []
        case .quotaExceeded: ["`widget withdraw ID RELEASE` makes room once the release cannot be restored any more"]
        case .withdrawn: ["`widget restore ID RELEASE` brings a withdrawn release back"]
        case .notAcceptable: ["the registry may be of another version; `widget doctor` probes it"]
        default: []
        }
    }

    /// A text without its clauses about requests, and without the rest of each sentence after such a clause.
    private static func withoutWire(_ detail: String) -> String {
        var kept: [String] = []
        for sentence in detail.split(separator: ". ") {
            let clauses = sentence.split(separator: "; ").prefix { clause in !wire.contains { clause.contains($0) } }
            if !clauses.isEmpty { kept.append(clauses.joined(separator: "; ")) }
        }
        return kept.joined(separator: ". ")
    }

    private static let wire = [
        "/v1/", "{\"", "POST ", "PUT ", "GET ", "If-Match", "entity tag", "Authorization", "curl ", "Bearer ",
    ]
}
