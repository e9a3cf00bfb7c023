import Glibc
import Testing
import WidgetProcesses

/// The signal of a terminal that hangs up, which no test runner uses. A test without pauses stays on its thread.
@Suite(.serialized) struct `A signal to this process` {
    private let signal = ProgramSignal.hangUp

    private var isHeld: Bool {
        var set = sigset_t()
        // Safe: the set lives here until both calls have returned.
        unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
        return unsafe sigismember(&set, signal.rawValue) == 1
    }

    @Test func `The numbers of signals are the system's`() {
        let signals = [ProgramSignal.hangUp, .interrupt, .brokenPipe, .terminate]
        #expect(signals.map(\.rawValue) == [SIGHUP, SIGINT, SIGPIPE, SIGTERM])
    }

    @Test func `An ignored signal that was held does not end the process when it is raised`() {
        // Threads of tasks hold signals back.
        let wasHeld = isHeld
        defer { if wasHeld { ProgramSignal.hold([signal]) } }
        signal.ignore()
        defer { signal.restore() }
        ProgramSignal.hold([signal])
        #expect(isHeld)
        signal.raise()
        #expect(!isHeld)
    }
}
