/// The rules by which the data of a widget are updated. All times are in seconds.
package struct DataUpdatePolicy: Equatable, Sendable {
    /// The time from the end of one update to the next; `nil`: only when it is asked for.
    package var interval: Double?
    /// The part of the interval that is added by chance, so that the widgets of many hosts do not ask at once.
    package var jitter = 0.1
    /// The time within which an update ends; then it has failed.
    package var deadline = DataUpdatePolicy.usualDeadline
    /// The least time between two updates that no person has asked for.
    package var leastPause = 1.0
    /// The pause after the first failure. It doubles with each failure in a row.
    package var firstBackOff = 15.0
    package var longestBackOff = 3_600.0

    package static let usualDeadline = 10.0
    /// The intervals and deadlines that authors can choose.
    package static let intervals = 1.0...604_800.0
    package static let deadlines = 0.1...300.0
    /// The longest wait that a server can ask for.
    package static let longestRetryAfter = 86_400.0

    /// - Parameters:
    ///   - interval: moved into ``intervals``; one that is not finite is left out.
    ///   - deadline: moved into ``deadlines``.
    package init(interval: Double? = nil, deadline: Double = DataUpdatePolicy.usualDeadline) {
        if let interval, interval.isFinite { self.interval = DataUpdatePolicy.intervals.nearest(to: interval) }
        self.deadline = DataUpdatePolicy.deadlines.nearest(to: deadline.isNaN ? self.deadline : deadline)
    }

    /// The pause after a number of failures in a row.
    ///
    /// - Parameters:
    ///   - chance: from 0 to 1; half of the pause depends on it.
    ///   - asked: the wait that the server has asked for.
    func backOff(after failures: Int, chance: Double, asked: Double?) -> Double {
        var pause = firstBackOff
        for _ in 0..<max(0, min(failures - 1, 30)) where pause < longestBackOff { pause *= 2 }
        pause = min(pause, longestBackOff)
        // A widget that is updated often is not updated more often because it fails.
        let least = min(interval ?? 0, firstBackOff)
        let wanted = asked.flatMap { $0.isFinite ? min(max(0, $0), DataUpdatePolicy.longestRetryAfter) : nil } ?? 0
        return max(pause / 2 + pause / 2 * chance, least, wanted)
    }
}

extension ClosedRange<Double> {
    /// The value of the range that is nearest to a number.
    fileprivate func nearest(to value: Double) -> Double { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
