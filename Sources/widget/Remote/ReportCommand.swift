import Bytes
import Console
import JSONText
import RegistryClient
import RegistryContract
import WidgetBundles

/// `widget report`: what became of a bundle when it was published.
enum ReportCommand {
    static let command = Command(
        "report", "show what became of a bundle when it was published",
        example: "widget report com.acme.Clock 1.4.0~312",
        options: RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let told = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.report(invocation.arguments[0], invocation.arguments[1])
            }
            let text = options.output.asJSON ? "" : try text(told.value)
            return options.output.print(told.document, text)
        }
    }

    /// A release's remarks and report, for people.
    private static func text(_ release: ReleaseDocument) throws(CommandFailure) -> String {
        guard let report = release.report else {
            throw .failed(
                "the registry's answer has no report", hints: ["`--json` shows it as the registry wrote it"])
        }
        let value = try rethrowing(
            try report.value(RemoteRegistry.jsonLimits),
            as: { (error: JSONError) in
                CommandFailure.failed(
                    "this report is not understood here: \(error)",
                    hints: ["`--json` shows it as the registry wrote it"])
            })
        return PublicationText(release, value, usesColor: Terminal.isWatched).description
    }
}
