import Bytes
import Console
import Dispatch
import Glibc

/// SIGTERM and SIGINT stop the server, SIGHUP reloads its settings.
final class Signals {
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]

    private let sources: [any DispatchSourceSignal]

    /// Keeps the signals pending until a source receives them.
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

/// Waiting on a thread that has nothing else to do.
enum Pause {
    static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds > 0 || attoseconds > 0 else { return }
        var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        // A signal cuts the sleep short; what is left is slept on.
        while unsafe nanosleep(&wanted, &left) != 0 { wanted = left }
    }
}
