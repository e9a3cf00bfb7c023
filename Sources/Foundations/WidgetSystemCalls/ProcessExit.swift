@unsafe @preconcurrency internal import Glibc

/// The end of this process.
package enum ProcessExit {
    /// Ends the process after its streams were flushed, with a code for the program that has started it.
    ///
    /// A terminal in raw mode is its program's to give back before.
    ///
    /// The exit handlers of libraries do not run. OpenSSL's handler frees the tables of its algorithms, which the threads
    /// of a database's client or of a transfer may be reading: a program that left by `exit` beside them crashed.
    package static func end(_ code: Int32) -> Never {
        // Not all streams: that would wait for a thread that reads the standard input.
        _ = unsafe fflush(stdout)
        reportLeaks()
        _exit(code)
    }

    /// The address sanitizer searches for leaks in an exit handler, unless it is asked before. The thread sanitizer replaces
    /// `_exit`, and needs nothing.
    private static func reportLeaks() {
        guard let search = unsafe dlsym(nil, "__lsan_do_leak_check") else { return }
        // Safe: the sanitizer declares a function of this name without parameters and without a result.
        unsafe unsafeBitCast(search, to: (@convention(c) () -> Void).self)()
    }
}
