import Bytes
import Console
import Logging
import Surroundings
import WidgetHosting

/// The engine that browsers run. A server that has none looks for it again: `make run` builds it beside the server, and an
/// operator may put it there.
final class EngineWatch: Sendable {
    private struct State {
        var file: EngineFile?
        var alarm: Alarm?
        var hasEnded = false
    }

    private let name: String?
    private let program: String
    private let logger: Logger
    private let state = Guarded(State())

    /// The time until it looks again.
    private static let pause = Duration.seconds(20)

    /// Looks for it, and says in the log what came of that.
    init(_ settings: Settings, _ start: ServerStart) {
        name = settings.engine
        program = start.terminal.executable
        logger = start.logger
        let finding = EngineFile.find(named: name, beside: program)
        StartRemarks.engine(finding, logger)
        state.withLock { $0.file = finding.file }
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

    /// One that cannot be used was said at the start, and may be replaced.
    private func look() {
        guard state.withLock({ $0.file == nil && !$0.hasEnded }),
            let file = EngineFile.find(named: name, beside: program).file
        else { return }
        let alarm = state.withLock { state in
            state.file = file
            return state.alarm
        }
        alarm?.cancel()
        StartRemarks.engine(.found(file), logger)
    }

    func stop() {
        let alarm = state.withLock { state in
            state.hasEnded = true
            return state.alarm
        }
        alarm?.cancel()
    }
}
