import Configuration
import Console
import JSONText

/// `widgetd check`: validates the settings and prints the effective ones, secrets masked.
enum CheckCommand {
    static let command = Command(
        "check", "check the settings and print the effective ones",
        example: "widgetd check --config config/widgetd.json5",
        options: Settings.options + [Option("json", help: "print them as JSON")])

    static func run(_ invocation: Invocation, _ loaded: LoadedSettings<Settings>) -> ExitCode {
        guard invocation.has("json") else { return Terminal.print(loaded.report) }
        var writer = JSONWriter()
        writer.object { writer in
            for setting in Settings.table {
                writer.key(setting.path)
                writer.object { writer in
                    writer.member("value", setting.shown(in: loaded.settings))
                    writer.member("source", loaded.source(of: setting.path).description)
                }
            }
        }
        return Terminal.print(writer.finish())
    }
}
