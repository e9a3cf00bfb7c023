import Bytes
import Console
import Files
import JSONText
import RegistryClient
import RegistryContract
import Transfers
import WidgetBundles
import WidgetIntake

/// `widget inspect`: what is in a bundle, and what would become of it.
enum InspectCommand {
    static let command = Command(
        "inspect", "show what is in a bundle, and what would become of it",
        example: "widget inspect WidgetDemo.zip",
        options: [
            Option("channel", value: "CHANNEL", help: "of a widget in a registry; stable if not given")
        ] + RegistryOptions.options,
        positionals: [
            Positional(
                "DIR|ZIP|ID", help: "a bundle's folder or its source's, an archive of it, or a widget in a registry")
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        let path = invocation.arguments.first ?? ""
        let output = CommandOutput(invocation)
        guard let widget = widget(path) else {
            do throws(SourceError) {
                let source = try BundleSource(opening: path, followsLinks: true)
                if !output.asJSON, !output.isQuiet {
                    guard Terminal.print(NamedBundle.notes(source)) == .clean else { return .failed }
                }
                return try show(try NamedBundle.take(source), output)
            } catch {
                return CommandFailure(error, source: path).show(asJSON: output.asJSON)
            }
        }
        do throws(CommandFailure) {
            _ = try NamedSubject.registry(of: path, invocation)
        } catch {
            return error.show(asJSON: output.asJSON)
        }
        return await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let archive = try await fetch(widget, invocation.value("channel"), options)
            return try rethrowing(as: { CommandFailure($0, source: path) }) { () throws(SourceError) in
                let file = try rethrowing(try archive.descriptor.duplicate(), as: SourceError.file)
                return try show(try BundleSource(archive: file).take(), output)
            }
        }
    }

    /// The widget meant by a text that is no file here and does not look like one.
    private static func widget(_ text: String) -> WidgetIdentifier? {
        guard text.contains("."), !text.hasSuffix(".zip"), let widget = try? WidgetIdentifier(text),
            (try? FileDescriptor.readingNamed(text)) == nil
        else { return nil }
        return widget
    }

    /// The bar is gone before anything is printed.
    private static func fetch(
        _ widget: WidgetIdentifier, _ channel: String?, _ options: RegistryOptions
    ) async throws(CommandFailure) -> SharedFile {
        let bar = Guarded(ProgressBar("fetching"))
        return try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.archive(for: widget, channel: channel) { progress in
                bar.withLock { $0.show(progress.done, of: progress.total) }
            }
        }
    }

    private static func show(_ taken: borrowing TakenBundle, _ output: CommandOutput) throws(SourceError) -> ExitCode {
        let outline = try rethrowing(
            try taken.bundle.outline(taken.directory, readingFrom: taken.archive), as: SourceError.bundle)
        let program = ProgramOutline(taken)
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
            }, "\(identity(bundle))\(outline)\(program)\(ReportText(report, usesColor: Terminal.isWatched))")
    }

    private static func identity(_ bundle: WidgetBundle) -> String {
        let manifest = bundle.manifest
        var text = "bundle  \(manifest.identifier) \(manifest.shortVersion) (\(manifest.build))\n"
        if let name = manifest.displayName ?? manifest.name { text += "name    \(QuotedText.plain(name))\n" }
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
            if let name = manifest.displayName ?? manifest.name { writer.member("name", name) }
            if let version = manifest.minimumOSVersion { writer.member("minimumOSVersion", version) }
            if let version = manifest.minimumHostVersion { writer.member("minimumHostVersion", version) }
        }
    }
}
