import Bytes
import Console
import WidgetCore
import WidgetRender
import WidgetRunning

/// `widget render`: what a widget shows, by any of the printers.
enum RenderCommand {
    static let command = Command(
        "render", "run a widget for a moment and print what it shows",
        example: "widget render WidgetDemo.zip --as text --clock 2018-06-20T20:00:00Z",
        options: [
            Option("as", value: "FORM", help: "\(ViewPrinters.choice); \(usual) if not given"),
            Option("explain", help: "say of each value where it came from"),
        ] + RunningOptions.options
            + HostOptions.options + RegistryOptions.options,
        positionals: [RunningOptions.subject])

    /// So many errors are printed beside a view that says nothing of them.
    private static let errorsShown = 20

    private static var usual: String { ViewPrinters.all.first?.name ?? "" }

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            return try await render(invocation)
        } catch {
            return error.show(asJSON: invocation.has("json"))
        }
    }

    private static func render(_ invocation: Invocation) async throws(CommandFailure) -> ExitCode {
        let form = invocation.value("as") ?? (invocation.has("json") ? ViewJSON.name : usual)
        guard let printerType = ViewPrinters.named(form) else {
            throw .misuse("--as is \(form)", hints: ["it can be \(ViewPrinters.choice)"])
        }
        let options = try RunningOptions(invocation, usesColor: false)
        let text = options.text
        let printer = printerType.init(PrintOptions(columns: text.width, size: options.size))
        let isEscaped = printerType.mediaType == ViewJSON.mediaType
        let print: (View) -> String = { view in
            let document = printer.print(view, NoAssets())
            return String(decoding: isEscaped ? JSONEscaping.shown(document: document) : document, as: UTF8.self)
        }
        let (instance, keeper) = try await options.instance()
        var run = ScriptRun(instance, network: options.network, keeper: keeper, print: print) { text.text($0) }
        do throws(WidgetError) {
            try await run.play(options.script)
            try run.save()
        } catch {
            _ = Terminal.print(run.output)
            throw .failed("\(error)", hints: [])
        }
        let view = run.view()
        if !printerType.printsDiagnostics {
            let errors = view.diagnostics.filter { $0.severity == .error }
            for error in errors.prefix(RenderCommand.errorsShown) {
                Terminal.complain(QuotedText.plain("\(error)"), hints: [])
            }
            if errors.count > RenderCommand.errorsShown {
                Terminal.complain(
                    "\(errors.count - RenderCommand.errorsShown) more errors", hints: ["--as json has all of them"])
            }
        }
        let explained = invocation.has("explain") ? "\n" + ExplainedView(view, of: run.instance).text : ""
        return Terminal.print(run.output + print(view) + explained)
    }
}
