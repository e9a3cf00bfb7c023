internal import WidgetBytes
internal import WidgetPredicates

/// A step that changes the widget's cache.
package struct CacheStep: Sendable {
    package var key: String
    /// `nil`, and an expression without a value, remove what is stored.
    package var value: Expression?
    /// The seconds for which the value is good; `nil`: it does not expire.
    package var seconds: Expression?
    /// The time of the value at its source, as a date or in seconds since 1970.
    package var upstream: Expression?
    package var place: Place?

    package init(
        _ key: String, value: Expression? = nil, seconds: Expression? = nil, upstream: Expression? = nil,
        at place: Place? = nil
    ) {
        self.key = key
        self.value = value
        self.seconds = seconds
        self.upstream = upstream
        self.place = place
    }
}

/// The reason why a value is not put into the cache.
private struct CacheStepFault: Error {
    var sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

/// Values that outlive the widget.
extension Reducer {
    mutating func change(_ step: CacheStep, _ frame: StepFrame) {
        let value = step.value.map { self.value($0, frame).data } ?? .null
        var change = CacheChange(step.key, nil)
        if !value.isNull {
            do throws(CacheStepFault) {
                let upstream = try upstream(of: step, frame)
                let seconds = try seconds(of: step, frame)
                if store.cache.hasNewer(than: upstream, step.key) {
                    note(.stored, "cache \(step.key): the stored value is newer")
                    return
                }
                change.value = CachedValue(
                    value, storedAt: environment.now, expires: seconds.map { environment.now + $0 }, upstream: upstream)
            } catch {
                report(
                    .warning, .badValue, error.sentence, at: step.place,
                    hint: "the cached value \(step.key.excerpt) stays as it was")
                return
            }
        }
        note(.stored, "cache \(step.key)\(change.value == nil ? " removed" : "")")
        store.cache.take(change)
        effects.append(.cache(change))
    }

    private static func isTruth(_ value: Value) -> Bool { if case .boolean = value { true } else { false } }

    /// The seconds for which a value is good: those that its step has, if it has some.
    private mutating func seconds(of step: CacheStep, _ frame: StepFrame) throws(CacheStepFault) -> Double? {
        guard let expression = step.seconds else { return nil }
        let value = self.value(expression, frame)
        guard !Reducer.isTruth(value), let seconds = value.number, !seconds.isNaN else {
            throw CacheStepFault("`for` is \(value.kindName), and has to be a number of seconds")
        }
        return min(max(seconds, 0), budget.longestDelay)
    }

    /// The time of a value at its source, if its step has one.
    private mutating func upstream(of step: CacheStep, _ frame: StepFrame) throws(CacheStepFault) -> Double? {
        guard let expression = step.upstream else { return nil }
        let value = self.value(expression, frame)
        guard !Reducer.isTruth(value),
            case .date(let seconds)? = Transformer.moment(isReference: false).apply(value, environment),
            seconds.isFinite
        else {
            throw CacheStepFault(
                "`at` is \(value.kindName), and has to be a date, its text, or a number of seconds since 1970")
        }
        return seconds
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
            guard let request = store.requests.first(where: { $0.number == number }) else { continue }
            withdraw(request)
            if !request.isOfOpening { hasPersonalCause = true }
            note(.response, "\(request.action): given up")
            fail(request, reason)
        }
    }
}
