internal import Foundation

/// A value that threads change and a test waits for: each change wakes the test.
///
/// Safe to share: the value is touched under the lock alone.
package final class Observed<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&value)
    }

    /// Blocks until the condition holds.
    ///
    /// - Returns: false if it does not within a minute, so that a test that waits for nothing ends.
    package func reaches(_ isReached: (Value) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        condition.lock()
        defer { condition.unlock() }
        while !isReached(value) { guard condition.wait(until: end) else { return isReached(value) } }
        return true
    }
}
