import Dispatch
import Glibc

/// SIGTERM and SIGINT stop the server, SIGHUP reloads its settings.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(onStop: @escaping @Sendable () -> Void, onReload: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "widgetd.signals")
        sources = [(SIGTERM, onStop), (SIGINT, onStop), (SIGHUP, onReload)].map { number, action in
            // The source sees the signal; the default action would end the program first.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: action)
            source.activate()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
