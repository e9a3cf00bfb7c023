import Bytes
import Console
import WidgetCore
import WidgetRender
import WidgetRunning

/// A widget that is driven by words, a line at a time: for scripts, for pipes, and for screen readers.
enum LineRun {
    static let help = """
        A number taps what has it. tap NAME · type NAME TEXT · submit NAME · select LIST ROW · delete LIST ROW ·
        scroll LIST · refresh LIST · pick NAME FILE · back · wait SECONDS · log · help · quit

        """

    /// So many of the last lines of a widget's log are shown.
    private static let logLines = 30

    static func run(_ options: RunningOptions) async throws(CommandFailure) -> ExitCode {
        let (instance, keeper) = try await options.instance()
        let text = options.text
        var run = ScriptRun(instance, network: options.network, keeper: keeper) { text.text($0) }
        do throws(WidgetError) {
            try await run.play(options.script)
        } catch {
            _ = Terminal.print(run.output)
            throw .failed("\(error)", hints: [])
        }
        let changes = options.isScripted ? nil : try await SourceChanges(options)
        _ = Terminal.print(run.output + screen(&run, text))
        while !options.isScripted, let line = readLine() {
            switch changes?.take() {
            case .program(let program)?: await run.replace(program)
            case .warning(let warning)?: Terminal.complain(QuotedText.plain(warning), hints: [])
            case nil: break
            }
            let command = SpokenCommand(line, in: run.view())
            switch command {
            case .quit: return try save(&run)
            case .help: _ = Terminal.print(help)
            case .log:
                let lines = run.instance.log.suffix(LineRun.logLines)
                let earlier = run.instance.log.count - lines.count
                _ = Terminal.print(
                    (earlier > 0 ? "(\(earlier) earlier lines)\n" : "")
                        + lines.map { "\($0.kind.rawValue) \(QuotedText.plain($0.text))\n" }.joined())
            case .unknown(let what): Terminal.complain(QuotedText.plain(what), hints: ["`help` lists what can be said"])
            case .show: _ = Terminal.print(screen(&run, text))
            case .step(let step):
                do throws(WidgetError) {
                    try await run.continue(with: EventScript(steps: [step]))
                } catch {
                    Terminal.complain(
                        QuotedText.plain("\(error)".split(separator: "\n").first.map(String.init) ?? ""), hints: [])
                }
                _ = try save(&run)
                _ = Terminal.print(screen(&run, text))
            }
        }
        return try save(&run)
    }

    private static func save(_ run: inout ScriptRun) throws(CommandFailure) -> ExitCode {
        try rethrowing(try run.save(), as: { (error: WidgetError) in CommandFailure.failed("\(error)", hints: []) })
        return .clean
    }

    private static func screen(_ run: inout ScriptRun, _ text: ViewText) -> String {
        let view = run.view()
        let numbered = SpokenCommand.numbered(view).enumerated().map { "\($0 + 1) \(QuotedText.plain($1.name))" }
        return "\(text.text(view))\n-- revision \(run.instance.revision) · \(numbered.joined(separator: " · "))\n"
    }
}
