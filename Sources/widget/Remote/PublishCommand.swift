import Arguments
import Bytes
import Console
import Files
import JSONText
import Locks
import RegistryClient
import RegistryContract
import Transfers
import WidgetBundles
import WidgetIntake

/// `widget publish`: checks a bundle here as the registry will, then sends it.
enum PublishCommand {
    static let command = Command(
        "publish", "check a bundle, then publish it",
        example: "widget publish Clock.zip --channel beta --rollout 25",
        options: [
            Option("channel", value: "CHANNEL", help: "the channel to put it on; stable if not given"),
            RemoteCommand.rollout,
            Option("dry-run", help: "let the registry check everything and store nothing"),
            Option("strict", help: "refuse what would be stripped or warned about"),
            Option("note", value: "TEXT", help: "what is new, for everyone who looks at the release"),
            Option("force-promotion", help: "put it on the channel although a higher version is there"),
        ] + RegistryOptions.options,
        positionals: [Positional("ZIP|DIR", help: "an archive, or a bundle's folder, which is packed first")])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let wanted = try publishOptions(invocation)
            let checked = try CheckedBundle(invocation.arguments[0])
            let isTold = !options.output.asJSON && !options.output.isQuiet
            if isTold {
                let report = ReportText(checked.report, usesColor: Terminal.isWatched)
                guard Terminal.print(report.description) == .clean else { return .failed }
            }
            if invocation.has("strict"), !checked.report.isClean {
                if options.output.asJSON { _ = Terminal.print(document: checked.report.json) }
                throw .failed(
                    "\(invocation.arguments[0]) is not clean, and --strict was given",
                    hints: ["nothing was sent; without --strict, what is stripped or warned about is only told"])
            }
            let told = try await send(checked, wanted, to: options.registry)
            return options.output.print(told.document, outcome(told, isDryRun: wanted.isDryRun))
        }
    }

    private static func publishOptions(_ invocation: Invocation) throws(CommandFailure) -> PublishOptions {
        var options = PublishOptions()
        options.channel = invocation.value("channel")
        options.rollout = try RemoteCommand.rollout(invocation)
        options.isDryRun = invocation.has("dry-run")
        options.isStrict = invocation.has("strict")
        options.forcesPromotion = invocation.has("force-promotion")
        options.remarks.note = try invocation.value("note").map { (note) throws(CommandFailure) in
            try rethrowing(
                try PublisherRemarks.note.value(of: note),
                as: { (error: UnreadableParameter) in
                    CommandFailure.misuse("--note cannot be used", hints: ["it takes \(error.expectation)"])
                })
        }
        return options
    }

    /// The bar is gone before anything is printed.
    private static func send(
        _ checked: CheckedBundle, _ options: PublishOptions, to registry: RemoteRegistry
    ) async throws(CommandFailure) -> RemoteRegistry.Told<ReleaseDocument> {
        let bar = Guarded(ProgressBar("publishing"))
        return try await RemoteCommand.asking { () async throws(FetchError) in
            try await registry.publish(checked.archive, digest: checked.digest, options) { progress in
                bar.withLock { $0.show(progress.done, of: progress.total) }
            }
        }
    }

    private static func outcome(_ told: RemoteRegistry.Told<ReleaseDocument>, isDryRun: Bool) -> String {
        let release = told.value
        var text = "\(release.bundleIdentifier) \(release.key) "
        if isDryRun {
            text += "would be published; nothing was stored"
        } else {
            text += release.isChanged == false ? "was there already" : "is published"
            text += release.channels.isEmpty ? ", on no channel" : ", on \(release.channels.joined(separator: ", "))"
        }
        text = QuotedText.plain(text) + "\n"
        // What only the registry could find.
        for warning in told.document["report"]?["warnings"]?.array ?? []
        where warning["code"]?.string == "older-than-channel" {
            text += QuotedText.plain("warning \(warning["detail"]?.string ?? "")") + "\n"
        }
        return text
    }
}

/// A bundle that has passed the checks here, and the bytes to send for it.
struct CheckedBundle {
    let report: BundleReport
    let archive: FileRegion
    let digest: Digest

    /// An archive is sent as it is, so that the registry's report tells of everything in it; a folder as its canonical
    /// archive.
    init(_ path: String) throws(CommandFailure) {
        let failure: (SourceError) -> CommandFailure = { CommandFailure($0, source: path) }
        let taken = try rethrowing(try NamedBundle.take(path), as: failure)
        report = taken.report
        do throws(FileError) {
            if let digest = taken.report.source.digest {
                let source = SharedFile(try FileDescriptor.readingNamed(path))
                archive = FileRegion(source, byteCount: taken.report.source.byteCount)
                // Of the bytes that were checked: if the file changes meanwhile, the registry refuses it.
                self.digest = digest
            } else {
                digest = taken.bundle.digest
                archive = FileRegion(SharedFile(try taken.archive.duplicate()), byteCount: taken.bundle.byteCount)
            }
        } catch {
            throw failure(.file(error))
        }
    }
}
