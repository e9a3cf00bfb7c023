internal import Database
internal import Locks

/// The one connection that writes.
///
/// Whoever comes while it is busy leaves a job and waits for the lock; the first to get it does all jobs that have
/// gathered, in one transaction, so that many publishers share one wait for the disk. Each job is a part that can
/// fail alone.
final class CatalogWriter: Sendable {
    private let connection: Guarded<Connection>
    private let waiting: Guarded<[any WriterJob]> = Guarded([])
    private let figures: StoreFigures
    private let committed: @Sendable ([RegistryChange]) -> Void
    /// So many jobs at most share a transaction; the rest form the next.
    private static let batch = 64

    /// - Parameter committed: is told what has changed, in order, before anyone who wrote it goes on.
    init(
        _ connection: Connection, figures: StoreFigures, committed: @escaping @Sendable ([RegistryChange]) -> Void
    ) {
        self.connection = Guarded(connection)
        self.figures = figures
        self.committed = committed
    }

    /// Runs `body` as the only writer. What it returns is on the disk when it is returned here.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Catalog, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let job = Job(body)
        waiting.withLock { $0.append(job) }
        return try connection.withLock { connection throws(RegistryError) in
            while true {
                if let outcome = job.outcome { return try outcome.get() }
                // Jobs are taken in the order they came, so ours is among those taken sooner or later.
                run(takeBatch(), on: connection)
            }
        }
    }

    /// How many jobs nobody has taken yet.
    var waitingCount: Int { waiting.withLock { $0.count } }

    private func takeBatch() -> [any WriterJob] {
        waiting.withLock { waiting in
            let batch = Array(waiting.prefix(CatalogWriter.batch))
            waiting.removeFirst(batch.count)
            return batch
        }
    }

    private func run(_ jobs: [any WriterJob], on connection: Connection) {
        var changes: [RegistryChange] = []
        do throws(RegistryError) {
            try figures.time(.commit) { () throws(RegistryError) in
                try connection.transaction(.writing, wrapping: RegistryError.init) { () throws(RegistryError) in
                    for job in jobs {
                        job.run(Catalog(connection: connection), &changes)
                        // A severe error has undone what the others have written, too, and is the answer to all.
                        if !connection.isInTransaction, let error = job.failure { throw error }
                    }
                }
            }
        } catch {
            for job in jobs { job.fail(error) }
            return
        }
        committed(changes)
        for job in jobs { job.finish() }
    }
}

private protocol WriterJob: Sendable {
    func run(_ catalog: Catalog, _ changes: inout [RegistryChange])
    var failure: RegistryError? { get }
    /// The transaction it was in came to nothing.
    func fail(_ error: RegistryError)
    func finish()
}

private final class Job<Value: Sendable>: WriterJob {
    typealias Body = @Sendable (Catalog, inout [RegistryChange]) throws(RegistryError) -> Value

    private struct State {
        var result: Result<Value, RegistryError>?
        var isFinished = false
    }

    private let body: Body
    private let state = Guarded(State())

    init(_ body: @escaping Body) {
        self.body = body
    }

    var failure: RegistryError? {
        guard case .failure(let error) = state.withLock({ $0.result }) else { return nil }
        return error
    }

    var outcome: Result<Value, RegistryError>? { state.withLock { $0.isFinished ? $0.result : nil } }

    func run(_ catalog: Catalog, _ changes: inout [RegistryChange]) {
        var own: [RegistryChange] = []
        let result: Result<Value, RegistryError>
        do throws(RegistryError) {
            result = .success(
                try catalog.connection.part(wrapping: RegistryError.init) { () throws(RegistryError) in
                    try body(catalog, &own)
                })
            changes += own
        } catch {
            result = .failure(error)
        }
        state.withLock { $0.result = result }
    }

    func fail(_ error: RegistryError) {
        // Even of a job that was refused: it may have been for what another had written, which is not there now.
        state.withLock { $0 = State(result: .failure(error), isFinished: true) }
    }

    func finish() {
        state.withLock { $0.isFinished = true }
    }
}
