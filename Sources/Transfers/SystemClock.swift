internal import Glibc

/// The time of this machine.
package struct SystemClock: TransferClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var now: Duration { ContinuousClock.now - SystemClock.start }

    package var wallClock: Int64 { Int64(time(nil)) }

    package func chance() -> Double { Double.random(in: 0..<1) }

    package func pause(_ duration: Duration) async {
        // Whoever is cancelled while pausing is told so by the next thing it does.
        try? await Task.sleep(for: duration)
    }
}
