package import Dispatch
internal import Glibc

/// A signal that ends or notifies programs, under its POSIX number.
package enum ProgramSignal: Int32, Sendable {
    case hangUp = 1
    case interrupt = 2
    case brokenPipe = 13
    case terminate = 15

    /// From now on the signal does nothing by itself. A source of it (``source(queue:)``) notices it nevertheless.
    package func ignore() { signal(rawValue, SIG_IGN) }

    /// From now on the signal has its usual action again.
    package func restore() { signal(rawValue, SIG_DFL) }

    /// Keeps the signals pending until a source receives them.
    ///
    /// Called while the program has one thread, because threads inherit blocked signals: a signal that any thread
    /// does not block is delivered there, with the default action, and never reaches a source.
    package static func hold(_ signals: [ProgramSignal]) { mask(signals, SIG_BLOCK) }

    /// Sends the signal to this process, also from a thread that blocks it, as threads of tasks do.
    package func raise() {
        ProgramSignal.mask([self], SIG_UNBLOCK)
        _ = Glibc.raise(rawValue)
    }

    /// A source that notices the signal, not active yet.
    package func source(queue: DispatchQueue) -> any DispatchSourceSignal {
        DispatchSource.makeSignalSource(signal: rawValue, queue: queue)
    }

    private static func mask(_ signals: [ProgramSignal], _ action: Int32) {
        var set = sigset_t()
        // Safe: the set lives here until the last call has returned.
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
        unsafe pthread_sigmask(action, &set, nil)
    }
}
