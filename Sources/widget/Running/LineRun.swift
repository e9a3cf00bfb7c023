import Arguments
import Console
import WidgetCore
import WidgetHost
import WidgetRender

/// A widget that is spoken to, a line at a time: for scripts, for pipes, and for whoever reads with other things than eyes.
enum LineRun {
    static let help = """
        A number taps what has it. tap NAME · type NAME TEXT · submit NAME · select LIST ROW · delete LIST ROW ·
        scroll LIST · refresh LIST · pick NAME FILE · back · wait SECONDS · log · help · quit

        """

    static func run(_ options: RunningOptions) async throws(CommandFailure) -> ExitCode {
        let (instance, keeper) = try await options.instance()
        let text = options.text
        var run = ScriptRun(instance, network: options.network, text: text) { text.text($0) }
        do throws(HostError) {
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
            case .trouble(let trouble)?: Terminal.complain(QuotedText.plain(trouble), hints: [])
            case nil: break
            }
            let command = SpokenCommand(line, in: run.view())
            switch command {
            case .quit: return try save(&run, keeper)
            case .help: _ = Terminal.print(help)
            case .log:
                _ = Terminal.print(
                    run.instance.log.suffix(30).map { "\($0.kind.rawValue) \(QuotedText.plain($0.text))\n" }.joined())
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

    private static func screen(_ run: inout ScriptRun, _ text: ViewText) -> String {
        let view = run.view()
        let numbered = SpokenCommand.numbered(view).enumerated().map { "\($0 + 1) \(QuotedText.plain($1.name))" }
        return "\(text.text(view))\n-- revision \(run.instance.revision) · \(numbered.joined(separator: " · "))\n"
    }
}
