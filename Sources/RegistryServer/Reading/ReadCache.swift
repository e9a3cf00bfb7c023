internal import HTTPServer
internal import Locks
internal import Synchronization

/// Answers that were made once, kept until something changes them.
///
/// Looking one up takes a lock for the length of a dictionary's lookup and never waits for a disk; making one is
/// done on a queue, once for all who ask at the same time. Each change raises the edition, and what was begun under
/// an older edition is handed to those who asked for it and not kept: it may have been read before the change.
final class ReadCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value, what it is about, and what keeping it costs.
    struct Made: Sendable {
        let value: Value
        let subject: String
        let cost: Int
    }

    typealias Receiver = @Sendable (Result<Value, Problem>) -> Void

    /// A value being made, as it was asked for under an edition.
    private struct Flight: Hashable {
        let key: Key
        let edition: UInt64
    }

    private struct Shard {
        var values: RecentValues<Key, Value>
        var receivers: [Flight: [Receiver]] = [:]
        /// How often a value was at hand, and how often not; counted under the lock that is held anyway.
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

    /// Makes a value and hands it to `receiver`, on the queue's thread.
    ///
    /// Whoever asks for the same key before it is made is handed the same one, unless there was a change in between.
    func make(
        _ key: Key, _ work: @escaping @Sendable () throws(Problem) -> Made, then receiver: @escaping Receiver
    ) {
        let flight = Flight(key: key, edition: edition.load(ordering: .acquiring))
        let isFirst = shard(key).withLock { shard in
            shard.receivers[flight, default: []].append(receiver)
            return shard.receivers[flight]?.count == 1
        }
        guard isFirst else { return }
        queue.run { [self] in
            let result: Result<Made, Problem>
            do throws(Problem) { result = .success(try work()) } catch { result = .failure(error) }
            for receiver in land(flight, result) { receiver(result.map(\.value)) }
        }
    }

    /// Makes a value here and now, and keeps it unless there was a change meanwhile.
    func keep(_ key: Key, _ work: () throws(Problem) -> Made) throws(Problem) -> Value {
        let begun = edition.load(ordering: .acquiring)
        let made = try work()
        shard(key).withLock { shard in
            guard edition.load(ordering: .acquiring) == begun else { return }
            shard.values.insert(made.value, for: key, subject: made.subject, cost: made.cost)
        }
        return made.value
    }

    /// Keeps what was made, if it is still true, and says who waits for it.
    private func land(_ flight: Flight, _ result: Result<Made, Problem>) -> [Receiver] {
        shard(flight.key).withLock { shard in
            if case .success(let made) = result, edition.load(ordering: .acquiring) == flight.edition {
                shard.values.insert(made.value, for: flight.key, subject: made.subject, cost: made.cost)
            }
            return shard.receivers.removeValue(forKey: flight) ?? []
        }
    }

    /// What was about a subject is no longer true.
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
        // Raised first: whoever keeps a value after this checks the edition under the same lock.
        edition.add(1, ordering: .acquiringAndReleasing)
        for shard in shards { shard.withLock { removal(&$0.values) } }
    }
}
