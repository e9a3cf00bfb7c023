import Ensemble
import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetLayout
import WidgetRender
import WidgetRunning
import WidgetTestSupport

@testable import Widgets

/// Goal: any printer shows any system. Method: a bundle of the framework, a document, a widget for an overview of the day
/// and a screen of Swift go through one function, which knows of none of them: every printed form, a script, the origins of
/// values, and the linter.
struct `Every printer and every system` {
    @Test(arguments: System.allCases)
    func `go together`(system: System) async throws {
        var run = ScriptRun(try system.instance(), network: DeniedNetwork()) { ViewText(width: 72).text($0) }
        try await run.play(EventScript(Array(system.script.utf8)))
        #expect(run.output.hasPrefix("== taken\n") && run.output.contains(system.text), "\(run.output)")
        let view = run.view()
        let program = run.instance.program
        for printed in AnyPrinter.all(view, program) {
            let text = String(decoding: printed.bytes, as: UTF8.self)
            #expect(text.contains(system.text), "\(printed.name) of \(system): \(text.prefix(2_000))")
        }
        #expect(Origins(run.instance, view).texts.contains { $0.contains(system.text) }, "\(system)")
        // The linter has nothing to say of what is right, and names what is wrong.
        #expect(run.instance.diagnostics.isEmpty, "\(run.instance.diagnostics)")
        let faults = try system.instance(isFaulty: true).diagnostics
        #expect(faults.count { $0.severity == .error } == 1, "\(system): \(faults)")
    }
}

/// Four forms of widgets.
enum System: CaseIterable {
    case bundle, document, glance, swift

    /// A text that the widget shows after its script.
    var text: String {
        switch self {
        case .bundle: "Nothing posted yet"
        case .document: "Once more"
        case .glance: "mara opened an issue"
        case .swift: "Count: 1"
        }
    }

    var script: String {
        let steps =
            switch self {
            case .bundle: #"{"wait": 1}"#
            case .document: #"{"tap": "encore"}, {"tap": "more"}"#
            case .glance: #"{"wait": 1}"#
            case .swift: #"{"tap": "Add"}"#
            }
        return #"[\#(steps), {"expect": "\#(text)"}, {"snapshot": "taken"}]"#
    }

    func instance(isFaulty: Bool = false) throws -> WidgetInstance {
        let environment = Environment(now: TwinRun.evening)
        switch self {
        case .bundle:
            let program = try SampleDocuments.program("Postcard") { sources in
                if isFaulty { sources["SentViewController.json"] = Array("{".utf8) }
            }
            return WidgetInstance(program, environment: environment)
        case .document:
            let program = try SampleDocuments.program("Orchestra") { sources in
                guard isFaulty else { return }
                sources["Seats.widgets.json"] = Array(#"{"schema": 1, "root": {"kind": "lable"}}"#.utf8)
            }
            return WidgetInstance(program, environment: environment)
        case .glance:
            let program = try SampleDocuments.program("Forge") { sources in
                guard isFaulty, let main = sources["Main.widgets.json"] else { return }
                let text = String(decoding: main, as: UTF8.self)
                sources["Main.widgets.json"] = Array(text.replacing(#""link": "event""#, with: #""link": "evnt""#).utf8)
            }
            return WidgetInstance(program, environment: environment)
        case .swift:
            let program = DeclaredProgram("com.example.Count", first: CountScreen(isFaulty: isFaulty))
            let native = NativeProgram(program.declaration, code: program)
            return WidgetInstance(try native.program(), environment: environment, native: native)
        }
    }
}

private struct CountScreen: WidgetView {
    let isFaulty: Bool
    @State var count = 0

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget("Count: \($count)")
            ButtonWidget("Add").onTap { _ in count += 1 }
            if isFaulty { ButtonWidget("Set").onTap(.set(Binding.constant(1), to: 2)) }
        }
    }
}

/// All printers, which do not know what they print.
private struct AnyPrinter {
    let name: String
    let bytes: [UInt8]

    static func all(_ view: View, _ program: Program) -> [AnyPrinter] {
        [
            printed(ViewText.self, view, program), printed(ViewJSON.self, view, program),
            printed(ViewFrames.self, view, program), printed(PagePrinter.self, view, program),
        ]
    }

    private static func printed<Printer: ViewPrinter>(
        _ printer: Printer.Type, _ view: View, _ program: Program
    ) -> AnyPrinter {
        AnyPrinter(name: "\(Printer.self)", bytes: Printer(program, PrintOptions()).print(view, NoAssets()))
    }
}

/// The texts of a view whose origin is known.
private struct Origins {
    private(set) var texts: [String] = []

    init(_ instance: WidgetInstance, _ view: View) {
        let evaluator = Evaluator(instance.program)
        var texts: [String] = []
        view.visit { node in
            let explained = evaluator.explanation(of: .text, at: node.key, in: instance.store, instance.environment)
            if let explained, explained.place != nil || !explained.source.isEmpty { texts.append(node.text(.text)) }
            return true
        }
        self.texts = texts
    }
}
