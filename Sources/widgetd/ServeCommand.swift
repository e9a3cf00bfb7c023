import Arguments
import Configuration
import Console
import Logging
import RegistryServer

/// `widgetd serve`: runs the server in the foreground until it is told to stop.
enum ServeCommand {
    static let command = Command(
        "serve", "run the server in the foreground",
        example: "widgetd serve --listen 127.0.0.1:8080 --data ./data",
        options: Settings.options)

    /// - Parameter reload: reads the settings again, for SIGHUP.
    static func run(_ loaded: LoadedSettings, reload: @escaping @Sendable () -> LoadedSettings?) -> ExitCode {
        Signals.hold()
        let settings = loaded.settings
        let logger = Logger(
            level: settings.log.level,
            format: settings.log.format ?? (StandardStream.error.isTerminal ? .text : .json))
        defer { logger.flush() }
        do throws(StartFailure) {
            try DataDirectory.prepare(settings.data)
            return try RunningServer(settings, logger: logger).runUntilStopped(reload: reload)
        } catch {
            Terminal.complain(error.message, hints: error.hints)
            return error.code
        }
    }
}
