internal import Glibc

/// A value that one thread at a time can touch.
///
/// The standard library has such a type, but the thread sanitizer does not see its lock on Linux and reports
/// every use as a race; it recognises a pthread mutex. Once it recognises both, this type can be removed.
///
/// Safe to use: the mutex is made, owned and freed here, and the value is reached only while it is held. That is
/// also what makes the `@unchecked Sendable` true.
@safe
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        // With default attributes, initialising and locking cannot fail on Linux.
        _ = unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the value, while no other thread has it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
