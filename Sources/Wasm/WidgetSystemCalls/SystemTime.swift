internal import CWasm

/// The time of day of the engine's host.
package enum SystemTime {
    /// Seconds since 1970, and the nanoseconds that have passed of the current second.
    package static func now() -> (seconds: Int64, nanoseconds: Int) {
        let milliseconds = engine_now()
        guard milliseconds.magnitude < 9e15 else { return (0, 0) }
        let whole = Int64(milliseconds.rounded(.down))
        let rest = whole % 1_000
        return (whole / 1_000, Int(rest) * 1_000_000)
    }
}
