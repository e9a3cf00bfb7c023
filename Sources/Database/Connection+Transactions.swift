extension Connection {
    package enum Transaction: Sendable {
        /// One picture of the database for all that is read.
        case reading
        /// From its beginning the only writer, so that nothing it has read can change before it writes.
        case writing
    }

    /// Runs `body` in a transaction, which is committed when it returns and undone when it throws.
    ///
    /// - Parameter wrapping: makes the caller's error of one of ours.
    package func transaction<Value, Failure: Error>(
        _ kind: Transaction, wrapping: (DatabaseError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(DatabaseError) {
            switch kind {
            case .reading: try run("BEGIN", [])
            case .writing: try run("BEGIN IMMEDIATE", [])
            }
        } catch {
            throw wrapping(error)
        }
        let value: Value
        do throws(Failure) {
            value = try body()
        } catch {
            undo()
            throw error
        }
        do throws(DatabaseError) {
            try run("COMMIT", [])
        } catch {
            undo()
            throw wrapping(error)
        }
        return value
    }

    /// Runs `body` as a part of a transaction that can be undone alone.
    ///
    /// After a severe error SQLite undoes the whole transaction; then this throws before anything is done, because a
    /// savepoint by itself would be a transaction of its own, and be committed.
    package func part<Value, Failure: Error>(
        wrapping: (DatabaseError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard isInTransaction else {
            throw wrapping(DatabaseError(.other, code: 0, message: "the transaction has been undone already"))
        }
        do throws(DatabaseError) { try run("SAVEPOINT part", []) } catch { throw wrapping(error) }
        let value: Value
        do throws(Failure) {
            value = try body()
        } catch {
            // After a severe error the whole transaction is gone, and its commit will say so.
            if isInTransaction {
                do throws(DatabaseError) {
                    try run("ROLLBACK TO part", [])
                    try run("RELEASE part", [])
                } catch {
                    throw wrapping(error)
                }
            }
            throw error
        }
        do throws(DatabaseError) { try run("RELEASE part", []) } catch { throw wrapping(error) }
        return value
    }

    private func undo() {
        guard isInTransaction else { return }
        // The error that led here is the one to tell; a rollback that fails leaves the connection in a transaction,
        // and its next BEGIN says so.
        _ = try? run("ROLLBACK", [])
    }
}
