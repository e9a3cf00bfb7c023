import CatalogSQL
import Dispatch
import Glibc
import LocalStore
import Testing
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

/// Goal: of jobs that share a transaction, a severe error of one is the failure of all, and nothing of them is stored.
/// Method: the first holds the connection until two have gathered, and the second of these has the transaction undone as
/// SQLite does when the disk fails.
@Suite struct `Jobs that share a transaction` {
    @Test func `Jobs of one transaction fail together when the disk fails one of them`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let connection = try DatabaseConnection(opening: "\(scratch.path)/catalog.sqlite", for: .writing)
        try connection.script("CREATE TABLE item (a);")
        let notified = Guarded(0)
        let waiting = Observed(0)
        let writer = CatalogWriter(connection, figures: StoreFigures()) { count in
            waiting.withLock { $0 = count }
        } committed: { changes in
            notified.withLock { $0 += changes.count }
        }
        let outcomes: Guarded<[String: RegistryError?]> = Guarded([:])
        let isHeld = Observed(true)
        let isInside = Observed(false)
        let threads = Threads()
        threads.start {
            try? writer.write { _, _ throws(RegistryError) in
                isInside.withLock { $0 = true }
                #expect(isHeld.reaches { !$0 })
            }
        }
        #expect(isInside.reaches { $0 })
        // The one that holds it waits no more.
        waiting.withLock { $0 = 0 }
        func attempt(_ name: String, _ body: @escaping @Sendable () throws(RegistryError) -> Void) {
            threads.start {
                do throws(RegistryError) {
                    try writer.write { _, changes throws(RegistryError) in
                        try body()
                        changes.append(
                            RegistryChange(tag: 1, at: 1, kind: .publish, bundleIdentifier: name, release: "", by: ""))
                    }
                    outcomes.withLock { $0[name] = .some(nil) }
                } catch {
                    outcomes.withLock { $0[name] = error }
                }
            }
        }
        attempt("severe") { () throws(RegistryError) in
            do throws(DatabaseError) { try connection.script("ROLLBACK") } catch {
                throw DatabaseConnection.translated(error)
            }
            throw .outOfSpace
        }
        // The second comes after the first, which waits already.
        #expect(waiting.reaches { $0 == 1 })
        threads.start {
            do throws(RegistryError) {
                try writer.write { _, _ throws(RegistryError) in
                    do throws(DatabaseError) {
                        try connection.run("INSERT INTO item VALUES (1)", [DatabaseValue]())
                    } catch {
                        throw DatabaseConnection.translated(error)
                    }
                }
                outcomes.withLock { $0["other"] = .some(nil) }
            } catch {
                outcomes.withLock { $0["other"] = error }
            }
        }
        #expect(waiting.reaches { $0 == 2 })
        isHeld.withLock { $0 = false }
        threads.join()
        #expect(outcomes.withLock { $0["severe"] } == .some(.outOfSpace))
        #expect(outcomes.withLock { $0["other"] } == .some(.outOfSpace))
        #expect(notified.withLock { $0 } == 0)
        let stored = try connection.first("SELECT COUNT(*) FROM item", []) { row throws(DatabaseError) in
            try row.integer(0)
        }
        #expect(stored == 0)
    }
}

private struct Threads {
    private let group = DispatchGroup()
    private let queue = DispatchQueue(label: "test.writers", attributes: .concurrent)

    func start(_ body: @escaping @Sendable () -> Void) { queue.async(group: group, execute: body) }
    func join() { group.wait() }
}
