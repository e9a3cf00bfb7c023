import RegistryClient
import RegistryContract
import WidgetBytes
import WidgetConsole

/// `widget show --outcomes`: what hosts have reported of a release.
enum OutcomeText {
    static let option = Option("outcomes", help: "show what hosts have reported of the release, by day and channel")

    static func show(_ invocation: Invocation, _ options: RegistryOptions) async throws(CommandFailure) -> ExitCode {
        guard invocation.arguments.count == 2 else {
            throw .misuse(
                "--outcomes is about one release", hints: ["`widget show ID` lists the releases of a bundle"])
        }
        let answer = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.outcomes(invocation.arguments[0], invocation.arguments[1])
        }
        return options.output.print(answer.document, table(answer.value))
    }

    private static func table(_ counts: OutcomeCountsDocument) -> String {
        guard !counts.days.isEmpty else {
            let isOff = counts.accepts == OutcomeAcceptance.off.rawValue
            return "no host has reported anything of it" + (isOff ? "; the registry counts no reports\n" : "\n")
        }
        return TextTable.text(
            ["DAY", "CHANNEL", "INSTALLED", "STARTED", "CONFIRMED", "FAILED", ""],
            counts.days.map { day in
                [
                    day.day, day.channel, String(day.installed), String(day.started), String(day.confirmed),
                    String(day.failed),
                    day.failures.map { "\($0.count) \($0.outcome): \($0.reason)" }.joined(separator: ", "),
                ].map(QuotedText.plain)
            })
    }
}
