internal import Bytes
package import Registry

/// Sessions for reading, each lent to one thread at a time.
package final class CatalogReaders<Session: CatalogSession>: Sendable {
    private let open: @Sendable () throws(RegistryError) -> Session
    /// How many are kept while they are not used.
    private let capacity: Int
    private let idle: Guarded<[Session]> = Guarded([])

    package init(capacity: Int, open: @escaping @Sendable () throws(RegistryError) -> Session) {
        self.open = open
        self.capacity = capacity
    }

    /// Lends a session.
    package func lend<Value>(_ body: (Session) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        let session: Session
        if let kept = idle.withLock({ $0.popLast() }) { session = kept } else { session = try open() }
        defer {
            idle.withLock { if $0.count < capacity { $0.append(session) } }
        }
        return try body(session)
    }

    /// Reads in one transaction: everything `body` sees is of one moment, and no writer is waited for.
    package func read<Value>(
        _ body: (any CatalogReader) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try lend { session throws(RegistryError) in
            try session.reading { () throws(RegistryError) in try body(SQLCatalog(session)) }
        }
    }
}
