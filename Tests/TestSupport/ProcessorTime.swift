internal import Glibc

/// Time that the calling thread has spent working, whatever else the machine does.
package enum ProcessorTime {
    package static func spent(_ body: () -> Void) -> Duration {
        let before = now()
        body()
        return now() - before
    }

    private static func now() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
