import Arguments
import Console
import Files
import Locks
import RegistryClient
import WidgetBundles
import WidgetCore
import WidgetHost
import WidgetRender

/// `widget run`: a widget in the terminal, driven line by line or by a script.
enum RunCommand {
    static let command = Command(
        "run", "run a widget in the terminal", example: "widget run WidgetDemo.zip",
        options: RunningOptions.options + HostOptions.options + RegistryOptions.options,
        positionals: [RunningOptions.subject])

    static let help = """
        A number taps what has it. tap NAME · type NAME TEXT · submit NAME · select LIST ROW · delete LIST ROW ·
        scroll LIST · refresh LIST · back · wait SECONDS · log · help · quit

        """

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            return try await run(invocation, RunningOptions(invocation, usesColor: Terminal.isWatched))
        } catch {
            return error.show(asJSON: invocation.has("json"))
        }
    }

    private static func run(_ invocation: Invocation, _ options: RunningOptions) async throws(CommandFailure)
        -> ExitCode
    {
        let (instance, keeper) = try options.instance(try await options.program())
        let text = options.text
        var run = ScriptRun(instance, network: options.network, text: text) { text.text($0) }
        do throws(HostError) {
            try await run.play(options.script)
        } catch {
            _ = Terminal.print(run.output)
            throw .failed("\(error)", hints: [])
        }
        let watch = LocalChanges(invocation.arguments[0])
        _ = Terminal.print(run.output + screen(&run, text))
        while invocation.value("events") == nil, let line = readLine() {
            if watch.takeChange() { await reload(&run, options) }
            let command = SpokenCommand(line, in: run.view())
            switch command {
            case .quit: return try save(&run, keeper)
            case .help: _ = Terminal.print(help)
            case .log:
                _ = Terminal.print(run.instance.log.suffix(30).map { "\($0.kind.rawValue) \($0.text)\n" }.joined())
            case .unknown(let what): Terminal.complain(QuotedText.plain(what), hints: ["`help` lists what can be said"])
            case .show: _ = Terminal.print(screen(&run, text))
            case .step(let json):
                do throws(HostError) {
                    try await run.continue(with: EventScript(Array(json.utf8)))
                } catch {
                    Terminal.complain(
                        QuotedText.plain("\(error)".split(separator: "\n").first.map(String.init) ?? ""), hints: [])
                }
                _ = try save(&run, keeper)
                _ = Terminal.print(screen(&run, text))
            }
        }
        return try save(&run, keeper)
    }

    private static func save(_ run: inout ScriptRun, _ keeper: RecordStore?) throws(CommandFailure) -> ExitCode {
        do throws(HostError) {
            try run.save(to: keeper)
        } catch {
            throw .failed("\(error)", hints: [])
        }
        return .clean
    }

    /// A source that does not read leaves the widget as it is.
    private static func reload(_ run: inout ScriptRun, _ options: RunningOptions) async {
        do throws(CommandFailure) {
            await run.replace(try await options.program())
        } catch {
            _ = error.show(asJSON: false)
        }
    }

    private static func screen(_ run: inout ScriptRun, _ text: ViewText) -> String {
        let view = run.view()
        let numbered = SpokenCommand.numbered(view).enumerated().map { "\($0 + 1) \(QuotedText.plain($1.name))" }
        return "\(text.text(view))\n-- revision \(run.instance.revision) · \(numbered.joined(separator: " · "))\n"
    }
}
