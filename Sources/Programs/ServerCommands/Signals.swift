import Dispatch
import WidgetBytes
import WidgetConsole
import WidgetProcesses

/// SIGTERM and SIGINT stop the server, SIGHUP reloads its settings.
final class Signals {
    private static let signals = [ProgramSignal.terminate, .interrupt, .hangUp]

    private let sources: [any DispatchSourceSignal]

    /// Keeps the signals pending until a source receives them (``ProgramSignal/hold(_:)``).
    static func hold() { ProgramSignal.hold(signals) }

    init(onStop: @escaping @Sendable () -> Void, onReload: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "widgetd.signals")
        sources = Signals.signals.map { signal in
            let source = signal.source(queue: queue)
            source.setEventHandler(handler: signal == .hangUp ? onReload : onStop)
            source.activate()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}

/// The end of the program: begun once, waited for once.
final class ProgramExit: Sendable {
    private struct State {
        var hasBegun = false
        var code: ExitCode?
    }

    private let state = Guarded(State())
    private let done = DispatchSemaphore(value: 0)

    /// - Returns: whether this is the first time.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    func end(_ code: ExitCode) {
        state.withLock { state in
            if state.code == nil { state.code = code }
        }
        done.signal()
    }

    func wait() -> ExitCode {
        done.wait()
        return state.withLock { $0.code } ?? .clean
    }
}
