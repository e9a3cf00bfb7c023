import Dispatch
import WidgetBytes
import WidgetConsole
import WidgetProcesses
import WidgetSurroundings

/// Receives the signals that end a program, so that what it has begun is cleared up first. A terminal with an ending
/// receives that instead, and the process continues.
final class EndingSignals: Sendable {
    private struct State {
        var hasCome = false
        /// The signal that has come.
        var signal: ProgramSignal?
        var act: (@Sendable () -> Void)?
    }

    private let signals: [ProgramSignal]
    private let state = Guarded(State())
    private let sources: Guarded<[any DispatchSourceSignal]>

    init(_ signals: [ProgramSignal] = [.interrupt, .terminate, .hangUp], on terminal: Terminal) {
        sources = Guarded([])
        if let ending = terminal.ending {
            self.signals = []
            ending.onGiven { [weak self] in self?.receive(nil) }
            return
        }
        self.signals = signals
        let queue = DispatchQueue(label: "widget.signals")
        let registered = DispatchSemaphore(value: 0)
        for signal in signals {
            // The usual action would come before the source's.
            signal.ignore()
            sources.withLock { sources in
                let source = signal.source(queue: queue)
                source.setEventHandler { [weak self] in self?.receive(signal) }
                source.setRegistrationHandler { registered.signal() }
                source.activate()
                sources.append(source)
            }
        }
        // A signal that comes earlier would be lost. The sources are ready within a moment, unless Dispatch has no thread left.
        for _ in signals where registered.wait(timeout: .now() + 5) == .timedOut { break }
    }

    private func receive(_ signal: ProgramSignal?) {
        let act = state.withLock { state in
            state.hasCome = true
            state.signal = state.signal ?? signal
            return state.act
        }
        act?()
    }

    /// Names the act that lets the program come to its end, which is done at once if a signal has come already.
    func perform(_ act: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.act = act
            return state.hasCome
        }
        if isDue { act() }
    }

    /// Returns once a signal has come, or the task is cancelled.
    func come() async {
        let (signals, inbox) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        perform { inbox.yield() }
        for await _ in signals { break }
    }

    /// Returns to the usual actions, and ends the program if a signal has come.
    func finish() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
        }
        for signal in signals { signal.restore() }
        state.withLock { $0.signal }?.raise()
    }
}
