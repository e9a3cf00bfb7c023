internal import Surroundings

/// Releases that have failed lately, which are not tried again for a while: each try costs a process.
struct CellFailures {
    /// Those that could not be read, and the moments until which they are not read again.
    private var unread: [CellRelease: (refusal: CellRefusal, until: ContinuousClock.Instant)] = [:]
    /// The moments at which cells of an archive have ended by a fault, and the last of these ends.
    private var faults: [String: (moments: [ContinuousClock.Instant], end: CellEnd)] = [:]

    /// The failures of each kind that are remembered.
    private static let count = 256

    mutating func add(_ refusal: CellRefusal, of release: CellRelease, until: ContinuousClock.Instant) {
        if unread.count >= CellFailures.count { unread = [:] }
        unread[release] = (refusal, until)
    }

    /// Counts an end, if it is one that the widget is to blame for.
    mutating func add(_ end: CellEnd, of archive: String, at now: ContinuousClock.Instant, _ limits: CellLimits) {
        guard end.isFault else { return }
        if faults[archive] == nil, faults.count >= CellFailures.count { faults = [:] }
        let moments = (faults[archive]?.moments ?? []).suffix(limits.faults - 1)
        faults[archive] = (moments.filter { now.seconds(since: $0) < limits.failureSeconds } + [now], end)
    }

    /// The reason why a release is not tried now; `nil` if it may be.
    func refusal(of release: CellRelease, at now: ContinuousClock.Instant, _ limits: CellLimits) -> CellRefusal? {
        if let failure = unread[release], failure.until > now { return failure.refusal }
        guard let fault = faults[release.archive], fault.moments.count >= limits.faults,
            let last = fault.moments.last, now.seconds(since: last) < limits.failureSeconds
        else { return nil }
        return .ended(fault.end)
    }
}

extension CellEnd {
    /// True if a widget is to blame for it.
    var isFault: Bool {
        switch self {
        case .ended, .tooSlow, .tooLarge, .fault: true
        case .unneeded, .done, .withdrawn, .notStarted, .refused: false
        }
    }
}
