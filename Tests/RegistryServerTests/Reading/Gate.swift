import Dispatch

/// Lets one waiter pass each time it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    /// Whether it was opened before the end of everybody's patience.
    @discardableResult
    func wait() -> Bool { semaphore.wait(timeout: .now() + .seconds(30)) == .success }
}
