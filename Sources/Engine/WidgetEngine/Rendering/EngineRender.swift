internal import WidgetBundles
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetLayout
internal import WidgetRender
internal import WidgetRunning

/// The work of `widget render` for a bundle's archive, a script and a zone that are given: no network, no store.
package enum EngineRender {
    /// The files that a command line names, as their bytes.
    package struct Input: Sendable {
        /// The words behind `render`.
        package var arguments: [String]
        package var archive: [UInt8]
        /// The event script; empty without one.
        package var script: [UInt8]
        /// The file of the time zone that is named, or else of the reader's; `nil` without one.
        package var zone: [UInt8]?
        /// The rule of the reader's time zone, where it is not a file.
        package var usualZone = ""
        /// The present moment, in seconds since 2001.
        package var now: Double
        package var media: [String: [UInt8]] = [:]

        package init(arguments: [String], archive: [UInt8], script: [UInt8] = [], zone: [UInt8]? = nil, now: Double) {
            self.arguments = arguments
            self.archive = archive
            self.script = script
            self.zone = zone
            self.now = now
        }
    }

    package static func run(_ input: Input) -> EngineOutput {
        var output = EngineOutput()
        do throws(SettingFault) {
            try run(input, try EngineArguments(input.arguments), &output)
        } catch {
            output.code = 2
            output.complain(ShownText.plain("\(error)"), hints: error.hints.map { ShownText.plain($0) })
        }
        return output
    }

    private static func run(
        _ input: Input, _ arguments: EngineArguments, _ output: inout EngineOutput
    ) throws(SettingFault) {
        let name = arguments.value("as") ?? (arguments.has("json") ? "json" : "text")
        guard let form = PrintedForm(rawValue: name) else {
            throw SettingFault("--as is \(name)", hints: ["it can be \(PrintedForm.choice)"])
        }
        try check(
            isPage: form == .html, outputs: "`-o page` names a folder", { arguments.value($0) },
            has: { arguments.has($0) })
        let screen = try ScreenSettings { arguments.value($0) }
        let columns = try ReaderSettings.columns { arguments.value($0) }
        var environment = try ReaderSettings.environment(
            { arguments.value($0) }, now: input.now, try zone(input, arguments))
        if let mode = screen.mode { environment.display = Display(mode: mode, maximum: screen.viewport.size) }
        environment.display.insets = screen.insets
        let script = try self.script(input, arguments)
        let locale = arguments.value("locale") ?? ""
        let subject = arguments.subject
        let bundle: EngineBundle
        do throws(WidgetError) {
            bundle = try EngineBundle(
                archive: input.archive, named: subject, identifier: arguments.value("widget-id"),
                entryPoint: arguments.value("entry") ?? "Main", isDevelopment: arguments.has("development"),
                locale: locale)
        } catch {
            return refuse(error, subject, &output)
        }
        var program = bundle.program
        if let screen = arguments.value("screen") {
            guard let started = program.beginning(with: screen) else {
                throw SettingFault(
                    "the bundle has no screen \(screen)",
                    hints: ["it has \(program.entries.keys.sorted().joined(separator: ", "))"])
            }
            program = started
        }
        let faults =
            screen.mode == nil
            ? []
            : program.faults(of: environment.display, abilities: environment.abilities)
                .filter { $0.code == .undeclaredMode }
        let instance = WidgetInstance(program, environment: environment, found: faults)
        let text = ViewText(width: columns, usesColor: false, viewport: screen.viewport)
        var options = PrintOptions(columns: columns, viewport: screen.viewport)
        options.scheme = screen.scheme
        options.locale = locale
        if arguments.has("development") {
            options.reloads = ReloadCount(revision: instance.revision, attempt: instance.attempt)
        }
        let assets = EnginePictures(bundle.pictures)
        let print: (View) -> String = { view in
            let document = form.print(view, of: program, options, assets)
            return String(
                decoding: form.mediaType == ViewJSON.mediaType ? JSONEscaping.shown(document: document) : document,
                as: UTF8.self)
        }
        let media = input.media
        var player = ScriptPlayer(
            instance,
            media: { path throws(WidgetError) in
                guard let bytes = media[path] else { throw .script("\(path) is missing") }
                return try MediaFile.media(named: path.split(separator: "/").last.map { String($0) } ?? path, bytes)
            },
            print: form == .html ? { text.text($0) } : print, text: { text.text($0) })
        let seen = Guarded(ReachedScreens())
        if arguments.has("screens") { player.settled = { view in seen.withLock { $0.add(view) } } }
        do throws(WidgetError) {
            player.begin(script)
            while let need = try player.next() {
                if case .answer(let outgoing) = need { player.answer(outgoing, .denied(outgoing.request)) }
            }
        } catch {
            output.output = player.output
            output.complain(of: player.view().diagnostics, in: subject)
            output.code = 1
            let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false).map {
                ShownText.plain(String($0))
            }
            return output.complain(lines[0], details: Array(lines.dropFirst()))
        }
        let view = player.view()
        for notice in player.takeNotices() { output.complain(ShownText.plain(notice)) }
        output.complain(of: view.diagnostics, in: subject)
        if !view.isVisible {
            output.warn("the widget is hidden", hints: ["its `visible` is false, so that hosts show nothing"])
        }
        var reached = seen.withLock { $0 }
        if reached.views.isEmpty { reached.add(view) }
        output.output = player.output
        if let folder = arguments.value("output") {
            write(reached.views, arguments.has("screens"), folder, program, options, assets, &output)
        } else if arguments.has("screens") {
            output.output += reached.views.map { "== \($0.screen)\n\(print($0))" }.joined()
        } else {
            output.output += print(view)
            if arguments.has("explain") { output.output += "\n" + ExplainedView(view, of: player.instance) { $0 }.text }
        }
    }

    /// Refuses options that only some forms have.
    ///
    /// - Parameter outputs: the hint for `-o` without a name.
    package static func check(
        isPage: Bool, outputs: String, _ value: (String) -> String?, has: (String) -> Bool
    ) throws(SettingFault) {
        if !isPage, value("output") != nil {
            throw SettingFault("-o writes pages", hints: ["`--as html` prints one; others go to `> FILE`"])
        }
        if isPage, has("explain") {
            throw SettingFault("--explain is not part of a page", hints: ["`--as text --explain` prints it"])
        }
        if isPage, has("screens"), value("output") == nil {
            throw SettingFault("--screens makes several pages", hints: ["`-o FOLDER` names a folder for them"])
        }
        if value("output")?.isEmpty ?? false { throw SettingFault("-o names nothing", hints: [outputs]) }
    }

    private static func zone(_ input: Input, _ arguments: EngineArguments) throws(SettingFault) -> TimeZoneRules {
        guard let name = arguments.value("time-zone") else {
            if arguments.has("events") || arguments.has("clock") { return .utc }
            return input.zone.flatMap { TimeZoneRules(file: $0) } ?? TimeZoneRules(posix: input.usualZone) ?? .utc
        }
        let bare = name.hasPrefix(":") ? String(name.dropFirst()) : name
        if ["UTC", "GMT", "Z"].contains(bare) { return .utc }
        if let rules = input.zone.flatMap({ TimeZoneRules(file: $0) }) ?? TimeZoneRules(posix: bare) { return rules }
        throw SettingFault(
            "--time-zone is \(name)",
            hints: ["it takes a name such as Europe/Vienna, or a rule such as CET-1CEST,M3.5.0,M10.5.0/3"])
    }

    private static func script(_ input: Input, _ arguments: EngineArguments) throws(SettingFault) -> EventScript {
        guard let path = arguments.value("events") else { return .empty }
        do throws(WidgetError) {
            return try EventScript(input.script)
        } catch {
            throw SettingFault("\(path): \(error)")
        }
    }

    private static func refuse(_ error: WidgetError, _ subject: String, _ output: inout EngineOutput) {
        if case .bundle(let refusal) = error { return output.refuse(refusal, subject) }
        output.code = 1
        output.complain(
            ShownText.plain("\(subject): \(error)"),
            hints: error.hints)
    }

    /// Writes one page, or a page for each screen and a first one that leads to them.
    private static func write(
        _ views: [View], _ hasContents: Bool, _ folder: String, _ program: Program, _ options: PrintOptions,
        _ assets: EnginePictures, _ output: inout EngineOutput
    ) {
        let pages = PageSet(views, of: PlannedProgram(program), hasContents: hasContents, options, assets)
        for (name, bytes) in pages.files.sorted(by: { $0.key < $1.key }) { output.files.append((name, bytes)) }
        output.files += pages.pages
        for remark in pages.remarks { output.complain(ShownText.plain(remark)) }
        output.output += "wrote \(ShownText.plain(folder))/\(PageFiles.first)\n"
    }
}
