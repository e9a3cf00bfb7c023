import Bytes
import Console
import Surroundings
import WidgetCore
import WidgetLayout
import WidgetRender
import WidgetRunning

/// `widget render`: prints a widget's view, with any of the printers.
enum RenderCommand {
    static let command = Command(
        "render", "run a widget for a moment and print what it shows",
        example: "widget render WidgetDemo.zip --as text --clock 2018-06-20T20:00:00Z",
        options: [
            Option("as", value: "FORM", help: "\(choice); \(usual) if not given"),
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

    private static var usual: String { ViewPrinters.all.first?.name ?? "" }

    /// The forms for a sentence: `text, json or png`.
    private static var choice: String { ViewPrinters.choice.replacing(" or ", with: ", ") + " or \(DrawnPages.name)" }

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            return try await render(invocation)
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    private static func render(_ invocation: Invocation) async throws(CommandFailure) -> ExitCode {
        let form = invocation.value("as") ?? (invocation.has("json") ? ViewJSON.name : usual)
        // A picture is one of a page.
        let isPicture = form == DrawnPages.name
        guard let printerType = ViewPrinters.named(isPicture ? PagePrinter.name : form) else {
            throw .misuse("--as is \(form)", hints: ["it can be \(choice)"])
        }
        let options = try RunningOptions(invocation, usesColor: false)
        let isPage = printerType.mediaType == PagePrinter.mediaType
        try RenderCommand.check(invocation, isPage: isPage)
        if form != ViewFrames.name, invocation.value("advances") != nil {
            throw .misuse(
                "--advances is for frames", hints: ["`--as \(ViewFrames.name) --advances FILE` measures with it"])
        }
        if !isPicture, invocation.value("browser") != nil {
            throw .misuse("--browser is for pictures", hints: ["`--as \(DrawnPages.name)` draws one with it"])
        }
        let pictures = try isPicture ? DrawnPages(invocation, options) : nil
        let text = options.text
        let (instance, records) = try options.instance(of: try await options.source())
        var printOptions = PrintOptions(columns: text.width, viewport: options.viewport.viewport)
        printOptions.scheme = options.viewport.scheme
        printOptions.locale = options.locale
        if invocation.has("development") {
            printOptions.reloads = ReloadCount(revision: instance.revision, attempt: instance.attempt)
        }
        if let path = invocation.value("advances") { printOptions.measure = try AdvancesFile.measure(at: path) }
        let printer = printerType.init(instance.program, printOptions)
        let isEscaped = printerType.mediaType == ViewJSON.mediaType
        let assets = NamedPictures(options.pictures)
        let print: (View) -> String = { view in
            let document = printer.print(options.authored(view), assets)
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
            BundleComplaints(run.view().diagnostics.map(options.complaint)).show(on: options.terminal)
            throw .failed("\(error)", hints: [])
        }
        var view = run.view()
        if options.isGranted { view.data = run.data }
        for notice in run.takeNotices() { invocation.terminal.complain(QuotedText.plain(notice), hints: []) }
        BundleComplaints(view.diagnostics.map(options.complaint)).show(on: options.terminal)
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

    /// Refuses options that only some forms have.
    private static func check(_ invocation: Invocation, isPage: Bool) throws(CommandFailure) {
        if !isPage, invocation.value("output") != nil {
            throw .misuse("-o writes pages", hints: ["`--as \(PagePrinter.name)` prints one; others go to `> FILE`"])
        }
        if isPage, invocation.has("explain") {
            throw .misuse("--explain is not part of a page", hints: ["`--as text --explain` prints it"])
        }
        if isPage, invocation.has("screens"), invocation.value("output") == nil {
            throw .misuse("--screens makes several pages", hints: ["`-o FOLDER` names a folder for them"])
        }
        if invocation.value("output")?.isEmpty ?? false {
            throw .misuse("-o names nothing", hints: ["`-o page` names a folder, `-o page.png` a picture"])
        }
    }
}

/// Every visible value with its origin: the place where it was authored, the expression and inputs that it was computed
/// from, or the user or service that gave it.
struct ExplainedView {
    private let instance: WidgetInstance
    private let view: View
    /// The place in the author's file for one in the bundle.
    private let place: (Place) -> Place

    init(_ view: View, of instance: WidgetInstance, place: @escaping (Place) -> Place) {
        self.view = view
        self.instance = instance
        self.place = place
    }

    /// A line for each property of each element, and one for each input below it.
    var text: String {
        let evaluator = Evaluator(instance.program, budget: instance.budget)
        // Everything that was shown is evaluated again with its inputs, a property at a time, so it may cost more.
        var budget = instance.budget
        budget.fuel *= 20
        let meter = Meter(budget)
        var text = ""
        view.visit { node in
            for property in node.properties {
                if property.name == .text, node.isTrue(.isSecure) {
                    text += "\(QuotedText.plain(node.identifier ?? node.key.description)) text is a secret\n"
                    continue
                }
                let found = evaluator.explanation(
                    of: property.name, at: node.key, in: instance.store, instance.environment, meter: meter)
                text += lines(node, property, found)
            }
            return true
        }
        return text
    }

    private func lines(_ node: ViewNode, _ property: ViewProperty, _ found: Explanation?) -> String {
        let name = node.identifier ?? node.key.description
        let value = QuotedText.of(property.value.shown)
        var line = "\(QuotedText.plain(name)) \(QuotedText.plain(property.name.name)) \(value)"
        guard let found else { return line + "  the state of the screen\n" }
        switch found.origin {
        case .authored: line += "  authored"
        case .bound: line += "  from \(QuotedText.plain(found.source))"
        case .given: line += found.source.isEmpty ? "  given" : "  given by \(QuotedText.plain(found.source))"
        }
        if let written = found.place { line += "  \(QuotedText.plain("\(place(written))"))" }
        let inputs = found.inputs.map { input in
            "    \(QuotedText.plain(input.keyPath)) is \(QuotedText.of(input.value.shown))\n"
        }
        let more = found.omittedCount > 0 ? "    and \(found.omittedCount) more\n" : ""
        return line + "\n" + inputs.joined() + more
    }
}
