import JSONText
import RegistryClient
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetFindings
import WidgetHosting
import WidgetIntake
import WidgetPackages
import WidgetRender
import WidgetRunning
import WidgetTransfers

/// `widget inspect`: the content of a bundle, and what publishing would make of it.
enum InspectCommand {
    static let command = Command(
        "inspect", "show what is in a bundle and what it means; 1 if it has errors",
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
                    try show(try NamedBundle.take(opened.source, on: output.terminal), opened.code, named: path, output)
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
                return try show(try BundleSource(archive: file).take(), nil, named: path, output)
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

    /// Ends with 1 for a bundle with an error, which is the last line.
    private static func show(
        _ taken: borrowing TakenBundle, _ code: ChildCode?, named path: String, _ output: CommandOutput
    ) throws(SourceError) -> ExitCode {
        let outline = try rethrowing(
            try taken.bundle.outline(taken.opened.directory, readingFrom: taken.opened.archive), as: SourceError.bundle)
        let judged = JudgedBundle(taken, calling: code)
        let program = ProgramOutline(judged, calling: code)
        let bundle = taken.bundle
        let report = judged.report
        let printed = output.print(
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
                + "\(ReportText(report, usesColor: output.terminal.isWatched))")
        let errors = report.findings.filter { $0.severity == .error }
        guard printed == .clean, !errors.isEmpty else { return printed }
        output.terminal.complain(QuotedText.plain("\(path) has \(FindingLine.counts(of: errors))"), hints: [])
        return .failed
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

/// The program of a bundle in outline: its screens with their mediators, and its services.
struct ProgramOutline: CustomStringConvertible {
    private let judged: JudgedBundle
    /// The closures that the documents call.
    private let handlers: [NativeDeclaration.Handler]

    /// - Parameter code: the program that the documents are from; `nil` for a bundle.
    init(_ judged: JudgedBundle, calling code: ChildCode? = nil) {
        self.judged = judged
        handlers = code?.declaration.handlers ?? []
    }

    private var program: Program? { judged.program }
    private var paths: AuthoredPaths { judged.paths }

    private var scenes: [Scene] { (program?.scenes ?? [:]).values.sorted { $0.name < $1.name } }

    private static func bindings(_ scene: Scene) -> Int {
        let bound = scene.nodes.reduce(0) { $0 + $1.properties.count { $0.expression.literal == nil } }
        return bound
            + scene.reactions.count { reaction in
                reaction.steps.contains { if case .assign(.property, _) = $0 { true } else { false } }
            }
    }

    var description: String {
        guard let program else { return QuotedText.plain("runs    not: \(judged.refusal ?? "")") + "\n" }
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
        return text
    }

    /// The place of a closure in its source, after a comma.
    private func place(of handler: NativeDeclaration.Handler) -> String {
        guard let file = handler.file else { return "" }
        return ", \(paths.source(of: file))\(handler.line.map { ":\($0)" } ?? "")"
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let refusal = judged.refusal { writer.member("refusal", refusal) }
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
            writer.array { for finding in judged.findings { ViewJSON.write(finding, to: &$0) } }
        }
    }
}
