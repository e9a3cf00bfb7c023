package import Glibc

/// A lock of the system, for one thread at a time: a pthread mutex, which the thread sanitizer recognises.
///
/// Safe to use: the mutex is made, owned and freed here, and its address never changes, which locking needs. That is
/// also what makes the `@unchecked Sendable` true.
@safe
package struct ThreadLock: ~Copyable, @unchecked Sendable {
    @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        // With default attributes, initialising and locking cannot fail on Linux.
        _ = unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Waits until no other thread has the lock, and takes it.
    @inlinable
    package borrowing func lock() {
        _ = unsafe pthread_mutex_lock(mutex)
    }

    /// Releases the lock, which this thread has.
    @inlinable
    package borrowing func unlock() {
        _ = unsafe pthread_mutex_unlock(mutex)
    }
}
