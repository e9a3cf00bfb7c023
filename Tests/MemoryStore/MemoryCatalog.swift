internal import Bytes
package import Registry

/// A catalog in memory, for tests: all of it is copied for a write, and put back when the write succeeds.
package final class MemoryCatalog: ReleaseCatalog {
    private let tables = Guarded(MemoryTables())
    private let observer: Guarded<(@Sendable ([RegistryChange]) -> Void)?> = Guarded(nil)
    private let runs: Guarded<[HousekeepingTask: Int64]> = Guarded([:])
    /// Held by the one who writes.
    private let writing = Guarded(false)

    package init() {}

    package func read<Value>(
        _ body: (any CatalogReader) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try body(MemoryTransaction(tables.withLock { $0 }))
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try writing.withLock { _ throws(RegistryError) in
            let transaction = MemoryTransaction(tables.withLock { $0 })
            var changes: [RegistryChange] = []
            let value = try body(transaction, &changes)
            let written = transaction.tables
            tables.withLock { $0 = written }
            observer.withLock { $0 }?(changes)
            return value
        }
    }

    package func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    package func complaints() -> [String] { [] }

    package func lastRun(of task: HousekeepingTask) -> Int64? { runs.withLock { $0[task] } }

    package func noteRun(of task: HousekeepingTask, at time: Int64) { runs.withLock { $0[task] = time } }
}
