import Bytes
import Console
import Dispatch

/// How the program ends: begun once, waited for once.
final class Ending: Sendable {
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
