/// The state of a store of archives that is not on this machine, and of the copies that are.
package struct RemoteBlobs: Equatable, Sendable {
    /// A kind of request to the store, and how an attempt at it ended.
    package struct Attempt: Hashable, Sendable {
        package enum Outcome: String, CaseIterable, Sendable {
            /// The store did it, or said that there is nothing to do.
            case done
            /// The store said that it will not.
            case refused
            /// The store was not reached, its answer was lost, or it is in trouble.
            case failed
        }

        /// The method of HTTP, in small letters.
        package var operation: String
        package var outcome: Outcome

        package init(_ operation: String, _ outcome: Outcome) {
            self.operation = operation
            self.outcome = outcome
        }
    }

    /// The reason why the store is not asked at this moment; `nil` while it is.
    package var trouble: String?
    package var copies = ItemShare()
    package var copyByteLimit = 0
    /// Archives that were opened from a copy, and those that had to be brought first.
    package var hits: UInt64 = 0
    package var misses: UInt64 = 0
    package var attempts: [Attempt: UInt64] = [:]

    package init() {}
}
