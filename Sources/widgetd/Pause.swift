import Glibc

/// Waiting on a thread that has nothing else to do.
enum Pause {
    static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds > 0 || attoseconds > 0 else { return }
        var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        // A signal cuts the sleep short; what is left is slept on.
        while unsafe nanosleep(&wanted, &left) != 0 { wanted = left }
    }
}
