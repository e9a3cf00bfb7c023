internal import CWidgetPostgres
internal import WidgetSystemCalls

/// The times that a connection gives the server.
package struct PostgresLimits: Equatable, Sendable {
    /// For one statement, at the server.
    package var statement = Duration.seconds(10)
    /// For a lock, at the server.
    package var lock = Duration.seconds(10)
    /// For a transaction between two statements. After that the server ends it, so that a process that hangs does not
    /// keep the others from writing; its commit fails then.
    package var idleInTransaction = Duration.seconds(10)
    /// For an answer to arrive here. A server that hangs costs its callers this and no more.
    package var answer = Duration.seconds(15)

    package init() {}
}

/// A connection to one PostgreSQL server, with its prepared statements.
///
/// Statements go to the server in pipelines: queued statements (``enqueue(_:)``) travel with the next one that needs an answer,
/// so the beginning of a transaction costs no round trip. Each wait for the server ends at a deadline of ours. After an
/// answer that did not come, the connection is not used again.
///
/// Safe to use: the handle is made and closed here, and memory that libpq lends is copied at once. A connection is lent to
/// one thread at a time, which makes the `@unchecked Sendable` true: owners that share connections keep them in a
/// `Guarded` value and take them out to use them.
@safe
package final class PostgresConnection: @unchecked Sendable {
    private struct Prepared {
        let name: String
        let statement: PlacedStatement
        var isAtServer = false
    }

    private let handle: OpaquePointer
    private let limits: PostgresLimits
    /// By the addresses of their texts, which are literals.
    private var prepared: [UInt: Prepared] = [:]
    /// Statements that travel with the next.
    private var queue: [StaticString] = []
    /// Pipelines that were sent, by their statements. Their answers are read with the next ones.
    private var posted: [[StaticString]] = []
    /// False after a failure that leaves it open what the server will send next.
    package private(set) var isUsable = true

    package init(_ address: PostgresAddress, _ limits: PostgresLimits = PostgresLimits()) throws(PostgresError) {
        guard let made = unsafe address.connect() else {
            throw PostgresError(.outOfMemory, message: "no memory for a connection")
        }
        unsafe handle = made
        self.limits = limits
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            let words = complaint
            // libpq has no codes for connections; a wrong password stays wrong, all else can pass.
            let isRefused = ["authentication", "does not exist", "no pg_hba.conf entry"].contains { words.contains($0) }
            throw PostgresError(isRefused ? .unusable : .connection, message: words)
        }
        // Notices would be written to this process's standard error.
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
        guard unsafe PQserverVersion(handle) >= PostgresConnection.oldestServer else {
            throw PostgresError(.unusable, message: "the server is older than PostgreSQL 13")
        }
        guard unsafe PQparameterStatus(handle, "server_encoding").map({ unsafe String(cString: $0) }) == "UTF8" else {
            throw PostgresError(.unusable, message: "the database's encoding is not UTF8")
        }
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        try configure()
    }

    deinit {
        unsafe PQfinish(handle)
    }

    private static let oldestServer: Int32 = 130_000

    private func configure() throws(PostgresError) {
        func milliseconds(_ duration: Duration) -> PostgresValue { .text(String(duration / .milliseconds(1))) }
        // A commit that returned is on the disk: a server's laxer choice is overruled, a stricter one stays.
        try ask(
            """
            SELECT set_config('statement_timeout', ?, false), set_config('lock_timeout', ?, false),
                set_config('idle_in_transaction_session_timeout', ?, false), set_config('bytea_output', 'hex', false),
                set_config('synchronous_commit',
                    CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                        ELSE current_setting('synchronous_commit') END, false)
            """,
            [milliseconds(limits.statement), milliseconds(limits.lock), milliseconds(limits.idleInTransaction)])
    }

    // MARK: Statements

    /// Queues a statement without values and rows. If it fails, the statement that it travels with fails.
    package func enqueue(_ sql: StaticString) { queue.append(sql) }

    /// Removes the statements that have not been sent from the queue.
    ///
    /// - Returns: how many there were.
    package func clearQueue() -> Int {
        defer { queue = [] }
        return queue.count
    }

    /// Runs the queue, then a statement, and returns its answer.
    ///
    /// - Parameter last: a statement without values that follows in the same round trip, unless one before it fails.
    @discardableResult
    package func ask(
        _ sql: StaticString, _ values: [PostgresValue], then last: StaticString? = nil
    ) throws(PostgresError) -> PostgresAnswer {
        let (key, known) = try prepared(sql, values.count)
        let early = try sendQueue()
        try sendPreparation(known)
        try send(run(known.name, values))
        if let last { try sendPlain(last) }
        let deadline = try endPipeline()
        var failure = try results(early, deadline)
        if !known.isAtServer, let refusal = try preparation(key, sql, deadline) { failure = failure ?? refusal }
        let answer = try result(deadline)
        if answer.status != PGRES_TUPLES_OK, answer.status != PGRES_COMMAND_OK, failure == nil {
            failure = error(answer, sql)
        }
        if let last, let failed = try results([last], deadline), failure == nil { failure = failed }
        try expectSync(deadline)
        if let failure { throw failure }
        return answer
    }

    /// Runs the queue, then a statement once with each row of values, all in one round trip.
    package func run(_ sql: StaticString, each rows: [[PostgresValue]]) throws(PostgresError) {
        guard let first = rows.first else { return }
        let (key, known) = try prepared(sql, first.count)
        for row in rows where row.count != first.count {
            throw PostgresError(.other, message: "rows of \(first.count) and of \(row.count) values: \(sql)")
        }
        let early = try sendQueue()
        try sendPreparation(known)
        for row in rows { try send(run(known.name, row)) }
        let deadline = try endPipeline()
        var failure = try results(early, deadline)
        if !known.isAtServer, let refusal = try preparation(key, sql, deadline) { failure = failure ?? refusal }
        let failed = try results(rows.map { _ in sql }, deadline)
        try expectSync(deadline)
        if let failure = failure ?? failed { throw failure }
    }

    /// Sends the queue without waiting for answers. They are read with the next statement's, and their failures are
    /// ignored.
    package func post() {
        guard isUsable, !queue.isEmpty else { return }
        do throws(PostgresError) {
            let sent = try sendQueue()
            try send(unsafe PQpipelineSync(handle))
            // A few bytes; what a full socket does not take leaves with the next statement.
            guard unsafe PQflush(handle) >= 0 else { throw lost() }
            posted.append(sent)
        } catch {
            // The connection is marked already, and its next user gets another.
        }
    }

    /// Runs the queue, and reads the outstanding answers.
    package func flush() throws(PostgresError) {
        guard !queue.isEmpty || !posted.isEmpty else { return }
        let early = try sendQueue()
        let deadline = try endPipeline()
        let failure = try results(early, deadline)
        try expectSync(deadline)
        if let failure { throw failure }
    }

    /// Runs several statements without values, of one transaction unless they say otherwise.
    package func script(_ sql: String) throws(PostgresError) {
        try flush()
        guard isUsable, unsafe PQexitPipelineMode(handle) == 1 else { throw lost() }
        try send(unsafe PQsendQuery(handle, sql))
        let deadline = ContinuousClock.now + limits.answer
        try drainOutput(deadline)
        var failure: PostgresError?
        while let answer = try next(deadline) {
            switch answer.status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: continue
            default: failure = failure ?? error(answer, "script")
            }
        }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        if let failure { throw failure }
    }

    /// True while a transaction is open at the server, failed or not.
    package var isInTransaction: Bool {
        let status = unsafe PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    // MARK: Notifications

    /// Waits for a notification of a channel that this connection listens to.
    ///
    /// - Returns: true when there was one, false when the time is over.
    package func awaitNotification(upTo duration: Duration) throws(PostgresError) -> Bool {
        // libpq sees a notification only behind the answers that came before it.
        try flush()
        guard isUsable else { throw lost() }
        let deadline = ContinuousClock.now + duration
        while true {
            if takeNotifications() { return true }
            guard ContinuousClock.now < deadline else { return false }
            pause(.readable, until: deadline)
            guard unsafe PQconsumeInput(handle) == 1, unsafe PQstatus(handle) == CONNECTION_OK else { throw lost() }
        }
    }

    private func takeNotifications() -> Bool {
        var found = false
        while let notification = unsafe PQnotifies(handle) {
            unsafe PQfreemem(notification)
            found = true
        }
        return found
    }

    // MARK: The pipeline

    private func prepared(
        _ sql: StaticString, _ valueCount: Int
    ) throws(PostgresError) -> (key: UInt, statement: Prepared) {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        let known =
            prepared[key] ?? Prepared(name: "s\(prepared.count)", statement: PlacedStatement(sql))
        prepared[key] = known
        // Fewer or more values than places are a mistake of ours.
        guard known.statement.count == valueCount else {
            throw PostgresError(.other, message: "\(valueCount) values for \(known.statement.count) places: \(sql)")
        }
        return (key, known)
    }

    private func sendPreparation(_ statement: Prepared) throws(PostgresError) {
        guard !statement.isAtServer else { return }
        try send(unsafe PQsendPrepare(handle, statement.name, statement.statement.text, 0, nil))
    }

    /// Reads the answer to a preparation; `nil` if it was accepted.
    private func preparation(
        _ key: UInt, _ sql: StaticString, _ deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresError? {
        let answer = try result(deadline)
        guard answer.status == PGRES_COMMAND_OK else { return error(answer, sql) }
        prepared[key]?.isAtServer = true
        return nil
    }

    private func sendQueue() throws(PostgresError) -> [StaticString] {
        guard isUsable else { throw lost() }
        let sent = queue
        queue = []
        for sql in sent { try sendPlain(sql) }
        return sent
    }

    private func sendPlain(_ sql: StaticString) throws(PostgresError) {
        try send(unsafe PQsendQueryParams(handle, "\(sql)", 0, nil, nil, nil, nil, 1))
    }

    private func run(_ name: String, _ values: [PostgresValue]) -> Int32 {
        let bytes = values.map(\.bytes)
        // One buffer after another: an address has to stay until libpq has copied the bytes.
        var all: [UInt8] = []
        all.reserveCapacity(bytes.reduce(1) { $0 + ($1?.count ?? 0) })
        var offsets: [Int?] = []
        for value in bytes {
            offsets.append(value == nil ? nil : all.count)
            all += value ?? []
        }
        // An empty value has an address, too: none would be null.
        all.append(0)
        let lengths = bytes.map { Int32(clamping: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        return unsafe all.withUnsafeBytes { buffer in
            let addresses = unsafe offsets.map { offset in
                unsafe offset.flatMap {
                    unsafe buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self)
                }
            }
            return unsafe PQsendQueryPrepared(
                handle, name, Int32(clamping: values.count), addresses, lengths, formats, 1)
        }
    }

    private func send(_ isSent: Int32) throws(PostgresError) {
        guard isSent == 1 else { throw lost() }
    }

    /// - Returns: the deadline for the answers.
    private func endPipeline() throws(PostgresError) -> ContinuousClock.Instant {
        try send(unsafe PQpipelineSync(handle))
        let deadline = ContinuousClock.now + limits.answer
        try drainOutput(deadline)
        let earlier = posted
        posted = []
        for statements in earlier {
            _ = try results(statements, deadline)
            try expectSync(deadline)
        }
        return deadline
    }

    private func drainOutput(_ deadline: ContinuousClock.Instant) throws(PostgresError) {
        while true {
            switch unsafe PQflush(handle) {
            case 0: return
            case 1:
                try wait(.either, until: deadline)
                // A server that sends before it reads on would wait for us, and we for it.
                guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    /// The first failure among the answers to these statements.
    private func results(
        _ statements: [StaticString], _ deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresError? {
        var failure: PostgresError?
        for sql in statements {
            let answer = try result(deadline)
            guard failure == nil else { continue }
            if answer.status != PGRES_COMMAND_OK, answer.status != PGRES_TUPLES_OK {
                failure = error(answer, sql)
            } else if "\(sql)" == "COMMIT", answer.tag == "ROLLBACK" {
                // PostgreSQL's answer to the commit of a transaction that has failed.
                failure = PostgresError(.other, message: "the transaction had failed and was undone")
            }
        }
        return failure
    }

    /// The answer to the next statement of a pipeline.
    private func result(_ deadline: ContinuousClock.Instant) throws(PostgresError) -> PostgresAnswer {
        guard let answer = try next(deadline) else { throw lost() }
        // Each answer in a pipeline ends with nothing.
        while try next(deadline) != nil {}
        return answer
    }

    private func expectSync(_ deadline: ContinuousClock.Instant) throws(PostgresError) {
        guard try next(deadline)?.status == PGRES_PIPELINE_SYNC else { throw lost() }
    }

    private func next(_ deadline: ContinuousClock.Instant) throws(PostgresError) -> PostgresAnswer? {
        while unsafe PQisBusy(handle) == 1 {
            try wait(.readable, until: deadline)
            guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
        }
        let result = unsafe PQgetResult(handle)
        let answer = unsafe result.map { unsafe PostgresAnswer($0) }
        // The server has closed the connection, and its last words are the answer.
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            if let answer, answer.field("C") != nil {
                isUsable = false
                let failure = error(answer, "")
                throw PostgresError(.connection, state: failure.state, message: failure.message)
            }
            throw lost()
        }
        return answer
    }

    // MARK: Waiting

    private func wait(
        _ readiness: AwaitedDescriptor.Readiness, until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        guard ContinuousClock.now < deadline else {
            isUsable = false
            throw PostgresError(.timeout, message: "no answer from PostgreSQL in \(limits.answer)")
        }
        pause(readiness, until: deadline)
    }

    /// Waits in the kernel. A signal may end it early, and its caller looks again.
    private func pause(_ readiness: AwaitedDescriptor.Readiness, until deadline: ContinuousClock.Instant) {
        unsafe AwaitedDescriptor(PQsocket(handle)).wait(for: readiness, upTo: deadline - .now)
    }

    // MARK: Errors

    /// The connection is gone, or out of step with the server.
    private func lost() -> PostgresError {
        isUsable = false
        return PostgresError(.connection, message: complaint.isEmpty ? "the connection is lost" : complaint)
    }

    private func error(_ answer: PostgresAnswer, _ sql: StaticString) -> PostgresError {
        let state = answer.field("C") ?? ""
        let head = "\(sql)".split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
        let words = PostgresConnection.line(answer.field("M") ?? complaint)
        let failure = PostgresError(state: state, message: head.isEmpty ? words : "\(head): \(words)")
        if failure.endsConnection { isUsable = false }
        return failure
    }

    private var complaint: String { unsafe PostgresConnection.line(String(cString: PQerrorMessage(handle))) }

    /// libpq's words without line breaks.
    static func line(_ words: String) -> String {
        words.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
    }
}
