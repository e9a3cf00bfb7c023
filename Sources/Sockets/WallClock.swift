internal import CLinux

/// The time of day, as the system has it.
package enum WallClock {
    /// Seconds since 1970, and the nanoseconds of the present second that have passed.
    package static func now() -> (seconds: Int64, nanoseconds: Int) {
        var nanoseconds: Int64 = 0
        let seconds = unsafe linux_wall_clock(&nanoseconds)
        return (seconds, Int(nanoseconds))
    }
}
