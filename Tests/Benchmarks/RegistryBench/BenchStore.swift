import CatalogSQL
import ClusterStore
import Dispatch
import Foundation
import LocalStore
import WidgetBytes
import WidgetPostgres
import WidgetRegistry
import WidgetSurroundings

/// A store that is measured: `DIRECTORY`, or `DIRECTORY@postgres://USER@HOST/NAME` for a catalog in PostgreSQL and archives in
/// the directory, as replicas have them.
struct BenchStore {
    let path: String
    private let database: String?

    init(_ words: String) {
        let parts = words.split(separator: "@postgres", maxSplits: 1)
        path = String(parts[0])
        database = parts.count == 2 ? "postgres" + parts[1] : nil
    }

    /// - Parameter isCollected: true for one whose garbage is collected: what was withdrawn has ended at once.
    func open(isCollected: Bool = false) throws -> Registry {
        var options = Registry.Options(
            in: World(clock: isCollected ? SystemClock() : ManualClock(date: .seconds(1))))
        if isCollected { options.withdrawnSeconds = 0 }
        guard let database else { return try Registry(opening: path, options: options) }
        let (catalog, blobs) = try replica(database)
        return try Registry(catalog: catalog, blobs: blobs, options: options)
    }

    /// Copies the catalog of a directory, as `widgetd-cluster migrate` does.
    func fill(from directory: String) throws {
        guard let database else { throw Unfit(text: "only a database is filled from a directory") }
        let local = try StoreDirectory(directory, holder: "bench")
        let source = try LocalCatalog(local, readers: 1, figures: StoreFigures())
        let (target, _) = try replica(database)
        try source.read { reader throws(RegistryError) in
            guard let all = reader as? SQLCatalog else { throw .damaged("the catalog cannot be read") }
            try target.fill(from: all)
        }
    }

    private func replica(_ database: String) throws -> (PostgresCatalog, DirectoryBlobs) {
        let figures = StoreFigures()
        let directory = try StoreDirectory(sharing: path, ReplicaLock(path + "/replica", holder: "bench"))
        let source = PostgresSource(try PostgresAddress(database, program: "bench"))
        let catalog = try PostgresCatalog(source, figures: figures, PostgresCatalog.Options(name: "bench"))
        return (catalog, DirectoryBlobs(directory, figures: figures))
    }

    struct Unfit: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

/// Garbage that is collected without a pause, on a thread.
final class GarbageRounds: Sendable {
    private struct State {
        var isOver = false
        var rounds = 0
        var removed = 0
        var failure: String?
    }

    private let state = Guarded(State())
    private let finished = DispatchSemaphore(value: 0)

    /// Items that nothing has referred to for so many seconds are garbage.
    private static let grace: Int64 = 2

    init(_ registry: Registry) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                do throws(RegistryError) {
                    let report = try registry.collect(grace: GarbageRounds.grace, isDryRun: false) { _, _ in }
                    state.withLock { state in
                        state.rounds += 1
                        state.removed += report.archives.count
                    }
                } catch {
                    state.withLock { $0.failure = "\(error)" }
                    break
                }
            }
            finished.signal()
        }
    }

    /// Ends it, and says how many rounds there were, and how many archives they removed.
    func end() -> String {
        state.withLock { $0.isOver = true }
        finished.wait()
        return state.withLock { $0.failure ?? "\($0.rounds) \($0.removed)" }
    }
}
