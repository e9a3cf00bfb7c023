import JSONText
import RegistryClient
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetIntake
import WidgetPackages
import WidgetRender
import WidgetRunning
import WidgetTransfers

/// `widget inspect`: the content of a bundle, and what publishing would make of it.
enum InspectCommand {
    static let command = Command(
        "inspect", "show what is in a bundle, and what would become of it",
        example: "widget inspect WidgetDemo.zip",
        options: [
            Option("channel", value: "CHANNEL", help: "of a widget in a registry; stable if not given"),
            PackageSubject.option,
        ] + RegistryOptions.options,
        positionals: [
            Positional(
                "DIR|ZIP|ID",
                help: "a bundle's folder or its source's, a package, an archive, or a widget in a registry")
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        let path = invocation.arguments.first ?? ""
        let output = CommandOutput(invocation)
        guard let widget = widget(path) else {
            do throws(CommandFailure) {
                let opened = try NamedBundle.opened(path, PackageSubject(path, invocation))
                if !output.asJSON, !output.isQuiet {
                    guard output.terminal.print(NamedBundle.notes(opened.source)) == .clean else { return .failed }
                }
                return try rethrowing(as: { CommandFailure($0, source: path) }) { () throws(SourceError) in
                    try show(try NamedBundle.take(opened.source, on: output.terminal), opened.code, output)
                }
            } catch {
                return error.show(on: output.terminal, asJSON: output.asJSON)
            }
        }
        do throws(CommandFailure) {
            _ = try NamedSubject.registry(of: path, invocation)
        } catch {
            return error.show(on: output.terminal, asJSON: output.asJSON)
        }
        return await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let archive = try await fetch(widget, invocation.value("channel"), options)
            return try rethrowing(as: { CommandFailure($0, source: path) }) { () throws(SourceError) in
                let file = try rethrowing(try archive.descriptor.duplicate(), as: SourceError.file)
                return try show(try BundleSource(archive: file).take(), nil, output)
            }
        }
    }

    /// The widget that a text names; `nil` if it is a file here, or looks like one.
    private static func widget(_ text: String) -> WidgetIdentifier? {
        guard text.contains("."), !text.hasSuffix(".zip"), let widget = try? WidgetIdentifier(text),
            (try? FileDescriptor.readingNamed(text)) == nil
        else { return nil }
        return widget
    }

    /// Fetches while a bar shows the progress; the bar is removed before anything is printed.
    private static func fetch(
        _ widget: WidgetIdentifier, _ channel: String?, _ options: RegistryOptions
    ) async throws(CommandFailure) -> SharedFile {
        let bar = Guarded(ProgressBar("fetching", on: options.output.terminal))
        return try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.archive(for: widget, channel: channel) { progress in
                bar.withLock { $0.show(progress.done, of: progress.total) }
            }
        }
    }

    private static func show(
        _ taken: borrowing TakenBundle, _ code: ChildCode?, _ output: CommandOutput
    ) throws(SourceError) -> ExitCode {
        let outline = try rethrowing(
            try taken.bundle.outline(taken.opened.directory, readingFrom: taken.opened.archive), as: SourceError.bundle)
        let program = ProgramOutline(taken, calling: code)
        let bundle = taken.bundle
        let report = taken.report
        return output.print(
            { writer in
                writer.object { writer in
                    writer.key("bundle")
                    write(bundle, to: &writer)
                    writer.key("outline")
                    outline.write(to: &writer)
                    writer.key("program")
                    program.write(to: &writer)
                    writer.key("report")
                    report.write(to: &writer)
                }
            },
            "\(identity(bundle))\(outline)\(program)"
                + "\(ReportText(program.shortened(report), usesColor: output.terminal.isWatched))")
    }

    private static func identity(_ bundle: WidgetBundle) -> String {
        let manifest = bundle.manifest
        var text = "bundle  \(manifest.identifier) \(manifest.shortVersion) (\(manifest.build))\n"
        if let name = manifest.shownName { text += "name    \(QuotedText.plain(name))\n" }
        if let version = manifest.minimumOSVersion { text += "needs   iOS \(QuotedText.plain(version))\n" }
        return text
    }

    private static func write(_ bundle: WidgetBundle, to writer: inout JSONWriter) {
        let manifest = bundle.manifest
        writer.object { writer in
            writer.member("identifier", manifest.identifier)
            writer.member("version", manifest.shortVersion)
            writer.member("build", manifest.build)
            writer.member("folder", bundle.folder)
            if let name = manifest.shownName { writer.member("name", name) }
            if let version = manifest.minimumOSVersion { writer.member("minimumOSVersion", version) }
            if let version = manifest.minimumHostVersion { writer.member("minimumHostVersion", version) }
        }
    }
}

/// The program of a bundle in outline: its screens with their mediators, its services, and the diagnostics of both.
struct ProgramOutline: CustomStringConvertible {
    private let program: Program?
    /// The reason why it would not run.
    private let refusal: String?
    /// The author's names for the files.
    private let paths: AuthoredPaths
    private let pictures: BundlePictures?
    /// The closures that the documents call.
    private let handlers: [NativeDeclaration.Handler]

    /// - Parameter code: the program that the documents are from; `nil` for a bundle.
    init(_ taken: borrowing TakenBundle, calling code: ChildCode? = nil) {
        handlers = code?.declaration.handlers ?? []
        paths = taken.paths
        pictures = try? BundlePictures(of: taken.opened)
        do throws(WidgetError) {
            program = try BundleReading.read(taken, code).program
            refusal = nil
        } catch {
            program = nil
            refusal = "\(error)"
        }
    }

    /// The reason why the bundle would not run, unless a finding of its report says that it has no first screen.
    func unreportedRefusal(in report: BundleReport) -> String? {
        report.findings.contains { $0.code == Finding.noInterfaceCode } ? nil : refusal
    }

    /// The bundle's report with the author's names of files, without findings that the diagnostics repeat.
    func shortened(_ report: BundleReport) -> BundleReport {
        var report = report
        let diagnostics = diagnostics
        report.findings = report.findings.map(paths.named).filter { !RepeatedFindings.contain($0, diagnostics) }
        report.warnings = report.warnings.map(paths.named)
        return report
    }

    private var scenes: [Scene] { (program?.scenes ?? [:]).values.sorted { $0.name < $1.name } }

    /// The same as ``found`` and what readers of pages would miss, with the author's names of files.
    private var diagnostics: [Diagnostic] {
        let review = program.map { PageReview($0) { pictures?.fault(of: $0) }.diagnostics } ?? []
        return (found + review).map { paths.named($0) }
    }

    /// The diagnostics of reading the program, and of the pictures that it names and the bundle does not have.
    var found: [Diagnostic] {
        guard let program else { return [] }
        var found = program.diagnostics
        guard let images = program.images else { return found }
        for node in scenes.flatMap(\.nodes) where node.kind == .image || node.kind == .button {
            for name in [PropertyName.image, .placeholderImage] {
                guard let picture = node[name]?.literal?.string, !picture.isEmpty, !picture.hasPrefix("http"),
                    !images.hasPicture(picture)
                else { continue }
                let diagnostic = Diagnostic(
                    .warning, .unknownImage, "The bundle has no picture called \(picture.excerpt)",
                    at: node[name]?.place ?? node.place)
                if !found.contains(diagnostic) { found.append(diagnostic) }
            }
        }
        return found
    }

    private static func bindings(_ scene: Scene) -> Int {
        let bound = scene.nodes.reduce(0) { $0 + $1.properties.count { $0.expression.literal == nil } }
        return bound
            + scene.reactions.count { reaction in
                reaction.steps.contains { if case .assign(.property, _) = $0 { true } else { false } }
            }
    }

    var description: String {
        guard let program else { return QuotedText.plain("runs    not: \(refusal ?? "")") + "\n" }
        var text = ""
        for scene in scenes {
            let parts = [
                scene.sources.map(\.id), scene.actions.map(\.id), scene.statuses.map(\.id),
            ].map { $0.joined(separator: " ") }
            text +=
                QuotedText.plain(
                    "runs    \(scene.identifier ?? scene.name): \(ProgramOutline.bindings(scene)) bindings") + "\n"
            for (name, list) in zip(["sources", "actions", "statuses"], parts) where !list.isEmpty {
                text += QuotedText.plain("        \(name) \(list)") + "\n"
            }
        }
        for service in program.services.values.sorted(by: { $0.name < $1.name }) {
            text +=
                QuotedText.plain("service \(service.name): \(service.actions.keys.sorted().joined(separator: " "))")
                + "\n"
        }
        for handler in handlers {
            text += QuotedText.plain("calls   \(handler.name): \(handler.what)\(place(of: handler))") + "\n"
        }
        return text + diagnosticLines
    }

    /// The place of a closure in its source, after a comma.
    private func place(of handler: NativeDeclaration.Handler) -> String {
        guard let file = handler.file else { return "" }
        return ", \(paths.source(of: file))\(handler.line.map { ":\($0)" } ?? "")"
    }

    /// A line for each thing that is wrong with the program.
    private var diagnosticLines: String {
        diagnostics.map { QuotedText.plain("\($0.severity.rawValue) \($0.withoutSeverity)") + "\n" }.joined()
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let refusal { writer.member("refusal", refusal) }
            writer.key("screens")
            writer.array { writer in
                for scene in scenes {
                    writer.object { writer in
                        writer.member("name", scene.identifier ?? scene.name)
                        writer.member("bindings", ProgramOutline.bindings(scene))
                        for (name, ids) in [
                            ("sources", scene.sources.map(\.id)), ("actions", scene.actions.map(\.id)),
                            ("statuses", scene.statuses.map(\.id)),
                        ] {
                            writer.key(name)
                            writer.array { for id in ids { $0.string(id) } }
                        }
                    }
                }
            }
            writer.key("services")
            writer.object { writer in
                for service in (program?.services ?? [:]).values.sorted(by: { $0.name < $1.name }) {
                    writer.key(service.name)
                    writer.array { for name in service.actions.keys.sorted() { $0.string(name) } }
                }
            }
            if !handlers.isEmpty {
                writer.key("handlers")
                writer.array { writer in
                    for handler in handlers {
                        writer.object { writer in
                            writer.member("name", handler.name)
                            writer.member("what", handler.what)
                            if let file = handler.file { writer.member("file", paths.source(of: file)) }
                            if let line = handler.line { writer.member("line", line) }
                        }
                    }
                }
            }
            writer.key("diagnostics")
            writer.array { for diagnostic in diagnostics { ViewJSON.write(diagnostic, to: &$0) } }
        }
    }
}
