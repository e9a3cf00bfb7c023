import Arguments
import Console
import JSONText
import RegistryClient
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
            let text = options.output.asJSON ? "" : try text(told.document)
            return options.output.print(told.document, text)
        }
    }

    /// The report inside a release document, for people.
    static func text(_ document: JSONValue) throws(CommandFailure) -> String {
        var writer = JSONWriter()
        writer.value(document)
        do throws(JSONError) {
            let cursor = try JSONDocument(parsing: writer.finish(), limits: RemoteRegistry.jsonLimits).cursor
            let report: BundleReport = try cursor.require("report")
            return ReportText(report, usesColor: Terminal.isWatched).description
        } catch {
            throw .failed(
                "this report is not understood here: \(error)", hints: ["`--json` shows it as the registry wrote it"])
        }
    }
}
