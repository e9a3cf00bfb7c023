import JSONText
import RegistryClient
import RegistryContract
import WidgetConsole

/// `widget doctor`: tries a registry through its public address.
enum DoctorCommand {
    static let command = Command(
        "doctor", "try a registry through its public address, and say what is wrong",
        example: "widget doctor https://widgets.example --read-only --widget com.acme.Clock-1",
        options: [
            Option("read-only", help: "judge what hosts need, of any server that claims the contract"),
            Option(
                "widget", value: "WIDGET-ID", isRepeatable: true,
                help: "with --read-only: the widget to ask for; without it, the bundles that are listed"),
            Option("channel", value: "CHANNEL", help: "with --read-only: the channel; stable if not given"),
        ] + RegistryOptions.options,
        positionals: [Positional("URL", .optional, help: "the registry; else --server or WIDGET_SERVER")])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation, at: invocation.arguments.first) { (options) throws(CommandFailure) in
            let output = options.output
            let isReading = invocation.has("read-only")
            guard isReading || (invocation.values("widget").isEmpty && invocation.value("channel") == nil) else {
                throw .misuse("--widget and --channel belong to --read-only", hints: ["add --read-only"])
            }
            var widgets: [WidgetIdentifier] = []
            for name in invocation.values("widget") {
                guard let widget = WidgetIdentifier(checking: name) else {
                    throw .misuse(
                        "\(QuotedText.plain(name)) is not a widget identifier", hints: [WidgetIdentifier.law])
                }
                widgets.append(widget)
            }
            let printsText = !output.asJSON && !output.isQuiet
            let probe = RegistryProbe(options.address, token: options.token) { finding in
                if printsText { _ = output.terminal.print(text(finding)) }
            }
            let error = output.terminal.error
            let showsProgress = error.isWatched && !output.isQuiet
            let findings =
                isReading
                ? await ContractProbe(probe, of: widgets, on: invocation.value("channel")).run { name, number, count in
                    if showsProgress { _ = error.write(Array("trying \(name), \(number) of \(count)\n".utf8)) }
                } : await probe.run()
            let printed =
                output.asJSON
                ? output.print(
                    { writer in
                        writer.object { writer in
                            writer.member("server", options.address.description)
                            writer.key("findings")
                            writer.array { writer in for finding in findings { finding.write(to: &writer) } }
                        }
                    }, "") : .clean
            return findings.contains { $0.verdict == .error } ? .failed : printed
        }
    }

    private static func text(_ finding: ProbeFinding) -> String {
        let verdict = finding.verdict.rawValue
        let lead = verdict + String(repeating: " ", count: max(1, 9 - verdict.count)) + finding.check
        let text =
            lead + String(repeating: " ", count: max(1, 21 - lead.count)) + QuotedText.plain(finding.detail) + "\n"
        guard let hint = finding.hint else { return text }
        return text + String(repeating: " ", count: 21) + "hint: \(QuotedText.plain(hint))\n"
    }
}
