import Console
import JSONText
import RegistryClient
import RegistryContract

/// `widget list`: what a registry has.
enum ListCommand {
    static let command = Command(
        "list", "list the bundles of a registry, with their channels",
        example: "widget list com.acme --server https://widgets.example",
        options: RegistryOptions.options,
        positionals: [Positional("PREFIX", .optional, help: "only bundles whose identifiers begin so")])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let bundles = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.bundles(prefix: invocation.arguments.first)
            }
            return options.output.print(
                { writer in
                    writer.object { writer in
                        writer.key("items")
                        writer.array { writer in for bundle in bundles { writer.value(bundle.document) } }
                    }
                }, table(bundles.map(\.value)))
        }
    }

    private static func table(_ bundles: [BundleDocument]) -> String {
        guard !bundles.isEmpty else { return "nothing is published there\n" }
        return TextTable.text(
            ["BUNDLE", "LATEST", "RELEASES", "CHANNELS"],
            bundles.map { bundle in
                [
                    bundle.identifier, bundle.latest ?? "none", String(bundle.releaseCount),
                    bundle.channels.map(ChannelText.short).joined(separator: ", "),
                ].map(QuotedText.plain)
            })
    }
}

/// Channels for people.
enum ChannelText {
    static func short(_ channel: ChannelDocument) -> String {
        let share = channel.rollout == Rollout.bucketCount ? "" : " (\(RemoteCommand.percent(channel.rollout)))"
        return "\(channel.name) \(channel.release)\(share)"
    }

    /// One line that says all of it.
    static func line(_ channel: ChannelDocument) -> String {
        var text = "\(channel.name) shows \(channel.release)"
        if channel.rollout < Rollout.bucketCount {
            text += " to \(RemoteCommand.percent(channel.rollout)) of hosts"
            text += channel.base.map { " and \($0) to the others" } ?? ""
        }
        if channel.isMandatory { text += ", mandatory" }
        return QuotedText.plain("\(text) (sequence \(channel.sequence))")
    }
}
