import Console
import Testing

@Suite struct `Exit codes` {
    @Test func `are what scripts rely on`() {
        #expect([ExitCode.clean, .failed, .misuse, .damagedStore].map(\.rawValue) == [0, 1, 2, 3])
    }
}
