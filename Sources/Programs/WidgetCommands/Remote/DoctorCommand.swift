import Console
import JSONText
import RegistryClient

/// `widget doctor`: tries a registry through its public address.
enum DoctorCommand {
    static let command = Command(
        "doctor", "try a registry through its public address, and say what is wrong",
        example: "widget doctor --server https://widgets.example",
        options: RegistryOptions.options)

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let output = options.output
            let printsText = !output.asJSON && !output.isQuiet
            let probe = RegistryProbe(options.address, token: options.token) { finding in
                if printsText { _ = output.terminal.print(text(finding)) }
            }
            let findings = await probe.run()
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
