internal import WidgetBytes
package import WidgetRegistry

/// A connection to a database, lent to one thread at a time.
///
/// A statement is a literal in the subset of SQL that SQLite and PostgreSQL read alike; its values replace `?`, in
/// their order. A session caches prepared statements by the literal. Failures are in the registry's terms.
package protocol CatalogSession: AnyObject, Sendable {
    /// Runs a statement that answers with nothing.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ sql: StaticString, _ values: [CatalogValue]) throws(RegistryError) -> Int

    /// Runs such a statement once with each row of values, up to the first that fails.
    func run(_ sql: StaticString, each rows: [[CatalogValue]]) throws(RegistryError)

    /// Hands over row after row while `read` returns true.
    func each(
        _ sql: StaticString, _ values: [CatalogValue], _ read: (any CatalogRow) throws(RegistryError) -> Bool
    ) throws(RegistryError)

    /// Runs `body` in a transaction of which everything read is of one moment.
    func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Runs `body` in a transaction, from its beginning as the only writer, which is committed when `body` returns and
    /// undone when it throws. Its reads are not older than the moment at which the other writers finished.
    func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Runs `body` as a part of a transaction that is undone alone when it throws.
    func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// True while a transaction is open. A severe error ends it by itself.
    var isInTransaction: Bool { get }
}

extension CatalogSession {
    package func run(_ sql: StaticString, each rows: [[CatalogValue]]) throws(RegistryError) {
        for row in rows { try run(sql, row) }
    }
}

/// A value that is bound to a place in a statement, and never becomes part of its text.
package enum CatalogValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// True or false, in the type that the database's columns have for it.
    case flag(Bool)

    static func count(_ value: Int) -> CatalogValue { .integer(Int64(value)) }

    static func maybe(_ value: Int64?) -> CatalogValue { value.map { .integer($0) } ?? .null }

    static func maybe(_ value: String?) -> CatalogValue { value.map { .text($0) } ?? .null }
}

/// One row of an answer, for the length of a call. Columns are counted from 0, and hold what their reader says or the
/// answer is refused: a schema is a promise, but the database may be damaged.
package protocol CatalogRow {
    func integer(_ column: Int) throws(RegistryError) -> Int64
    /// An integer that counts something.
    func count(_ column: Int) throws(RegistryError) -> Int
    func flag(_ column: Int) throws(RegistryError) -> Bool
    func text(_ column: Int) throws(RegistryError) -> String
    func blob(_ column: Int) throws(RegistryError) -> [UInt8]
    func isNull(_ column: Int) -> Bool
    func optionalInteger(_ column: Int) throws(RegistryError) -> Int64?
    func optionalText(_ column: Int) throws(RegistryError) -> String?
    /// The failure of a column whose value is of the right type and still cannot be.
    func unexpected(_ what: String, _ column: Int) -> RegistryError
}

/// Sessions for reading, each lent to one thread at a time.
package final class CatalogReaders<Session: CatalogSession>: Sendable {
    private let open: @Sendable () throws(RegistryError) -> Session
    /// The number of unused sessions that are kept open.
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

/// The one session that writes.
///
/// A caller that comes while it is busy queues a job and waits for the lock. The first to get the lock carries out all
/// queued jobs in one transaction, so that many publishers share one wait for the disk. Each job can fail alone.
package final class CatalogWriter<Session: CatalogSession>: Sendable {
    private let session: Guarded<Session>
    private let waiting: Guarded<[any WriterJob<Session>]> = Guarded([])
    private let figures: StoreFigures
    private let queued: @Sendable (Int) -> Void
    private let committed: @Sendable ([RegistryChange]) -> Void
    /// The most jobs that share a transaction; the rest form the next.
    private let batch = 64

    /// - Parameters:
    ///   - queued: receives the number of jobs that wait, when another has come.
    ///   - committed: receives the committed changes, in order, before the callers that wrote them continue.
    package init(
        _ session: Session, figures: StoreFigures, queued: @escaping @Sendable (Int) -> Void = { _ in },
        committed: @escaping @Sendable ([RegistryChange]) -> Void
    ) {
        self.session = Guarded(session)
        self.figures = figures
        self.queued = queued
        self.committed = committed
    }

    /// Runs `body` as the only writer. Its changes are on the disk when this returns.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let job = Job<Session, Value>(body)
        let count = waiting.withLock { waiting in
            waiting.append(job)
            return waiting.count
        }
        queued(count)
        return try session.withLock { session throws(RegistryError) in
            while true {
                if let outcome = job.outcome { return try outcome.get() }
                // Jobs are taken in the order they came, so ours is among those taken sooner or later.
                run(takeBatch(), on: session)
            }
        }
    }

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
                        // A severe error has undone the changes of the other jobs, too, and is the answer to all.
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
        // A refused job fails, too: its reason may have been a change of another job, which is undone now.
        state.withLock { $0 = State(result: .failure(error), isFinished: true) }
    }

    func finish() {
        state.withLock { $0.isFinished = true }
    }
}
