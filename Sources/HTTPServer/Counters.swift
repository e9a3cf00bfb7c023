internal import Bytes
internal import HTTPWire
internal import Synchronization

/// A loop's counters. Only the loop writes, so a relaxed load and store will do; anybody may read.
///
/// Safe to use: the cells are made, owned and freed here, and every index is computed from checked parts.
@safe
final class Counters: @unchecked Sendable {
    // Sendable because the cells are atomic and the table of refusals is behind a lock.

    /// Upper bounds of the duration histogram, in nanoseconds.
    static let durationBounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000,
    ]
    static let classCount = 6
    private static let globalCount = 8

    enum Global: Int {
        case accepted, closed, turnedAway, received, sent, begun, ended, shortages
    }

    private let cells: UnsafeMutablePointer<Atomic<UInt64>>
    private let cellCount: Int
    private let routeCount: Int
    private let perRoute: Int
    private let refusals = Guarded<[String: UInt64]>([:])

    init(routeCount: Int) {
        self.routeCount = routeCount
        perRoute = Counters.classCount + Counters.durationBounds.count + 1 + 1
        cellCount = Counters.globalCount + routeCount * perRoute
        unsafe cells = .allocate(capacity: cellCount)
        for index in 0..<cellCount { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe cells.deinitialize(count: cellCount)
        unsafe cells.deallocate()
    }

    @inline(__always)
    func add(_ global: Global, _ amount: Int = 1) {
        add(at: global.rawValue, UInt64(truncatingIfNeeded: amount))
    }

    /// Counts a finished request.
    @inline(__always)
    func count(_ exchange: borrowing Exchange, duration: UInt64) {
        guard exchange.route < routeCount else { return }
        let base = Counters.globalCount &+ exchange.route &* perRoute
        // The first cell is for requests that were never answered.
        add(at: base &+ min((exchange.status?.rawValue ?? 0) / 100, Counters.classCount &- 1), 1)
        var bucket = 0
        while bucket < Counters.durationBounds.count, duration > Counters.durationBounds[bucket] { bucket &+= 1 }
        add(at: base &+ Counters.classCount &+ bucket, 1)
        add(at: base &+ perRoute &- 1, duration)
        add(.sent, exchange.sent)
        add(.received, exchange.received)
    }

    func countRefusal(_ code: String) {
        refusals.withLock { $0[code, default: 0] += 1 }
    }

    // MARK: Reading

    func value(_ global: Global) -> UInt64 { load(global.rawValue) }

    func requests(route: Int, class statusClass: Int) -> UInt64 {
        load(Counters.globalCount + route * perRoute + statusClass)
    }

    func durations(route: Int) -> (buckets: [UInt64], sumNanoseconds: UInt64) {
        let base = Counters.globalCount + route * perRoute + Counters.classCount
        let buckets = (0...Counters.durationBounds.count).map { load(base + $0) }
        return (buckets, load(base + Counters.durationBounds.count + 1))
    }

    var refusalCounts: [String: UInt64] { refusals.withLock { $0 } }

    @inline(__always)
    private func add(at index: Int, _ amount: UInt64) {
        precondition(index >= 0 && index < cellCount, "a counter's index is one of the layout")
        let value = unsafe cells[index].load(ordering: .relaxed)
        unsafe cells[index].store(value &+ amount, ordering: .relaxed)
    }

    private func load(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < cellCount, "a counter's index is one of the layout")
        return unsafe cells[index].load(ordering: .relaxed)
    }
}
