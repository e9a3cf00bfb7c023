internal import WidgetSurroundings

/// Archives whose cells have failed lately, which are not looked at for a while: each try costs a process.
struct CellFailures {
    /// The moments at which cells of an archive have ended by a fault, and the last of these ends.
    private var faults: [String: (moments: [ContinuousClock.Instant], end: CellEnd)] = [:]

    /// The failures that are remembered.
    private static let count = 256

    /// Counts an end, if it is one that the widget is to blame for.
    mutating func add(_ end: CellEnd, of archive: String, at now: ContinuousClock.Instant, _ limits: CellLimits) {
        guard end.isFault else { return }
        if faults[archive] == nil, faults.count >= CellFailures.count { faults = [:] }
        let moments = (faults[archive]?.moments ?? []).suffix(limits.faults - 1)
        faults[archive] = (moments.filter { now.seconds(since: $0) < limits.failureSeconds } + [now], end)
    }

    /// The reason why an archive is not looked at now; `nil` if it may be.
    func refusal(of archive: String, at now: ContinuousClock.Instant, _ limits: CellLimits) -> CellEnd? {
        guard let fault = faults[archive], fault.moments.count >= limits.faults, let last = fault.moments.last,
            now.seconds(since: last) < limits.failureSeconds
        else { return nil }
        return fault.end
    }
}

extension CellEnd {
    /// True if a widget is to blame for it.
    var isFault: Bool {
        switch self {
        case .ended, .tooSlow, .tooLarge, .fault: true
        case .unneeded, .done, .notStarted: false
        }
    }
}
