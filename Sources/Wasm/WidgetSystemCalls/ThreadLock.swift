/// A lock for one thread at a time. There is one thread.
package struct ThreadLock: ~Copyable, Sendable {
    package init() {}

    package borrowing func lock() {}

    package borrowing func unlock() {}
}
