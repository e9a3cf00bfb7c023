import PageServer
import WidgetBytes
import WidgetConsole
import WidgetHosting
import WidgetLogging
import WidgetSurroundings

/// The engine that browsers run. A server that has none looks for it again: `make run` builds it beside the server, and an
/// operator may put it there.
final class EngineWatch: Sendable {
    private struct State {
        var file: EngineFile?
        /// The finding that the log has.
        var said = ""
        var alarm: Alarm?
        var hasEnded = false
    }

    private let name: String?
    private let program: String
    private let logger: Logger
    /// Serves it to browsers.
    private let routes: ElementRoutes
    private let state = Guarded(State())

    /// The time until it looks again.
    private static let pause = Duration.seconds(20)

    /// Looks for it, and says in the log what came of that.
    init(_ settings: Settings, _ start: ServerStart, _ routes: ElementRoutes) {
        self.routes = routes
        name = settings.engine
        program = start.terminal.executable
        logger = start.logger
        let finding = EngineFile.find(named: name, beside: program)
        StartRemarks.engine(finding, logger)
        state.withLock { ($0.file, $0.said) = (finding.file, "\(finding)") }
        if let file = finding.file { serve(file) }
        guard finding.file == nil else { return }
        let (clock, queue) = (start.world.clock, start.world.threads.queue("widgetd.engine"))
        let alarm = clock.call(every: EngineWatch.pause) { [weak self] in
            guard let watch = self else { return }
            queue.async { watch.look() }
        }
        state.withLock { $0.alarm = alarm }
    }

    /// The engine, once there is one.
    var file: EngineFile? { state.withLock { $0.file } }

    private func look() {
        guard state.withLock({ $0.file == nil && !$0.hasEnded }) else { return }
        let finding = EngineFile.find(named: name, beside: program)
        // The reason is said again when it is another one.
        let isNews = state.withLock { state in
            defer { state.said = "\(finding)" }
            return state.said != "\(finding)"
        }
        if isNews { StartRemarks.engine(finding, logger) }
        guard let file = finding.file else { return }
        let alarm = state.withLock { state in
            state.file = file
            return state.alarm
        }
        alarm?.cancel()
        serve(file)
    }

    private func serve(_ file: EngineFile) {
        routes.serve(engine: file.bytes, digest: file.digest.hex, brotli: file.brotli)
    }

    func stop() {
        let alarm = state.withLock { state in
            state.hasEnded = true
            return state.alarm
        }
        alarm?.cancel()
    }
}
