internal import Database
internal import Locks

/// Connections for reading, each lent to one thread at a time.
final class CatalogReaders: Sendable {
    private let path: String
    /// How many are kept when nobody reads.
    private let capacity: Int
    private let idle: Guarded<[Connection]> = Guarded([])

    init(_ path: String, capacity: Int) {
        self.path = path
        self.capacity = capacity
    }

    /// Reads in one transaction: everything `body` sees is of one moment, and no writer is waited for.
    func read<Value>(_ body: (Catalog) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        let connection: Connection
        if let kept = idle.withLock({ $0.popLast() }) {
            connection = kept
        } else {
            do throws(DatabaseError) {
                connection = try Connection(opening: path, for: .reading)
            } catch {
                throw RegistryError(error)
            }
        }
        defer {
            idle.withLock { if $0.count < capacity { $0.append(connection) } }
        }
        return try connection.transaction(.reading, wrapping: RegistryError.init) { () throws(RegistryError) in
            try body(Catalog(connection: connection))
        }
    }
}
