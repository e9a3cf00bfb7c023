import ClusterStore
import Dispatch
import PostgresPeer
import WidgetBytes
import WidgetPostgres
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// A database of a test, and the catalogs of replicas over it.
struct Replicas {
    let peer: PostgresPeer
    let database: String

    /// - Parameter peer: the server that all tests share, unless a test needs one for itself.
    init(_ peer: PostgresPeer? = nil) throws {
        self.peer = try peer ?? PostgresPeer.shared.get()
        database = try self.peer.makeDatabase()
    }

    func connection() throws -> PostgresConnection { try PostgresConnection(peer.address(database)) }

    func replica(
        _ name: String = "a", _ limits: PostgresLimits = PostgresLimits(), in world: World = .machine,
        _ change: (inout PostgresCatalog.Options) -> Void = { _ in }
    ) throws -> PostgresCatalog {
        var options = PostgresCatalog.Options(name: name)
        change(&options)
        return try PostgresCatalog(
            PostgresSource(peer.address(database), limits, in: world), figures: StoreFigures(), options)
    }

    /// Ends every other connection to the database, as a restart of the server does, and waits until all are gone: one that
    /// was only asked to end may still take a statement.
    func endConnections() throws {
        try connection().ask(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, [])
    }
}

extension ReleaseCatalog {
    func look<Value>(_ body: (any CatalogReader) throws -> Value) throws -> Value {
        try read { reader throws(RegistryError) in Result { try body(reader) } }.get()
    }

    /// Publishes a change that has these words for a bundle.
    @discardableResult
    func tell(_ words: String) throws(RegistryError) -> Int64 {
        try write { editor, changes throws(RegistryError) in
            let change = try editor.append(
                RegistryChange(
                    tag: 0, at: 1_000, kind: .promote, bundleIdentifier: words, release: "1~1", by: "tester"))
            changes.append(change)
            return change.tag
        }
    }
}

/// Runs a body on another thread, and has its outcome.
final class Aside<Value: Sendable>: Sendable {
    private let outcome: Observed<Result<Value, RegistryError>?> = Observed(nil)

    init(_ body: @escaping @Sendable () throws(RegistryError) -> Value) {
        DispatchQueue(label: "aside").async { [outcome] in
            let result: Result<Value, RegistryError>
            do throws(RegistryError) { result = .success(try body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
        }
    }

    var isDone: Bool { outcome.withLock { $0 != nil } }

    func result() -> Result<Value, RegistryError>? {
        _ = outcome.reaches { $0 != nil }
        return outcome.withLock { $0 }
    }
}
