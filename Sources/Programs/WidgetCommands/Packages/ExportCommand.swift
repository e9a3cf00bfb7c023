import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetContract
import WidgetFiles
import WidgetHosting
import WidgetIntake
import WidgetPackages
import WidgetRunning

/// `widget export`: writes a bundle of the documents that a package describes, which runs without its program.
enum ExportCommand {
    static let command = Command(
        "export", "write a bundle from a package of Swift, or a folder of pages",
        example: "widget export Counter -o Counter.zip",
        options: [
            Option(
                "output", letter: "o", value: "FOLDER|OUT.zip",
                help: "the folder or archive; NAME.bundle here if not given"),
            Option(
                "html", value: "DIR", help: "write a folder instead that shows bundles in browsers, from any web server"
            ),
            Option(
                "engine", value: "FILE", help: "the engine for browsers; engine.wasm beside this program if not given"),
            Option("force", help: "let -o or --html replace a folder that no export has written"),
            PackageSubject.option,
            Option("json", help: "print the report as JSON"),
            Option("quiet", letter: "q", help: "print nothing but errors and warnings"),
        ],
        positionals: [
            Positional(
                "PACKAGE", .several, help: "a folder with Package.swift; with --html bundles, folders or archives")
        ])

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        do throws(CommandFailure) {
            if let folder = invocation.value("html") {
                guard !folder.isEmpty else {
                    throw .misuse("--html names nothing", hints: ["`--html DIR` names a folder"])
                }
                return try HostFolderExport(folder, invocation).run()
            }
            guard invocation.arguments.count == 1 else {
                throw .misuse("one package at a time", hints: ["--html DIR takes several bundles"])
            }
            if let missing = NamedSubject.missing(path) { throw missing }
            guard let package = PackageSubject(path, invocation) else {
                throw .misuse(
                    "\(path) is not a package of Swift",
                    hints: ["a package has the file Package.swift; `widget pack` and `widget build` take bundles"])
            }
            if invocation.value("output")?.isEmpty ?? false {
                throw .misuse("-o names nothing", hints: ["`-o NAME.zip` names an archive, and `-o NAME` a folder"])
            }
            return try export(package, invocation)
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    private static func export(
        _ package: PackageSubject, _ invocation: Invocation
    ) throws(CommandFailure) -> ExitCode {
        let path = package.path
        let opened = try package.opened()
        if let failure = failure(opened.code?.declaration, path) { throw failure }
        let output = CommandOutput(invocation)
        let taken = try rethrowing(
            try NamedBundle.take(opened.source, on: output.terminal), as: { CommandFailure($0, source: path) })
        let built = BuiltBundle(taken, from: opened.source, at: path)
        built.complaints.show(on: output.terminal)
        if let failure = built.failure(isStrict: false, named: path, outcome: "exported") { throw failure }
        let target = invocation.value("output") ?? "\(taken.bundle.name).bundle"
        try write(taken, to: target, isForced: invocation.has("force"))
        if output.isQuiet { return .clean }
        if output.asJSON { return invocation.terminal.print(document: built.report.json) }
        let lines = ReportText(taken.report, usesColor: invocation.terminal.isWatched).contentLines
        return invocation.terminal.print((lines + ["wrote   \(QuotedText.plain(target))"]).map { "\($0)\n" }.joined())
    }

    // MARK: - What stops it

    /// The failure of a package whose widget has faults, or needs its program; each reason once.
    private static func failure(_ declaration: NativeDeclaration?, _ path: String) -> CommandFailure? {
        guard let declaration else { return nil }
        let start = AuthoredPaths.start(path)
        let faults = declaration.faults.filter(\.isError)
        var hints = unique(faults.compactMap(\.hint))
        var reasons = faults.map { (place($0.file, $0.line, start), $0.message) }
        reasons += declaration.handlers.map { (place($0.file, $0.line, start), "\($0.what) needs the program") }
        guard !reasons.isEmpty else { return nil }
        if !declaration.handlers.isEmpty {
            hints.append(
                "a bundle has no program: use actions that are data, such as .set($count, to: $count + 1), or run it here"
            )
        }
        let lines = unique(reasons.map { $0.0 + $0.1 })
        if lines.count == 1 { return .failed("\(lines[0]); \(path) is not exported", hints: hints) }
        return .failed(
            (["\(path) is not exported, for \(lines.count) reasons:"] + lines).joined(separator: "\n"), hints: hints)
    }

    private static func place(_ file: String?, _ line: Int?, _ start: String) -> String {
        guard let file else { return "" }
        let path = file.hasPrefix("/") || start.isEmpty ? file : "\(start)/\(file)"
        return "\(path)\(line.map { ":\($0)" } ?? ""): "
    }

    private static func unique(_ texts: [String]) -> [String] {
        var known: Set<String> = []
        return texts.filter { known.insert($0).inserted }
    }

    // MARK: - Writing

    private static func write(
        _ taken: borrowing TakenBundle, to target: String, isForced: Bool
    ) throws(CommandFailure) {
        if target.hasSuffix(".zip") {
            _ = try rethrowing(as: { (error: FileError) in CommandFailure.failed("\(error)", hints: []) }) {
                () throws(FileError) in try ArchiveFile.write(taken, of: nil, to: target, replacing: true)
            }
            return
        }
        try BundleFolderWriting.write(taken, to: target, isForced: isForced)
    }
}
