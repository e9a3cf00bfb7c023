internal import Predicates

/// A step that changes the widget's cache.
package struct CacheStep: Sendable {
    package var key: String
    /// `nil`, and an expression without a value, remove what is stored.
    package var value: Expression?
    /// The seconds for which the value is good; `nil`: it does not expire.
    package var seconds: Expression?
    /// The time of the value at its source, as a date or in seconds since 1970.
    package var upstream: Expression?

    package init(_ key: String, value: Expression? = nil, seconds: Expression? = nil, upstream: Expression? = nil) {
        self.key = key
        self.value = value
        self.seconds = seconds
        self.upstream = upstream
    }
}

/// Values that outlive the widget.
extension Reducer {
    mutating func change(_ step: CacheStep, _ frame: StepFrame) {
        let value = step.value.map { self.value($0, frame).data } ?? .null
        var change = CacheChange(step.key, nil)
        if !value.isNull {
            let upstream = step.upstream.flatMap { Reducer.moment(self.value($0, frame)) }
            if store.cache.hasNewer(than: upstream, step.key) {
                note(.stored, "cache \(step.key): the stored value is newer")
                return
            }
            let seconds = step.seconds.map { self.value($0, frame).number ?? 0 }
            change.value = CachedValue(
                value, storedAt: environment.now,
                expires: seconds.map { environment.now + min(max($0, 0), budget.longestDelay) }, upstream: upstream)
        }
        note(.stored, "cache \(step.key)\(change.value == nil ? " removed" : "")")
        store.cache.take(change)
        effects.append(.cache(change))
    }

    /// Seconds from the first moment of 1970, by which servers count, to that of 2001, by which the clock does.
    private static let secondsTo2001 = 978_307_200.0

    private static func moment(_ value: Value) -> Double? {
        if case .date(let seconds) = value { return seconds.isFinite ? seconds : nil }
        return value.number.map { $0 - Reducer.secondsTo2001 }
    }

    /// Takes over what the host's cache has.
    mutating func recall(_ changes: [CacheChange]) {
        for change in changes {
            note(.stored, "cache \(change.key) from the host")
            store.cache.take(change)
        }
    }

    // MARK: - Requests that are given up

    /// Ends requests that nothing waits for any longer. They have failed.
    mutating func giveUp(_ numbers: [Int], _ reason: String) {
        for number in numbers {
            guard let place = store.requests.firstIndex(where: { $0.number == number }) else { continue }
            let request = store.requests.remove(at: place)
            store.timers.removeAll { timer in
                switch timer.purpose {
                case .response(number, _), .resend(number): true
                case .response, .resend, .steps: false
                }
            }
            effects.append(.cancel(number: number))
            note(.response, "\(request.action): given up")
            fail(request, reason)
        }
    }
}
