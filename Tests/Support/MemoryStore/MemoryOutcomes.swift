import RegistryContract
import WidgetRegistry

/// The counts of outcomes that hosts have reported.
extension MemoryTransaction {
    func outcomes(ofRelease release: Int64, since day: Int64) -> [OutcomeCount] {
        (tables.outcomes[release] ?? []).filter { $0.day >= day }.sorted { one, other in
            guard one.day == other.day else { return one.day > other.day }
            return words(one).lexicographicallyPrecedes(words(other), by: precedes)
        }
    }

    private func words(_ count: OutcomeCount) -> [String] {
        [count.channel, count.outcome.rawValue, count.reason?.rawValue ?? ""]
    }

    func add(_ counts: [OutcomeCount], toRelease release: Int64) {
        var all = tables.outcomes[release] ?? []
        for count in counts {
            let place = all.firstIndex { $0.day == count.day && words($0) == words(count) }
            if let place { all[place].count += count.count } else { all.append(count) }
        }
        tables.outcomes[release] = all
    }

    func removeOutcomes(before day: Int64) {
        tables.outcomes = tables.outcomes.mapValues { $0.filter { $0.day >= day } }
    }
}
