import JSONText
import RegistryServer
import WidgetAddresses
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetLogging
import WidgetProcesses
import WidgetSockets
import WidgetSurroundings

/// Reads the settings again, from where they came from.
typealias SettingsReader = @Sendable () throws(ConfigurationError) -> LoadedSettings<Settings>

/// `widgetd serve`: runs the server in the foreground until a signal stops it.
enum ServeCommand {
    static let command = Command(
        "serve", "run the server in the foreground",
        example: "widgetd serve --listen 127.0.0.1:8080 --data ./data",
        options: Settings.options)

    /// Serves until a signal ends it.
    ///
    /// - Parameter reload: for SIGHUP.
    static func run(
        _ loaded: LoadedSettings<Settings>, on terminal: Terminal, in world: World, reload: @escaping SettingsReader
    ) -> ExitCode {
        if terminal.ending == nil { Signals.hold() }
        let settings = loaded.settings
        do throws(StartFailure) {
            // First of all: later on, the number may be that of a descriptor of this program.
            let lines = try settings.notifyDescriptor.map { number throws(StartFailure) in try NoticeLines(number) }
            let logger = logger(settings, terminal)
            defer { logger.flush() }
            var start = ServerStart(logger, on: terminal, in: world)
            if let lines { start.add { lines.note($0) } }
            if let manager = NotifySocket(environment: terminal.environment) { start.add(manager) }
            let server = try open(loaded, start, reload: reload)
            server.start()
            // After the start, so that the moments of the server come in their order. A signal is held until then.
            terminal.ending?.onGiven { server.stop() }
            let signals =
                terminal.ending == nil ? Signals(onStop: { server.stop() }, onReload: { server.reload() }) : nil
            let code = server.wait()
            signals?.cancel()
            return code
        } catch {
            terminal.complain(error.message, hints: error.hints)
            return error.code
        }
    }

    /// A log on the error stream.
    static func logger(_ settings: Settings, _ terminal: Terminal) -> Logger {
        Logger(
            level: settings.log.level, format: settings.log.format ?? (terminal.error.isWatched ? .text : .json),
            sink: { terminal.error.write($0) })
    }

    /// Makes what is missing, and opens store and listeners. Nothing is served yet.
    static func open(
        _ loaded: LoadedSettings<Settings>, _ start: ServerStart, reload: @escaping SettingsReader
    ) throws(StartFailure) -> RunningServer {
        let settings = loaded.settings
        // The seed and the addresses are checked before anything is created, so that the next start is the first then.
        if let seed = settings.seed, !ServerStore.exists(settings) { try Seeding.check(seed) }
        try ServerListeners.check(settings)
        if let obstacle = try DataDirectory.prepare(settings.data) {
            StartRemarks.fullDisk(obstacle, settings, start.logger)
        } else {
            StartRemarks.lowDisk(settings, start.logger)
        }
        StartRemarks.foreignOwner(settings, start.logger)
        return try RunningServer(loaded, start, reload: reload)
    }
}

/// Lines about a server's moments for the process that started it (`WIDGETD_NOTIFY_FD`).
private final class NoticeLines: Sendable {
    private let descriptor: LineDescriptor

    init(_ number: Int) throws(StartFailure) {
        descriptor = try rethrowing(
            try LineDescriptor(inherited: Int32(clamping: number)),
            as: { (error: FileError) in
                StartFailure(
                    "descriptor \(number), which WIDGETD_NOTIFY_FD names, cannot be written to: \(error.reason)",
                    hints: ["start the program with an open pipe of that number, or unset the variable"],
                    code: .misuse)
            })
    }

    func note(_ moment: ServerMoment) {
        for line in moment.lines { descriptor.write(line) }
        if moment == .stopped { descriptor.close() }
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
