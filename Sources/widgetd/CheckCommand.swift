import Arguments
import Configuration
import Console

/// `widgetd check`: validates the settings and prints the effective ones, secrets masked.
enum CheckCommand {
    static let command = Command(
        "check", "check the settings and print the effective ones",
        example: "widgetd check --config config/widgetd.json5",
        options: Settings.options)

    static func run(_ loaded: LoadedSettings) -> ExitCode {
        Terminal.print(loaded.report)
    }
}
