internal import Bytes
package import Registry

/// The one session that writes.
///
/// Whoever comes while it is busy leaves a job and waits for the lock; the first to get it does all jobs that have
/// gathered, in one transaction, so that many publishers share one wait for the disk. Each job is a part that can
/// fail alone.
package final class CatalogWriter<Session: CatalogSession>: Sendable {
    private let session: Guarded<Session>
    private let waiting: Guarded<[any WriterJob<Session>]> = Guarded([])
    private let figures: StoreFigures
    private let committed: @Sendable ([RegistryChange]) -> Void
    /// So many jobs at most share a transaction; the rest form the next.
    private let batch = 64

    /// - Parameter committed: is told what has changed, in order, before anyone who wrote it goes on.
    package init(
        _ session: Session, figures: StoreFigures, committed: @escaping @Sendable ([RegistryChange]) -> Void
    ) {
        self.session = Guarded(session)
        self.figures = figures
        self.committed = committed
    }

    /// Runs `body` as the only writer. What it returns is on the disk when it is returned here.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let job = Job<Session, Value>(body)
        waiting.withLock { $0.append(job) }
        return try session.withLock { session throws(RegistryError) in
            while true {
                if let outcome = job.outcome { return try outcome.get() }
                // Jobs are taken in the order they came, so ours is among those taken sooner or later.
                run(takeBatch(), on: session)
            }
        }
    }

    /// How many jobs nobody has taken yet.
    package var waitingCount: Int { waiting.withLock { $0.count } }

    private func takeBatch() -> [any WriterJob<Session>] {
        waiting.withLock { waiting in
            let taken = Array(waiting.prefix(batch))
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    private func run(_ jobs: [any WriterJob<Session>], on session: Session) {
        var changes: [RegistryChange] = []
        do throws(RegistryError) {
            try figures.time(.commit) { () throws(RegistryError) in
                try session.writing { () throws(RegistryError) in
                    for job in jobs {
                        job.run(session, &changes)
                        // A severe error has undone what the others have written, too, and is the answer to all.
                        if !session.isInTransaction, let error = job.failure { throw error }
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

private protocol WriterJob<Session>: Sendable {
    associatedtype Session: CatalogSession
    func run(_ session: Session, _ changes: inout [RegistryChange])
    var failure: RegistryError? { get }
    /// The transaction it was in came to nothing.
    func fail(_ error: RegistryError)
    func finish()
}

private final class Job<Session: CatalogSession, Value: Sendable>: WriterJob {
    typealias Body = @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value

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

    func run(_ session: Session, _ changes: inout [RegistryChange]) {
        var own: [RegistryChange] = []
        let result: Result<Value, RegistryError>
        do throws(RegistryError) {
            result = .success(
                try session.part { () throws(RegistryError) in try body(SQLCatalog(session), &own) })
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
