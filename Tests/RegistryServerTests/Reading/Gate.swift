import Dispatch

/// Lets one waiter pass each time it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    /// Fails by passing, after longer than anything here takes.
    func wait() { _ = semaphore.wait(timeout: .now() + .seconds(30)) }
}
