import Console

/// `widget run`: a widget in the terminal, with keys where there is a terminal, else driven line by line or by a script.
enum RunCommand {
    static let command = Command(
        "run", "run a widget in the terminal", example: "widget run WidgetDemo.zip",
        options: RunningOptions.options + [
            Option("plain", help: "no keys and no screen of its own: a line is said, the widget is printed")
        ] + HostOptions.options + RegistryOptions.options,
        positionals: [RunningOptions.subject])

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            let usesColor = Terminal.isWatched && Environment.value("NO_COLOR") == nil
            let options = try RunningOptions(invocation, usesColor: usesColor)
            let isDrawn =
                !invocation.has("plain") && invocation.value("events") == nil && RawTerminal.isAvailable
                && Environment.value("TERM") != "dumb"
            if isDrawn { return try await TerminalRun(options).run() }
            return try await LineRun.run(options)
        } catch {
            return error.show(asJSON: invocation.has("json"))
        }
    }
}
