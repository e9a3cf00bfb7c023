/// Time and chance, so that a test need not wait for one or hope for the other.
package protocol TransferClock: Sendable {
    /// Time that never goes back.
    var now: Duration { get }
    /// Seconds since 1970.
    var wallClock: Int64 { get }
    /// A number in `0..<1`.
    func chance() -> Double
    /// Returns after the pause, or early when the task is cancelled.
    func pause(_ duration: Duration) async
}
