import JSONText
import RegistryClient
import WidgetBundles
import WidgetConsole
import WidgetIntake

/// `widget watch`: shows every release of a widget, or every save of a bundle.
enum WatchCommand {
    static let command = Command(
        "watch", "show each new release of a widget, or each save of a bundle",
        example: "widget watch Greeting.bundle",
        options: [
            Option("revisions", value: "N", help: "end after so many revisions")
        ] + HostOptions.options + [HostOptions.report] + RegistryOptions.options,
        positionals: [
            Positional("WIDGET-ID|DIR|ZIP", help: "a widget in a registry, or a bundle that you work on")
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        let subject = invocation.arguments[0]
        do throws(CommandFailure) {
            let most = try limit(invocation)
            let printer = WatchPrinter(CommandOutput(invocation), most: most)
            if NamedSubject.isPath(subject) {
                return await printer.follow(LocalWatch(subject, in: invocation.world).events)
            }
            let (host, widget) = try await HostOptions.host(
                invocation, try NamedSubject.registry(of: subject, invocation))
            return await printer.follow(host.events(of: widget))
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    private static func limit(_ invocation: Invocation) throws(CommandFailure) -> Int? {
        guard let text = invocation.value("revisions") else { return nil }
        guard (1...9).contains(text.utf8.count), let number = Int(text), number > 0 else {
            throw .misuse("--revisions is \(text)", hints: ["it takes a number from 1 on"])
        }
        return number
    }
}

/// Prints the events of a watch, a line or a document for each.
struct WatchPrinter {
    private let output: CommandOutput
    private let most: Int?
    /// More files than this are counted and not named.
    private static let mostNames = 8

    init(_ output: CommandOutput, most: Int?) {
        self.output = output
        self.most = most
    }

    func follow(_ events: AsyncStream<WatchEvent>) async -> ExitCode {
        for await event in events {
            let printed = show(event)
            guard printed == .clean else { return printed }
            if case .revision(let number, _, _) = event, number == most { return .clean }
        }
        return .clean
    }

    private func show(_ event: WatchEvent) -> ExitCode {
        switch event {
        case .revision(let number, let content, let changes): show(number, content, changes)
        case .failed(let error):
            output.asJSON
                ? document { writer in
                    writer.member("event", "failed")
                    writer.member("detail", "\(error)")
                } : complain(error)
        case .gone:
            tell("gone", "it is gone; waiting for it to come back")
        case .attention(.notified):
            tell("told", "watching; changes are announced")
        case .attention(.polling):
            tell("looking", "watching; changes are not announced, so the source is polled")
        }
    }

    private func show(_ number: Int, _ content: WatchedContent, _ changes: FileChanges) -> ExitCode {
        let lead = "revision \(number)  "
        switch content {
        case .release(let release):
            return output.asJSON
                ? document { writer in
                    writer.member("event", "revision")
                    writer.member("revision", number)
                    InstalledText.write(release, path: release.path, to: &writer)
                    write(changes, to: &writer)
                } : line("\(lead)\(InstalledText.line(release))  \(text(changes))")
        case .local(let path):
            // Judged as a registry would. A refusal is shown, and the watch continues with the next save.
            let verdict: String
            do throws(SourceError) {
                let taken = try NamedBundle.takeShown(path, on: output.terminal)
                let findings = taken.report.warnings.count + taken.report.findings.count
                verdict =
                    "\(taken.bundle.manifest.identifier) \(taken.bundle.manifest.releaseKey)"
                    + (taken.report.isClean ? "" : ", \(taken.report.stripped.count) stripped, \(findings) warnings")
            } catch {
                verdict = "refused: \(error)"
            }
            return output.asJSON
                ? document { writer in
                    writer.member("event", "revision")
                    writer.member("revision", number)
                    writer.member("path", path)
                    writer.member("verdict", verdict)
                    write(changes, to: &writer)
                } : line("\(lead)\(QuotedText.plain(verdict))  \(text(changes))")
        }
    }

    // MARK: - Words

    private func text(_ changes: FileChanges) -> String {
        let names =
            changes.added.map { "+\($0)" } + changes.changed.map { "~\($0)" } + changes.removed.map { "-\($0)" }
        guard names.count <= WatchPrinter.mostNames else {
            return "(\(changes.added.count) added, \(changes.changed.count) changed, \(changes.removed.count) removed)"
        }
        return QuotedText.plain(names.joined(separator: " "))
    }

    private func write(_ changes: FileChanges, to writer: inout JSONWriter) {
        for (name, paths) in [
            ("added", changes.added), ("changed", changes.changed), ("removed", changes.removed),
        ] {
            writer.key(name)
            writer.array { writer in for path in paths { writer.string(path) } }
        }
    }

    private func tell(_ event: String, _ sentence: String) -> ExitCode {
        output.asJSON ? document { $0.member("event", event) } : line(sentence)
    }

    private func complain(_ error: FetchError) -> ExitCode {
        output.terminal.complain(QuotedText.plain("\(error)"), hints: error.hints.map(QuotedText.plain))
        return .clean
    }

    private func line(_ text: String) -> ExitCode {
        output.isQuiet ? .clean : output.terminal.print(text + "\n")
    }

    /// One document on one line, so that programs can read while the command runs.
    private func document(_ members: (inout JSONWriter) -> Void) -> ExitCode {
        if output.isQuiet { return .clean }
        var writer = JSONWriter()
        writer.object(members)
        return output.terminal.print(document: writer.finish())
    }
}
