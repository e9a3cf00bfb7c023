import Addresses
import Configuration
import Console
import Files
import JSONText
import Logging
import RegistryServer
import Sockets

/// Reads the settings again, from where they came from.
typealias SettingsReader = @Sendable () throws(ConfigurationError) -> LoadedSettings<Settings>

/// `widgetd serve`: runs the server in the foreground until a signal stops it.
enum ServeCommand {
    static let command = Command(
        "serve", "run the server in the foreground",
        example: "widgetd serve --listen 127.0.0.1:8080 --data ./data",
        options: Settings.options)

    /// - Parameter reload: for SIGHUP.
    static func run(
        _ loaded: LoadedSettings<Settings>, on terminal: Terminal, reload: @escaping SettingsReader
    ) -> ExitCode {
        Signals.hold()
        let settings = loaded.settings
        let logger = Logger(
            level: settings.log.level,
            format: settings.log.format ?? (terminal.error.isWatched ? .text : .json))
        defer { logger.flush() }
        do throws(StartFailure) {
            // The seed and the addresses are checked before anything is created, so that the next start is the first
            // then.
            if let seed = settings.seed, !ServerStore.exists(settings) { try Seeding.check(seed) }
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
                    "the server runs as root and the data directory belongs to another, who will not be able to run it",
                    [LogField("data", settings.data), LogField("owner", Int(owner.user))])
            }
            return try RunningServer(loaded, logger: logger).runUntilStopped(on: terminal, reload: reload)
        } catch {
            terminal.complain(error.message, hints: error.hints)
            return error.code
        }
    }
}

/// `widgetd healthcheck`: asks the configured server whether it is ready, for a container's own check.
enum HealthcheckCommand {
    static let command = Command(
        "healthcheck", "exit 0 when the server answers /readyz with 200",
        example: "widgetd healthcheck --listen 127.0.0.1:8080",
        options: Settings.options.filter { ["config", "listen"].contains($0.name) } + [
            Option("json", help: "print what /readyz answers")
        ])

    static func run(_ invocation: Invocation, _ loaded: LoadedSettings<Settings>) -> ExitCode {
        guard let address = loaded.settings.listen.first else { return .misuse }
        do {
            let endpoint = try Endpoint(address)
            let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answer = try Probe.exchange(Array(request.utf8), with: endpoint.reachable, seconds: 5)
            let status = String(decoding: answer.prefix(12), as: UTF8.self)
            let body = ControlSocket.parse(answer)?.body ?? []
            if invocation.has("json"), !body.isEmpty { _ = invocation.terminal.print(body) }
            guard status == "HTTP/1.1 200" else {
                let line = String(decoding: answer.prefix { $0 != 0x0D }, as: UTF8.self)
                let reasons = failures(body)
                invocation.terminal.complain(
                    "the server at \(endpoint.reachable) is not ready: "
                        + (reasons.isEmpty ? line : reasons.joined(separator: "; ")))
                return .failed
            }
            return .clean
        } catch let mistake as Endpoint.Mistake {
            invocation.terminal.complain("cannot ask \(address): \(mistake.explanation)")
        } catch {
            invocation.terminal.complain("no answer from \(address): \(error)", hints: ["is the server running?"])
        }
        return .failed
    }

    /// The failed checks that the answer names.
    private static func failures(_ body: [UInt8]) -> [String] {
        guard let errors = try? JSONDocument(parsing: body).cursor.member("errors")?.elements() else { return [] }
        return errors.compactMap { error in
            guard let check: String = try? error.require("code"), let detail: String = try? error.require("detail")
            else {
                return nil
            }
            return "\(check): \(detail)"
        }
    }
}
