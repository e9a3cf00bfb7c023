import JSONText
import RegistryClient
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetIntake
import WidgetSurroundings
import WidgetTransfers

/// `widget publish`: checks a bundle here as the registry will, then sends it.
enum PublishCommand {
    static let command = Command(
        "publish", "check a bundle, then publish it",
        example: "widget publish Clock.zip --channel beta --rollout 25",
        options: [
            Option("channel", value: "CHANNEL", help: "the channel to put it on; stable if not given"),
            RemoteCommand.rollout,
            Option("dry-run", help: "let the registry check everything and store nothing"),
            Option("strict", help: "refuse what would be stripped or warned about, also in the bundle's program"),
            Option("note", value: "TEXT", help: "what is new, for everyone who looks at the release"),
            Option("force-promotion", help: "put it on the channel although a higher version is there"),
            Consent.newChannel,
        ] + RegistryOptions.options,
        positionals: [
            Positional(
                "ZIP|DIR",
                help: "an archive, a bundle's folder, which is packed first, or its source's, which is built first")
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        if let missing = NamedSubject.missing(invocation.arguments[0]) {
            return missing.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
        if let document = NamedSubject.loneDocument(invocation.arguments[0]) {
            return document.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
        return await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let path = invocation.arguments[0]
            let wanted = try publishOptions(invocation)
            let checked = try CheckedBundle(path, on: invocation.terminal)
            let printsText = !options.output.asJSON && !options.output.isQuiet
            checked.complaints.show(on: invocation.terminal)
            if printsText { guard invocation.terminal.print(checked.notes) == .clean else { return .failed } }
            let isStrict = invocation.has("strict")
            if let failure = checked.built?.failure(isStrict: isStrict, named: path, outcome: "published") {
                if options.output.asJSON { _ = invocation.terminal.print(document: checked.report.json) }
                throw failure
            }
            if isStrict, !checked.report.isClean || checked.hasStrictWarning {
                if options.output.asJSON {
                    _ = invocation.terminal.print(document: checked.report.json)
                } else if printsText {
                    _ = invocation.terminal.print(checked.text(on: invocation.terminal))
                }
                throw .failed(
                    "\(path) is not clean, and --strict was given",
                    hints: [
                        "nothing was sent; without --strict, the command only reports what is stripped or warned about"
                    ])
            }
            try await Consent.toMake(
                wanted.channel ?? ChannelName.standard, of: checked.identifier, invocation, at: options.registry)
            let answer: RemoteRegistry.DecodedReply<ReleaseDocument>
            do throws(CommandFailure) {
                answer = try await send(checked, wanted, to: options, in: invocation.world)
            } catch {
                // The findings here may explain why the registry refuses it.
                if printsText { _ = invocation.terminal.print(checked.text(on: invocation.terminal)) }
                throw error
            }
            let printed = options.output.print(answer.document, text(answer.value, checked, on: invocation.terminal))
            return printed == .clean ? shown(answer.value, wanted, on: invocation.terminal) : printed
        }
    }

    /// The registry's own report, which also has the findings that only a registry can make.
    private static func text(
        _ release: ReleaseDocument, _ checked: CheckedBundle, on terminal: Terminal
    ) -> String {
        let report = try? release.report?.value(RemoteRegistry.jsonLimits)
        return PublicationText(release, checked.news(in: report ?? checked.report), usesColor: terminal.isWatched)
            .description
    }

    /// Complains unless hosts of the channel get the release now. Scripts see the difference in the exit code.
    private static func shown(
        _ release: ReleaseDocument, _ options: PublishOptions, on terminal: Terminal
    ) -> ExitCode {
        let channel = options.channel ?? ChannelName.standard
        guard !release.channels.contains(channel) else { return .clean }
        terminal.complain(
            QuotedText.plain(
                "\(release.key) \(options.isDryRun ? "would be" : "is") stored, and channel \(channel) shows another release still"
            ),
            hints: [
                "`widget promote \(QuotedText.plain(release.bundleIdentifier)) \(QuotedText.plain(release.key)) "
                    + "--channel \(QuotedText.plain(channel))` shows this one"
            ])
        return .notShown
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

    /// Sends while a bar shows the progress; the bar is removed before anything is printed.
    private static func send(
        _ checked: CheckedBundle, _ wanted: PublishOptions, to options: RegistryOptions, in world: World
    ) async throws(CommandFailure) -> RemoteRegistry.DecodedReply<ReleaseDocument> {
        let bar = Guarded(ProgressBar("publishing", on: options.output.terminal, in: world))
        return try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.publish(
                checked.archive, of: checked.identifier, digest: checked.digest, wanted
            ) { progress in bar.withLock { $0.show(progress.done, of: progress.total) } }
        }
    }
}

/// A bundle that has passed the checks here, and the bytes to send for it.
struct CheckedBundle {
    let report: BundleReport
    /// The bundle's.
    let identifier: String
    /// The compiler's notes, where a folder of sources was built.
    let notes: String
    /// The judgement of a folder of sources, which was built.
    let built: BuiltBundle?
    /// The complaints about a folder of sources, or about the program of any other bundle.
    let complaints: BundleComplaints
    private let judged: JudgedBundle

    /// True for an error or a warning that strict publishing refuses.
    var hasStrictWarning: Bool { judged.hasStrictWarning || !complaints.errors.isEmpty }

    let archive: FileRegion
    let digest: Digest

    func text(on terminal: Terminal) -> String {
        ReportText(news(in: report), usesColor: terminal.isWatched).description
    }

    /// A report without the findings and warnings that were shown when the bundle was checked.
    func news(in report: BundleReport) -> BundleReport {
        var report = report
        report.findings.removeAll(where: judged.contains)
        guard built != nil else { return report }
        report.findings.removeAll { self.report.findings.contains($0) }
        report.warnings.removeAll { self.report.warnings.contains($0) }
        return report
    }

    /// An archive is sent as it is, so that the registry's report has everything in it. A folder is sent as its
    /// canonical archive, and a folder of sources as the archive that is built from it.
    init(_ path: String, on terminal: Terminal) throws(CommandFailure) {
        let failure: (SourceError) -> CommandFailure = { CommandFailure($0, source: path) }
        let source = try rethrowing(try BundleSource(opening: path, followsLinks: true), as: failure)
        notes = NamedBundle.notes(source)
        let taken = try rethrowing(try NamedBundle.take(source, on: terminal), as: failure)
        judged = JudgedBundle(taken)
        built = taken.paths.areOfSources ? BuiltBundle(judged, notes: source.notes.count, at: path) : nil
        complaints = built?.complaints ?? judged.complaintsOfProgram(of: path)
        report = taken.report
        identifier = taken.bundle.manifest.identifier
        do throws(FileError) {
            if let digest = taken.report.source.digest {
                let source = SharedFile(try FileDescriptor.readingNamed(path))
                archive = FileRegion(source, byteCount: taken.report.source.byteCount)
                // The digest of the checked bytes: if the file changes meanwhile, the registry refuses it.
                self.digest = digest
            } else {
                digest = taken.bundle.digest
                archive = FileRegion(
                    SharedFile(try taken.opened.archive.duplicate()), byteCount: taken.bundle.byteCount)
            }
        } catch {
            throw failure(.file(error))
        }
    }
}
