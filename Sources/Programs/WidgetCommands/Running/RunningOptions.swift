import RegistryClient
import WidgetAddresses
import WidgetBundles
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetContract
import WidgetCore
import WidgetEngine
import WidgetFiles
import WidgetFindings
import WidgetHost
import WidgetHosting
import WidgetIntake
import WidgetLayout
import WidgetPackages
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTransfers

/// The options of the commands that run a widget, and the widget they lead to.
struct RunningOptions {
    static let subject = Positional(
        "WIDGET-ID|ZIP|DIR", help: "of a registry; or an archive, folder, document or package")

    static let options = [
        Option(
            "widget-id", value: "ID",
            help: "the widget's identifier; else that of the bundle"),
        Option("screen", value: "SCREEN", help: "begin with this screen"),
        Option("entry", value: "NAME", help: "the storyboard to begin with; Main if not given"),
        Option("events", value: "FILE", help: "an event script, `-` for the standard input"),
        Option("clock", value: "ISO", help: "the moment it begins, as 2018-06-20T20:00:00Z; else now"),
        Option("size", value: "WxH", help: "the screen in points; 375x667 if not given"),
        Option("columns", value: "N", help: "how wide text may be, 80 if not given"),
        Option("store", value: "DIR", help: "keep its data, cached values and last view there"),
        Option("adopt", help: "take over what its namesake from elsewhere kept there"),
        Option(
            "grant", value: "URL", isRepeatable: true,
            help: "let it ask what lies below; else only a stub"),
        Option(
            "grant-range", value: "CIDR", isRepeatable: true, help: "let it ask private addresses in this range too"),
        Option("locale", value: "LOCALE", help: "the reader's language and region, such as de_AT"),
        Option(
            "time-zone", value: "ZONE",
            help: "else TZ or this machine's; UTC with a script or --clock"),
        PackageSubject.option,
        Option("development", help: "its service description, and notes for broken elements"),
    ]

    let viewport: ViewportOptions
    let text: ViewText
    /// The width of texts of the usual size.
    let columns: Int
    let script: EventScript
    let network: any WidgetNetwork
    /// True if it may ask servers.
    let isGranted: Bool
    /// True if a script alone drives the widget.
    let isScripted: Bool
    /// The file that `widget run` records the user's acts in.
    let recordingPath: String?
    let replacesRecording: Bool
    /// The file that `widget run` records the answers of services in.
    let answers: AnswersFile?
    private let invocation: Invocation
    private var environment: Environment
    /// The package that the user named, if it is one.
    let package: PackageSubject?

    init(_ invocation: Invocation, usesColor: Bool) throws(CommandFailure) {
        self.invocation = invocation
        package = PackageSubject(invocation.arguments.first ?? "", invocation)
        isGranted = !invocation.values("grant").isEmpty
        isScripted = invocation.value("events") != nil
        recordingPath = invocation.value("record")
        replacesRecording = invocation.has("force")
        answers = try AnswersFile(invocation)
        viewport = try ViewportOptions(invocation)
        columns = try rethrowing(
            try ReaderSettings.columns { invocation.value($0) },
            as: { (fault: SettingFault) in CommandFailure(fault) })
        text = ViewText(width: columns, usesColor: usesColor, viewport: viewport.viewport)
        var environment = try RunningOptions.environment(invocation)
        if let mode = viewport.mode { environment.display = Display(mode: mode, maximum: viewport.viewport.size) }
        environment.display.insets = viewport.insets
        self.environment = environment
        script = try RunningOptions.script(invocation.value("events"), invocation.terminal)
        network = try RunningOptions.network(invocation)
    }

    /// The moment, the language and the time zone of a command line.
    static func environment(_ invocation: Invocation) throws(CommandFailure) -> Environment {
        let timeZone = try RunningOptions.timeZone(invocation)
        try checkLocale(invocation)
        return try rethrowing(
            try ReaderSettings.environment(
                { invocation.value($0) }, now: PredicateEnvironment.current.now, timeZone),
            as: { (fault: SettingFault) in CommandFailure(fault) })
    }

    private static func checkLocale(_ invocation: Invocation) throws(CommandFailure) {
        guard let name = invocation.value("locale"), !name.isEmpty, let fault = LanguageName.fault(of: name) else {
            return
        }
        let hint = fault.meant.map { "did you mean \($0)?" } ?? "it takes a language and a region, such as de_AT"
        throw .misuse("--locale is \(name)", hints: [hint])
    }

    /// A recorded run, or one with a given clock, shows the same on every machine: in UTC unless a zone is named.
    private static func timeZone(_ invocation: Invocation) throws(CommandFailure) -> TimeZoneRules {
        if let name = invocation.value("time-zone") {
            guard let rules = TimeZoneFiles.rules(named: name) else {
                let nearest = TimeZoneFiles.nearest(to: name).map { ["did you mean \($0)?"] } ?? []
                throw .misuse(
                    "--time-zone is \(name)",
                    hints: nearest + [
                        "it takes a name such as Europe/Vienna, or a rule such as CET-1CEST,M3.5.0,M10.5.0/3"
                    ])
            }
            return rules
        }
        if ["events", "clock", "record"].contains(where: { invocation.value($0) != nil }) { return .utc }
        let variable = invocation.terminal.environment["TZ"]
        if let rules = TimeZoneFiles.current(variable) { return rules }
        let nearest = TimeZoneFiles.nearest(to: variable ?? "").map { ["did you mean \($0)?"] } ?? []
        invocation.terminal.complain(
            QuotedText.plain("TZ is \(variable ?? ""), and this machine has no such time zone"),
            hints: nearest + ["times are shown in UTC; --time-zone Europe/Vienna names a zone"])
        return .utc
    }

    private static func script(_ path: String?, _ terminal: Terminal) throws(CommandFailure) -> EventScript {
        guard let path else { return .empty }
        var bytes: [UInt8] = []
        if path == "-" {
            while bytes.count <= EventScript.byteCount, let line = terminal.readLine(strippingNewline: false) {
                bytes += Array(line.utf8)
            }
        } else {
            // It may be a pipe, as `<(…)` of a shell is.
            bytes = try rethrowing(
                try BoundedFile.read(path, byteLimit: EventScript.byteCount),
                as: { (failure: FileFailure) in CommandFailure.failed("\(path): \(failure.sentence)", hints: []) })
        }
        return try rethrowing(
            try EventScript(bytes),
            as: { (error: WidgetError) in CommandFailure.misuse("\(path): \(error)", hints: []) })
    }

    private static func network(_ invocation: Invocation) throws(CommandFailure) -> any WidgetNetwork {
        let grants = invocation.values("grant")
        guard !grants.isEmpty else { return DeniedNetwork() }
        var ranges: [AddressRange] = []
        for text in invocation.values("grant-range") {
            guard let range = AddressRange(text) else {
                throw .misuse("--grant-range is \(text)", hints: ["it takes a range such as 127.0.0.0/8"])
            }
            ranges.append(range)
        }
        return try rethrowing(as: {
            CommandFailure.misuse("--grant: \($0)", hints: ["it takes an address such as https://api.example.com/v1/"])
        }) { () throws(TransferError) in WebNetwork(try NetworkGrant(grants, privateRanges: ranges)) }
    }

    // MARK: - The widget

    var terminal: Terminal { invocation.terminal }

    var world: World { invocation.world }

    /// The widget, as the user named it.
    var subject: String { invocation.arguments[0] }

    /// The pictures of the program that was read last.
    private var readPictures = Guarded<BundlePictures?>(nil)

    var pictures: BundlePictures? { readPictures.withLock { $0 } }

    /// The language of another reader than that of the command line.
    private var otherLocale: String?

    /// The reader's language and region.
    var locale: String { otherLocale ?? invocation.value("locale") ?? "" }

    /// The languages of the bundle that was read last.
    private let readLanguages = Guarded<[String]>([])

    var languages: [String] { readLanguages.withLock { $0 } }

    /// The path of the program that was read last, and the digest that its files had to have.
    private let readPlace = Guarded<(path: String, content: Digest?)?>(nil)

    /// The same command line for a reader of another language, with pictures for itself.
    func forReader(of locale: String) -> RunningOptions {
        var options = self
        options.otherLocale = locale
        options.environment.locale = locale
        options.readPictures = Guarded(nil)
        return options
    }

    /// Reads once more what was read last.
    func programAgain() throws(CommandFailure) -> ReadWidget {
        let place = readPlace.withLock { $0 }
        return try program(at: place?.path ?? subject, content: place?.content)
    }

    /// The author's names for the files of the program that was read last.
    private let paths = Guarded(AuthoredPaths.own)

    /// The digest of the files whose program was read last.
    private let readContent = Guarded<Digest?>(nil)

    var content: Digest? { readContent.withLock { $0 } }

    /// The document that the last attempt to read a program has not found.
    private let absence = Guarded<String?>(nil)

    var absentDocument: String? { absence.withLock { $0 } }

    /// The findings of the widget for its author.
    func complaints(_ findings: some Sequence<Finding>) -> [BundleComplaint] {
        BundleComplaint.of(findings, in: paths.withLock { $0 }, of: subject)
    }

    /// A view whose diagnostics name the author's files.
    func authored(_ view: View) -> View {
        let names = paths.withLock { $0 }
        var view = view
        view.diagnostics = names.named(view.diagnostics)
        return view
    }

    func authored(_ place: Place) -> Place { paths.withLock { $0 }.named(place) }

    // MARK: - Caches

    /// The caches of the widget, in the folder of its store; `nil` if nothing is kept. All groups in it are granted.
    ///
    /// - Parameter report: called with a sentence about each damaged entry; else it is printed.
    func cache(
        of program: Program,
        report: (@Sendable (String) -> Void)? = nil
    ) -> HostCache? {
        guard let folder = invocation.value("store").map({ "\($0)/cache" }) else {
            return nil
        }
        return HostCache(
            at: folder, grantingAllOf: program, in: world,
            report: report ?? { [terminal] in terminal.complain(QuotedText.plain($0), hints: []) })
    }

    /// The place of the widget's cached values.
    func cachePlace(of program: Program) -> (any CachePlace)? {
        cache(of: program)?.place(of: program.identifier, program).place
    }

    /// The network of the widget, which asks for known answers on condition.
    func network(of program: Program) -> any WidgetNetwork {
        let network =
            cache(of: program)?.keeping(network, of: program.identifier) { [terminal] sentence in
                terminal.complain(QuotedText.plain(sentence), hints: ["each answer is asked for as a whole"])
            } ?? network
        return answers?.recording(network) ?? network
    }

    /// The last view of the widget, and the place for the next one.
    func memory(of program: Program) -> ViewMemory {
        guard let folder = invocation.value("store") else { return ViewMemory() }
        var found: [Finding] = []
        let memory = HostedWidgets.memory(
            program.identifier, in: folder, program: content?.hex ?? "", &found)
        for diagnostic in found { terminal.complain(QuotedText.plain("\(diagnostic)"), hints: []) }
        return memory
    }

    private var isFile: Bool { NamedSubject.isPath(subject) }

    /// The present state of the subject's files, or the release that its registry offers.
    func source() async throws(CommandFailure) -> RunningSource {
        isFile ? .local(LocalSnapshot(at: subject, skipsHidden: package != nil)) : .release(try await release())
    }

    /// Reports every version of the subject after a source.
    func events(since source: RunningSource) async throws(CommandFailure) -> AsyncStream<WatchEvent> {
        switch source {
        case .local(let snapshot):
            return LocalWatch(subject, skipsHidden: package != nil, in: world).events(since: snapshot)
        case .release(let release):
            let (host, widget) = try await HostOptions.host(
                invocation, try NamedSubject.registry(of: subject, invocation))
            return host.events(of: widget, since: release)
        }
    }

    /// The widget that the command is about, with the records that were kept of it.
    func instance(of source: RunningSource) throws(CommandFailure) -> (WidgetInstance, RecordStore?) {
        switch source {
        case .local: return try instance(try program(at: subject), from: StoreOrigin(path: subject))
        case .release(let release):
            let address = try RegistryOptions(invocation).address
            let origin = StoreOrigin(
                registry: release.record.registry ?? "\(address)", bundle: release.record.bundleIdentifier)
            return try instance(try program(of: release), from: origin)
        }
    }

    /// The program of a source, for widgets whose data are not kept.
    func widget(of source: RunningSource) throws(CommandFailure) -> ReadWidget {
        switch source {
        case .local: try program(at: subject)
        case .release(let release): try program(of: release)
        }
    }

    private func release() async throws(CommandFailure) -> InstalledRelease {
        let (host, widget) = try await HostOptions.host(
            invocation, try NamedSubject.registry(of: subject, invocation))
        switch await host.update(widget, progress: { _, _ in }) {
        case .noData(let release), .newData(let release, _): return release
        case .failed(let error, let kept):
            guard let kept else { throw .registry(error) }
            guard !kept.mustUpdate else {
                throw .registry(
                    error,
                    hints: ["\(kept.record.release) is here, and the registry wants a newer one to be run instead"])
            }
            terminal.complain(
                QuotedText.plain("\(error)"),
                hints: ["this is \(kept.record.release)\(InstalledText.origin(of: kept)), which was here"])
            return kept
        }
    }

    /// Reads the program of a release. The cache keeps the release's files until then.
    func program(of release: InstalledRelease) throws(CommandFailure) -> ReadWidget {
        let program = try program(at: release.path, content: release.record.contentDigest)
        // A sweep of the cache keeps the files of every release that is referenced.
        withExtendedLifetime(release) {}
        return program
    }

    /// Reads the program at a path: of a bundle, an archive of one, or the source of one, which is built.
    ///
    /// - Parameter content: the digest that the files must have, when it is known.
    func program(at path: String, content: Digest? = nil) throws(CommandFailure) -> ReadWidget {
        var widget = try read(path, invocation.value("widget-id") ?? (isFile ? nil : subject), content)
        guard let screen = invocation.value("screen") else { return widget }
        guard let started = widget.program.beginning(with: screen) else {
            throw .misuse(
                "the bundle has no screen \(screen)",
                hints: ["it has \(widget.program.entries.keys.sorted().joined(separator: ", "))"])
        }
        widget.program = started
        return widget
    }

    private func read(
        _ path: String, _ identifier: String?, _ content: Digest?
    ) throws(CommandFailure) -> ReadWidget {
        absence.withLock { $0 = nil }
        let opened = try opened(path, isInstalled: content != nil)
        let taken = try rethrowing(
            try NamedBundle.take(opened.source, on: terminal), as: { CommandFailure($0, source: path) })
        let (names, languages) = (taken.paths, taken.report.languages)
        let pictures = try rethrowing(
            try BundlePictures(of: taken.opened),
            as: { (error: WidgetError) in CommandFailure.failed("\(path): \(error)", hints: []) })
        if let content, taken.bundle.contentDigest != content {
            throw .failed("\(path) is no longer what was fetched", hints: ["`widget fetch \(subject)` fetches it anew"])
        }
        do throws(WidgetError) {
            let (program, native) = try BundleReading.read(
                taken, opened.code, identifier: identifier, entryPoint: invocation.value("entry") ?? "Main",
                isDevelopment: invocation.has("development"), locale: locale)
            // Of a program that cannot be read, nothing is kept: the one before continues.
            paths.withLock { $0 = names }
            readPictures.withLock { $0 = pictures }
            if let answers { answers.take(try BundleReading.descriptions(of: taken.opened, for: program)) }
            readPlace.withLock { $0 = (path, content) }
            readLanguages.withLock { $0 = languages }
            let digest = taken.bundle.contentDigest
            readContent.withLock { $0 = opened.code == nil ? digest : .sha256(Array((digest.hex + opened.mark).utf8)) }
            return ReadWidget(program: program, native: native)
        } catch {
            if let document = error.missingDocument { absence.withLock { $0 = "\(path)/\(document)" } }
            let start = names.areOfSources && error.isAboutDocuments ? names.source(of: "") : "\(path): "
            throw .failed("\(start)\(error)", hints: error.hints)
        }
    }

    /// Opens a bundle, a document by itself, or a package.
    private func opened(_ path: String, isInstalled: Bool) throws(CommandFailure) -> OpenedBundle {
        if let package, !isInstalled { return try package.opened() }
        do throws(SourceError) {
            let source =
                try isInstalled ? BundleSource(opening: path, isInstalled: true) : NamedBundle.shownSource(path)
            return OpenedBundle(source: source, code: nil, mark: "")
        } catch {
            if case .file(let fault) = error, fault.isMissing, BundleSource.isDocument(path) {
                absence.withLock { $0 = path }
            }
            throw CommandFailure(error, source: path)
        }
    }

    /// A widget whose data live as long as it.
    func unkept(_ widget: ReadWidget) -> WidgetInstance {
        WidgetInstance(
            widget.program, environment: environment, found: faults(of: widget.program), native: widget.native)
    }

    private func instance(
        _ widget: ReadWidget, from origin: StoreOrigin
    ) throws(CommandFailure) -> (WidgetInstance, RecordStore?) {
        let (program, native) = (widget.program, widget.native)
        guard let folder = invocation.value("store") else {
            return (WidgetInstance(program, environment: environment, found: faults(of: program), native: native), nil)
        }
        return try rethrowing(as: {
            CommandFailure.failed("\($0)", hints: RunningOptions.hints($0, program.identifier, in: folder))
        }) { () throws(HostError) in
            let records = try HostedWidgets.store(program.identifier, in: folder)
            let (store, found) = try rethrowing(as: HostError.widget) { () throws(WidgetError) in
                try records.claim(for: origin, adopting: invocation.has("adopt") ? .everything : .nothing)
                return try records.read(model: program.model)
            }
            return (
                WidgetInstance(
                    program, store: store, environment: environment, found: found + faults(of: program),
                    native: native),
                records
            )
        }
    }

    /// The fault of a mode that was asked for, if the widget does not have it.
    private func faults(of program: Program) -> [Finding] {
        guard viewport.mode != nil else { return [] }
        return program.faults(of: environment.display, abilities: environment.abilities)
            .filter { $0.code == .undeclaredMode }
    }

    private static func hints(_ error: HostError, _ identifier: String, in folder: String) -> [String] {
        switch error {
        case .widget(.storeInUse): ["`--store DIR` with another folder keeps the data of both apart"]
        case .widget(.storeOfAnother):
            [
                "`--widget-id \(identifier)-2` or another `--store DIR` gives it a store for itself",
                "`--adopt` lets it have the data that the other has kept, if you want that",
            ]
        case .widget(.file(let fault)) where fault.isLink: ["a store is not kept behind a link; move the link away"]
        case .widget(.store):
            ["to begin with nothing, move \(HostedWidgets.storePath(identifier, in: folder)) away, and what it keeps"]
        default: []
        }
    }
}
