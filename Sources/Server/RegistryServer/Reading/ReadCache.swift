internal import Synchronization
internal import WidgetBytes
internal import WidgetHTTPServer

/// Values that are loaded once and cached until something changes them.
///
/// A lookup takes a lock for the length of a dictionary's lookup and never waits for a disk; a value is loaded on a
/// queue, once for all requests that need it at the same time. Each change raises the edition. A value whose loading began
/// under an older edition is handed to the requests that wait for it and not cached: it may have been read before the change.
final class ReadCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value, its subject, and the cost of keeping it.
    typealias Loaded = (value: Value, subject: String, cost: Int)

    typealias Receiver = @Sendable (Result<Value, Problem>) -> Void

    /// A value being loaded, as it was asked for under an edition.
    private struct Flight: Hashable {
        let key: Key
        let edition: UInt64
    }

    private struct Shard {
        var values: RecentValues<Key, Value>
        var receivers: [Flight: [Receiver]] = [:]
        /// The numbers of cached and missing values that were asked for; counted under the lock that is held anyway.
        var hits: UInt64 = 0
        var misses: UInt64 = 0
    }

    private let shards: [Guarded<Shard>]
    private let edition = Atomic<UInt64>(0)
    private let queue: WorkQueue

    init(budget: Int, shardCount: Int = 8, queue: WorkQueue) {
        let count = max(1, shardCount)
        shards = (0..<count).map { _ in Guarded(Shard(values: RecentValues(budget: budget / count))) }
        self.queue = queue
    }

    private func shard(_ key: Key) -> Guarded<Shard> {
        shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))]
    }

    subscript(key: Key) -> Value? {
        shard(key).withLock { shard in
            let value = shard.values.value(for: key)
            if value == nil { shard.misses += 1 } else { shard.hits += 1 }
            return value
        }
    }

    var lookups: (hits: UInt64, misses: UInt64) {
        shards.reduce((0, 0)) { sum, shard in
            shard.withLock { (sum.0 + $0.hits, sum.1 + $0.misses) }
        }
    }

    /// Loads a value and hands it to `receiver`, on the queue's thread.
    ///
    /// Requests for the same key until then are handed the same value, unless there was a change in between.
    func load(
        _ key: Key, _ work: @escaping @Sendable () throws(Problem) -> Loaded, then receiver: @escaping Receiver
    ) {
        let flight = Flight(key: key, edition: edition.load(ordering: .acquiring))
        let isFirst = shard(key).withLock { shard in
            shard.receivers[flight, default: []].append(receiver)
            return shard.receivers[flight]?.count == 1
        }
        guard isFirst else { return }
        queue.run { [self] in
            let result: Result<Loaded, Problem>
            do throws(Problem) { result = .success(try work()) } catch { result = .failure(error) }
            for receiver in land(flight, result) { receiver(result.map { $0.value }) }
        }
    }

    /// Loads a value on this thread, and caches it unless there was a change meanwhile.
    func keep(_ key: Key, _ work: () throws(Problem) -> Loaded) throws(Problem) -> Value {
        let begun = edition.load(ordering: .acquiring)
        let loaded = try work()
        shard(key).withLock { shard in
            guard edition.load(ordering: .acquiring) == begun else { return }
            shard.values.insert(loaded.value, for: key, subject: loaded.subject, cost: loaded.cost)
        }
        return loaded.value
    }

    /// Caches a loaded value, unless it is stale, and returns the requests that wait for it.
    private func land(_ flight: Flight, _ result: Result<Loaded, Problem>) -> [Receiver] {
        shard(flight.key).withLock { shard in
            if case .success(let loaded) = result, edition.load(ordering: .acquiring) == flight.edition {
                shard.values.insert(loaded.value, for: flight.key, subject: loaded.subject, cost: loaded.cost)
            }
            return shard.receivers.removeValue(forKey: flight) ?? []
        }
    }

    /// Evicts the entries about a subject, which has changed.
    func forget(about subject: String) {
        forget { $0.removeAll(about: subject) }
    }

    func forget(where isGone: (Key) -> Bool) {
        forget { $0.removeAll(where: isGone) }
    }

    func forget(_ key: Key) {
        edition.add(1, ordering: .acquiringAndReleasing)
        shard(key).withLock { $0.values.remove(key) }
    }

    private func forget(_ removal: (inout RecentValues<Key, Value>) -> Void) {
        // Raised first: a value that is cached after this checks the edition under the same lock.
        edition.add(1, ordering: .acquiringAndReleasing)
        for shard in shards { shard.withLock { removal(&$0.values) } }
    }
}

/// Keeps values that were used lately, within a budget.
///
/// Two generations: what is used is in the younger one, or moves there. When the younger one has taken half of the
/// budget it becomes the older one, and values unused since the last time are gone. That is close to forgetting
/// the least recently used, without a list to keep in order on every use.
struct RecentValues<Key: Hashable, Value> {
    private struct Entry {
        let value: Value
        let subject: String
        let cost: Int
    }

    private struct Generation {
        var entries: [Key: Entry] = [:]
        /// The keys of the entries about each subject. It may hold keys that are gone.
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
        // A value that would evict everything else is not cached.
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
