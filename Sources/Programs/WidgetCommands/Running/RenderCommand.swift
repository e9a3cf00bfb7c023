import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetEngine
import WidgetHosting
import WidgetLayout
import WidgetRender
import WidgetRunning
import WidgetSurroundings

/// `widget render`: prints a widget's view, with any of the printers.
enum RenderCommand {
    static let command = Command(
        "render", "run a widget for a moment and print what it shows",
        example: "widget render WidgetDemo.zip --as text --clock 2018-06-20T20:00:00Z",
        options: [
            Option(
                "as", value: "FORM", choices: (PrintedForm.allCases.map(\.name) + [DrawnPages.name]).map { Choice($0) },
                help: "\(choice); \(usual) if not given"),
            Option(
                "output", letter: "o", value: "PATH", help: "the folder of a page with its files, or the file of a png"),
            Option("force", help: "let -o write over other files, or into their folder"),
            Option("screens", help: "all screens that a script reaches, not the last one alone"),
            Option("advances", value: "FILE", help: "for frames: widths of texts in a host's fonts, as JSON"),
            HeadlessBrowser.option,
            Option("explain", help: "say of each value where it came from"),
        ] + ViewportOptions.options + RunningOptions.options
            + HostOptions.options + RegistryOptions.options,
        positionals: [RunningOptions.subject])

    private static let usual = PrintedForm.text.name

    /// The forms for a sentence: `text, json or png`.
    private static var choice: String { PrintedForm.choice.replacing(" or ", with: ", ") + " or \(DrawnPages.name)" }

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            return try await render(invocation)
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    private static func render(_ invocation: Invocation) async throws(CommandFailure) -> ExitCode {
        let form = invocation.value("as") ?? (invocation.has("json") ? PrintedForm.json.name : usual)
        // A picture is one of a page.
        let isPicture = form == DrawnPages.name
        guard let printed = isPicture ? .html : PrintedForm(rawValue: form) else {
            throw .misuse("--as is \(form)", hints: ["it can be \(choice)"])
        }
        let options = try RunningOptions(invocation, usesColor: false)
        let isPage = printed == .html
        try rethrowing(as: { (fault: SettingFault) in CommandFailure(fault) }) { () throws(SettingFault) in
            try EngineRender.check(
                isPage: isPage, outputs: "`-o page` names a folder, `-o page.png` a picture",
                { invocation.value($0) }, has: { invocation.has($0) })
        }
        if printed != .frames, invocation.value("advances") != nil {
            throw .misuse(
                "--advances is for frames",
                hints: ["`--as \(PrintedForm.frames.name) --advances FILE` measures with it"])
        }
        if !isPicture, invocation.value("browser") != nil {
            throw .misuse("--browser is for pictures", hints: ["`--as \(DrawnPages.name)` draws one with it"])
        }
        let pictures = try isPicture ? DrawnPages(invocation, options) : nil
        let text = options.text
        let (instance, records) = try options.instance(of: try await options.source())
        var printOptions = PrintOptions(columns: options.columns, viewport: options.viewport.viewport)
        printOptions.scheme = options.viewport.scheme
        printOptions.locale = options.locale
        if invocation.has("development") {
            printOptions.reloads = ReloadCount(revision: instance.revision, attempt: instance.attempt)
        }
        if let path = invocation.value("advances") { printOptions.measure = try AdvancesFile.measure(at: path) }
        let (program, isEscaped) = (instance.program, printed.mediaType == ViewJSON.mediaType)
        let assets = NamedPictures(options.pictures)
        let print: (View) -> String = { view in
            let document = printed.print(options.authored(view), of: program, printOptions, assets)
            return String(decoding: isEscaped ? JSONEscaping.shown(document: document) : document, as: UTF8.self)
        }
        // Pictures of a script's screens between pages would be no page.
        let network = options.network(of: instance.program)
        var run = ScriptRun(
            instance, network: network, records: records,
            cache: options.cachePlace(of: instance.program),
            print: isPage ? { text.text($0) } : print
        ) { text.text($0) }
        var reached = ReachedScreens()
        let seen = Guarded(reached)
        if invocation.has("screens") { run.settled = { view in seen.withLock { $0.add(view) } } }
        do throws(WidgetError) {
            try await run.play(options.script)
            try run.save()
        } catch {
            _ = invocation.terminal.print(run.output)
            BundleComplaints(options.complaints(run.view().diagnostics)).show(on: options.terminal)
            throw .failed("\(error)", hints: [])
        }
        var view = run.view()
        if options.isGranted { view.data = run.data }
        for notice in run.takeNotices() { invocation.terminal.complain(QuotedText.plain(notice), hints: []) }
        BundleComplaints(options.complaints(view.diagnostics)).show(on: options.terminal)
        if !view.isVisible {
            invocation.terminal.warn(
                "the widget is hidden", hints: ["its `visible` is false, so that hosts show nothing"])
        }
        reached = seen.withLock { $0 }
        if reached.views.isEmpty { reached.add(view) }
        let fetched = isPage ? await reached.fetchPictures(from: network, printOptions, on: options.world.clock) : [:]
        view.pictures = reached.views[0].pictures
        if let pictures {
            let pages = RenderedPages(instance.program, printOptions, assets, fetched, on: options.terminal)
            let written = try pictures.write(reached.views, pages)
            // A picture on the standard output is alone there.
            guard !written.isEmpty else {
                invocation.terminal.report(run.output.split(separator: "\n").map(String.init))
                return .clean
            }
            return invocation.terminal.print(run.output + written.map { "wrote \(QuotedText.plain($0))\n" }.joined())
        }
        if let folder = invocation.value("output") {
            let pages = RenderedPages(instance.program, printOptions, assets, fetched, on: options.terminal)
            try pages.write(
                reached.views, hasContents: invocation.has("screens"), to: folder, isForced: invocation.has("force"))
            return invocation.terminal.print(run.output + "wrote \(QuotedText.plain(folder))/\(PageFiles.first)\n")
        }
        if invocation.has("screens") {
            return invocation.terminal.print(
                run.output + reached.views.map { "== \($0.screen)\n\(print($0))" }.joined())
        }
        let explained =
            invocation.has("explain")
            ? "\n" + ExplainedView(view, of: run.instance, place: options.authored).text : ""
        return invocation.terminal.print(run.output + print(view) + explained)
    }
}
