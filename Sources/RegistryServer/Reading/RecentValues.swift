/// Keeps values that were used lately, within a budget.
///
/// Two generations: what is used is in the younger one, or moves there. When the younger one has taken half of the
/// budget it becomes the older one, and what nobody used since the last time is gone. That is close to forgetting
/// the least recently used, without a list to keep in order on every use.
struct RecentValues<Key: Hashable, Value> {
    private struct Entry {
        let value: Value
        let subject: String
        let cost: Int
    }

    private struct Generation {
        var entries: [Key: Entry] = [:]
        /// Where to look when something about a subject has changed. It may name keys that are gone.
        var keys: [String: Set<Key>] = [:]
        var cost = 0

        mutating func insert(_ entry: Entry, for key: Key) {
            remove(key)
            entries[key] = entry
            keys[entry.subject, default: []].insert(key)
            cost += entry.cost
        }

        @discardableResult
        mutating func remove(_ key: Key) -> Entry? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            cost -= entry.cost
            keys[entry.subject]?.remove(key)
            if keys[entry.subject]?.isEmpty ?? false { keys[entry.subject] = nil }
            return entry
        }
    }

    private let halfBudget: Int
    private var younger = Generation()
    private var older = Generation()

    init(budget: Int) {
        halfBudget = max(1, budget / 2)
    }

    var count: Int { younger.entries.count + older.entries.count }
    var cost: Int { younger.cost + older.cost }

    mutating func value(for key: Key) -> Value? {
        if let entry = younger.entries[key] { return entry.value }
        guard let entry = older.remove(key) else { return nil }
        insert(entry, for: key)
        return entry.value
    }

    /// - Parameter subject: what the value is about, by which it can be found when that changes.
    mutating func insert(_ value: Value, for key: Key, subject: String, cost: Int) {
        // What would push everything else out is not worth keeping.
        guard cost <= halfBudget else { return }
        older.remove(key)
        insert(Entry(value: value, subject: subject, cost: cost), for: key)
    }

    mutating func remove(_ key: Key) {
        younger.remove(key)
        older.remove(key)
    }

    mutating func removeAll(about subject: String) {
        for key in younger.keys[subject] ?? [] { younger.remove(key) }
        for key in older.keys[subject] ?? [] { older.remove(key) }
    }

    mutating func removeAll(where isGone: (Key) -> Bool) {
        for key in younger.entries.keys.filter(isGone) { younger.remove(key) }
        for key in older.entries.keys.filter(isGone) { older.remove(key) }
    }

    private mutating func insert(_ entry: Entry, for key: Key) {
        if younger.cost + entry.cost > halfBudget {
            older = younger
            younger = Generation()
        }
        younger.insert(entry, for: key)
    }
}
