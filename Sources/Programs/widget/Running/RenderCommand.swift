import Bytes
import Console
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
            Option("as", value: "FORM", help: "\(ViewPrinters.choice); \(usual) if not given"),
            Option("explain", help: "say of each value where it came from"),
        ] + RunningOptions.options
            + HostOptions.options + RegistryOptions.options,
        positionals: [RunningOptions.subject])

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
        let (instance, records) = try options.instance(of: try await options.source())
        let size = Size(width: Double(options.size.width), height: Double(options.size.height))
        let printer = printerType.init(
            instance.program, PrintOptions(columns: text.width, viewport: Viewport(size: size)))
        let isEscaped = printerType.mediaType == ViewJSON.mediaType
        let print: (View) -> String = { view in
            let document = printer.print(options.authored(view), NoAssets())
            return String(decoding: isEscaped ? JSONEscaping.shown(document: document) : document, as: UTF8.self)
        }
        var run = ScriptRun(instance, network: options.network, records: records, print: print) { text.text($0) }
        do throws(WidgetError) {
            try await run.play(options.script)
            try run.save()
        } catch {
            _ = Terminal.print(run.output)
            BundleComplaints(run.view().diagnostics.map(options.complaint)).show()
            throw .failed("\(error)", hints: [])
        }
        let view = run.view()
        BundleComplaints(view.diagnostics.map(options.complaint)).show()
        let explained =
            invocation.has("explain")
            ? "\n" + ExplainedView(view, of: run.instance, place: options.authored).text : ""
        return Terminal.print(run.output + print(view) + explained)
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
