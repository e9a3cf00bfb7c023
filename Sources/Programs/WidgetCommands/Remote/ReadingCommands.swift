import JSONText
import RegistryClient
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetConsole

/// `widget list`: the bundles of a registry.
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

/// Channels as text.
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

/// `widget show`: one bundle with its history, or one release.
enum ShowCommand {
    static let command = Command(
        "show", "show a bundle with its channels and releases, or one release",
        example: "widget show com.acme.Clock 1.4.0~312",
        options: [OutcomeText.option] + RegistryOptions.options,
        positionals: [
            RemoteCommand.identifier, Positional("RELEASE", .optional, help: RemoteCommand.release.help),
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let identifier = invocation.arguments[0]
            if invocation.has("outcomes") { return try await OutcomeText.show(invocation, options) }
            guard invocation.arguments.count == 1 else {
                let release = try await RemoteCommand.asking { () async throws(FetchError) in
                    try await options.registry.release(identifier, invocation.arguments[1])
                }
                return options.output.print(release.document, ReleaseText.lines(release.value))
            }
            let (bundle, releases) = try await RemoteCommand.asking { () async throws(FetchError) in
                (
                    try await options.registry.bundle(identifier),
                    try await options.registry.releases(of: identifier)
                )
            }
            return options.output.print(
                { writer in
                    writer.object { writer in
                        writer.member("bundle", bundle.document)
                        writer.key("releases")
                        writer.array { writer in for release in releases { writer.value(release.document) } }
                    }
                }, text(bundle.value, releases.map(\.value)))
        }
    }

    /// The ends of a release, or the channels that show it.
    private static func state(_ release: ReleaseDocument) -> String {
        let ends = [
            release.withdrawal.map { "withdrawn: \($0.reason)" }, release.expiry.map { "expired: \($0.rule)" },
        ].compactMap(\.self)
        return ends.isEmpty ? release.channels.joined(separator: ", ") : ends.joined(separator: "; ")
    }

    private static func text(_ bundle: BundleDocument, _ releases: [ReleaseDocument]) -> String {
        var text = "bundle   \(QuotedText.plain(bundle.identifier))\nname     \(QuotedText.plain(bundle.name))\n"
        for channel in bundle.channels { text += "channel  \(ChannelText.line(channel))\n" }
        let remarks = releases.map { Dictionary($0.remarks.named) { first, _ in first } }
        let remarkNames = Set(remarks.flatMap(\.keys)).sorted()
        return text + "\n"
            + TextTable.text(
                ["RELEASE", "PUBLISHED", "SIZE", "BY", "CHANNELS"] + remarkNames.map { $0.uppercased() },
                zip(releases, remarks).map { release, remarks in
                    let cells = [
                        release.key, release.published, ByteCountText.of(release.byteCount), release.publishedBy,
                        state(release),
                    ]
                    return (cells + remarkNames.map { remarks[$0] ?? "" }).map(QuotedText.plain)
                })
    }
}

/// Releases as text.
enum ReleaseText {
    static func lines(_ release: ReleaseDocument) -> String {
        var rows = [
            ("bundle", release.bundleIdentifier), ("release", release.key), ("name", release.name),
            ("published", "\(release.published) by \(release.publishedBy)"),
            ("channels", release.channels.isEmpty ? "none" : release.channels.joined(separator: ", ")),
            ("size", ByteCountText.of(release.byteCount)), ("content", release.contentDigest),
            ("sha256", release.digest),
        ]
        rows.insert(contentsOf: release.remarks.named, at: 4)
        if let expiry = release.expiry { rows.insert(("expired", "\(expiry.at): \(expiry.rule)"), at: 3) }
        if let withdrawal = release.withdrawal {
            rows.insert(("withdrawn", "\(withdrawal.at): \(withdrawal.reason)"), at: 3)
        }
        return rows.map { name, value in
            name + String(repeating: " ", count: max(1, 10 - name.count)) + QuotedText.plain(value) + "\n"
        }.joined()
    }
}

/// `widget report`: the report of a bundle's publication.
enum ReportCommand {
    static let command = Command(
        "report", "show what became of a bundle when it was published",
        example: "widget report com.acme.Clock 1.4.0~312",
        options: RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let answer = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.report(invocation.arguments[0], invocation.arguments[1])
            }
            let text = options.output.asJSON ? "" : try text(answer.value, on: invocation.terminal)
            return options.output.print(answer.document, text)
        }
    }

    /// A release's remarks and report as text.
    private static func text(
        _ release: ReleaseDocument, on terminal: Terminal
    ) throws(CommandFailure) -> String {
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
        return PublicationText(release, value, usesColor: terminal.isWatched).description
    }
}

/// `widget diff`: the files that differ between two releases.
enum DiffCommand {
    static let command = Command(
        "diff", "show which files differ between two releases",
        example: "widget diff com.acme.Clock 1.3.0~300 1.4.0~312",
        options: RegistryOptions.options,
        positionals: [
            RemoteCommand.identifier, Positional("A", help: "the older release"),
            Positional("B", help: "the newer one"),
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let answer = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.difference(
                    invocation.arguments[0], from: invocation.arguments[1], to: invocation.arguments[2])
            }
            return options.output.print(answer.document, text(answer.value))
        }
    }

    private static func text(_ comparison: DifferenceDocument) -> String {
        var text = ""
        for file in comparison.added { text += "+ \(line(file.path, ByteCountText.of(file.byteCount)))" }
        for file in comparison.removed { text += "- \(line(file.path, ByteCountText.of(file.byteCount)))" }
        for change in comparison.changed {
            let sizes = "\(ByteCountText.of(change.old.byteCount)) to \(ByteCountText.of(change.new.byteCount))"
            text += "~ \(line(change.path, sizes))"
        }
        // How much of it an update fetches depends on the places of the files: it takes the whole where that costs less.
        return text + "\(comparison.unchangedCount) unchanged; "
            + "\(ByteCountText.of(comparison.transferByteCount)) of \(ByteCountText.of(comparison.byteCount)) new\n"
    }

    private static func line(_ path: String, _ size: String) -> String { "\(QuotedText.plain(path))  \(size)\n" }
}
