import Bytes
import Console
import JSONText
import RegistryClient
import RegistryContract

/// `widget show`: one bundle with its history, or one release.
enum ShowCommand {
    static let command = Command(
        "show", "show a bundle with its channels and releases, or one release",
        example: "widget show com.acme.Clock 1.4.0~312",
        options: RegistryOptions.options,
        positionals: [
            RemoteCommand.identifier, Positional("RELEASE", .optional, help: RemoteCommand.release.help),
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let identifier = invocation.arguments[0]
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
                        release.withdrawal.map { "withdrawn: \($0.reason)" }
                            ?? release.channels.joined(separator: ", "),
                    ]
                    return (cells + remarkNames.map { remarks[$0] ?? "" }).map(QuotedText.plain)
                })
    }
}

/// Releases for people.
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
        if let withdrawal = release.withdrawal {
            rows.insert(("withdrawn", "\(withdrawal.at): \(withdrawal.reason)"), at: 3)
        }
        return rows.map { name, value in
            name + String(repeating: " ", count: max(1, 10 - name.count)) + QuotedText.plain(value) + "\n"
        }.joined()
    }
}
