internal import WidgetSystemCalls

/// A value that one thread at a time can touch.
///
/// The standard library has such a type, but the thread sanitizer does not see its lock on Linux and reports
/// every use as a race; it recognises a pthread mutex. Once it recognises both, this type can be removed.
///
/// The value is reached only while the lock is held, which is also what makes the `@unchecked Sendable` true.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let lock = ThreadLock()
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
    }

    /// Runs `body` with the value, while no other thread has it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
