import Configuration
import Console
import Files
import Logging
import RegistryServer

/// Reads the settings again, from where they came from.
typealias SettingsReader = @Sendable () throws(ConfigurationError) -> LoadedSettings<Settings>

/// `widgetd serve`: runs the server in the foreground until it is told to stop.
enum ServeCommand {
    static let command = Command(
        "serve", "run the server in the foreground",
        example: "widgetd serve --listen 127.0.0.1:8080 --data ./data",
        options: Settings.options)

    /// - Parameter reload: for SIGHUP.
    static func run(_ loaded: LoadedSettings<Settings>, reload: @escaping SettingsReader) -> ExitCode {
        Signals.hold()
        let settings = loaded.settings
        let logger = Logger(
            level: settings.log.level,
            format: settings.log.format ?? (StandardStream.error.isTerminal ? .text : .json))
        defer { logger.flush() }
        do throws(StartFailure) {
            // What a start needs of others is looked at before it makes anything: the next one is the first then.
            if let seed = settings.seed, !Store.exists(settings) { try Seeding.check(seed) }
            try RunningServer.checkAddresses(settings)
            if let obstacle = try DataDirectory.prepare(settings.data) {
                logger.log(
                    .error, "disk.full",
                    "nothing can be written: reads are served, and writes are refused with 507 until there is room",
                    [
                        LogField("data", settings.data), LogField("reason", obstacle.reason),
                        LogField("hint", "make room on its disk, or raise its quota; no restart is needed"),
                    ])
            }
            if let owner = DataDirectory.foreignOwner(settings.data) {
                logger.log(
                    .warning, "data.owner",
                    "the server runs as root and the data directory belongs to another, who will not be able to go on",
                    [LogField("data", settings.data), LogField("owner", Int(owner.user))])
            }
            return try RunningServer(loaded, logger: logger).runUntilStopped(reload: reload)
        } catch {
            Terminal.complain(error.message, hints: error.hints)
            return error.code
        }
    }
}
