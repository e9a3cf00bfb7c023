package import CatalogSQL
internal import WidgetBytes
internal import WidgetPostgres
package import WidgetRegistry
internal import WidgetSurroundings

/// The catalog's statements on PostgreSQL, through one connection at a time.
///
/// A connection that was lost is replaced by another at the beginning of the next transaction, and once at the beginning of
/// this one if it was lost while it was not used. A transaction that was begun fails with its connection.
package final class PostgresSession: CatalogSession {
    private struct State {
        var connection: PostgresConnection?
        /// True from the beginning of a transaction to its end.
        var isOpen = false
        /// The statements that this transaction began with and whose answers are not known; on a connection that was kept
        /// from an earlier transaction they can be sent again.
        var beginning: [StaticString]?
    }

    private let source: PostgresSource
    /// Identifies this session's transactions in the table `settlement`.
    private let writer: String
    private let number: Guarded<Int64> = Guarded(0)
    // Never contended: a session is lent to one thread.
    private let state = Guarded(State())

    /// - Parameter writer: a name that no other session ever has; of sessions that only read it may be empty.
    package init(_ source: PostgresSource, writer: String = "") {
        self.source = source
        self.writer = writer
    }

    // MARK: Statements

    @discardableResult
    package func run(_ sql: StaticString, _ values: [CatalogValue]) throws(RegistryError) -> Int {
        try ask(sql, values).changedCount
    }

    package func run(_ sql: StaticString, each rows: [[CatalogValue]]) throws(RegistryError) {
        let connection = try present()
        state.withLock { $0.beginning = nil }
        do throws(PostgresError) {
            try connection.run(sql, each: rows.map { $0.map(PostgresValue.init) })
        } catch {
            throw PostgresSource.translated(error)
        }
    }

    package func each(
        _ sql: StaticString, _ values: [CatalogValue], _ read: (any CatalogRow) throws(RegistryError) -> Bool
    ) throws(RegistryError) {
        let answer = try ask(sql, values)
        for number in 0..<answer.rowCount {
            guard try read(TranslatedRow(row: answer.row(number))) else { return }
        }
    }

    private func ask(_ sql: StaticString, _ values: [CatalogValue]) throws(RegistryError) -> PostgresAnswer {
        let values = values.map(PostgresValue.init)
        let connection = try present()
        let beginning = state.withLock { $0.beginning }
        do throws(PostgresError) {
            defer { state.withLock { $0.beginning = nil } }
            return try connection.ask(sql, values)
        } catch {
            guard let beginning, error.kind == .connection else { throw PostgresSource.translated(error) }
            // It was lost since the last transaction, and this one has done nothing yet.
            let fresh = try replace()
            for statement in beginning { fresh.enqueue(statement) }
            return try rethrowing(try fresh.ask(sql, values), as: PostgresSource.translated)
        }
    }

    /// The connection, opened if need be.
    private func present() throws(RegistryError) -> PostgresConnection {
        if let kept = state.withLock({ $0.connection }), kept.isUsable { return kept }
        guard !state.withLock({ $0.isOpen }) else {
            throw .unavailable(CatalogFailure("the connection to PostgreSQL was lost during the transaction"))
        }
        return try replace()
    }

    private func replace() throws(RegistryError) -> PostgresConnection {
        state.withLock { $0.connection = nil }
        let made = try rethrowing(try source.connect(), as: PostgresSource.translated)
        state.withLock { state in
            state.connection = made
            state.beginning = nil
        }
        return made
    }

    // MARK: Transactions

    package func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        let kept = state.withLock { $0.connection?.isUsable ?? false }
        let connection = try present()
        let begin: StaticString = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        connection.enqueue(begin)
        state.withLock { state in
            state.isOpen = true
            state.beginning = kept ? [begin] : nil
        }
        defer {
            state.withLock { $0.isOpen = false }
            // Nothing was asked, so nothing was begun.
            if let last = state.withLock({ $0.connection }), last.clearQueue() == 0, last.isUsable {
                // The answer to this is read with the next transaction's: it is not waited for.
                last.enqueue("ROLLBACK")
                last.post()
            }
        }
        return try body()
    }

    /// `READ COMMITTED`, and the lock first: a transaction that keeps one snapshot would read the state from before it
    /// waited for the lock, and a lock that a query takes comes after the query's snapshot.
    package func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        let connection = try beginWriting()
        state.withLock { $0.isOpen = true }
        defer { state.withLock { $0.isOpen = false } }
        let value: Result
        do throws(RegistryError) {
            value = try body()
        } catch {
            undo(connection)
            throw error
        }
        guard connection.isUsable else {
            throw .unavailable(CatalogFailure("the connection to PostgreSQL was lost during the transaction"))
        }
        try commit(connection)
        return value
    }

    private func beginWriting() throws(RegistryError) -> PostgresConnection {
        let isKept = state.withLock { $0.connection?.isUsable ?? false }
        func begin(_ connection: PostgresConnection) throws(PostgresError) {
            _ = connection.clearQueue()
            connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
            connection.enqueue("LOCK TABLE writer_lock IN EXCLUSIVE MODE")
            do throws(PostgresError) {
                try connection.flush()
            } catch {
                undo(connection)
                throw error
            }
        }
        let connection = try present()
        do throws(PostgresError) {
            try begin(connection)
            return connection
        } catch {
            guard isKept, error.kind == .connection else { throw PostgresSource.translated(error) }
        }
        let fresh = try replace()
        try rethrowing(try begin(fresh), as: PostgresSource.translated)
        return fresh
    }

    private func undo(_ connection: PostgresConnection) {
        _ = connection.clearQueue()
        guard connection.isUsable else { return }
        connection.enqueue("ROLLBACK")
        // The error that led here is the one to report. A rollback that fails ends the connection.
        try? connection.flush()
    }

    /// Writes this transaction's number beside its changes, so that its outcome can be asked for if the answer is lost.
    private func commit(_ connection: PostgresConnection) throws(RegistryError) {
        let number = self.number.withLock { number in
            number += 1
            return number
        }
        do throws(PostgresError) {
            try connection.ask(
                """
                INSERT INTO settlement (writer, number, at) VALUES (?, ?, clock_timestamp())
                ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at
                """, [.text(writer), .integer(number)], then: "COMMIT")
        } catch {
            guard error.endsConnection else {
                undo(connection)
                throw PostgresSource.translated(error)
            }
            switch isCommitted(number) {
            case true?: return
            case false?: throw .unavailable(CatalogFailure("\(error); nothing was written"))
            case nil: throw .database(CatalogFailure("\(error); it is not known whether this was written"))
            }
        }
    }

    /// The outcome of a commit whose answer was lost; `nil` when the server cannot be asked in time. The lock is waited for:
    /// the server may still be carrying the commit out.
    private func isCommitted(_ number: Int64) -> Bool? {
        let deadline = source.world.clock.moment(after: source.limits.answer)
        state.withLock { $0.connection = nil }
        while source.world.clock.now < deadline {
            do throws(PostgresError) {
                let connection = try source.connect()
                connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
                connection.enqueue("LOCK TABLE writer_lock IN EXCLUSIVE MODE")
                let answer = try connection.ask(
                    "SELECT COUNT(*) FROM settlement WHERE writer = ? AND number = ?",
                    [.text(writer), .integer(number)],
                    then: "COMMIT")
                state.withLock { $0.connection = connection }
                return try answer.row(0).count(0) > 0
            } catch {
                source.world.clock.rest(for: .milliseconds(50))
            }
        }
        return nil
    }

    package func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        guard isInTransaction, let connection = state.withLock({ $0.connection }) else {
            throw .unavailable(CatalogFailure("the connection to PostgreSQL was lost during the transaction"))
        }
        connection.enqueue("SAVEPOINT part")
        let value: Result
        do throws(RegistryError) {
            value = try body()
        } catch {
            if connection.isUsable {
                connection.enqueue("ROLLBACK TO part")
                connection.enqueue("RELEASE part")
            }
            throw error
        }
        if connection.isUsable { connection.enqueue("RELEASE part") }
        return value
    }

    package var isInTransaction: Bool {
        state.withLock { $0.isOpen && ($0.connection?.isUsable ?? false) }
    }

    // MARK: Outside of transactions

    /// Has this session's connection get notifications of a channel. After each new connection this is done again, and
    /// the state is asked for: what was notified in between is lost.
    ///
    /// - Returns: true if the connection is a new one.
    func listen(_ statement: StaticString) throws(RegistryError) -> Bool {
        if let kept = state.withLock({ $0.connection }), kept.isUsable { return false }
        _ = try ask(statement, [])
        return true
    }

    func awaitNotification(upTo duration: Duration) throws(RegistryError) -> Bool {
        let connection = try present()
        return try rethrowing(try connection.awaitNotification(upTo: duration), as: PostgresSource.translated)
    }
}

extension PostgresValue {
    fileprivate init(_ value: CatalogValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        case .flag(let flag): self = .flag(flag)
        }
    }
}

/// A row of PostgreSQL's answer, with failures in the registry's terms.
private struct TranslatedRow: CatalogRow {
    let row: PostgresRow

    func integer(_ column: Int) throws(RegistryError) -> Int64 {
        do throws(PostgresError) { return try row.integer(column) } catch { throw PostgresSource.translated(error) }
    }

    func count(_ column: Int) throws(RegistryError) -> Int {
        do throws(PostgresError) { return try row.count(column) } catch { throw PostgresSource.translated(error) }
    }

    func flag(_ column: Int) throws(RegistryError) -> Bool {
        do throws(PostgresError) { return try row.flag(column) } catch { throw PostgresSource.translated(error) }
    }

    func text(_ column: Int) throws(RegistryError) -> String {
        do throws(PostgresError) { return try row.text(column) } catch { throw PostgresSource.translated(error) }
    }

    func blob(_ column: Int) throws(RegistryError) -> [UInt8] {
        do throws(PostgresError) { return try row.blob(column) } catch { throw PostgresSource.translated(error) }
    }

    func isNull(_ column: Int) -> Bool { row.isNull(column) }

    func optionalInteger(_ column: Int) throws(RegistryError) -> Int64? {
        do throws(PostgresError) { return try row.optionalInteger(column) } catch {
            throw PostgresSource.translated(error)
        }
    }

    func optionalText(_ column: Int) throws(RegistryError) -> String? {
        do throws(PostgresError) { return try row.optionalText(column) } catch {
            throw PostgresSource.translated(error)
        }
    }

    func unexpected(_ what: String, _ column: Int) -> RegistryError {
        PostgresSource.translated(row.unexpected(what, column))
    }
}
