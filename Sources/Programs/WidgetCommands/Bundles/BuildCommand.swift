import WidgetBuild
import WidgetBundles
import WidgetConsole
import WidgetIntake

/// `widget build`: compiles a bundle's source and writes its canonical archive.
enum BuildCommand {
    static let command = Command(
        "build", "compile a bundle's source and write its archive",
        example: "widget build Notes -o Notes.zip",
        options: [
            Option("output", letter: "o", value: "OUT.zip", help: "the archive to write; NAME.zip here if not given"),
            Option("strict", help: "fail, and write nothing, if there is a warning or a file to strip"),
            Option("json", help: "print the report as JSON"),
            Option("quiet", letter: "q", help: "print nothing but errors and warnings"),
            Option("identifier", value: "ID", help: "the bundle's identifier, instead of that in Info.plist"),
            Option("name", value: "NAME", help: "the bundle's name, likewise"),
            Option("version", value: "VERSION", help: "its version, likewise"),
            Option("build-number", value: "NUMBER", help: "its build number, likewise"),
        ],
        positionals: [
            Positional("DIR", help: "a folder with storyboards, models, images (PNG, JPEG, SVG, PDF) and schemes")
        ])

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        if let missing = NamedSubject.missing(path, hints: ["`widget new NAME` makes a folder to begin with"]) {
            return missing.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
        if let document = NamedSubject.loneDocument(path) {
            return document.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
        do throws(SourceError) {
            let values = BuildValues(
                name: invocation.value("name"), identifier: invocation.value("identifier"),
                version: invocation.value("version"), buildNumber: invocation.value("build-number"), project: nil)
            let source = try BundleSource(compiling: path, values: values)
            // Built and packed bundles are judged alike, because both are taken in the same way.
            return finish(try PackCommand.take(source, invocation), from: source, at: path, invocation)
        } catch {
            return CommandFailure(error, source: path).show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    /// Shows what was found, and writes the archive if nothing of it forbids that: errors, warnings, notes, the report.
    private static func finish(
        _ taken: borrowing TakenBundle, from source: borrowing BundleSource, at path: String, _ invocation: Invocation
    ) -> ExitCode {
        let output = CommandOutput(invocation)
        let built = BuiltBundle(taken, from: source, at: path)
        built.complaints.show(on: output.terminal)
        if !output.asJSON, !output.isQuiet {
            guard invocation.terminal.print(NamedBundle.notes(source)) == .clean else { return .failed }
        }
        if let failure = built.failure(isStrict: invocation.has("strict"), named: path, outcome: "built") {
            if output.asJSON, !output.isQuiet { _ = invocation.terminal.print(document: built.report.json) }
            return failure.show(on: output.terminal, asJSON: output.asJSON)
        }
        let written = PackCommand.write(taken, of: source.status, invocation, replacesOwn: true)
        guard let archive = written.path else { return written.code }
        if output.isQuiet { return .clean }
        if output.asJSON { return invocation.terminal.print(document: built.report.json) }
        let lines = ReportText(taken.report, usesColor: invocation.terminal.isWatched).contentLines
        let counts = built.complaints.isEmpty ? [] : [built.counts]
        let all = lines + ["wrote   \(QuotedText.plain(archive))"] + counts
        return invocation.terminal.print(all.map { "\($0)\n" }.joined())
    }
}

/// A bundle that was built from sources, with all that was found in it, as `widget build` and `widget publish` judge it.
struct BuiltBundle {
    let complaints: BundleComplaints
    /// The report with all findings.
    let report: BundleReport
    private let hasStrictWarning: Bool
    private let noteCount: Int
    private let strippedCount: Int

    /// - Parameter path: the folder of sources, as the user named it.
    init(_ taken: borrowing TakenBundle, from source: borrowing BundleSource, at path: String) {
        self.init(JudgedBundle(taken), notes: source.notes.count, at: path)
    }

    init(_ judged: JudgedBundle, notes: Int, at path: String) {
        complaints = judged.complaints(of: path)
        report = judged.report
        hasStrictWarning = judged.hasStrictWarning
        noteCount = notes
        strippedCount = report.stripped.count
    }

    /// The numbers of errors, warnings and notes, in words.
    var counts: String { complaints.counts(notes: noteCount) }

    /// The failure after an error, or after a warning when these count as errors.
    ///
    /// - Parameter outcome: the participle of what does not happen.
    func failure(isStrict: Bool, named path: String, outcome: String) -> CommandFailure? {
        let stripped = strippedCount == 1 ? "1 file to strip" : "\(strippedCount) files to strip"
        let found = [complaints.counts(notes: 0), strippedCount > 0 ? stripped : ""].filter { !$0.isEmpty }
        let sentence = "\(path) is not \(outcome): \(found.joined(separator: ", "))"
        if !complaints.errors.isEmpty { return .failed(sentence, hints: []) }
        guard isStrict, hasStrictWarning || strippedCount > 0 else { return nil }
        return .failed(sentence, hints: ["--strict was given; without it, only errors stop the command"])
    }
}
