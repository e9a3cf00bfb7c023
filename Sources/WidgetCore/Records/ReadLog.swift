internal import Locks
internal import Predicates

/// What an evaluation has looked at, so that it need not be repeated while that stays as it is.
package final class ReadLog: Sendable {
    package struct Reads: Sendable {
        package var records: Set<RecordID> = []
        /// Names from outside the item.
        package var names: Set<String> = []
        /// The first moment at which the clock alone would change the result.
        package var validUntil: Double = .infinity
    }

    private let reads = Guarded(Reads())

    package init() {}

    package func read(_ record: RecordID) { reads.withLock { _ = $0.records.insert(record) } }

    package func read(_ name: String) { reads.withLock { _ = $0.names.insert(name) } }

    package func expires(at moment: Double) { reads.withLock { $0.validUntil = min($0.validUntil, moment) } }

    package var summary: Reads { reads.withLock { $0 } }
}
