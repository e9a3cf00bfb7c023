import Bytes
import Console
import RegistryClient
import RegistryContract

/// `widget diff`: what is different between two releases.
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
            let told = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.difference(
                    invocation.arguments[0], from: invocation.arguments[1], to: invocation.arguments[2])
            }
            return options.output.print(told.document, text(told.value))
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
        return text + "\(comparison.unchangedCount) unchanged; an update transfers "
            + "\(ByteCountText.of(comparison.transferByteCount)) of \(ByteCountText.of(comparison.byteCount))\n"
    }

    private static func line(_ path: String, _ size: String) -> String { "\(QuotedText.plain(path))  \(size)\n" }
}
