import Bytes
import Dispatch
import Glibc

/// Receives the signals that end a program, so that what it has begun is cleared up first.
final class EndingSignals: Sendable {
    private struct State {
        /// The signal that has come.
        var number: Int32?
        var act: (@Sendable () -> Void)?
    }

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let state = Guarded(State())
    private let sources: Guarded<[any DispatchSourceSignal]>

    init() {
        sources = Guarded([])
        let queue = DispatchQueue(label: "widget.signals")
        for number in EndingSignals.numbers {
            // The usual action would come before the source's.
            signal(number, SIG_IGN)
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [weak self] in self?.receive(number) }
                source.activate()
                sources.append(source)
            }
        }
    }

    private func receive(_ number: Int32) {
        let act = state.withLock { state in
            state.number = state.number ?? number
            return state.act
        }
        act?()
    }

    /// Names the act that lets the program come to its end, which is done at once if a signal has come already.
    func perform(_ act: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.act = act
            return state.number != nil
        }
        if isDue { act() }
    }

    /// Returns to the usual actions, and ends the program if a signal has come.
    func finish() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
        }
        for number in EndingSignals.numbers { signal(number, SIG_DFL) }
        guard let number = state.withLock({ $0.number }) else { return }
        // The threads of tasks hold signals back.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
