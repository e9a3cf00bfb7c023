internal import Bytes
internal import Predicates

/// What an evaluation has looked at, so that it need not be repeated while that stays as it is.
package final class ReadLog: Sendable {
    package struct Reads: Sendable {
        /// Each once.
        package private(set) var records: [RecordID] = []
        /// Where looking through the records would be slower.
        private var known: Set<RecordID> = []
        /// Names from outside the item.
        package fileprivate(set) var names: Set<String> = []
        /// The first moment at which the clock alone would change the result.
        package fileprivate(set) var validUntil: Double = .infinity

        private static let scannedCount = 16

        fileprivate mutating func add(_ record: RecordID) {
            if records.count < Reads.scannedCount {
                if !records.contains(record) { records.append(record) }
                return
            }
            if known.isEmpty { known = Set(records) }
            if known.insert(record).inserted { records.append(record) }
        }
    }

    private let reads = Guarded(Reads())

    package init() {}

    package func read(_ record: RecordID) { reads.withLock { $0.add(record) } }

    package func read(_ name: String) { reads.withLock { _ = $0.names.insert(name) } }

    package func expires(at moment: Double) { reads.withLock { $0.validUntil = min($0.validUntil, moment) } }

    package var summary: Reads { reads.withLock { $0 } }

    /// Begins anew.
    func forget() { reads.withLock { $0 = Reads() } }
}
