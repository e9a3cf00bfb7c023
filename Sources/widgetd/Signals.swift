import Dispatch
import Glibc

/// SIGTERM and SIGINT stop the server, SIGHUP reloads its settings.
final class Signals {
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]

    private let sources: [any DispatchSourceSignal]

    /// Keeps the signals pending until somebody looks for them.
    ///
    /// Called while the program has one thread, because threads inherit what is blocked: a signal that any thread
    /// does not block is delivered there, with the default action, and never reaches a source.
    static func hold() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    init(onStop: @escaping @Sendable () -> Void, onReload: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "widgetd.signals")
        sources = Signals.numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: number == SIGHUP ? onReload : onStop)
            source.activate()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
