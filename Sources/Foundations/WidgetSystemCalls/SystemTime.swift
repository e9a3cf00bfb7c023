internal import Glibc

/// The system's clock of the time of day. Time that never goes back is `ContinuousClock`, of the standard library.
package enum SystemTime {
    /// Seconds since 1970, and the nanoseconds that have passed of the current second.
    package static func now() -> (seconds: Int64, nanoseconds: Int) {
        var time = timespec()
        // Safe: the call writes one timespec, which lives here until it has returned.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (Int64(time.tv_sec), time.tv_nsec)
    }
}
