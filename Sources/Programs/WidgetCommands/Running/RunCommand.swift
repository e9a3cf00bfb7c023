import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetRender
import WidgetRunning

/// `widget run`: a widget in the terminal, driven by keys where there is a terminal, else line by line or by a script.
enum RunCommand {
    static let command = Command(
        "run", "run a widget in the terminal; control-N starts it anew", example: "widget run WidgetDemo.zip",
        options: RunningOptions.options + [
            Option("plain", help: "lines, and no full screen; with --http no workbench"),
            Option("record", value: "FILE", help: "write what is done as a script that --events repeats"),
            Option("record-answers", value: "FILE", help: "write what granted services say as a stub, masked"),
            Option("force", help: "let recordings replace a file that is there"),
        ] + HTTPRun.options + HostOptions.options + RegistryOptions.options,
        positionals: [RunningOptions.subject])

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            let terminal = invocation.terminal
            let usesColor = terminal.isWatched && terminal.variable("NO_COLOR") == nil
            let options = try RunningOptions(invocation, usesColor: usesColor)
            let code = try await run(invocation, options)
            try options.answers?.end()
            return code
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    private static func run(
        _ invocation: Invocation, _ options: RunningOptions
    ) async throws(CommandFailure) -> ExitCode {
        let terminal = invocation.terminal
        if let server = try HTTPRun(invocation, options) { return try await server.run() }
        let isDrawn =
            !invocation.has("plain") && invocation.value("events") == nil && terminal.variable("TERM") != "dumb"
        if isDrawn, let screen = terminal.screen { return try await TerminalRun(options, on: screen).run() }
        return try await LineRun.run(options)
    }
}

/// A widget that is driven by words, a line at a time: for scripts, for pipes, and for screen readers.
enum LineRun {
    static let help = """
        A number taps what has it. tap NAME · type NAME TEXT · submit NAME · select LIST ROW · delete LIST ROW ·
        refused NAME · scroll LIST · refresh LIST · pick NAME FILE · back · wait SECONDS · anew · log · help · quit

        """

    /// The number of lines of a widget's log that are shown, the latest ones.
    private static let logLines = 30

    static func run(_ options: RunningOptions) async throws(CommandFailure) -> ExitCode {
        let (source, instance, records) = try await AwaitedWidget.next(options)
        let (text, terminal) = (options.text, options.terminal)
        var recording = try ScriptFile(options)
        var unseen = UnseenDiagnostics(options)
        let program = instance.program
        var run = ScriptRun(
            instance, network: options.network(of: program), records: records,
            cache: options.cachePlace(of: program)
        ) { text.text($0) }
        if recording != nil { run.recorder = ScriptRecorder() }
        do throws(WidgetError) {
            try await run.play(options.script)
        } catch {
            _ = terminal.print(run.output)
            show(&unseen, run.view())
            throw .failed("\(error)", hints: [])
        }
        complain(&run, on: terminal)
        let changes = options.isScripted ? nil : try await SourceChanges(options, since: source)
        _ = terminal.print(run.output + screen(&run, text))
        show(&unseen, run.view())
        while !options.isScripted, let line = terminal.readLine() {
            if let change = changes?.take() {
                if let widget = change.widget {
                    await run.replace(
                        widget.program, native: widget.native, cache: options.cachePlace(of: widget.program))
                }
                run.refuse(times: change.refusals)
                if let warning = change.warning { terminal.complain(QuotedText.plain(warning), hints: []) }
            }
            let command = SpokenCommand(line, in: run.view())
            switch command {
            case .quit: return try end(&run, &recording)
            case .anew:
                await run.restart()
                complain(&run, on: terminal)
                _ = try save(&run, &recording)
                _ = terminal.print(screen(&run, text))
                show(&unseen, run.view())
            case .help: _ = terminal.print(help)
            case .log:
                let lines = run.instance.log.suffix(LineRun.logLines)
                let earlier = run.instance.log.count - lines.count
                _ = terminal.print(
                    (earlier > 0 ? "(\(earlier) earlier lines)\n" : "")
                        + lines.map { "\($0.kind.rawValue) \(QuotedText.plain($0.text))\n" }.joined())
            case .unknown(let what): terminal.complain(QuotedText.plain(what), hints: ["`help` lists what can be said"])
            case .show:
                _ = terminal.print(screen(&run, text))
                show(&unseen, run.view())
            case .step(let step):
                do throws(WidgetError) {
                    try await run.continue(with: EventScript(steps: [step]))
                } catch {
                    terminal.complain(
                        QuotedText.plain("\(error)".split(separator: "\n").first.map(String.init) ?? ""), hints: [])
                }
                complain(&run, on: terminal)
                _ = try save(&run, &recording)
                _ = terminal.print(screen(&run, text))
                show(&unseen, run.view())
            }
        }
        return try end(&run, &recording)
    }

    /// Shows why actions sent nothing.
    private static func complain(_ run: inout ScriptRun, on terminal: Terminal) {
        for remark in run.takeNotices() { terminal.complain(QuotedText.plain(remark), hints: []) }
    }

    /// Prints the diagnostics that are new in a view.
    private static func show(_ unseen: inout UnseenDiagnostics, _ view: View) {
        unseen.update(view)
        unseen.show()
    }

    private static func save(
        _ run: inout ScriptRun, _ recording: inout ScriptFile?
    ) throws(CommandFailure) -> ExitCode {
        try rethrowing(try run.save(), as: { (error: WidgetError) in CommandFailure.failed("\(error)", hints: []) })
        let recorder = run.recorder
        try rethrowing(as: { (error: FileError) in CommandFailure.failed("\(error)", hints: []) }) {
            () throws(FileError) in try recording?.update(recorder)
        }
        return .clean
    }

    private static func end(
        _ run: inout ScriptRun, _ recording: inout ScriptFile?
    ) throws(CommandFailure) -> ExitCode {
        _ = try save(&run, &recording)
        try recording?.end(run.recorder)
        return .clean
    }

    private static func screen(_ run: inout ScriptRun, _ text: ViewText) -> String {
        let view = run.view()
        let numbered = SpokenCommand.numbered(view).enumerated().map { "\($0 + 1) \(QuotedText.plain($1.name))" }
        let reloads = ReloadCount(revision: run.instance.revision, attempt: run.instance.attempt)
        return "\(text.text(view))\n-- \(reloads) · \(numbered.joined(separator: " · "))\n"
    }
}

/// A line that the user types at a running widget: a step in words, or a question to the program.
enum SpokenCommand {
    case step(ScriptStep)
    case show, help, log, anew, quit
    case unknown(String)

    /// The most elements that have a number; the others are tapped by name.
    static let mostNumbered = 30

    /// The elements that can be tapped, in the order in which they are numbered.
    static func numbered(_ view: View) -> [(name: String, key: ViewKey)] {
        Array(ElementSearch(view).touchable.prefix(mostNumbered))
    }

    init(_ line: String, in view: View) {
        guard CombiningMarks.offsetOfTooMany(in: line.utf8.span) == nil else {
            self = .unknown("the line has more than \(CombiningMarks.mostInARow) combining marks in a row")
            return
        }
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard let verb = words.first else {
            self = .show
            return
        }
        let object = words.count > 1 ? words[1] : ""
        let rest = words.count > 2 ? words[2] : ""
        switch verb {
        case "quit", "q", "exit": self = .quit
        case "help", "?": self = .help
        case "log": self = .log
        case "anew": self = .anew
        case "back": self = .step(.back)
        case "wait":
            let seconds = Double(object).flatMap { ScriptStep.waits ~= $0 ? $0 : nil }
            self = seconds.map { .step(.wait($0)) } ?? .unknown("wait takes seconds")
        case "tap": self = .step(.tap(words.dropFirst().joined(separator: " ")))
        case "refused": self = .step(.tap(words.dropFirst().joined(separator: " "), refused: true))
        case "type": self = .step(.input(object, rest))
        case "pick": self = .step(.pick(object, file: rest))
        case "submit": self = .step(.submit(object))
        case "refresh": self = .step(.refresh(object))
        case "scroll": self = .step(.scroll(object, toEnd: true))
        case "select": self = SpokenCommand.row(verb, rest) { .select(object, section: 0, row: $0) }
        case "delete": self = SpokenCommand.row(verb, rest) { .delete(object, section: 0, row: $0) }
        default:
            let names = SpokenCommand.numbered(view)
            guard let number = Int(verb), names.indices.contains(number - 1) else {
                self = .unknown("\(verb) is nothing that can be said here")
                return
            }
            let (name, key) = names[number - 1]
            self = .step(.tap(key.node == ViewKey.alertButton ? name : key.description))
        }
    }

    private static func row(_ verb: String, _ number: String, _ step: (Int) -> ScriptStep) -> SpokenCommand {
        Int(number).map { .step(step($0)) } ?? .unknown("\(verb) takes a list and a row")
    }
}
